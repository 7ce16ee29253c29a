"""A machine with two GPUs, as its workers are told: a training has both, or two other runs have one each."""

from collections.abc import Iterator

import pytest

from tests.product import world as worlds
from tests.product.world import Row, World, until

pytestmark = [pytest.mark.product, pytest.mark.any_database]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with worlds.running(tmp_path_factory.mktemp("gpus"), {"STEPMARK_GPUS": "2"}) as world:
        world.labelled_phase()
        yield world


@pytest.fixture(scope="module")
def models(world: World) -> list[str]:
    """Two reward models, which have measured themselves."""
    trainings = [world.ended("training-runs", world.train(name)) for name in ("one", "another")]
    for run in trainings:
        world.evaluated(run["reward_model"])
    return [run["reward_model"] for run in trainings]


@pytest.fixture
def unscored(world: World, request: pytest.FixtureRequest) -> None:
    """Gives the pool some seconds of scoring."""
    solutions = (
        {"problem": f"{request.node.name} {each}?", "reference_answer": "1", "generator": "g", "correct": True}
        | {"steps": ["We add.", f"A: {each}"]}
        for each in range(1000)
    )
    assert world.ended("imports", world.import_file(solutions))["status"] == "done"


def score(world: World, model: str) -> Row:
    return world.queue("scoring-runs", reward_model=model)


def overlap(one: Row, other: Row) -> bool:
    return bool(one["started_at"] < other["finished_at"] and other["started_at"] < one["finished_at"])


def own_gpu(run: Row) -> str:
    """Returns the GPU in the name of the run's worker: machine, GPU, process id and random digits."""
    return str(run["worker"].rsplit("-", 3)[1])


def test_two_scorings_have_a_gpu_each(world: World, models: list[str], unscored: None) -> None:
    one, other = (world.ended("scoring-runs", run) for run in [score(world, model) for model in models])
    assert (one["status"], other["status"]) == ("done", "done")
    assert overlap(one, other)
    assert {own_gpu(one), own_gpu(other)} == {"gpu0", "gpu1"}


def test_a_training_has_both_and_nothing_overtakes_it(world: World, models: list[str], unscored: None) -> None:
    first = score(world, models[0])
    until(lambda: world.look_at_run(first)["status"] != "queued", "the scoring has begun")
    training = world.train("on both", epochs=15)
    last = score(world, models[1])
    until(lambda: world.look_at_run(last)["stage"].startswith("waiting for the GPUs"), "the scoring says why it waits")
    before, trained, after = (world.ended("runs", run) for run in (first, training, last))
    assert [run["status"] for run in (before, trained, after)] == ["done"] * 3
    assert before["finished_at"] <= trained["started_at"]
    assert trained["finished_at"] <= after["started_at"]
