"""The loop over HTTP: uniform round, labels, training, scores, convincing round, and the next claim."""

import pytest

from tests.product.words import ANNOTATORS
from tests.product.world import World

pytestmark = [pytest.mark.product, pytest.mark.servers_if_any]


def test_the_loop_goes_round(world: World) -> None:
    phase = world.new_phase("Loop")
    world.publish(phase, policy="uniform", size=24)
    assignments = world.label_all(phase)
    first = world.close_round(phase)
    assert (first["labellings_done"], first["labellings_wanted"], len(assignments)) == (24, 24, 24)
    assert len({assignment["id"] for assignment in assignments}) == 24

    training = world.finish("training-runs", name="loop", base=world.base, phase=phase["id"], settings={"epochs": 3})
    assert training["snapshot"]["counts"]["labellings"] == 24
    assert [step for step, _ in training["loss_curve"]] == list(range(1, training["done"] + 1))
    model = training["reward_model"]
    world.score(model)
    pool = world.ml_staff.call("GET", "pool/")["solutions"]
    assert world.ml_staff.call("GET", f"reward-models/{model}/")["solutions_scored"] == pool  # an evaluation began

    chosen = {"policy": "whole_pool", "wrong_share": 1.0, "random_share": 0}
    selection = world.publish(phase, reward_model=model, size=10, per_problem=1, **chosen)
    items = list(world.ml_staff.every(f"selections/{selection['id']}/items/"))
    scores = [item["log_score"] for item in items]
    assert {item["verdict"] for item in items} == {"wrong"}
    assert scores == sorted(scores, reverse=True)

    claims = [world.people[name].call("POST", f"phases/{phase['id']}/claim/") for name in ANNOTATORS]
    assert [claim["assignment"]["round_number"] for claim in claims] == [1, 1]
    picked = [item["steps"] for item in items]
    assert all(claim["assignment"]["solution"]["steps"] in picked for claim in claims), "shuffled"


def test_an_annotator_is_told_nothing_but_the_task(world: World) -> None:
    phase = world.new_phase("Quiet")
    world.publish(phase, policy="uniform", size=1)
    assignment = world.people["ada"].call("POST", f"phases/{phase['id']}/claim/")["assignment"]
    assert set(assignment) == {
        "id",
        "lease_expires_at",
        "submitted_at",
        "phase",
        "round_number",
        "is_screening",
        "problem",
        "solution",
        "draft",
        "labelling",
        "report",
        "has_answer",
    }
    assert set(assignment["problem"]) == {"statement", "markup", "reference_answer", "subject"}
    assert set(assignment["solution"]) == {"steps", "markup"}
