"""labeling.campaign.hiding: hidden gold resembles the other tasks of its round."""

from collections import Counter
from datetime import timedelta

import pytest

from annotate import allocation, submission
from labeling.campaign import rounds
from labeling.campaign.hiding import LOOKED_AT
from labeling.counts import recounts
from labeling.data.exporting import LabelFilter, standing
from labeling.models import Assignment, Labelling, Phase, Task


@pytest.fixture
def phase(make, annotator, second_annotator):
    return make.phase(annotator, second_annotator, gold_set="hidden", gold_rate=0.5)


@pytest.fixture
def golds(make):
    return [make.gold(1, 1, 1, gold_set="hidden") for _ in range(4)]


@pytest.fixture
def label(phase, all_great, now):
    """Labels the next task, and returns it."""

    def act(annotator):
        held = allocation.claim_next(phase=Phase.objects.get(pk=phase.pk), annotator=annotator, now=now)
        submission.submit(assignment_id=held.pk, annotator=annotator, submission=all_great, now=now)
        return held.task

    return act


@pytest.fixture
def labelled(label):
    """Labels all of the annotator's tasks."""

    def act(annotator):
        found = []
        while True:
            try:
                found.append(label(annotator))
            except allocation.NothingToClaim:
                return found

    return act


def hidden(round_):
    return set(round_.tasks.filter(is_gold=True).values_list("solution", flat=True))


def test_the_requested_share_is_hidden(make, phase, golds):
    make.gold(1, 1, 1, gold_set="other")
    round_ = make.round(phase, 3)
    assert hidden(round_) < {gold.solution_id for gold in golds}
    assert (round_.gold_set, round_.gold_hidden, round_.gold_seats, round_.gold_in_set) == ("hidden", 3, 3, 4)
    assert (round_.task_count, round_.seat_count) == (0, 0), "as it was made, before its tasks"
    assert recounts.mend(round_.pk) == 0


@pytest.mark.parametrize(("rate", "number"), [(0, 0), (0.1, 1), (0.5, 3), (1, 4)])
def test_other_shares_are_hidden(make, phase, golds, rate, number):
    Phase.objects.update(gold_rate=rate)
    assert make.round(Phase.objects.get(), 3).gold_hidden == number


def test_none_is_hidden_in_kind_alternatives(make, phase, golds):
    """Paths differ, so gold could not be compared."""
    Phase.objects.update(kind="alternatives")
    assert not hidden(make.round(phase, 3))


def test_gold_has_as_many_seats_as_work_at_the_same_positions(make, phase, golds, now):
    round_ = rounds.publish(phase=phase, solution_ids=[each.pk for each in make.solutions(6)], overlap=2, now=now)
    seats = {
        kind: Counter(round_.assignments.filter(kind=kind).values_list("seat", flat=True)) for kind in ("work", "gold")
    }
    assert seats == {"work": {0: 6, 1: 6}, "gold": {0: 4, 1: 4}}
    places = round_.assignments.filter(kind="gold").values_list("seat", "position")
    assert set(places) <= set(round_.assignments.filter(kind="work").values_list("seat", "position"))


def test_a_problem_comes_as_often_as_it_was_selected(make, phase, now):
    """If a problem came twice in a round of single ones, one would be recognised as gold."""
    problems = [make.problem() for _ in range(6)]
    for problem in problems:
        for _ in range(2):
            make.gold(1, 1, 1, gold_set="hidden", solution=make.solution(problem))
    chosen = [make.solution(problem) for problem in problems for _ in range(2 if problem == problems[0] else 1)]
    round_ = rounds.publish(phase=phase, solution_ids=[each.pk for each in chosen], now=now)
    assert round_.gold_hidden == 4
    assert Counter(round_.tasks.values_list("solution__problem", flat=True)) == Counter(
        each.problem_id for each in chosen
    )
    fresh = type(round_).objects.get(pk=round_.pk)
    assert (fresh.task_count, fresh.seat_count, fresh.gold_seats) == (3, 3, 4)
    assert sorted(round_.assignments.values_list("position", flat=True)) == list(range(7))
    assert recounts.mend(round_.pk) == 0


def test_no_gold_is_hidden_if_its_problem_would_come_less_often(make, phase, golds):
    problems = [make.problem() for _ in range(3)]
    assert not hidden(make.round(phase, [make.solution(problem) for problem in problems for _ in range(2)]))


@pytest.mark.parametrize(
    "unlike",
    [
        {"verdict": "right"},
        {"answer": ""},
        {"markup": "code"},
    ],
)
def test_gold_that_looks_different_is_not_hidden(make, phase, unlike):
    make.gold(1, 1, 1, gold_set="hidden", solution=make.solution(**unlike))
    assert not hidden(make.round(phase, 4))


def test_gold_of_another_subject_is_not_hidden(make, phase, golds):
    own = make.gold(1, 1, 1, gold_set="hidden", solution=make.solution(make.problem(subject="Algebra")))
    solutions = [make.solution(make.problem(subject="Algebra")) for _ in range(4)]
    assert hidden(make.round(phase, solutions)) == {own.solution_id}


def test_gold_has_the_rounds_share_of_sizes(make, phase):
    """Long gold is twice as frequent as short; the round has equal numbers of both."""
    texts = {"short": ["It is 5."], "long": ["First we look at it from all sides.", "Then we add.", "It is 5."]}
    for name in ("short", "long", "long"):
        for _ in range(20):
            make.gold(*[1] * len(texts[name]), gold_set="hidden", solution=make.solution(steps=texts[name]))
    round_ = make.round(phase, [make.solution(steps=texts[name]) for name in ("short", "long") for _ in range(20)])
    steps = Counter(len(steps) for steps in round_.tasks.filter(is_gold=True).values_list("solution__steps", flat=True))
    assert abs(steps[1] - steps[3]) <= 2
    assert steps.total() > 30


def test_gold_on_the_rounds_own_solutions_is_not_hidden(make, phase, golds):
    assert golds[1].solution_id not in hidden(make.round(phase, [golds[1].solution, *make.solutions(6)]))


@pytest.mark.any_database
def test_gold_labelled_in_an_earlier_round_is_not_hidden(make, phase, golds, labelled, annotator, now):
    """Real tasks never come again in a later round. Gold that nobody took may be hidden again."""
    Phase.objects.update(gold_rate=0.25)
    first = make.round(Phase.objects.get(), 3)
    labelled(annotator)
    rounds.close(round_id=first.pk, now=now)
    Phase.objects.update(gold_rate=1)
    second = make.round(Phase.objects.get(), 3)
    assert len(hidden(first)) == 1
    assert hidden(second) == {gold.solution_id for gold in golds} - hidden(first)
    rounds.close(round_id=second.pk, now=now)
    assert hidden(make.round(Phase.objects.get(), 3)) == hidden(second)


def test_gold_of_the_screening_is_not_hidden(make, phase, golds, now):
    chosen = [gold.solution_id for gold in golds[:3]]
    rounds.publish_screening(phase=phase, solution_ids=chosen, now=now)
    assert hidden(make.round(phase, 3)) == {golds[3].solution_id}


def test_only_gold_of_the_phases_sources_is_hidden(make, phase, golds):
    """Another campaign's gold set has the same name."""
    own = make.gold(1, 1, 1, gold_set="hidden", solution=make.solution(source="gsm8k"))
    Phase.objects.update(sources=["gsm8k"])
    round_ = make.round(Phase.objects.get(), [make.solution(source="gsm8k")])
    assert hidden(round_) == {own.solution_id}
    assert (round_.gold_hidden, round_.gold_in_set) == (1, 5)


def test_it_goes_to_as_many_people_as_a_real_task(make, phase, golds, labelled, annotator, second_annotator):
    """If the overlap is 1, a task that two people share would be recognised as gold."""
    make.round(phase, 4)
    assert not {*labelled(annotator)[:5]} & {*labelled(second_annotator)}
    assert set(Counter(Labelling.objects.values_list("task", flat=True)).values()) == {1}


@pytest.mark.any_database
def test_two_people_where_two_label_everything(make, phase, golds, labelled, annotator, second_annotator):
    make.round(phase, 4, overlap=2)
    assert set(labelled(annotator)) == set(labelled(second_annotator)) == set(Task.objects.all())


@pytest.mark.parametrize("had", ["elsewhere", "as its author"])
def test_gold_that_one_annotator_knows_is_not_hidden(make, phase, golds, annotator, had):
    """A task that comes again would be recognised as gold, and a check at each claim would show in its duration."""
    known, *others = golds
    if had == "elsewhere":
        make.labelling(make.task(solution=known.solution), 1, 1, 1, annotator=annotator)
    else:
        known.author = annotator
        known.save()
    assert hidden(make.round(phase, 4)) == {gold.solution_id for gold in others}


def test_a_round_is_full_without_it_unless_somebody_has_it_in_hand(make, phase, labelled, annotator, now):
    """If the round closed on the last task in hand, its holder would know that it was gold."""
    make.gold(1, 1, 1, gold_set="hidden")
    Phase.objects.update(closes_full_rounds=True)
    round_ = make.round(phase, 2)
    late = make.user()
    phase.memberships.create(user=late)
    held = allocation.claim_next(phase=phase, annotator=late, now=now)
    assert held.task.is_gold
    labelled(annotator)
    assert rounds.close_full(now=now) == []
    assert rounds.close_full(now=now + timedelta(hours=2)) == [round_]


def test_further_opinions_are_requested_as_for_real_tasks(make, phase, annotator, second_annotator, now):
    Phase.objects.update(overlap_cap=3)
    make.gold(1, 1, 1, gold_set="hidden")
    round_ = make.round(phase, 1, overlap=2)
    round_.assignments.update(submitted_at=now)
    for task in round_.tasks.all():
        make.labelling(task, 1, -1, annotator=annotator)
        make.labelling(task, 1, 1, 1, annotator=second_annotator)
    third = make.user()
    phase.memberships.create(user=third)
    fresh = Phase.objects.get(pk=phase.pk)
    first = allocation.claim_next(phase=fresh, annotator=third, now=now)
    second = allocation.claim_next(phase=fresh, annotator=third, now=now, ahead=1)
    assert {first.task.is_gold, second.task.is_gold} == {True, False}
    assert recounts.mend(round_.pk) == 0


def test_labels_on_it_are_not_trained_on(make, phase, golds, label, annotator):
    make.round(phase, 2)
    assert label(annotator).is_gold
    assert not standing.labellings(LabelFilter()).exists()


def test_it_does_not_count_in_the_funnel(make, phase, golds, label, annotator, admin_client):
    make.round(phase, 3)
    assert label(annotator).is_gold
    (row,) = admin_client.get("/api/rounds/").json()["results"]
    figures = ["task_count", "labellings_wanted", "labellings_done", "in_hand", "left"]
    assert [row[name] for name in figures] == [3, 3, 0, 0, 3]


def test_undoing_a_withdrawal_restores_hidden_gold(make, phase, golds, annotator, now, admin_client):
    round_ = make.round(phase, 3)
    before = sorted(round_.assignments.values_list("task", "kind", "seat", "position"))
    task = round_.tasks.filter(is_gold=True).first()
    admin_client.post(f"/api/solutions/{task.solution_id}/withdrawal/", {"why": "It is wrong."})
    assert not Assignment.objects.filter(task=task).exists()
    assert recounts.mend(round_.pk) == 0
    admin_client.delete(f"/api/solutions/{task.solution_id}/withdrawal/")
    assert sorted(round_.assignments.values_list("task", "kind", "seat", "position")) == before
    assert recounts.mend(round_.pk) == 0


def test_hiding_gold_reads_few_rows(make, phase, golds, monkeypatch, django_assert_max_num_queries):
    """Reads equally many rows for any number of tasks."""
    assert LOOKED_AT < 10_000
    monkeypatch.setattr("labeling.campaign.hiding.LOOKED_AT", 2)
    assert make.round(phase, 9).gold_hidden == 2
