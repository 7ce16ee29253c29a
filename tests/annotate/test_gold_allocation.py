"""annotate.allocation: gold among real tasks, at points that nobody can foresee."""

from collections import Counter
from datetime import timedelta

import pytest

from annotate import allocation, drafts, submission
from labeling import rounds
from labeling.models import Assignment, Labelling, Phase, Task


@pytest.fixture
def phase(make, annotator, second_annotator):
    return make.phase(annotator, second_annotator, gold_set="hidden", gold_rate=1)


@pytest.fixture
def golds(make):
    return [make.gold(1, 1, 1, gold_set="hidden") for _ in range(4)]


@pytest.fixture
def claim(phase, now):
    def act(annotator, after=timedelta(0), **asked):
        return allocation.claim_next(phase=Phase.objects.get(), annotator=annotator, now=now + after, **asked)

    return act


@pytest.fixture
def label(claim, all_great, now):
    def act(annotator):
        held = claim(annotator)
        submission.submit(assignment_id=held.pk, annotator=annotator, submission=all_great, now=now)
        return held.task

    return act


def test_a_round_hides_the_gold_set(make, phase, golds, now):
    make.gold(1, 1, 1, gold_set="other")
    round_ = make.round(phase, 3)
    assert {task.solution for task in round_.tasks.filter(is_gold=True)} == {gold.solution for gold in golds}
    assert round_.assignments.count() == 3, "seats on gold are made as people come upon them"


def test_not_what_the_round_or_the_screening_has(make, phase, golds, now):
    rounds.publish_screening(phase=phase, solution_ids=[golds[0].solution_id], now=now)
    round_ = make.round(phase, [golds[1].solution])
    hidden = round_.tasks.filter(is_gold=True).values_list("solution", flat=True)
    assert set(hidden) == {gold.solution_id for gold in golds[2:]}


def test_everybody_gets_each_gold_task_once(make, phase, golds, label, annotator, second_annotator):
    make.round(phase, 3, overlap=2)
    for person in (annotator, second_annotator):
        tasks = [label(person) for _ in range(7)]
        assert [task.is_gold for task in tasks] == [True] * 4 + [False] * 3
        assert len(set(tasks)) == 7


def test_nor_again_in_a_later_round(make, phase, golds, label, annotator, now):
    first = make.round(phase, 1)
    for _ in range(5):
        label(annotator)
    rounds.close(round_id=first.pk, now=now)
    make.round(phase, 1)
    assert not label(annotator).is_gold


def test_not_to_its_author(make, phase, label, annotator):
    make.gold(1, 1, 1, gold_set="hidden", author=annotator)
    make.round(phase, 1)
    assert not label(annotator).is_gold


def test_gold_does_not_outlast_the_work(make, phase, golds, label, claim, annotator):
    """Somebody who was told that nothing is left, and then got a task, would know what it is."""
    make.round(phase, 1)
    Phase.objects.update(gold_rate=0)
    label(annotator)
    Phase.objects.update(gold_rate=1)
    with pytest.raises(allocation.NothingToClaim):
        claim(annotator)


def test_at_the_rate_and_in_no_pattern(make, phase, claim, annotator, now):
    """Of 400 claims at a rate of 0.3, fewer than 80 or more than 165 gold ones come once in a million times."""
    Phase.objects.update(gold_rate=0.3)
    for _ in range(180):
        make.gold(1, 1, 1, gold_set="hidden")
    make.round(phase, 400)
    drawn = []
    for _ in range(400):
        held = claim(annotator)
        Assignment.objects.filter(pk=held.pk).update(submitted_at=now, lease_expires_at=None)
        drawn.append(held.task.is_gold)
    assert 80 <= sum(drawn) <= 165
    gaps = Counter(len(run) for run in "".join("g" if each else "." for each in drawn).split("g"))
    assert len(gaps) > 3


def test_a_lease_on_gold_that_ran_out_is_nobody_elses(make, phase, golds, claim, annotator, second_annotator):
    make.round(phase, 1)
    held = claim(annotator)
    assert held.task.is_gold
    Phase.objects.update(gold_rate=0)
    later = timedelta(hours=9)
    assert not claim(second_annotator, after=later).task.is_gold
    assert claim(annotator, after=later) == held


def test_released_gold_is_anybodys_draw_again(make, phase, golds, claim, annotator):
    make.round(phase, 2)
    held = claim(annotator)
    allocation.release(assignment_id=held.pk, annotator=annotator)
    seen = set()
    for _ in range(100):
        again = claim(annotator)
        seen.add(again.task_id)
        allocation.release(assignment_id=again.pk, annotator=annotator)
    assert seen == set(Task.objects.filter(is_gold=True).values_list("pk", flat=True))


def test_gold_that_was_given_back_half_done_does_not_come_again(make, phase, claim, annotator, now):
    """As a real task, which comes after all others."""
    make.gold(1, 1, 1, gold_set="hidden")
    make.round(phase, 2)
    held = claim(annotator)
    drafts.save(assignment_id=held.pk, annotator=annotator, version=1, content={}, now=now)
    allocation.release(assignment_id=held.pk, annotator=annotator)
    assert held.task.is_gold
    assert not claim(annotator).task.is_gold


def test_the_task_ahead_may_be_gold(make, phase, golds, claim, annotator):
    make.round(phase, 1)
    in_hand, ahead = claim(annotator), claim(annotator, ahead=True)
    assert in_hand.task != ahead.task
    assert ahead.task.is_gold


def test_without_a_rate_there_is_none(make, phase, golds, label, annotator):
    Phase.objects.update(gold_rate=0)
    make.round(phase, 3)
    assert not any(label(annotator).is_gold for _ in range(3))


def test_labels_on_it_are_not_trained_on(make, phase, golds, label, annotator):
    make.round(phase, 1)
    assert label(annotator).is_gold
    assert not Labelling.objects.for_training().exists()


def test_it_counts_in_no_funnel(make, phase, golds, label, claim, annotator, admin_client):
    make.round(phase, 3)
    label(annotator)
    claim(annotator)
    (row,) = admin_client.get("/api/rounds/").json()["results"]
    figures = ["task_count", "labellings_wanted", "labellings_done", "in_hand", "left"]
    assert [row[name] for name in figures] == [3, 3, 0, 0, 3]
