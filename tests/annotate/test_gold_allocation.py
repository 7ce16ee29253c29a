"""annotate.allocation: gold among real tasks, at points that nobody can foresee."""

from collections import Counter
from datetime import timedelta
from random import Random

import pytest

from annotate import allocation, submission
from labeling.campaign import rounds, screening
from labeling.data.exporting import LabelFilter, standing
from labeling.models import Assignment, Gold, Labelling, Phase, Task


@pytest.fixture
def phase(make, annotator, second_annotator):
    return make.phase(annotator, second_annotator, gold_set="hidden", gold_rate=1)


@pytest.fixture
def golds(make):
    return [make.gold(1, 1, 1, gold_set="hidden") for _ in range(4)]


@pytest.fixture
def claim(phase, now):
    def act(annotator, after=timedelta(0), **asked):
        return allocation.claim_next(
            phase=Phase.objects.get(pk=phase.pk), annotator=annotator, now=now + after, **asked
        )

    return act


@pytest.fixture
def label(claim, all_great, now):
    def act(annotator):
        held = claim(annotator)
        submission.submit(assignment_id=held.pk, annotator=annotator, submission=all_great, now=now)
        return held.shown_task

    return act


def test_a_round_hides_the_gold_set(make, phase, golds, now):
    make.gold(1, 1, 1, gold_set="other")
    round_ = make.round(phase, 3)
    assert {task.solution for task in round_.tasks.filter(is_gold=True)} == {gold.solution for gold in golds}
    assert round_.assignments.count() == 3, "gold takes a seat once it is labelled"


def test_not_what_the_round_has_itself(make, phase, golds, now):
    round_ = make.round(phase, [golds[1].solution])
    hidden = round_.tasks.filter(is_gold=True).values_list("solution", flat=True)
    assert set(hidden) == {gold.solution_id for gold in golds if gold != golds[1]}
    assert (round_.gold_set, round_.gold_hidden, round_.gold_in_set) == ("hidden", 3, 4)


def test_what_one_person_was_screened_on_is_hidden_for_the_others(make, phase, golds, label, annotator, now):
    """One set for both: who passed the screening on it knows it, who was let in without does not."""
    chosen = [gold.solution_id for gold in golds[:3]]
    rounds.publish_screening(phase=phase, solution_ids=chosen, now=now)
    newcomer = make.user()
    phase.memberships.create(user=newcomer, is_let_in=True)
    for _ in chosen:
        assert label(annotator).round.number == -1
    assert make.round(phase, 3, overlap=2).gold_hidden == 4
    own = [label(annotator) for _ in range(4)]
    assert [task.solution_id for task in own if task.is_gold] == [golds[3].solution_id]
    others = [label(newcomer) for _ in range(7)]
    assert {task.solution_id for task in others if task.is_gold} == {gold.solution_id for gold in golds}


def test_a_screening_that_was_begun_again_is_not_forgotten(make, phase, golds, label, annotator, now):
    """Its seats are free again, and then an admin lets the person in."""
    Phase.objects.update(screening_attempts=2, pass_mark=1)
    gold, *_ = golds
    Gold.objects.exclude(pk=gold.pk).delete()
    Gold.objects.filter(pk=gold.pk).update(ratings=[-1])
    first = rounds.publish_screening(phase=phase, solution_ids=[gold.solution_id], now=now)
    label(annotator)
    membership = phase.memberships.get(user=annotator)
    screening.start_again(membership=membership, screening=first, now=now)
    phase.memberships.filter(user=annotator).update(is_let_in=True)
    make.round(phase, 2)
    assert not label(annotator).is_gold


def test_nor_what_was_had_in_another_phase(make, phase, golds, label, annotator, now):
    """What comes twice would be known for gold."""
    elsewhere = make.task(make.phase(annotator), solution=golds[0].solution)
    make.labelling(elsewhere, 1, 1, 1, annotator=annotator)
    make.round(phase, 4)
    drawn = [label(annotator) for _ in range(7)]
    assert {task.solution_id for task in drawn if task.is_gold} == {gold.solution_id for gold in golds[1:]}


def test_only_what_the_phase_draws_from(make, phase, golds):
    """Another campaign's gold has the same name."""
    own = make.gold(1, 1, 1, gold_set="hidden", solution=make.solution(source="gsm8k"))
    Phase.objects.update(sources=["gsm8k"])
    round_ = make.round(phase, [make.solution(source="gsm8k")])
    assert [task.solution for task in round_.tasks.filter(is_gold=True)] == [own.solution]
    assert (round_.gold_hidden, round_.gold_in_set) == (1, 5)


def test_everybody_gets_each_gold_task_once(make, phase, golds, label, annotator, second_annotator):
    make.round(phase, 3, overlap=2)
    for person in (annotator, second_annotator):
        tasks = [label(person) for _ in range(7)]
        assert [task.is_gold for task in tasks] == [True] * 4 + [False] * 3
        assert len(set(tasks)) == 7


def test_nor_again_in_a_later_round(make, phase, golds, claim, label, annotator, now):
    """Neither labelled nor only seen: a real task comes in one round alone."""
    first = make.round(phase, 2)
    assert all(label(annotator).is_gold for _ in range(3))
    assert claim(annotator).shown_task.is_gold
    rounds.close(round_id=first.pk, now=now)
    make.round(phase, 2)
    assert not label(annotator).is_gold


def test_not_to_its_author(make, phase, label, annotator):
    make.gold(1, 1, 1, gold_set="hidden", author=annotator)
    make.round(phase, 2)
    assert not label(annotator).is_gold


def test_gold_does_not_outlast_the_work(make, phase, golds, label, claim, annotator):
    """Somebody who was told that nothing is left, and then got a task, would know what it is."""
    make.round(phase, 1)
    Phase.objects.update(gold_rate=0)
    label(annotator)
    Phase.objects.update(gold_rate=1)
    with pytest.raises(allocation.NothingToClaim):
        claim(annotator)


def test_at_the_rate_and_in_no_pattern(make, phase, claim, annotator, monkeypatch, now):
    """Of 400 claims at a rate of 0.3, with dice that throw the same whenever the test runs."""
    monkeypatch.setattr(allocation, "DICE", Random(7))
    Phase.objects.update(gold_rate=0.3)
    for _ in range(180):
        make.gold(1, 1, 1, gold_set="hidden")
    make.round(phase, 400)
    drawn = []
    for _ in range(400):
        held = claim(annotator)
        Assignment.objects.filter(pk=held.pk).update(submitted_at=now, lease_expires_at=None)
        drawn.append(held.shown_task.is_gold)
    assert 80 <= sum(drawn) <= 165
    gaps = Counter(len(run) for run in "".join("g" if each else "." for each in drawn).split("g"))
    assert len(gaps) > 3


def test_the_last_task_is_shown_as_it_is(make, phase, golds, claim, annotator):
    """Told that nothing comes after a task, whoever then got that very task would know what was in its place."""
    make.round(phase, 1, overlap=2)
    assert not claim(annotator).shown_task.is_gold


def test_nothing_comes_after_nothing_comes_ahead(make, phase, golds, claim, label, annotator):
    make.round(phase, 3)
    while True:
        claim(annotator)
        try:
            claim(annotator, ahead=True)
        except allocation.NothingToClaim:
            break
        label(annotator)
    label(annotator)
    with pytest.raises(allocation.NothingToClaim):
        claim(annotator)
    assert Labelling.objects.count() == 3 + len(golds)


def test_whoever_takes_the_task_over_sees_the_task(make, phase, golds, claim, annotator, second_annotator):
    make.round(phase, 2)
    held = claim(annotator)
    assert held.shown_task.is_gold
    Phase.objects.update(gold_rate=0)
    later = timedelta(hours=9)
    over = claim(second_annotator, after=later)
    assert (over, over.shown_task) == (held, held.task)
    assert claim(annotator, after=later) != held, "it left their hands, as a real one would"


@pytest.mark.parametrize("throw", [0.0, 1.0])
def test_a_task_looks_the_same_when_it_comes_again(make, phase, golds, claim, annotator, monkeypatch, throw, now):
    """Through its other seat, too, and whatever the dice say then."""
    make.round(phase, 2, overlap=2)
    monkeypatch.setattr(allocation.DICE, "random", lambda: throw)
    before = claim(annotator)
    assert before.shown_task.is_gold == (throw == 0.0)
    allocation.release(assignment_id=before.pk, annotator=annotator, now=now)
    monkeypatch.setattr(allocation.DICE, "random", lambda: 1.0 - throw)
    assert claim(annotator).task != before.task
    again = claim(annotator, ahead=True)
    assert (again.task, again.shown_task) == (before.task, before.shown_task)
    assert (before.seat, again.seat) == (0, 1)


def test_the_task_is_labelled_as_well(make, phase, golds, claim, label, annotator):
    """Its seat is free again at once, behind all others."""
    round_ = make.round(phase, 2, overlap=2)
    held = claim(annotator)
    assert label(annotator) == held.shown_task
    task = Task.objects.get(pk=held.task_id)
    assert sorted(task.assignments.values_list("seat", "position", "annotator")) == [(0, 4, None), (1, 2, None)]
    Phase.objects.update(gold_rate=0)
    assert [label(annotator) == task for _ in range(2)] == [False, True]
    assert round_.assignments.count() == 5, "with the one on gold"


def test_a_task_that_was_withdrawn_meanwhile_stays_so(make, phase, golds, claim, label, annotator, now):
    round_ = make.round(phase, 2)
    held = claim(annotator)
    rounds.withdraw(round_id=round_.pk, task_ids=[held.task_id], now=now)
    assert label(annotator).is_gold
    assert not held.task.assignments.exists()


def test_two_tabs_get_two_of_them(make, phase, golds, claim, annotator, at_once, transactional_db, monkeypatch):
    make.round(phase, 3)
    claim(annotator)
    got = at_once(lambda ahead: claim(annotator, ahead=ahead), [True] * 4)
    assert len({held.pk for held in got}) == 1
    assert len(set(Assignment.objects.filter(annotator=annotator).values_list("shown", flat=True))) == 2


def test_the_task_ahead_may_be_gold(make, phase, golds, claim, annotator):
    make.round(phase, 3)
    in_hand, ahead = claim(annotator), claim(annotator, ahead=True)
    assert in_hand.shown_task != ahead.shown_task
    assert ahead.shown_task.is_gold


def test_without_a_rate_there_is_none(make, phase, golds, label, annotator):
    Phase.objects.update(gold_rate=0)
    make.round(phase, 3)
    assert not any(label(annotator).is_gold for _ in range(3))


def test_labels_on_it_are_not_trained_on(make, phase, golds, label, annotator):
    make.round(phase, 2)
    assert label(annotator).is_gold
    assert not standing.labellings(LabelFilter()).exists()


def test_it_counts_in_no_funnel(make, phase, golds, label, claim, annotator, admin_client):
    make.round(phase, 3)
    assert label(annotator).is_gold
    held = claim(annotator, after=timedelta(days=9999))
    assert held.shown_task.is_gold, "the task in whose place it is, is in hand"
    (row,) = admin_client.get("/api/rounds/").json()["results"]
    figures = ["task_count", "labellings_wanted", "labellings_done", "in_hand", "left"]
    assert [row[name] for name in figures] == [3, 3, 0, 1, 2]
