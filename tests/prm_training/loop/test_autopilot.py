"""prm_training.loop.autopilot: a phase's loop by itself, step by step, once each, until something is not right."""

from datetime import timedelta

import pytest

from labeling.jobs import lifecycle
from labeling.models import Assignment, Change, Round, Solution
from prm_training.loop import autopilot, steps
from prm_training.models import (
    Autopilot,
    AutopilotStep,
    EvaluationRun,
    Notice,
    Publication,
    RewardModel,
    ScoringRun,
    Selection,
    SelectionItem,
    TrainingRun,
)
from prm_training.selection import picking
from prm_training.selection import publication as job


@pytest.fixture
def snapshot(make):
    return make.snapshot(counts={"labellings": 3, "labels": 9})


@pytest.fixture
def current(make, snapshot):
    run = make.training_run(status="done", snapshot=snapshot)
    return make.reward_model(training_run=run, is_current=True)


@pytest.fixture
def on(make, phase, ml_staff, now, broker):
    """Switches the phase's autopilot on, beside a pool with something in it."""
    make.solution()

    def act(**settings):
        autopilot.change(phase=phase, by=ml_staff, settings={"size": 2, "emails": ["lab@example.org"]} | settings)
        return autopilot.switch_on(phase=phase, by=ml_staff, now=now)

    return act


@pytest.fixture
def advance(now):
    def act(**later):
        return autopilot.advance_all(now=now + timedelta(**later))

    return act


def step(**wanted):
    return AutopilotStep.objects.get(**{"status": "running"} | wanted)


def finish(model, **columns):
    model.objects.filter(status__in=["queued", "running"]).update(status="done", **columns)


def label_everything(make, round_, now):
    for seat in Assignment.objects.filter(round=round_, task__is_gold=False).select_related("task"):
        make.labelling(seat.task, 1, 1, 1, assignment=seat)


def figures(value, **more):
    return {"held_out": {"step_auc": value, "f1": value}} | more


def to_the_promotion(make, open_round, snapshot, advance, now, *, new=0.9, old=0.8):
    """From the last label to the moment before the promotion."""
    label_everything(make, open_round, now)
    assert advance() == 1
    assert advance() == 1
    run = TrainingRun.objects.get(status="queued")
    TrainingRun.objects.filter(pk=run.pk).update(status="running", snapshot=snapshot)
    assert advance() == 1
    finish(TrainingRun)
    model = make.reward_model(training_run=run, name="new")
    assert advance() == 1
    finish(EvaluationRun, metrics=figures(new), baseline_metrics=figures(old))
    assert advance() == 1
    assert step().kind == "promote"
    return model


def test_it_goes_all_the_way_round(make, phase, open_round, current, snapshot, on, advance, now):
    on()
    assert advance() == 0  # people label
    model = to_the_promotion(make, open_round, snapshot, advance, now)
    assert Round.objects.get().status == "closed"
    assert advance() == 1
    assert RewardModel.objects.get(is_current=True) == model
    finish(ScoringRun, summary={"scored": 4})
    for number in range(4):
        make.score(model, make.solution(), -1.0 - number)
    for old in Solution.objects.filter(scores=None):
        make.score(model, old, -9.0)
    advance()
    run = Selection.objects.get()
    assert (run.phase, run.reward_model, run.policy, run.size) == (phase, model, "convincing", 2)
    run.status = "running"
    picking.select(run, lambda **columns: Selection.objects.filter(pk=run.pk).update(**columns))
    finish(Selection)
    advance()
    publication = Publication.objects.get()
    job.publish(publication, lambda **columns: Publication.objects.filter(pk=publication.pk).update(**columns))
    finish(Publication)
    advance()
    assert (step().kind, step().cycle, step().round.number) == ("label", 1, 1)
    kinds = AutopilotStep.objects.filter(status="done", cycle=0).order_by("started_at", "finished_at")
    assert {row.kind for row in kinds} == set(autopilot.ORDER)
    results = {row.kind: row.result for row in kinds}
    assert results["label"] == {"round": 0, "labellings": 3}
    assert results["snapshot"] == {"labellings": 3, "labels": 9}
    assert (results["promote"], results["select"]["picked"]) == ({"model": "new"}, 2)
    assert results["publish"] == {"round": 1}
    assert Notice.objects.filter(news__event="done", to="lab@example.org").count() == 9


def test_a_second_look_changes_nothing(make, open_round, current, on, advance, now):
    """Two workers saw the same step: the slower one's transaction begins with an update of no row."""
    on()
    label_everything(make, open_round, now)
    seen = AutopilotStep.objects.select_related("autopilot__phase").get()
    assert advance() == 1
    assert autopilot._go_on(seen, {}, now) is False
    autopilot._stop(seen, "too late", now)
    assert (AutopilotStep.objects.count(), Autopilot.objects.get().status) == (2, "on")


@pytest.mark.django_db(transaction=True)
def test_many_workers_take_a_step_once(make, phase, ml_staff, at_once, crowd, now, dead_broker):
    solution = make.solution()
    autopilot.switch_on(phase=phase, by=ml_staff, now=now)  # nothing is there: it selects
    finish(Selection, summary={"picked": 1, "candidates": 1, "wrong": 1, "set_aside": 0})
    SelectionItem.objects.create(selection=Selection.objects.get(), solution=solution, rank=1, reason="")
    taken = at_once(lambda _: autopilot.advance_all(now=now), range(crowd))
    assert sum(taken) == Publication.objects.count() == 1


def test_without_labels_it_begins_with_a_uniform_round(phase, on, advance):
    on()
    run = Selection.objects.get()
    assert (run.policy, run.reward_model, step().kind) == ("uniform", None, "select")


def test_with_a_model_and_no_labels_it_scores_first(phase, current, on):
    on()
    run = ScoringRun.objects.get()
    assert (step().kind, run.reward_model, run.phase) == ("score", current, phase)


def test_off_it_takes_no_step_and_on_again_it_goes_on(make, phase, open_round, ml_staff, on, advance, now):
    on()
    autopilot.switch_off(phase=phase, by=ml_staff, now=now)
    label_everything(make, open_round, now)
    assert advance() == 0
    autopilot.switch_on(phase=phase, by=ml_staff, now=now)
    assert advance() == 1


def test_on_twice_is_refused(phase, open_round, ml_staff, on, now):
    on()
    with pytest.raises(autopilot.NotNow):
        autopilot.switch_on(phase=phase, by=ml_staff, now=now)


def stopped():
    pilot = Autopilot.objects.get()
    assert pilot.status == "stopped"
    assert Change.objects.filter(act="stop", after__reason=pilot.reason).exists()
    assert Notice.objects.filter(news__event="stopped", news__reason=pilot.reason).count() == 1
    return pilot.reason


def test_a_failed_run_stops_it_and_on_again_retries_it(phase, ml_staff, on, advance, now):
    on()
    Selection.objects.update(status="failed", error="No solution is left.")
    assert advance() == 0
    assert stopped() == "The selection failed. No solution is left."
    assert advance() == 0
    autopilot.switch_on(phase=phase, by=ml_staff, now=now)
    assert (Selection.objects.get().status, step().kind) == ("queued", "select")


def test_too_few_picks_stop_it_and_on_again_selects_anew(phase, ml_staff, on, advance, now):
    on(least_candidates=10)
    finish(Selection, summary={"picked": 3, "candidates": 3, "wrong": 3, "set_aside": 0})
    advance()
    assert "Only 3" in stopped()
    autopilot.switch_on(phase=phase, by=ml_staff, now=now)
    assert Selection.objects.filter(status="queued").count() == 1
    assert step().run == Selection.objects.get(status="queued").pk


def test_a_refused_promotion_stops_it_and_may_be_left_out(
    make, phase, open_round, current, snapshot, ml_staff, on, advance, now
):
    on()
    to_the_promotion(make, open_round, snapshot, advance, now, new=0.5)
    advance()
    assert "was not promoted" in stopped()
    autopilot.switch_on(phase=phase, by=ml_staff, now=now, skip=True)
    assert (step().kind, ScoringRun.objects.get().reward_model) == ("score", current)


def test_a_fall_within_the_noise_is_promoted(make, phase, open_round, current, snapshot, on, advance, now):
    on()
    model = to_the_promotion(make, open_round, snapshot, advance, now, new=0.7)
    known = {name: {"value": -0.1, "low": -0.3, "high": 0.1} for name in ("step_auc", "f1")}
    EvaluationRun.objects.filter(reward_model=model).update(metrics=figures(0.7, differences=known, problems=9))
    advance()
    assert (step().kind, RewardModel.objects.get(is_current=True)) == ("score", model)


def test_a_promotion_by_hand_lets_it_go_on(make, phase, open_round, current, snapshot, ml_staff, on, advance, now):
    on()
    model = to_the_promotion(make, open_round, snapshot, advance, now, new=0.5)
    advance()
    RewardModel.objects.filter(pk=current.pk).update(is_current=False)
    RewardModel.objects.filter(pk=model.pk).update(is_current=True)
    autopilot.switch_on(phase=phase, by=ml_staff, now=now)
    assert advance() == 1
    assert ScoringRun.objects.get().reward_model == model


def test_only_a_promotion_may_be_left_out(phase, ml_staff, on, advance, now):
    on()
    Selection.objects.update(status="failed")
    advance()
    with pytest.raises(autopilot.NotNow, match="no promotion"):
        autopilot.switch_on(phase=phase, by=ml_staff, now=now, skip=True)
    assert Autopilot.objects.get().status == "stopped"


def test_a_worker_that_never_comes_stops_it(phase, on, advance):
    on(patience_minutes=10)
    assert advance(minutes=10) == 0
    assert Autopilot.objects.get().status == "on"
    advance(minutes=11)
    assert "No worker took the selection within" in stopped()


def test_the_budget_of_rounds(make, phase, on, current, advance, now):
    on(most_rounds=1)
    AutopilotStep.objects.create(
        autopilot_id=phase.pk, cycle=7, kind="publish", status="done", started_at=now, finished_at=now
    )
    finish(ScoringRun)
    advance()
    assert stopped() == "Its budget is used up: 1 of 1 rounds."


def test_the_budget_of_labellings(phase, on, advance):
    on(most_labellings=5, overlap=2)
    finish(Selection, summary={"picked": 3, "candidates": 3, "wrong": 3, "set_aside": 0})
    advance()
    assert "6 labellings; its budget is 5" in stopped()
    assert not Publication.objects.exists()


def test_a_closed_phase_stops_it(phase, open_round, on, advance):
    on()
    type(phase).objects.update(status="closed")
    advance()
    assert stopped() == "The phase is closed."


def test_what_nobody_foresaw_stops_it_and_no_other(make, phase, on, advance, monkeypatch):
    on()
    monkeypatch.setattr(steps, "_look_at_run", lambda *_: 1 / 0)
    advance()
    assert "division" in stopped()


def test_a_run_that_was_killed_goes_on(phase, on, advance, now):
    """The heartbeat enqueues it again; autopilot waits for it as if nothing had been."""
    on()
    Selection.objects.update(status="running", worker="dead", heartbeat_at=now - timedelta(hours=1))
    assert advance() == 0
    assert lifecycle.begin(Selection.objects.get().pk, worker="alive", now=now)
    assert Autopilot.objects.get().status == "on"


ADDRESS = "/api/autopilots/{}/"


def test_defaults_before_anybody_set_it_up(phase, admin_client):
    body = admin_client.get(ADDRESS.format(phase.pk)).json()
    assert (body["status"], body["size"], body["steps"], body["webhook_secret"]) == ("off", 100, [], "")
    assert not Autopilot.objects.exists()


def test_staff_set_it_up_and_switch_it_on_and_off(make, phase, ml_staff, ml_staff_client, admin_client, broker):
    make.solution()
    address = ADDRESS.format(phase.pk)
    body = ml_staff_client.patch(address, {"size": 7, "training": {"epochs": 1}, "emails": ["a@b.org"]}).json()
    assert (body["size"], body["training"], len(body["webhook_secret"])) == (7, {"epochs": 1}, 64)
    body = ml_staff_client.post(f"{address}on/").json()
    assert (body["status"], [row["kind"] for row in body["steps"]]) == ("on", ["select"])
    assert [row["event"] for row in body["notices"]] == ["switched on"]
    assert admin_client.get(address).json()["webhook_secret"] == ""
    assert ml_staff_client.post(f"{address}off/").json()["status"] == "off"
    assert {row.by for row in Change.objects.filter(kind="autopilot")} == {ml_staff}


@pytest.mark.parametrize(
    "change",
    [
        {"size": 0},
        {"policy": "best"},
        {"wrong_share": 2},
        {"emails": ["nobody"]},
        {"most_rounds": 0},
        {"training": {"epochs": 0}},
        {"webhook_url": "ftp://example.org"},
        {"webhook_url": "http://127.0.0.1:9/"},
        {"webhook_url": "http://169.254.169.254/latest/meta-data"},
        {"base": "/no/such/model"},
    ],
)
def test_bad_settings_are_refused(phase, ml_staff_client, refused, change):
    answer = refused(ml_staff_client.patch(ADDRESS.format(phase.pk), change), 400, "invalid")
    assert list(answer["errors"]) == list(change)
    assert not Autopilot.objects.exists()


def test_nobody_sets_the_status_by_hand(phase, ml_staff_client, refused):
    refused(ml_staff_client.patch(ADDRESS.format(phase.pk), {"status": "on", "size": 3}), 400, "invalid")
    assert not Autopilot.objects.exists()
