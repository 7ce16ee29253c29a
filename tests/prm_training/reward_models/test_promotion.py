"""The current model: /promote/, /api/promotions/ and /roll-back/, and the rule behind them."""

import pytest

from labeling.models import Change, Phase
from prm_training.models import Promotion
from prm_training.reward_models import promotion

ADDRESS = "/api/promotions/"
INSIST = {"is_override": True, "reason": "New held-out problems."}


def promote(client, model, **body):
    return client.post(f"/api/reward-models/{model.pk}/promote/", body)


def roll_back(client, **body):
    return client.post(f"{ADDRESS}roll-back/", {"phase": str(Phase.objects.get().pk)} | body)


def current():
    return promotion.current(Phase.objects.earliest("created_at"))


@pytest.fixture
def first(make):
    return make.reward_model(name="first", is_current=True)


def on_enough(auc, problems=47, **more):
    """Returns metrics on enough labels for a decision."""
    return {"held_out": {"step_auc": auc, "steps": 812, "steps_negative": 90}, "problems": problems} | more


@pytest.fixture
def measured(make, first, now):
    """Makes a second model with this AUC, evaluated beside the first, which has 0.8."""

    def with_auc(auc):
        model = make.reward_model(name="second")
        figures = {"metrics": on_enough(auc), "baseline_metrics": on_enough(0.8)}
        make.evaluation_run(reward_model=model, baseline=first, status="done", finished_at=now, **figures)
        return model

    return with_auc


def test_it_works(measured, first, ml_staff, ml_staff_client):
    better = measured(0.85)
    answer = promote(ml_staff_client, better, reason="", is_override=False)  # as the page asks
    told = [row["phase_name"] for row in answer.json()["current_in"]]
    assert (answer.status_code, told, current()) == (200, [better.phase.name], better)
    row = ml_staff_client.get(ADDRESS).json()["results"][0]
    assert (row["by"], row["name"], row["previous_name"]) == ("mika", "second", "first")
    assert (row["is_rollback"], row["reason"], row["overrode"]) == (False, "", "")
    line = Change.objects.get(act="promote")
    assert (line.by, line.before, line.after["current"]) == (ml_staff, {"current": "first"}, "second")


def test_a_worse_one_is_held_back(measured, first, ml_staff_client, refused):
    body = refused(promote(ml_staff_client, measured(0.7)), 409, "held_back")
    told = "Step AUC 0.800 → 0.700, a fall of 0.100, without an interval: beyond the tolerance of 0.010."
    assert body["detail"] == told
    assert (current(), Promotion.objects.count(), Change.objects.count()) == (first, 1, 0)


def test_a_reason_alone_overrides_nothing(measured, ml_staff_client, refused):
    refused(promote(ml_staff_client, measured(0.7), reason="It is newer."), 409, "held_back")


def test_an_override_needs_a_reason(measured, ml_staff_client, refused):
    refused(promote(ml_staff_client, measured(0.7), is_override=True), 400, "reason_missing")


def test_a_reason_overrides_and_is_kept(measured, ml_staff_client):
    worse = measured(0.7)
    assert promote(ml_staff_client, worse, **INSIST).status_code == 200
    change = Promotion.objects.get(reward_model=worse)
    assert (current(), change.reason) == (worse, INSIST["reason"])
    assert "Step AUC" in change.overrode


def test_a_model_without_a_comparison_is_held_back(make, first, ml_staff_client, refused):
    body = refused(promote(ml_staff_client, make.reward_model()), 409, "held_back")
    assert "“first”" in body["detail"]


def test_the_first_needs_no_comparison(make, ml_staff_client):
    model = make.reward_model()
    for _ in range(2):
        assert len(promote(ml_staff_client, model).json()["current_in"]) == 1
    assert Promotion.objects.count() == 1


def test_rolling_back_step_by_step(make, first, ml_staff_client, refused):
    second, third = make.reward_model(name="second"), make.reward_model(name="third")
    promote(ml_staff_client, second, **INSIST)
    promote(ml_staff_client, third, **INSIST)
    assert roll_back(ml_staff_client, reason="It likes wrong answers.").json()["name"] == "second"
    assert roll_back(ml_staff_client, reason="").json()["name"] == "first", "as the page asks"
    refused(roll_back(ml_staff_client), 409, "nothing_to_roll_back")
    assert current() == first
    rows = ml_staff_client.get(ADDRESS).json()["results"]
    assert [row["is_rollback"] for row in rows] == [True, True, False, False, False]
    assert Change.objects.filter(act="roll back").count() == 2


def test_the_current_model_says_what_a_roll_back_brings(make, first, ml_staff_client):
    def told():
        rows = ml_staff_client.get("/api/reward-models/").json()["results"]
        return {row["name"]: place["rolls_back_to"] for row in rows for place in row["current_in"]}

    assert told() == {"first": None}
    promote(ml_staff_client, make.reward_model(name="second"), **INSIST)
    assert told() == {"second": "first"}
    roll_back(ml_staff_client)
    assert told() == {"first": None}


@pytest.mark.parametrize("who", ["annotator", "admin"])
def test_others_roll_nothing_back(first, who, request, signed_in, refused):
    refused(roll_back(signed_in(request.getfixturevalue(who))), 403, "permission_denied")


def compared(*, old, new, reach=None, may_fall=0.01, name="step_auc"):
    """Compares two models by one metric, given half the interval of the difference."""
    known = {} if reach is None else {"low": new - old - reach, "high": new - old + reach}
    held_out = {name: new, "steps": 812}
    found = {"held_out": held_out, "problems": 47, "differences": {name: {"value": new - old} | known}}
    (told,) = promotion.compare(found, {"held_out": {name: old}}, {name: may_fall})
    return told


@pytest.mark.parametrize(
    ("figures", "is_fall", "told"),
    [
        # Inside the interval nothing is known, however large the fall.
        (
            {"old": 0.801, "new": 0.763, "reach": 0.074},
            False,
            "fall of 0.038 ± 0.074: within the noise of 812 steps of 47 problems.",
        ),
        (
            {"old": 0.801, "new": 0.7, "reach": 0.074},
            True,
            "beyond the noise of 812 steps of 47 problems and the tolerance of 0.010.",
        ),
        # Outside it, the tolerance still says what matters.
        ({"old": 0.801, "new": 0.795, "reach": 0.002}, False, "± 0.002: within the tolerance of 0.010."),
        ({"old": 0.801, "new": 0.781, "reach": 0.002}, True, "0.801 → 0.781, a fall of 0.020 ± 0.002: beyond"),
        ({"old": 0.5, "new": 0.46, "may_fall": 0.05}, False, "without an interval: within the tolerance of 0.050."),
        ({"old": 0.5, "new": 0.44, "may_fall": 0.05}, True, "without an interval: beyond the tolerance of 0.050."),
        ({"old": 0.7, "new": 0.8, "reach": 0.02}, False, "Step AUC 0.700 → 0.800, a gain of 0.100 ± 0.020."),
        (
            {"old": 0.7, "new": 0.8, "reach": 0.2},
            False,
            "± 0.200: within the noise of 812 steps of 47 problems.",
        ),
    ],
)
def test_the_rule(figures, is_fall, told):
    found = compared(**figures)
    assert found.is_fall is is_fall
    assert told in str(found)
    assert promotion.objection([found]) == (str(found) if is_fall else "")


def test_a_metric_that_is_lost_counts_as_a_fall():
    (found,) = promotion.compare({"held_out": {}}, {"held_out": {"f1": 0.5}}, {"step_auc": 0.01, "f1": 0.05})
    assert (found.is_fall, str(found)) == (True, "First-error F1 0.500 → none: it could not be measured.")


def test_without_a_metric_there_is_nothing_to_go_by():
    nothing = promotion.compare({"held_out": {"loss": 1}}, {"held_out": {"loss": 2}}, {"f1": 0.05})
    assert "no held-out metric" in promotion.objection(nothing)


def test_a_fall_within_the_noise_is_promoted_and_told(make, first, now, ml_staff_client):
    """47 held-out problems; one standard error is 0.037."""
    model = make.reward_model(name="second")
    differences = {"step_auc": {"value": -0.038, "low": -0.112, "high": 0.036}}
    metrics, old = on_enough(0.763, differences=differences), on_enough(0.801)
    make.evaluation_run(
        reward_model=model, baseline=first, status="done", finished_at=now, metrics=metrics, baseline_metrics=old
    )
    told = ml_staff_client.get(f"/api/reward-models/{model.pk}/").json()
    assert told["obstacle"] == ""
    noise = "within the noise of 812 steps of 47 problems."
    assert told["compared"] == [f"Step AUC 0.801 → 0.763, a fall of 0.038 ± 0.074: {noise}"]
    assert promote(ml_staff_client, model).status_code == 200
    assert current() == model


@pytest.mark.parametrize(("problems", "negatives"), [(1, 2), (29, 90), (47, 29), (0, 0)])
def test_too_few_labels_decide_nothing(make, first, measured, now, ml_staff_client, problems, negatives):
    """The answer says so, and a person may promote the model without an override."""
    worse = measured(0.5)
    few = on_enough(0.5, problems) if problems else {}
    if problems:
        few["held_out"]["steps_negative"] = negatives
    worse.evaluation_runs.update(metrics=few)
    told = ml_staff_client.get(f"/api/reward-models/{worse.pk}/").json()
    assert (told["obstacle"], told["shortage"][:26]) == ("", "Not enough held-out labels")
    assert f"{problems} problem" in told["shortage"]
    assert promote(ml_staff_client, worse).status_code == 200
    assert (current(), Promotion.objects.get(reward_model=worse).overrode) == (worse, "")


def test_phases_have_a_gate_each(make, first, measured, now, ml_staff_client, refused):
    """A model is compared with its own phase's current one, even if another phase's is far better or worse."""
    there = make.phase()
    strangers = make.reward_model(phase=there, is_current=True)
    model = measured(0.85)
    far_worse = {"metrics": on_enough(0.5), "baseline_metrics": on_enough(0.9)}
    columns = {"phase": there, "baseline": strangers, "status": "done", "finished_at": now}
    make.evaluation_run(reward_model=model, **columns, **far_worse)
    refused(promote(ml_staff_client, model, phase=str(there.pk)), 409, "held_back")
    assert promote(ml_staff_client, model).status_code == 200
    assert (promotion.current(first.phase), promotion.current(there)) == (model, strangers)
    refused(ml_staff_client.post(f"{ADDRESS}roll-back/", {"phase": str(there.pk)}), 409, "nothing_to_roll_back")
    own = {"phase": str(first.phase.pk)}
    assert ml_staff_client.post(f"{ADDRESS}roll-back/", own).status_code == 200
    assert (promotion.current(first.phase), promotion.current(there)) == (first, strangers)
    assert len(ml_staff_client.get(ADDRESS, own).json()["results"]) == 3


def test_a_phase_may_begin_with_another_phases_model(make, first, ml_staff_client):
    there = make.phase(name="New")
    told = promote(ml_staff_client, first, phase=str(there.pk)).json()["current_in"]
    assert {place["phase_name"] for place in told} == {first.phase.name, "New"}
    assert promotion.current(there) == promotion.current(first.phase) == first


@pytest.mark.django_db(transaction=True)
def test_simultaneous_promotions_leave_one_current_model(transactional_db, make, first, at_once, now):
    models = [make.reward_model() for _ in range(6)]

    def act(model):
        promotion.promote(reward_model=model, phase=first.phase, by=None, at=now, **INSIST)

    assert at_once(act, models) == [None] * 6
    assert current() in models
    history = list(Promotion.objects.exclude(reward_model=first).order_by("pk"))
    assert [change.previous for change in history] == [first, *(change.reward_model for change in history[:-1])]
