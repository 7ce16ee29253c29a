"""labeling.rules.consensus: combines several people's ratings into a path."""

from functools import cache
from random import Random
from uuid import uuid4

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.rules import consensus
from labeling.rules.agreement import RatedTask
from labeling.rules.ratings import first_error

METHODS = [consensus.by_majority, consensus.by_dawid_skene]
by_each_method = pytest.mark.parametrize("method", METHODS)
FOUR_PATHS = [[1, -1], [1, 1, -1], [1, 1, 1, -1], [1, 1, 1, 1, 1]]


def of(method, *labellings):
    """Returns the consensus of people who have labelled nothing else."""
    task = uuid4()
    return method([RatedTask(task, uuid4(), ratings) for ratings in labellings])[task]


# The vote


@pytest.mark.parametrize(
    ("labellings", "ratings", "confidence"),
    [
        ([[1, -1], [1, -1], [1, 1, 1]], [1, -1], [1, 0.6667]),
        ([[1, 1, 1], [1, 1, 1], [1, -1]], [1, 1, 1], [1, 0.6667, 0.6667]),
        (FOUR_PATHS, [1, 1, -1], [1, 0.75, 0.25]),
        ([[-1], [1, 1, -1], [1, 1, 1]], [1, 1, -1], [0.6667, 0.6667, 0.3333]),
        ([[-1], [1, -1]], [-1], [0.5]),
        ([[-1], [1]], [None], [0.5]),
        ([[1, -1], [1, 1, 1, 1, 1]], [1, None], [1, 0.5]),
        ([[-1], [1, -1], [1, 1], [1, 1]], [1, None], [0.75, 0.5]),
        ([[1, 1], [1, 0], [0, 0]], [1, 0], [1, 1]),
        ([[1], [0]], [0], [1]),
        ([[1, None], [1, 0]], [1, 0], [1, 1]),
        ([[1, None, 1], [1, None, -1]], [1, None], [1, 0]),
        ([[None], [None]], [None], [0]),
    ],
)
def test_majority(labellings, ratings, confidence):
    assert of(consensus.by_majority, *labellings) == (ratings, confidence)


# Dawid-Skene


def test_four_paths():
    """Three of four people see an error, so the consensus has one."""
    ratings, confidence = of(consensus.by_dawid_skene, *FOUR_PATHS)
    assert ratings == [1, 1, 1, -1]
    assert 0.2 < confidence[-1] < 0.5, "where it is, nobody can be sure"


@pytest.mark.parametrize("steps", range(2, 12))
def test_one_against_another_is_not_settled(steps):
    """Neither the strict nor the lenient annotator has proved right."""
    for place in range(steps):
        strict = [1] * place + [-1]
        assert of(consensus.by_dawid_skene, strict, [1] * steps).ratings[-1] is None, place


def test_two_of_three_settle_it():
    assert of(consensus.by_dawid_skene, [1, -1], [1, -1], [1, 1, 1, 1]).ratings == [1, -1]
    assert of(consensus.by_dawid_skene, [1, 1, 1, 1], [1, 1, 1, 1], [1, -1]).ratings == [1, 1, 1, 1]


def test_a_step_that_nobody_rated_right_is_not_right():
    """True even if those who stopped are known to stop too early."""
    hasty, careful, other = uuid4(), uuid4(), uuid4()
    rows = [RatedTask(task, hasty, [-1]) for task in range(50)]
    rows += [RatedTask(task, each, [1, 1, 1, 1]) for task in range(50) for each in (careful, other)]
    rows += [RatedTask(99, hasty, [-1]), RatedTask(99, careful, [1, -1])]
    assert consensus.by_dawid_skene(rows)[0].ratings == [1, 1, 1, 1]
    assert consensus.by_dawid_skene(rows)[99].ratings[1] != 1


SAYS_BAD = {"careful": (0.02, 0.95, 0.5), "lenient": (0.01, 0.3, 0.1), "hasty": (0.1, 0.95, 0.5)}


def simulated(team, tasks=300, seed=1):
    """Returns the true index of each first error (-1: none), and everybody's labellings of 6 steps."""
    dice = Random(seed)
    truth = [dice.choice([-1, *range(6)]) for _ in range(tasks)]
    people = [(uuid4(), SAYS_BAD[kind]) for kind in team]
    return truth, [
        RatedTask(task, person, walked(true, chances, dice))
        for task, true in enumerate(truth)
        for person, chances in people
    ]


def walked(true, chances, dice):
    ratings = []
    for step in range(6):
        kind = 0 if true < 0 or step < true else 1 if step == true else 2
        ratings.append(-1 if dice.random() < chances[kind] else 1)
        if ratings[-1] == -1:
            break
    return ratings


def hits(truth, found):
    """Counts first errors found at their true place; unsettled ones don't count."""
    ends = [found[task].ratings for task in range(len(truth))]
    return sum(
        ratings[-1] is not None and first_error(ratings) == true for ratings, true in zip(ends, truth, strict=True)
    )


@pytest.mark.parametrize(
    "team", [["careful", "lenient", "lenient"], ["careful", "hasty", "hasty"], ["careful", "lenient"]]
)
def test_dawid_skene_finds_who_is_right(team):
    truth, rows = simulated(team)
    majority, weighed = (hits(truth, method(rows)) for method in METHODS)
    assert weighed > majority + 10
    assert weighed > 0.75 * len(truth)


def test_confidence_is_calibrated():
    """The number of right paths equals the sum of their last confidences, within three standard errors."""
    truth, rows = simulated(["careful", "lenient", "hasty", "careful"], tasks=500)
    found = consensus.by_dawid_skene(rows)
    settled = [task for task in range(500) if found[task].ratings[-1] is not None]
    chances = np.array([found[task].confidence[-1] for task in settled])
    right = hits(truth, found)
    assert abs(right - chances.sum()) < 3 * np.sqrt((chances * (1 - chances)).sum()) + 10


def test_the_order_of_rows_does_not_matter():
    _, rows = simulated(["careful", "lenient", "hasty"], tasks=30)
    one, other = consensus.by_dawid_skene(rows), consensus.by_dawid_skene(rows[::-1])
    for task in range(30):
        assert one[task].ratings == other[task].ratings
        assert one[task].confidence == pytest.approx(other[task].confidence, abs=1e-3)


@by_each_method
def test_no_labellings_give_no_consensus(method):
    assert method([]) == method([RatedTask(uuid4(), uuid4(), [])]) == {}


# Any labellings


@cache
def labelling(steps, flags=True):
    """Returns a strategy for ratings of a solution, up to the first Bad."""
    ratings = st.lists(st.sampled_from([1, 1, 0, *([None] if flags else [])]), min_size=steps, max_size=steps)
    ends = st.none() | st.integers(0, steps - 1)
    return st.tuples(ratings, ends).map(lambda pair: pair[0] if pair[1] is None else [*pair[0][: pair[1]], -1])


def labellings(flags=True, most=6):
    """Returns a strategy for labellings of a solution, with the number of its steps."""
    several = {steps: st.lists(labelling(steps, flags), min_size=1, max_size=most) for steps in range(1, 7)}
    return st.integers(1, 6).flatmap(lambda steps: st.tuples(several[steps], st.just(steps)))


@by_each_method
@given(rows=labellings())
def test_a_consensus_is_a_path(method, rows):
    ratings, confidence = of(method, *rows[0])
    assert 0 < len(ratings) == len(confidence) <= max(map(len, rows[0]))
    assert set(ratings[:-1]) <= {0, 1}, "up to the first error, or to where nobody can say"
    assert all(0 <= each <= 1 for each in confidence)
    if ratings[-1] in (0, 1):
        assert len(ratings) == rows[1], "all right only to the last step"


@by_each_method
@given(rows=labellings())
def test_a_step_rated_right_was_rated_so_by_somebody(method, rows):
    for step, rating in enumerate(of(method, *rows[0]).ratings):
        assert rating is None or any(rating == row[step] for row in rows[0] if step < len(row)) or rating == -1


@by_each_method
@given(rows=labellings(flags=False), times=st.integers(2, 4))
def test_identical_labellings_are_the_consensus(method, rows, times):
    same = rows[0][0]
    assert of(method, *[same] * times).ratings == same


@given(rows=labellings(), place=st.integers(0, 5))
def test_one_more_vote_for_an_error_there_or_before_keeps_it(rows, place):
    """An earlier error never moves later."""
    before = of(consensus.by_majority, *rows[0]).ratings
    error = first_error(before)
    more = [1] * min(place, max(error, 0)) + [-1]
    after = of(consensus.by_majority, *rows[0], more).ratings
    if error >= 0:
        assert -1 < first_error(after) <= error


@given(rows=labellings(flags=False), place=st.integers(0, 5))
def test_one_more_vote_for_any_error_keeps_an_error(rows, place):
    """The error may move later, but not beyond the new one."""
    given, steps = rows
    error, place = first_error(of(consensus.by_majority, *given).ratings), min(place, steps - 1)
    after = first_error(of(consensus.by_majority, *given, [1] * place + [-1]).ratings)
    if error >= 0:
        assert -1 < after <= max(error, place)


@given(rows=labellings(flags=False))
def test_more_than_half_settle_whether_there_is_an_error(rows):
    found = sum(-1 in row for row in rows[0])
    ratings = of(consensus.by_majority, *rows[0]).ratings
    others = len(rows[0]) - found
    assert ratings[-1] == -1 if found > others else -1 not in ratings
    assert (ratings[-1] is None) == (found == others)


# Where all steps are rated


@pytest.mark.parametrize(
    ("labellings", "ratings", "confidence"),
    [
        ([[1, -1, 1], [1, -1, -1], [1, 1, 1]], [1, -1, 1], [1, 0.6667, 0.6667]),
        ([[-1, 1], [-1, 1]], [-1, 1], [1, 1]),
        ([[1, -1, 0], [1, 1, 0]], [1, None, 0], [1, 0.5, 1]),
        ([[None, 1], [None, 0]], [None, 0], [0, 1]),
    ],
)
def test_the_majority_on_each_step(labellings, ratings, confidence):
    task = uuid4()
    rows = [RatedTask(task, uuid4(), given_) for given_ in labellings]
    assert consensus.of_each_step(consensus.by_majority, rows)[task] == (ratings, confidence)


@by_each_method
@given(st.lists(st.sampled_from([1, 0, -1]), min_size=1, max_size=5), st.integers(2, 5))
def test_unanimous_ratings_of_each_step_are_the_consensus(method, ratings, people):
    task = uuid4()
    rows = [RatedTask(task, uuid4(), ratings) for _ in range(people)]
    found = consensus.of_each_step(method, rows)[task].ratings
    assert len(found) == len(ratings)
    if method is consensus.by_majority:
        assert found == ratings


def test_an_earlier_mistake_is_no_vote_on_a_later_step():
    """In a path it is one: stopping at a mistake says that no later step is right."""
    task = uuid4()
    rows = [RatedTask(task, uuid4(), each) for each in ([-1, 1], [-1, 1], [1, 1])]
    assert consensus.of_each_step(consensus.by_majority, rows)[task].ratings == [-1, 1]
    assert consensus.by_majority(rows)[task].ratings == [-1]
