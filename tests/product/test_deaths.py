"""Processes that die at the worst moment, and a broker that forgets: the rows carry on."""

import pytest

from tests.product.world import Row, World, until

pytestmark = pytest.mark.product


def test_a_killed_worker_is_replaced_and_its_run_resumes(world: World, labels: Row) -> None:
    before = world.count_labellings()
    run = world.long_training("worker killed")
    killed = world.worker()
    killed.kill()
    after = world.ended("training-runs", run)
    assert (after["status"], after["attempts"], after["error"]) == ("done", 2, "")
    assert world.worker().pid != killed.pid
    assert world.count_labellings() == before
    assert after["snapshot"]["id"] == run["snapshot"]["id"]
    assert [step for step, _ in after["loss_curve"]] == list(range(1, after["done"] + 1))


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
    world.product.start("--no-worker")
    given_back = world.look_at("training-runs", run)
    assert (given_back["status"], given_back["attempts"]) == ("queued", 0), given_back
    world.product.stop()
    world.product.start()
    after = world.ended("training-runs", run)
    assert (after["status"], after["attempts"], after["error"]) == ("done", 1, "")


def test_a_cancelled_run_stops_and_a_retried_one_ends(world: World, labels: Row) -> None:
    run = world.long_training("cancelled")
    world.ml_staff.call("POST", f"runs/train/{run['id']}/cancel/")
    stopped = world.ended("training-runs", run)
    assert (stopped["status"], stopped["reward_model"]) == ("cancelled", None)
    world.ml_staff.call("POST", f"runs/train/{run['id']}/retry/")
    after = world.ended("training-runs", run)
    assert (after["status"], after["attempts"], after["error"]) == ("done", 1, "")
    assert after["reward_model"]


def test_without_a_worker_it_says_so_and_loses_nothing(world: World, labels: Row) -> None:
    world.product.stop()
    world.product.start("--no-worker")
    until(lambda: not world.ml_staff.call("GET", "workers/")["is_alive"], "no worker is alive")
    run = world.train("no worker")
    selection = world.queue("selections", phase=labels["id"], policy="uniform", size=1)
    assert world.look_at("training-runs", run)["status"] == "queued"

    world.product.stop()
    world.product.empty_broker()
    world.product.start()
    assert world.ended("training-runs", run)["status"] == "done"
    assert world.ended("selections", selection)["status"] == "done"
    assert world.ml_staff.call("GET", "workers/")["is_alive"]


def test_a_full_round_closes_although_no_worker_lived_at_its_end(world: World) -> None:
    phase = world.new_phase("Closes by itself")
    world.admin.call("PATCH", f"phases/{phase['id']}/settings/", {"closes_full_rounds": True})
    world.publish(phase, policy="uniform", size=3)
    world.product.stop()
    world.product.start("--no-worker")
    world.label_all(phase)
    assert [row["status"] for row in world.rounds(phase)] == ["open"]
    world.kill_everything()
    world.product.start()
    until(lambda: world.rounds(phase)[0]["status"] == "closed", "the round closed by itself")
