"""Best-of-N and first errors: the closed forms against brute force, and ProcessBench's definition."""

from __future__ import annotations

import itertools
import random
from statistics import fmean

import pytest

from prm_training.prm import ranking
from prm_training.prm.ranking import Sample


def some_samples(seed: int, count: int = 7) -> list[Sample]:
    rng = random.Random(seed)
    return [Sample(rng.random(), rng.choice("abc"), rng.random() < 0.4) for _ in range(count)]


@pytest.mark.parametrize("n", [1, 2, 5, 7])
@pytest.mark.parametrize("seed", range(5))
def test_closed_forms_are_the_mean_over_all_subsets(seed: int, n: int) -> None:
    samples = some_samples(seed)
    subsets = list(itertools.combinations(samples, n))
    best = fmean(max(subset, key=lambda sample: sample.score).is_right for subset in subsets)
    assert ranking.best_of(samples, n) == pytest.approx(best)
    assert ranking.oracle(samples, n) == pytest.approx(fmean(any(s.is_right for s in subset) for subset in subsets))


def test_one_sample_is_the_share_of_right_ones() -> None:
    samples = some_samples(3)
    share = fmean(sample.is_right for sample in samples)
    assert ranking.best_of(samples, 1) == pytest.approx(share)
    assert ranking.majority(samples, 1, random.Random(0), draws=20_000) == pytest.approx(share, abs=0.02)


def test_the_majority_of_all_samples_is_certain() -> None:
    samples = [Sample(0, "4", True), Sample(0, "4", True), Sample(0, "5", False)]
    assert ranking.majority(samples, 3, random.Random(0)) == 1.0
    assert ranking.majority([Sample(0, "4", True), Sample(0, "5", False)], 2, random.Random(0)) == 0.5


def test_a_curve_leaves_out_problems_with_too_few_samples() -> None:
    problems = [some_samples(seed, count) for seed, count in ((0, 4), (1, 8))]
    found = ranking.curve(problems, [1, 8], ranking.oracle)
    assert found.n == [1, 8]
    assert found.mean[1] == ranking.oracle(problems[1], 8)
    assert found.error[1] == 0.0


def test_quintiles_go_from_easy_to_hard() -> None:
    problems = [[Sample(0, "", number < right) for number in range(10)] for right in range(10)]
    found = ranking.difficulty_quintiles(problems)
    assert [len(part) for part in found] == [2] * 5
    assert sum(sample.is_right for sample in found[0][0]) == 9
    assert sum(sample.is_right for sample in found[4][-1]) == 0


@pytest.mark.parametrize(("row", "expected"), [([0.9, 0.2, 0.1], 1), ([0.9], -1), ([], -1), ([0.5], -1)])
def test_the_first_error_is_the_first_step_below_the_threshold(row: list[float], expected: int) -> None:
    assert ranking.first_error(row, 0.5) == expected


def test_processbench_f1_is_the_harmonic_mean() -> None:
    found = ranking.processbench_f1([0, 2, -1, -1, 3], [0, 1, -1, -1, -1])
    assert found == {"erroneous": 0.5, "correct": pytest.approx(2 / 3), "f1": pytest.approx(4 / 7)}


def test_nothing_found_is_zero_and_no_crash() -> None:
    assert ranking.processbench_f1([], [])["f1"] == 0.0
    assert ranking.processbench_f1([-1], [2])["f1"] == 0.0


def test_the_threshold_that_separates_is_chosen() -> None:
    rows = [[0.9, 0.3], [0.8, 0.95], [0.2], [0.85]]
    mark = ranking.choose_threshold(rows, [1, -1, 0, -1])
    assert 0.3 < mark <= 0.8
    assert ranking.choose_threshold([], []) == 0.5


def test_share_decided_at_the_end() -> None:
    assert ranking.share_decided_at_the_end([[0.9, 0.1], [0.1, 0.9], []]) == 0.5
