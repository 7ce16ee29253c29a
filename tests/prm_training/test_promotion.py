"""Which model is current: /promote/, /api/promotions/ and /roll-back/, and the rule behind them."""

import pytest

from labeling.models import Change
from prm_training import promotion
from prm_training.models import Promotion, RewardModel

ADDRESS = "/api/promotions/"
INSIST = {"is_override": True, "reason": "New held-out problems."}


def promote(client, model, **body):
    return client.post(f"/api/reward-models/{model.pk}/promote/", body)


def roll_back(client, **body):
    return client.post(f"{ADDRESS}roll-back/", body)


def current():
    return RewardModel.objects.get(is_current=True)


@pytest.fixture
def first(make):
    return make.reward_model(name="first", is_current=True)


@pytest.fixture
def measured(make, first, now):
    """A second model, evaluated beside the first: its AUC, where the first has 0.8."""

    def with_auc(auc):
        model = make.reward_model(name="second")
        figures = {"metrics": {"held_out": {"step_auc": auc}}, "baseline_metrics": {"held_out": {"step_auc": 0.8}}}
        make.evaluation_run(reward_model=model, baseline=first, status="done", finished_at=now, **figures)
        return model

    return with_auc


def test_it_works(measured, first, ml_staff, ml_staff_client):
    better = measured(0.85)
    answer = promote(ml_staff_client, better, reason="", is_override=False)  # as the page asks
    assert (answer.status_code, answer.json()["is_current"], current()) == (200, True, better)
    (row,) = ml_staff_client.get(ADDRESS).json()["results"]
    assert (row["by"], row["name"], row["previous_name"]) == ("mika", "second", "first")
    assert (row["is_rollback"], row["reason"], row["overrode"]) == (False, "", "")
    line = Change.objects.get(act="promote")
    assert (line.by, line.before, line.after["current"]) == (ml_staff, {"current": "first"}, "second")


def test_a_worse_one_is_held_back(measured, first, ml_staff_client, refused):
    body = refused(promote(ml_staff_client, measured(0.7)), 409, "held_back")
    assert body["detail"] == "On the same held-out labels these fall: step AUC from 0.800 to 0.700."
    assert (current(), Promotion.objects.count(), Change.objects.count()) == (first, 0, 0)


def test_a_reason_alone_overrides_nothing(measured, ml_staff_client, refused):
    refused(promote(ml_staff_client, measured(0.7), reason="It is newer."), 409, "held_back")


def test_an_override_needs_a_reason(measured, ml_staff_client, refused):
    refused(promote(ml_staff_client, measured(0.7), is_override=True), 400, "reason_missing")


def test_a_reason_overrides_and_is_kept(measured, ml_staff_client):
    worse = measured(0.7)
    assert promote(ml_staff_client, worse, **INSIST).status_code == 200
    change = Promotion.objects.get()
    assert (current(), change.reason) == (worse, INSIST["reason"])
    assert "step AUC" in change.overrode


def test_what_was_not_compared_is_held_back(make, first, ml_staff_client, refused):
    body = refused(promote(ml_staff_client, make.reward_model()), 409, "held_back")
    assert "“first”" in body["detail"]


def test_the_first_needs_no_comparison(make, ml_staff_client):
    model = make.reward_model()
    for _ in range(2):
        assert promote(ml_staff_client, model).json()["is_current"]
    assert Promotion.objects.count() == 1


def test_rolling_back_step_by_step(make, first, ml_staff_client, refused):
    second, third = make.reward_model(name="second"), make.reward_model(name="third")
    promote(ml_staff_client, second, **INSIST)
    promote(ml_staff_client, third, **INSIST)
    assert roll_back(ml_staff_client, reason="It likes wrong answers.").json()["name"] == "second"
    assert roll_back(ml_staff_client, reason="").json()["name"] == "first", "as the page asks"
    refused(roll_back(ml_staff_client), 409, "nothing_to_roll_back")
    assert current() == first
    assert [row["is_rollback"] for row in ml_staff_client.get(ADDRESS).json()["results"]] == [True, True, False, False]
    assert Change.objects.filter(act="roll back").count() == 2


def test_the_current_model_says_what_a_roll_back_brings(make, first, ml_staff_client):
    def told():
        rows = ml_staff_client.get("/api/reward-models/").json()["results"]
        return {row["name"]: row["rolls_back_to"] for row in rows}

    assert told() == {"first": None}
    promote(ml_staff_client, make.reward_model(name="second"), **INSIST)
    assert told() == {"first": None, "second": "first"}
    roll_back(ml_staff_client)
    assert told() == {"first": None, "second": None}


@pytest.mark.parametrize("who", ["annotator", "admin"])
def test_others_roll_nothing_back(first, who, request, signed_in, refused):
    refused(roll_back(signed_in(request.getfixturevalue(who))), 403, "permission_denied")


def test_the_rule():
    may_fall = {"step_auc": 0.01, "f1": 0.05}
    assert promotion.may_promote({"step_auc": 0.8, "f1": 0.46}, {"step_auc": 0.8, "f1": 0.5}, may_fall) == ""
    assert "first-error F1 from 0.500 to 0.440" in promotion.may_promote({"f1": 0.44}, {"f1": 0.5}, may_fall)
    assert "to nothing" in promotion.may_promote({}, {"f1": 0.5}, may_fall)
    assert "no held-out figure" in promotion.may_promote({"loss": 1}, {"loss": 2}, may_fall)


@pytest.mark.django_db(transaction=True)
def test_promotions_at_once_leave_one(transactional_db, make, first, at_once, now):
    models = [make.reward_model() for _ in range(6)]
    act = lambda model: promotion.promote(reward_model=model, by=None, now=now, **INSIST)  # noqa: E731
    assert at_once(act, models) == [None] * 6
    assert current() in models
    history = list(Promotion.objects.order_by("pk"))
    assert [change.previous for change in history] == [first, *(change.reward_model for change in history[:-1])]
