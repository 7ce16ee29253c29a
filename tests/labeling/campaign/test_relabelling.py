"""labeling.campaign.relabelling: requests to label again, after which a labelling no longer counts."""

from dataclasses import replace
from datetime import timedelta
from itertools import count

import pytest

from annotate import allocation, progress, submission
from labeling.campaign import quality, relabelling, rounds, withdrawals
from labeling.campaign.relabelling import Left, NothingToRelabel
from labeling.counts import recounts
from labeling.models import Assignment, AssignmentKind, Change, Labelling, Round, Task
from labeling.rules.ratings import Judgement, StepRating

HOUR = timedelta(hours=1)


@pytest.fixture
def clock(now):
    """Times, each a minute after the one before."""
    return map(now.__add__, (timedelta(minutes=11 + minutes) for minutes in count()))


@pytest.fixture
def ask(admin, clock):
    def act(*labellings):
        return relabelling.request_again(labelling_ids=[each.pk for each in labellings], now=next(clock), by=admin)

    return act


@pytest.fixture
def label(all_great, clock):
    """Labels the person's next task, with ratings up to the first error."""

    def act(phase, person, *ratings):
        at = next(clock)
        held = allocation.claim_next(phase=phase, annotator=person, now=at)
        found = Judgement([StepRating(step, rating) for step, rating in enumerate(ratings)], "found_error")
        given = replace(all_great, judgement=found if ratings else all_great.judgement)
        return submission.submit(assignment_id=held.pk, annotator=person, submission=given, now=at)

    return act


def counts_are_right():
    return not any(recounts.mend(pk) for pk in Round.objects.values_list("pk", flat=True))


def test_it_works(labelling, ask, phase, annotator, admin, now):
    asked = ask(labelling)
    assert (asked.number, asked.left) == (1, {})
    labelling.refresh_from_db()
    assert labelling.superseded_at == now + timedelta(minutes=11)
    assert labelling.completions.count() == 3, "what was given is kept"
    seat = Assignment.objects.get(task=labelling.task, seat=0)
    assert (seat.kind, seat.annotator, seat.submitted_at) == ("work", None, None)
    assert seat.position == labelling.assignment.position
    assert Round.objects.with_progress().get().labellings_done == 0
    assert counts_are_right()
    line = Change.objects.get(act="ask to label again")
    assert (line.by, line.kind, line.after) == (admin, "round", {"labellings": [str(labelling.pk)]})


def test_the_annotator_may_get_the_task_again(labelling, ask, label, phase, annotator):
    ask(labelling)
    again = label(phase, annotator, 1, -1)
    assert again.task == labelling.task
    assert again.assignment != labelling.assignment
    assert list(Labelling.objects.current()) == [again]
    assert counts_are_right()


def test_somebody_else_may_get_it(labelling, ask, label, phase, second_annotator):
    ask(labelling)
    assert label(phase, second_annotator).task == labelling.task


def test_each_task_gets_as_many_labellings_as_it_needs(make, annotator, second_annotator, label, ask):
    third = make.user()
    phase = make.phase(annotator, second_annotator, third)
    round_ = make.round(phase, 4, overlap=2)
    people = [annotator, second_annotator, third]

    def label_all():
        working = list(people)
        while working:
            for person in list(working):
                try:
                    label(phase, person)
                except allocation.NothingToClaim:
                    working.remove(person)

    label_all()
    for _ in range(3):
        ask(*Labelling.objects.current())
        label_all()
        assert counts_are_right()
        for task in round_.tasks.all():
            current = Labelling.objects.current().filter(task=task)
            assert len(set(current.values_list("annotator", flat=True))) == current.count() == 2
    assert Labelling.objects.count() == 4 * 8, "all that was ever given is kept"


def test_a_page_that_is_still_open_hears_that_its_work_is_kept(labelling, ask, annotator, all_great, now):
    ask(labelling)
    sent = {"assignment_id": labelling.assignment_id, "annotator": annotator, "now": now + HOUR}
    with pytest.raises(allocation.LeaseLost, match="What you submitted is kept"):
        submission.submit(submission=replace(all_great, revises=labelling.pk), **sent)
    with pytest.raises(allocation.LeaseLost, match="What you submitted is kept"):
        submission.submit(submission=all_great, **sent)


def test_a_labelling_that_was_revised_meanwhile_stays(labelling, ask, annotator, all_great, now):
    found = Judgement([StepRating(0, -1)], "found_error")
    sent = replace(all_great, judgement=found, revises=labelling.pk)
    revised = submission.submit(
        assignment_id=labelling.assignment_id, annotator=annotator, submission=sent, now=now + HOUR
    )
    with pytest.raises(NothingToRelabel, match="1 no longer current"):
        ask(labelling)
    assert ask(labelling, revised).left == {Left.SUPERSEDED: 1}


def test_labellings_that_cannot_be_requested_again_are_counted_by_reason(
    make, labelling, ask, label, phase, annotator, admin, now
):
    imported = make.labelling(make.task(), 1)
    withdrawn = label(phase, annotator)
    withdrawals.withdraw(withdrawn.task, why="unclear", now=now, by=admin)
    screened = make.phase(make.user(), gives_feedback=False)
    make.screening(screened)
    tested = label(screened, screened.memberships.get().user)
    asked = ask(labelling, imported, withdrawn, tested)
    assert asked.number == 1
    assert asked.left == {Left.IMPORTED: 1, Left.SCREENING: 1, Left.WITHDRAWN: 1}
    assert counts_are_right()


def test_a_closed_round_has_to_be_reopened_first(labelling, ask, open_round, now):
    rounds.close(round_id=open_round.pk, now=now)
    with pytest.raises(NothingToRelabel, match="1 in a closed round: reopen it first"):
        ask(labelling)
    assert not Change.objects.filter(act="ask to label again").exists()
    rounds.reopen(round_id=open_round.pk)
    assert ask(labelling).number == 1


def test_an_empty_request_is_refused(ask):
    with pytest.raises(NothingToRelabel, match="There is nothing"):
        ask()


def test_a_full_round_is_no_longer_full(make, phase, annotator, label, ask, now):
    round_ = make.round(phase, 1)
    labelling = label(phase, annotator)
    assert list(Round.objects.full(now=now)) == [round_]
    ask(labelling)
    assert not Round.objects.full(now=now).exists()


# Gold


@pytest.fixture
def with_gold(make, annotator, label):
    """A round fully labelled by one person, with six hidden gold tasks."""
    phase = make.phase(annotator, gold_set="hidden", gold_rate=0.5, sources=["world"])
    for _ in range(12):
        make.gold(1, 1, 1, solution=make.solution(source="world"), gold_set="hidden")
    make.round(phase, make.solutions(6))
    while True:
        try:
            label(phase, annotator)
        except allocation.NothingToClaim:
            return phase


def as_served(phase, person, label):
    served = []
    while True:
        try:
            served.append(label(phase, person, -1).task_id)
        except allocation.NothingToClaim:
            return served


def test_gold_comes_again_like_all_others_and_in_the_same_order(with_gold, annotator, label, ask):
    before = list(Labelling.objects.order_by("submitted_at").values_list("task", flat=True))
    assert Task.objects.filter(is_gold=True).count() > 2
    ask(*Labelling.objects.current())
    assert progress.own_progress(phase=with_gold, annotator=annotator, now=label_time()).total == 0
    assert as_served(with_gold, annotator, label) == before


def label_time():
    return Labelling.objects.latest("submitted_at").submitted_at


@pytest.mark.any_database
def test_relabelling_does_not_change_quality(with_gold, annotator, label, ask):
    judged = quality.of_people(with_gold.pk)
    assert judged[annotator.pk].accuracy == 1
    ask(*Labelling.objects.current())
    assert quality.of_people(with_gold.pk) == judged
    as_served(with_gold, annotator, label)
    assert quality.of_people(with_gold.pk) == judged, "the first submission is what is judged"


def test_retired_seats_do_not_count_in_the_rounds_numbers(with_gold, annotator, label, ask, now):
    ask(*Labelling.objects.current())
    retired = Assignment.objects.filter(kind=AssignmentKind.RETIRED)
    assert retired.count() == Labelling.objects.count()
    assert not retired.exclude(annotator=None, seat=None).exists()
    funnel = Round.objects.with_funnel(now=now + HOUR).get()
    assert (funnel.labellings_done, funnel.in_hand, funnel.last_day) == (0, 0, 0)
    assert counts_are_right()
