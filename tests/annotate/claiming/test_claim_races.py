"""Claims, submissions and takeovers with real threads, each on a connection of its own."""

from collections import Counter
from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import connection, transaction

from annotate import allocation, submission, workplaces
from annotate.submission import Submission
from labeling.campaign import rounds
from labeling.errors import DomainError
from labeling.models import Assignment, Labelling, Round
from labeling.rules.ratings import Judgement, StepRating

pytestmark = pytest.mark.django_db(transaction=True)
GREAT = Submission(Judgement([StepRating(step, 1) for step in range(3)], "solution"))


@pytest.fixture
def people(transactional_db, make, crowd):
    return [make.user() for _ in range(crowd)]


@pytest.fixture
def crowded(make, people):
    """A phase of which everybody is a member."""
    return make.phase(*people)


def work_until_nothing_is_left(phase, person, now):
    submitted = 0
    while True:
        try:
            taken = allocation.claim_next(phase=phase, annotator=person, now=now)
        except allocation.NothingToClaim:
            return submitted
        submission.submit(assignment_id=taken.pk, annotator=person, submission=GREAT, now=now)
        submitted += 1


def test_overlap_n_is_exactly_n_different_people(make, crowded, people, at_once, now):
    round_ = make.round(crowded, 6, overlap=3)
    at_once(lambda person: work_until_nothing_is_left(crowded, person, now), people)
    for person in people:  # what was locked by another's claim when the last one looked
        work_until_nothing_is_left(crowded, person, now)
    pairs = Counter(Labelling.objects.values_list("task", "annotator"))
    assert set(pairs.values()) == {1}, "never the same person twice"
    assert Counter(task for task, _ in pairs) == {task.pk: 3 for task in round_.tasks.all()}


def test_simultaneous_submissions_are_stored_once_with_equal_answers(make, at_once, now):
    """True of gold, which is served first here, and of real tasks."""
    person = make.user()
    phase = make.phase(person, gold_set="hidden", gold_rate=0.2)
    make.gold(1, 1, 1, gold_set="hidden")
    make.round(phase, 3)
    for is_gold in (True, False, False):
        held = allocation.claim_next(phase=phase, annotator=person, now=now)
        assert held.task.is_gold == is_gold
        same = {"assignment_id": held.pk, "annotator": person, "submission": GREAT, "now": now}
        stored = at_once(lambda _, same=same: submission.submit(**same), range(6))
        assert len({getattr(each, "pk", each) for each in stored}) == 1
    assert Labelling.objects.count() == 3


def test_everybody_gets_a_task_at_once(make, crowded, people, at_once, now):
    """Nobody waits for another person, or gets no task while there is one for each."""
    make.round(crowded, len(people))
    taken = at_once(lambda person: allocation.claim_next(phase=crowded, annotator=person, now=now), people)
    assert len({assignment.pk for assignment in taken}) == len(people)
    assert [assignment.annotator for assignment in taken] == people


def test_many_tabs_of_one_annotator_hold_one_task(make, crowded, people, crowd, at_once, now):
    make.round(crowded, crowd)
    tabs = [people[0]] * crowd
    taken = at_once(lambda person: allocation.claim_next(phase=crowded, annotator=person, now=now), tabs)
    assert len({assignment.pk for assignment in taken}) == 1
    assert Assignment.objects.filter(annotator=people[0]).count() == 1


@pytest.mark.parametrize("overlap", [1, 3])
def test_many_tabs_that_fetch_ahead_hold_three_tasks(make, crowded, people, crowd, at_once, now, overlap):
    """A third of the tabs request the task in hand, the others the first or second one after it."""
    make.round(crowded, crowd, overlap=overlap)
    tabs = [tab % 3 for tab in range(crowd)]

    def claim(ahead):
        return allocation.claim_next(phase=crowded, annotator=people[0], now=now, ahead=ahead)

    for _ in range(2):
        at_once(claim, tabs)
    taken = at_once(claim, tabs)
    held = Assignment.objects.filter(annotator=people[0])
    assert {seat.place: seat.pk for seat in held} == {place: taken[place].pk for place in range(3)}
    assert [assignment.pk for assignment in taken] == [taken[tab].pk for tab in tabs]
    assert len({seat.task_id for seat in held}) == 3


def test_many_tabs_that_submit_hold_three_tasks(make, crowded, people, crowd, at_once, now):
    """Each submission's answer claims the task in hand and two ahead."""
    make.round(crowded, 3 * crowd)  # enough for the seats that each tab locks before it violates the constraint
    workplace = workplaces.of(phase_id=crowded.pk, annotator=people[0])

    def claim(_):
        return allocation.claims(workplace=workplace, now=now, ahead=True)

    answers = at_once(claim, range(crowd))
    assert {(each.in_hand.pk, *(seat.pk for seat in each.ahead)) for each in answers} == {
        tuple(Assignment.objects.filter(annotator=people[0]).order_by("place").values_list("pk", flat=True))
    }
    assert Assignment.objects.filter(annotator=people[0]).count() == 3


def test_everybody_works_ahead_and_each_task_is_done_once(make, crowded, people, at_once, now):
    round_ = make.round(crowded, 12, overlap=2)

    def work(person):
        while True:
            try:
                taken = allocation.claim_next(phase=crowded, annotator=person, now=now)
            except allocation.NothingToClaim:
                return
            with suppress(allocation.NothingToClaim):
                for ahead in (1, 2):
                    allocation.claim_next(phase=crowded, annotator=person, now=now, ahead=ahead)
            allocation.renew(assignment_id=taken.pk, annotator=person, now=now)
            submission.submit(assignment_id=taken.pk, annotator=person, submission=GREAT, now=now)

    at_once(work, people)
    for person in people:  # what was locked by another's claim when the last one looked
        work(person)
    pairs = Counter(Labelling.objects.values_list("task", "annotator"))
    assert set(pairs.values()) == {1}
    assert Counter(task for task, _ in pairs) == {task.pk: 2 for task in round_.tasks.all()}


def test_screening_tasks_that_come_in_at_once_all_count(make, crowded, people, at_once, now):
    """An annotator submits the last two from two tabs: each must count the other."""
    make.screening(crowded, 2)
    for person in people[:4]:
        seats = [allocation.claim_next(phase=crowded, annotator=person, now=now, ahead=bool(n)) for n in range(2)]
        at_once(
            lambda seat, person=person: submission.submit(
                assignment_id=seat.pk, annotator=person, submission=GREAT, now=now
            ),
            seats,
        )
    assert crowded.memberships.filter(screened_at=now, screening_agreement=1).count() == 4


def test_a_revision_from_two_tabs_is_stored_once(make, crowded, people, at_once, now):
    make.round(crowded, 1)
    held = allocation.claim_next(phase=crowded, annotator=people[0], now=now)
    first = submission.submit(assignment_id=held.pk, annotator=people[0], submission=GREAT, now=now)

    def revise(rating):
        judgement = Judgement([StepRating(0, 1), StepRating(1, rating), StepRating(2, 1)], "solution")
        revised = Submission(judgement, revises=first.pk)
        return submission.submit(assignment_id=held.pk, annotator=people[0], submission=revised, now=now)

    results = at_once(revise, [0, 0])
    assert results[0] == results[1] == Labelling.objects.current().get()
    assert Labelling.objects.count() == 2


def test_one_of_many_takes_an_expired_lease_over(make, crowded, people, at_once, now):
    make.round(crowded, 1)
    first, *others = people
    allocation.claim_next(phase=crowded, annotator=first, now=now)
    later = now + timedelta(hours=1)
    taken = at_once(lambda person: allocation.claim_next(phase=crowded, annotator=person, now=later), others)
    winners = [result for result in taken if isinstance(result, Assignment)]
    assert len(winners) == 1
    assert {result.code for result in taken if isinstance(result, DomainError)} == {"nothing_left"}


def test_a_submission_and_a_takeover_never_both_win(make, crowded, people, at_once, now):
    holder, other = people[:2]
    later = now + timedelta(hours=1)
    for _ in range(4):
        round_ = make.round(crowded, 1)
        held = allocation.claim_next(phase=crowded, annotator=holder, now=now)

        def act(person, held=held):
            if person == holder:
                return submission.submit(assignment_id=held.pk, annotator=holder, submission=GREAT, now=later)
            return allocation.claim_next(phase=crowded, annotator=other, now=later)

        results = at_once(act, [holder, other])
        won = [result for result in results if not isinstance(result, DomainError)]
        seat = round_.assignments.get()
        if isinstance(won[0], Labelling):
            assert (len(won), seat.annotator) == (1, holder)
        else:
            assert (len(won), seat.annotator, seat.submitted_at) == (1, other, None)
        rounds.close(round_id=round_.pk, now=now)


def test_a_submission_sent_many_times_at_once_is_stored_once(make, crowded, people, crowd, at_once, now):
    make.round(crowded, 1)
    held = allocation.claim_next(phase=crowded, annotator=people[0], now=now)
    stored = at_once(
        lambda _: submission.submit(assignment_id=held.pk, annotator=people[0], submission=GREAT, now=now),
        range(crowd),
    )
    assert {labelling.pk for labelling in stored} == {Labelling.objects.get().pk}
    assert held.labellings.get().completions.count() == 3


def test_two_publications_at_once_are_one_round(make, crowded, at_once, now):
    solutions = [[solution.pk] for solution in make.solutions(4)]

    def publish(ids):
        return rounds.publish(phase=crowded, solution_ids=ids, overlap=1, now=now)

    results = at_once(publish, solutions)
    assert [result for result in results if isinstance(result, Round)] == [Round.objects.get()]
    assert {result.code for result in results if isinstance(result, DomainError)} == {"round_still_open"}


@pytest.fixture
def impatient():
    """Runs the act on its own connection. Raises an error if it waits 200 ms for a lock."""

    def run(act, at_once):
        def with_timeout(argument):
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '200ms'")
            return act(argument)

        return at_once(with_timeout, [None])[0]

    return run


def test_nobody_waits_for_another_annotators_locks(make, crowded, people, at_once, impatient, now):
    """Claims, drafts and submissions never wait for another annotator's."""
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer at a time")
    make.round(crowded, 3)
    ada, ben, cleo = people[:3]
    hers = allocation.claim_next(phase=crowded, annotator=ada, now=now)
    his = allocation.claim_next(phase=crowded, annotator=ben, now=now)
    with transaction.atomic():
        allocation.held(assignment_id=hers.pk, annotator=ada)
        for act in (
            lambda _: allocation.renew(assignment_id=his.pk, annotator=ben, now=now),
            lambda _: submission.submit(assignment_id=his.pk, annotator=ben, submission=GREAT, now=now),
            lambda _: allocation.claim_next(phase=crowded, annotator=cleo, now=now),
        ):
            impatient(act, at_once)
    assert Labelling.objects.get().annotator == ben
    assert Assignment.objects.filter(annotator=cleo).exists()
