"""A machine that seems to have two GPUs: a training has both, or two other runs have one each."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.product import world as worlds
from tests.product.world import Row, World, until

pytestmark = [pytest.mark.product, pytest.mark.any_database]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    environment = {"STEPMARK_GPUS": "2", "DJANGO_SETTINGS_MODULE": "tests.running.held"}
    with worlds.running(tmp_path_factory.mktemp("gpus"), environment) as world:
        world.labelled_phase()
        yield world


@pytest.fixture(scope="module")
def models(world: World) -> list[str]:
    """Two reward models whose own evaluations have ended."""
    trainings = [world.ended("training-runs", world.train(name)) for name in ("one", "another")]
    for run in trainings:
        world.evaluated(run["reward_model"])
    return [run["reward_model"] for run in trainings]


@pytest.fixture
def unscored(world: World, request: pytest.FixtureRequest) -> None:
    """Gives the pool something to score."""
    solution = {"problem": f"{request.node.name}?", "reference_answer": "1", "generator": "g", "correct": True}
    run = world.import_file([solution | {"steps": ["We add.", "A: 1"]}])
    assert world.ended("imports", run)["status"] == "done"


@contextmanager
def held(world: World) -> Iterator[None]:
    """Holds each run at its beginning until the block ends."""
    with (world.product.folder / "hold").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def wait_for_begin(world: World, run: Row) -> None:
    until(lambda: world.look_at_run(run)["status"] == "running", f"the run {run['id']} has begun")


def score(world: World, model: str) -> Row:
    return world.queue("scoring-runs", reward_model=model)


def own_gpu(run: Row) -> str:
    """Returns the GPU in the name of the run's worker: machine, GPU, process id and random digits."""
    return str(run["worker"].rsplit("-", 3)[1])


def test_two_scorings_have_a_gpu_each(world: World, models: list[str], unscored: None) -> None:
    with held(world):
        runs = [score(world, model) for model in models]
        for run in runs:
            wait_for_begin(world, run)
    one, other = (world.ended("scoring-runs", run) for run in runs)
    assert (one["status"], other["status"]) == ("done", "done")
    assert {own_gpu(one), own_gpu(other)} == {"gpu0", "gpu1"}


def test_a_training_has_both_and_nothing_overtakes_it(world: World, models: list[str], unscored: None) -> None:
    with held(world):
        first = score(world, models[0])
        wait_for_begin(world, first)
        training, last = world.train("on both"), score(world, models[1])
        until(
            lambda: world.look_at_run(last)["stage"].startswith("waiting for the GPUs"), "the scoring says why it waits"
        )
    before, trained, after = (world.ended("runs", run) for run in (first, training, last))
    assert [run["status"] for run in (before, trained, after)] == ["done"] * 3
    assert before["finished_at"] <= trained["started_at"]
    assert trained["finished_at"] <= after["started_at"]
