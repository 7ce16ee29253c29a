"""prm_training.loop.autopilot: stops where a person has to decide, and resumes from there."""

from datetime import timedelta

import pytest
from django.utils import timezone

from labeling.campaign import rounds
from labeling.jobs import lifecycle
from labeling.models import Change, Phase, Round, Solution
from prm_training.loop import autopilot
from prm_training.loop import rows as loop_rows
from prm_training.models import (
    Autopilot,
    EvaluationRun,
    Notice,
    Publication,
    ScoringRun,
    Selection,
    SelectionItem,
)
from prm_training.reward_models import promotion
from tests.autopilots import fail, finish, metrics, picks, queued, to_the_promotion


def stopped():
    pilot = Autopilot.objects.get()
    assert pilot.status == "stopped"
    assert Change.objects.filter(act="stop", after__reason=pilot.reason).exists()
    assert Notice.objects.filter(news__event="stopped", news__reason=pilot.reason).count() == 1
    return pilot.reason


@pytest.mark.django_db(transaction=True)
def test_many_workers_stop_it_once(make, phase, ml_staff, at_once, crowd, dead_broker):
    make.solution()
    autopilot.change_autopilot(phase=phase, by=ml_staff, settings={"emails": ["lab@example.org"]})
    autopilot.switch_on(phase=phase, by=ml_staff, now=timezone.now())
    fail(queued(), error="It broke.")
    at_once(lambda _: autopilot.advance_all(now=timezone.now()), range(crowd))
    assert stopped() == "The selection failed. It broke."


@pytest.mark.any_database
def test_a_failed_run_stops_it_and_switching_on_retries_the_run(phase, on, on_again, advance):
    on()
    fail(queued(), error="No solution is left.")
    assert advance() == 0
    assert stopped() == "The selection failed. No solution is left."
    assert advance() == 0
    on_again()
    assert queued() == Selection.objects.get()
    assert advance() == 0
    assert Autopilot.objects.get().status == "on"


def test_a_cancelled_run_stops_it_too(phase, on, advance):
    on()
    lifecycle.cancel(queued(), now=timezone.now())
    advance()
    assert stopped() == "The selection was cancelled."


def test_after_a_failure_it_goes_on_from_what_a_person_did_by_hand(make, phase, on, on_again, advance):
    on()
    fail(queued())
    advance()
    picked = make.picked(Solution.objects.get(), phase=phase, **picks(1))
    on_again()
    assert queued().selection == picked


@pytest.mark.any_database
def test_too_few_picks_stop_it_and_switching_on_selects_anew(phase, on, on_again, advance):
    on(least_candidates=10)
    first = queued()
    finish(first, **picks(3))
    advance()
    assert "Only 3" in stopped()
    on_again()
    assert queued() != first
    assert Selection.objects.get(pk=first.pk).discarded_at
    assert advance() == 0


@pytest.mark.any_database
def test_no_picks_at_all_stop_it_too(phase, on, on_again, advance):
    """Otherwise it would select for ever."""
    on()
    finish(queued(), **picks(0))
    advance()
    assert "Only 0" in stopped()
    on_again()
    assert Selection.objects.count() == 2


def test_a_lower_minimum_accepts_the_picks(phase, ml_staff, on, on_again, advance):
    on(least_candidates=10)
    first = queued()
    finish(first, **picks(1))
    SelectionItem.objects.create(selection=first, solution=Solution.objects.get(), rank=1, reason="")
    advance()
    autopilot.change_autopilot(phase=phase, by=ml_staff, settings={"least_candidates": 1})
    on_again()
    assert queued().selection == first


@pytest.mark.any_database
def test_a_selection_that_a_person_discards_stops_it(phase, ml_staff, on, on_again, advance):
    on()
    first = queued()
    finish(first, **picks(2))
    autopilot.acts.discard(selection=first, now=timezone.now(), by=ml_staff)
    advance()
    assert stopped() == "Its selection was discarded."
    on_again()
    assert Selection.objects.count() == 2


def test_a_refused_promotion_stops_it_and_may_be_skipped(
    make, open_round, current, snapshot, on, on_again, advance, phase
):
    on()
    model = to_the_promotion(make, open_round, snapshot, advance, new=0.5)
    advance()
    assert "was not promoted" in stopped()
    with pytest.raises(autopilot.Trouble, match="was not promoted"):
        on_again()
    assert Autopilot.objects.get().status == "stopped"
    on_again(skip=True)
    assert ScoringRun.objects.get().reward_model == current
    assert Autopilot.objects.get().left_out == model


def test_a_model_that_a_person_trained_may_be_worse(make, phase, current, snapshot, on, open_round, advance):
    """The autopilot goes on with the current model, as that person does."""
    rounds.close(round_id=open_round.pk, now=timezone.now())
    run = make.training_run(status="done", snapshot=snapshot)
    model = make.reward_model(training_run=run)
    make.evaluation_run(
        reward_model=model, baseline=current, status="done", metrics=metrics(0.5), baseline_metrics=metrics(0.8)
    )
    on()
    assert ScoringRun.objects.get().reward_model == current


@pytest.mark.any_database
def test_a_fall_within_the_noise_is_promoted(make, phase, open_round, current, snapshot, on, advance):
    on()
    model = to_the_promotion(make, open_round, snapshot, advance, new=0.7)
    known = {name: {"value": -0.1, "low": -0.3, "high": 0.1} for name in ("step_auc", "f1")}
    EvaluationRun.objects.filter(reward_model=model).update(metrics=metrics(0.7, differences=known))
    advance()
    assert promotion.current(phase) == model


@pytest.mark.any_database
def test_too_few_labels_promote_nothing_and_stop_nothing(
    make, phase, open_round, current, snapshot, ml_staff, on, advance
):
    """It keeps the current model, however much better the new one seems; a person may promote it."""
    on()
    model = to_the_promotion(make, open_round, snapshot, advance, new=0.99)
    few = metrics(0.99, problems=1)
    EvaluationRun.objects.filter(reward_model=model).update(metrics=few)
    assert advance() == 1
    assert Autopilot.objects.get().status == "on"
    assert ScoringRun.objects.get().reward_model == promotion.current(phase) == current
    promotion.promote(reward_model=model, phase=phase, by=ml_staff, at=timezone.now())
    assert promotion.current(phase) == model


def test_nothing_to_compare_on_stops_nothing(make, phase, open_round, current, snapshot, on, advance):
    """Without held-out labels and graded solutions it keeps the current model."""
    on()
    Solution.objects.update(verdict="unsure")
    model = to_the_promotion(make, open_round, snapshot, advance)
    EvaluationRun.objects.filter(reward_model=model).update(metrics={"held_out": {"steps": 0}, "problems": 0})
    assert advance() == 1
    assert (Autopilot.objects.get().status, ScoringRun.objects.get().reward_model) == ("on", current)
    gate = promotion.gate(model, phase=phase, current=current)
    assert gate.shortage.startswith("Not enough held-out labels: 0 steps of 0 problems")


@pytest.mark.any_database
def test_a_promotion_by_hand_lets_it_go_on(make, phase, open_round, current, snapshot, ml_staff, on, on_again, advance):
    on()
    model = to_the_promotion(make, open_round, snapshot, advance, new=0.5)
    advance()
    autopilot.promotion.promote(
        reward_model=model, phase=phase, by=ml_staff, at=timezone.now(), reason="It is faster.", is_override=True
    )
    on_again()
    assert ScoringRun.objects.get().reward_model == model


def test_only_a_promotion_may_be_skipped(phase, on, on_again, advance):
    on()
    fail(queued())
    advance()
    with pytest.raises(autopilot.NotNow, match="no promotion"):
        on_again(skip=True)
    assert Autopilot.objects.get().status == "stopped"


def test_a_run_that_waits_for_room_on_the_disk_does_not_stop_it(phase, on, advance):
    on(patience_minutes=10)
    advance()
    earlier = timezone.now() - timedelta(minutes=11)
    Selection.objects.update(created_at=earlier, next_try_at=timezone.now() + timedelta(minutes=1))
    Autopilot.objects.update(switched_on_at=earlier)
    advance()
    assert Autopilot.objects.get().status == "on"


def test_a_run_that_was_just_tried_again_does_not_stop_it(phase, on, advance):
    on(patience_minutes=10)
    advance()
    selection, earlier = Selection.objects.get(), timezone.now() - timedelta(minutes=11)
    Selection.objects.update(created_at=earlier, status="cancelled")
    Autopilot.objects.update(switched_on_at=earlier)
    lifecycle.retry(selection)
    advance()
    assert Autopilot.objects.get().status == "on"


def test_a_worker_that_never_comes_stops_it(phase, on, on_again, advance):
    on(patience_minutes=10)
    assert advance(minutes=9) == 0
    assert Autopilot.objects.get().status == "on"
    Selection.objects.update(created_at=timezone.now() - timedelta(minutes=11))
    Autopilot.objects.update(switched_on_at=timezone.now() - timedelta(minutes=11))
    advance()
    assert "No worker took the selection within" in stopped()
    on_again()
    advance()
    assert Autopilot.objects.get().status == "on"


def test_the_budget_of_rounds(make, phase, on, advance):
    on(most_rounds=1)
    finish(queued(), **picks(1))
    make.publication(selection=Selection.objects.get(), status="done", is_automatic=True, round=make.round(phase, 1))
    Round.objects.update(status="closed", opened_at=timezone.now(), closed_at=timezone.now())
    make.solution()
    advance()
    assert stopped() == "Its budget is used up: 1 of 1 rounds."


def test_the_budget_of_labellings(phase, on, advance):
    on(most_labellings=5, overlap=2)
    finish(queued(), **picks(3))
    advance()
    assert "6 labellings; its budget is 5" in stopped()
    assert not Publication.objects.exists()


def test_rounds_that_people_publish_do_not_count_against_its_budget(make, phase, on, advance):
    make.publication(selection=make.selection(phase=phase, status="done"), status="done")
    on(most_rounds=1)
    assert type(queued()) is Selection


def test_a_closed_phase_stops_it(phase, open_round, on, advance):
    on()
    Phase.objects.update(status="closed")
    advance()
    assert stopped() == "The phase is closed."


def test_nothing_left_to_select_stops_it(make, phase, open_round, on, advance):
    on()
    rounds.close(round_id=open_round.pk, now=timezone.now())
    Solution.objects.update(in_pool=False)
    advance()
    assert "Import or generate more" in stopped()


def test_an_unexpected_error_stops_only_its_own_autopilot(make, phase, open_round, ml_staff, on, advance, monkeypatch):
    other = make.phase()
    autopilot.switch_on(phase=other, by=ml_staff, now=timezone.now())
    on()
    look = loop_rows.Loop.is_full.func
    broken = property(lambda loop: 1 / 0 if loop.phase == phase else look(loop))
    monkeypatch.setattr(loop_rows.Loop, "is_full", broken)
    advance()
    assert {pilot.phase: pilot.status for pilot in Autopilot.objects.all()} == {phase: "stopped", other: "on"}
    assert "division" in Autopilot.objects.get(phase=phase).reason
