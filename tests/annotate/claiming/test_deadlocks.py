"""Simultaneous acts that lock the same rows never deadlock."""

from datetime import timedelta
from functools import partial

import pytest
from django.db import connection

from annotate import allocation, submission
from annotate.submission import Submission
from labeling.campaign import relabelling, rounds
from labeling.counts import recounts
from labeling.models import Assignment, Labelling
from labeling.review import adjudication
from labeling.review.adjudication import Ruling
from labeling.rules.ratings import Judgement, StepRating
from tests.product.world import until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one lock for all"),
]
GREAT = Submission(Judgement([StepRating(step, 1) for step in range(3)], "solution"))
LATER = timedelta(hours=1)
WAITS = "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pid = ANY(%s))"


class Crossing:
    """Runs acts simultaneously. Each pauses after the first statement that contains its text, until every other has
    paused, ended, or is waiting for a lock."""

    def __init__(self, acts):
        self.acts = acts
        self.arrived, self.sessions = set(), set()

    def run(self, index):
        text, act = self.acts[index]
        connection.force_debug_cursor = True  # passes our own statements through the wrapper, too
        self.sessions.add(connection.connection.info.backend_pid)
        try:
            with connection.execute_wrapper(partial(self._stop, index, text)):
                return act()
        finally:
            self.arrived.add(index)

    def _stop(self, index, text, execute, sql, *rest):
        result = execute(sql, *rest)
        if text in sql and index not in self.arrived:
            self.arrived.add(index)
            until(self._go_on, "the other act", within_seconds=60, every_seconds=0.01)
        return result

    def _go_on(self):
        if len(self.arrived) == len(self.acts):
            return True
        with connection.cursor() as cursor:
            cursor.execute(WAITS, [list(self.sessions)])
            return cursor.fetchone()[0]


@pytest.fixture
def cross(at_once):
    def run(*acts):
        crossing = Crossing(acts)
        return at_once(crossing.run, range(len(acts)))

    return run


@pytest.fixture
def disputed(make, annotator, second_annotator, now):
    """A task that only needs one more opinion, alone in its round."""
    phase = make.phase(annotator, second_annotator, overlap_cap=3)
    return dispute(make.round(phase, 1, overlap=2), annotator, second_annotator, now)


def dispute(round_, annotator, second_annotator, now):
    for person, last in ((annotator, 1), (second_annotator, -1)):
        held = allocation.claim_next(phase=round_.phase, annotator=person, now=now)
        ratings = [StepRating(0, 1), StepRating(1, 1), StepRating(2, last)]
        said = Submission(Judgement(ratings, "found_error" if last < 0 else "solution"))
        submission.submit(assignment_id=held.pk, annotator=person, submission=said, now=now)
    return round_.tasks.get()


@pytest.fixture
def changing(now):
    """Returns an act of staff on a task, which waits for acts on its round."""

    def act(change, task, **how):
        return 'FROM "labeling_round"', partial(change, round_id=task.round_id, task_ids=[task.pk], **how)

    return act


@pytest.fixture
def submitting(now):
    def act(held):
        sent = {"assignment_id": held.pk, "annotator": held.annotator, "submission": GREAT, "now": now}
        return "FOR UPDATE OF seat", partial(submission.submit, **sent)

    return act


def test_one_more_opinion_is_asked_while_the_task_is_withdrawn(make, disputed, cross, changing, now):
    third, phase = make.user(), disputed.round.phase
    phase.memberships.create(user=third)
    claim = partial(allocation.claim_next, phase=phase, annotator=third, now=now)
    claimed, _ = cross(('UPDATE "labeling_task"', claim), changing(rounds.withdraw_from_round, disputed, now=now))
    # Either the task was withdrawn first, or after the claim, whose holder may finish it.
    assert list(Assignment.objects.open()) == [each for each in [claimed] if isinstance(each, Assignment)]
    assert recounts.mend(disputed.round_id) == 0


@pytest.fixture
def asking_again(admin, now):
    """Returns staff's request to label again, which locks the round, then waits for acts on the labelling."""

    def act(labelling):
        asked = {"labelling_ids": [labelling.pk], "now": now + LATER, "by": admin}
        return 'FOR NO KEY UPDATE OF "labeling_round"', partial(relabelling.request_again, **asked)

    return act


def test_a_labelling_is_asked_for_again_while_it_is_revised(labelling, annotator, asking_again, cross, now):
    found = Submission(Judgement([StepRating(0, -1)], "found_error"), revises=labelling.pk)
    sent = {"assignment_id": labelling.assignment_id, "annotator": annotator, "submission": found, "now": now + LATER}
    revising = "FOR UPDATE OF seat", partial(submission.submit, **sent)
    revised, asked = cross(revising, asking_again(labelling))
    # Either the revision came first and stays, or it is refused, as the task is to be labelled again.
    is_revised = isinstance(revised, Labelling)
    assert is_revised == isinstance(asked, relabelling.NothingToRelabel)
    assert is_revised or isinstance(revised, allocation.LeaseLost)
    assert list(Labelling.objects.current()) == [revised] * is_revised
    assert recounts.mend(labelling.task.round_id) == 0


def test_a_labelling_is_asked_for_again_by_two_at_once(labelling, asking_again, cross):
    one, other = cross(asking_again(labelling), asking_again(labelling))
    assert [isinstance(each, relabelling.NothingToRelabel) for each in (one, other)].count(True) == 1
    assert Assignment.objects.filter(task=labelling.task).count() == 2, "the retired seat, and the new one"


def test_a_labelling_is_asked_for_again_while_its_task_is_withdrawn(labelling, asking_again, cross, changing, now):
    task = labelling.task
    cross(asking_again(labelling), changing(rounds.withdraw_from_round, task, now=now + LATER))
    assert not Assignment.objects.open().filter(task=task).exists()
    assert recounts.mend(task.round_id) == 0


def test_a_first_submission_while_its_task_is_moved(make, phase, annotator, cross, changing, submitting, now):
    make.round(phase, 2)
    held = allocation.claim_next(phase=phase, annotator=annotator, now=now)
    labelling, moved = cross(submitting(held), changing(rounds.prioritise, held.task, first=True))
    assert (labelling.task, moved) == (held.task, 0)


@pytest.fixture
def fixing(annotator, second_annotator, admin, now):
    """Returns a ruling that fixes the problem of a disputed task."""
    ruling = Ruling("fix", texts={"reference_answer": "6"})

    def act(round_):
        task = dispute(round_, annotator, second_annotator, now)
        settle = partial(adjudication.settle, task=task, queue="disagreement", ruling=ruling, now=now, by=admin)
        return "FOR UPDATE", settle

    return act


def test_a_problem_is_fixed_while_its_task_is_withdrawn(make, phase, cross, changing, fixing, now):
    round_ = make.round(phase, 1, overlap=3)
    task = round_.tasks.get()
    case, _ = cross(fixing(round_), changing(rounds.withdraw_from_round, task, now=now))
    task.refresh_from_db()
    assert (case.outcome, task.withdrawn_at) == ("fix", now)
    assert recounts.mend(round_.pk) == 0


def test_a_problem_is_fixed_in_two_phases_at_once(make, annotator, second_annotator, cross, fixing):
    solution = make.solution()
    phases = [make.phase(annotator, second_annotator) for _ in range(2)]
    ended = cross(*[fixing(make.round(phase, [solution], overlap=3)) for phase in phases])
    assert sorted(getattr(each, "outcome", "") or each.code for each in ended) == ["fix", "nothing_waits"]
