"""prm_training.watch: over-optimisation, on lists small enough to work out by hand."""

import math
import random

import pytest

from prm_training.prm.ranking import Sample
from prm_training.watch import best_of_n, proxy


def problem(*right, scores=None):
    scores = scores or [number / len(right) for number in range(1, len(right) + 1)]
    return [Sample(math.log(score), "", is_right) for score, is_right in zip(scores, right, strict=True)]


def test_the_proxy_is_the_expected_best_score():
    samples = problem(True, True, True, scores=[0.1, 0.5, 0.9])
    assert proxy(samples, 1) == pytest.approx(0.5)
    assert proxy(samples, 2) == pytest.approx((0.5 + 0.9 + 0.9) / 3)
    assert proxy(samples, 3) == pytest.approx(0.9)


def test_a_good_score_climbs_and_nothing_is_flagged():
    rows = best_of_n([problem(*[False] * 6, True, True)] * 30)
    assert [row["n"] for row in rows] == [1, 2, 4, 8]
    assert rows[0]["accuracy"] == pytest.approx(0.25)
    assert rows[-1]["accuracy"] == 1.0
    assert not any(row["is_falling"] for row in rows)


def test_a_score_that_is_fooled_is_flagged():
    """The very best score is always a wrong answer; below it right ones come first."""
    rows = best_of_n([problem(False, False, True, True, True, True, True, False)] * 30)
    assert rows[-1]["accuracy"] == 0
    assert [row["proxy"] for row in rows] == sorted(row["proxy"] for row in rows)
    assert [row["is_falling"] for row in rows] == [False, False, True, True]


def test_noise_is_not_flagged():
    rng = random.Random(3)
    rows = best_of_n([problem(*(rng.random() < 0.5 for _ in range(8))) for _ in range(40)])
    assert not any(row["is_falling"] for row in rows)


def test_all_n_are_measured_on_the_same_problems():
    rows = best_of_n([problem(False, True)] * 5 + [problem(False, True, True)] * 10 + [problem(True)] * 50)
    assert {row["problems"] for row in rows} == {10}
    assert [row["n"] for row in rows] == [1, 2, 3]


@pytest.mark.parametrize("problems", [[], [problem(True)]])
def test_one_sample_a_problem_is_nothing_to_choose_from(problems):
    assert best_of_n(problems) == []
