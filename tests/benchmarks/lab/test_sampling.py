"""Simulated problems and samples: traps agree, mistakes are located, and ratings fit the arithmetic."""

import re
from collections import Counter
from statistics import fmean

import pytest

from benchmarks.lab.world.sampling import STRONG, WEAK, Problem, SampledSolution, make_problems, protocol, sample

World = list[tuple[Problem, list[SampledSolution]]]
CALCULATION = re.compile(r"\$(-?\d+) (\+|-|\\times|\\div) (-?\d+) = (-?\d+)\$")


@pytest.fixture(scope="module")
def world() -> World:
    return [(problem, sample(problem, 48, seed=1)) for problem in make_problems(2, 100)]


def test_the_same_seed_gives_the_same_samples():
    problems = make_problems(2, 20)
    assert problems == make_problems(2, 20) == make_problems(2, 30)[:20]
    assert problems != make_problems(3, 20)
    assert sample(problems[0], 4, 1) == sample(problems[0], 8, 1)[:4]
    assert sample(problems[0], 8, 1) != sample(problems[0], 8, 2)


def test_who_falls_into_a_trap_gives_the_traps_answer(world):
    for problem, samples in world:
        fallen = [one for one in samples if one.fell]
        assert problem.trap or not fallen
        if fallen:
            (_, most), *_ = Counter(one.answer for one in fallen).most_common(1)
            assert most > len(fallen) / 2, "a slip besides may change it"


def test_traps_outvote_the_right_answer_in_many_problems(world):
    lost = [
        max(Counter(one.answer for one in samples).items(), key=lambda pair: pair[1])[0] != problem.answer
        for problem, samples in world
    ]
    assert 0.3 < fmean(lost) < 0.6
    assert 0.5 < fmean(one.is_right for _, samples in world for one in samples) < 0.7


def test_there_are_many_right_texts(world):
    right = [{one.steps for one in samples if one.is_right} for _, samples in world]
    assert fmean(map(len, right)) > 15


def test_stronger_generators_are_right_more_often(world):
    weak, strong = (
        fmean(one.is_right for problem, _ in world for one in sample(problem, 8, 1, generator))
        for generator in (WEAK, STRONG)
    )
    assert weak < strong - 0.1


def test_a_wrong_answer_has_a_mistake_and_a_right_one_may(world):
    samples = [one for _, row in world for one in row]
    assert all(-1 in one.ratings for one in samples if not one.is_right)
    assert any(-1 in one.ratings for one in samples if one.is_right)


def test_an_annotator_stops_at_the_first_negative_step():
    assert protocol((1, 0, -1, 1, -1)) == (1, 0, -1)
    assert protocol((1, 0)) == (1, 0)


def test_no_step_that_is_rated_great_has_a_wrong_calculation(world):
    """Checked by an independent evaluator. Only divisions may have a remainder."""
    checked = 0
    for _, samples in world:
        for one in samples:
            for text, rating in zip(one.steps, one.ratings, strict=True):
                for left, sign, right, told in CALCULATION.findall(text):
                    checked += 1
                    assert rating == -1 or evaluated(int(left), sign, int(right)) == int(told), text
    assert checked > 10_000


def evaluated(left: int, sign: str, right: int) -> int:
    return {"+": left + right, "-": left - right, "\\times": left * right}[sign] if sign != "\\div" else left // right


def test_samples_without_a_mistake_are_right(world):
    for problem, samples in world:
        assert all(one.answer == problem.answer for one in samples if -1 not in one.ratings)
