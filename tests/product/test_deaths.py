"""Processes that die at the worst moment, and a broker that forgets: runs continue from their rows."""

import pytest

from tests.product.world import Row, World, process_of, until

pytestmark = pytest.mark.product
LOOK = """
from prm_training.models import TrainingRun
run = TrainingRun.objects.get(pk="{run}")
print(run.status, run.attempts)
"""


@pytest.mark.any_database
def test_a_killed_worker_is_replaced_and_its_run_resumes(world: World, labels: Row) -> None:
    before = world.count_labellings()
    run = world.long_training("worker killed")
    others = world.worker_pids()
    worker = world.worker_of(run)
    killed = process_of(worker)
    assert killed is not None
    killed.kill()
    after = world.ended("training-runs", run)
    assert (after["status"], after["attempts"], after["error"]) == ("done", 2, "")
    assert world.worker_of(after) != worker
    until(lambda: len(world.worker_pids() - {killed.pid}) == len(others) == 2, "two workers again")
    assert world.count_labellings() == before
    assert after["snapshot"]["id"] == run["snapshot"]["id"]
    assert [step for step, _ in after["loss_curve"]] == list(range(1, after["done"] + 1))


@pytest.mark.any_database
def test_nothing_waits_behind_a_training(world: World, labels: Row) -> None:
    """Two workers write to one database: an import and its undoing, beside a training's curve."""
    training = world.long_training("beside others", epochs=100)
    run = world.import_file(
        {"problem": f"{number} + 1?", "reference_answer": f"{number + 1}", "generator": "g", "correct": True}
        | {"steps": ["We add.", f"A: {number + 1}"]}
        for number in range(2000)
    )
    ended = world.ended("imports", run)
    assert (ended["status"], ended["counts"]["solutions"]) == ("done", 2000), ended
    meanwhile = world.look_at_run(training)  # on a busy machine, it may be done before the import is
    assert meanwhile["status"] == "running" or ended["started_at"] < meanwhile["finished_at"]
    assert world.worker_of(run) != world.worker_of(training)
    world.admin.call("POST", f"imports/{run['id']}/undo/")
    undone = world.ended("imports", run)
    world.finish("selections", phase=labels["id"], policy="uniform", size=1)
    assert (undone["status"], bool(undone["undone_at"])) == ("done", True), undone
    world.cancel_everything()
    assert "database is locked" not in world.product.log()


def test_after_a_power_cut_the_run_resumes(world: World, labels: Row) -> None:
    before = world.count_labellings()
    run = world.long_training("power cut")
    world.kill_everything()
    world.product.start()
    after = world.ended("training-runs", run)
    assert (after["status"], after["attempts"], after["error"]) == ("done", 2, "")
    assert world.count_labellings() == before


def test_an_orderly_stop_gives_the_run_back(world: World, labels: Row) -> None:
    run = world.long_training("orderly stop")
    world.product.stop()
    assert world.product.shell(LOOK.format(run=run["id"])).split() == ["queued", "0"]
    world.product.start()
    after = world.ended("training-runs", run)
    assert (after["status"], after["attempts"], after["error"]) == ("done", 1, "")


@pytest.mark.any_database
def test_a_cancelled_run_stops_and_a_retried_one_ends(world: World, labels: Row) -> None:
    run = world.long_training("cancelled")
    world.ml_staff.call("POST", f"runs/{run['id']}/cancel/")
    stopped = world.ended("training-runs", run)
    assert (stopped["status"], stopped["reward_model"]) == ("cancelled", None)
    world.ml_staff.call("POST", f"runs/{run['id']}/retry/")
    after = world.ended("training-runs", run)
    assert (after["status"], after["attempts"], after["error"]) == ("done", 1, "")
    assert after["reward_model"]


def test_without_a_worker_it_says_so_and_loses_nothing(world: World, labels: Row) -> None:
    """Once a worker lives, queued runs are done, whatever the broker forgot, and a full round closes."""
    phase = world.new_phase("Closes by itself")
    world.admin.call("PATCH", f"phases/{phase['id']}/settings/", {"closes_full_rounds": True})
    world.publish(phase, policy="uniform", size=3)
    world.product.stop()
    world.product.start("--no-worker")
    until(lambda: not world.ml_staff.call("GET", "workers/")["is_alive"], "no worker is alive")
    run = world.train("no worker")
    selection = world.queue("selections", phase=labels["id"], policy="uniform", size=1)
    assert world.look_at_run(run)["status"] == "queued"
    world.label_all(phase)
    assert [row["status"] for row in world.rounds(phase)] == ["open"]

    world.kill_everything()
    world.product.empty_broker()
    world.product.start()
    assert world.ended("training-runs", run)["status"] == "done"
    assert world.ended("selections", selection)["status"] == "done"
    assert world.ml_staff.call("GET", "workers/")["is_alive"]
    until(lambda: world.rounds(phase)[0]["status"] == "closed", "the round closed by itself")
