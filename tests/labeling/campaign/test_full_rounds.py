"""labeling.campaign.rounds.close_full: a fully labelled round closes by itself, if the phase says so."""

from datetime import timedelta

import pytest

from annotate import allocation, submission
from labeling.campaign import rounds
from labeling.models import Change, Phase, Round
from prm_training.worker.heartbeat import Heartbeat


@pytest.fixture(autouse=True)
def closing(phase):
    Phase.objects.filter(pk=phase.pk).update(closes_full_rounds=True)


@pytest.fixture
def submit(phase, all_great, now):
    """Claims and submits the annotator's next task."""

    def act(annotator):
        held = allocation.claim_next(phase=Phase.objects.get(pk=phase.pk), annotator=annotator, now=now)
        submission.submit(assignment_id=held.pk, annotator=annotator, submission=all_great, now=now)
        return held

    return act


def test_it_works(open_round, annotator, submit, now):
    for _ in range(2):
        submit(annotator)
        assert rounds.close_full(now=now) == [], "not before the last label"
    submit(annotator)
    assert rounds.close_full(now=now + timedelta(seconds=2)) == [open_round]
    open_round.refresh_from_db()
    assert (open_round.status, open_round.closed_at) == ("closed", now + timedelta(seconds=2))
    assert Change.objects.get(act="close").by is None


def test_a_workers_heartbeat_closes_it(open_round, annotator, submit, broker, now):
    for _ in range(3):
        submit(annotator)
    Heartbeat().beat(now=now)
    assert Round.objects.get().status == "closed"


def test_a_heartbeat_that_dies_leaves_it_to_the_next(open_round, annotator, submit, monkeypatch, now):
    """Closing and its audit log line are one transaction: both are there, or neither."""
    for _ in range(3):
        submit(annotator)
    with monkeypatch.context() as dying, pytest.raises(ZeroDivisionError):
        dying.setattr(rounds.audit, "record", lambda **_: 1 / 0)
        rounds.close_full(now=now)
    assert Round.objects.get().status == "open"
    assert rounds.close_full(now=now) == [open_round]
    assert rounds.close_full(now=now) == []
    assert Change.objects.filter(act="close").count() == 1


@pytest.mark.django_db(transaction=True)
def test_many_workers_close_it_once(open_round, annotator, submit, at_once, crowd, now):
    for _ in range(3):
        submit(annotator)
    closed = at_once(lambda _: rounds.close_full(now=now), range(crowd))
    assert sum(map(len, closed)) == 1
    assert Change.objects.filter(act="close").count() == 1


def test_rounds_stay_open_unless_the_phase_closes_them(open_round, annotator, submit, now):
    Phase.objects.update(closes_full_rounds=False)
    for _ in range(3):
        submit(annotator)
    assert rounds.close_full(now=now) == []


def test_a_round_that_nobody_has_labelled_is_not_full(make, open_round, admin, now):
    """All of its tasks were withdrawn; the admin is about to add others."""
    rounds.withdraw_from_round(round_id=open_round.pk, task_ids=open_round.tasks.values_list("pk", flat=True), now=now)
    assert rounds.close_full(now=now) == []


def test_withdrawn_tasks_are_not_waited_for(open_round, annotator, submit, now):
    submit(annotator)
    rest = open_round.tasks.exclude(labellings__annotator=annotator).values_list("pk", flat=True)
    rounds.withdraw_from_round(round_id=open_round.pk, task_ids=list(rest), now=now)
    assert rounds.close_full(now=now) == [open_round]


def test_further_opinions_are_requested_before_closing(make, phase, annotator, second_annotator, all_great, now):
    Phase.objects.update(overlap_cap=3)
    round_ = make.round(phase, 1, overlap=2)
    for person, rating in ((annotator, 1), (second_annotator, -1)):
        held = allocation.claim_next(phase=phase, annotator=person, now=now)
        held.lease_expires_at, held.submitted_at = None, now
        held.save()
        make.labelling(held.task, 1, rating, annotator=person, assignment=held)
    assert rounds.close_full(now=now) == []
    assert round_.assignments.open().count() == 1
    third = make.user()
    phase.memberships.create(user=third)
    held = allocation.claim_next(phase=phase, annotator=third, now=now)
    submission.submit(assignment_id=held.pk, annotator=third, submission=all_great, now=now)
    assert rounds.close_full(now=now) == [round_]


def test_the_screening_stays_open(make, phase, annotator, submit, now):
    make.screening(phase)
    submit(annotator)
    assert rounds.close_full(now=now) == []
