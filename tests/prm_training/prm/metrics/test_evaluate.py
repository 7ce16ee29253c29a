"""Metrics against numbers worked out by hand, best-of-N against brute force, ProcessBench's definitions."""

from __future__ import annotations

import itertools
import math
import random
from statistics import fmean

import pytest

from prm_training.prm.metrics import evaluate
from prm_training.prm.metrics.evaluate import ScoredSample


def test_auc_of_exact_small_lists() -> None:
    assert evaluate.auc([0.1, 0.4, 0.35, 0.8], [False, False, True, True]) == 0.75
    assert evaluate.auc([3, 2, 1], [True, False, False]) == 1.0
    assert evaluate.auc([1, 2, 3], [True, False, False]) == 0.0


def test_ties_count_half() -> None:
    assert evaluate.auc([1, 1, 1], [True, False, False]) == 0.5
    assert evaluate.auc([1, 1, 2], [True, False, True]) == 0.75


def test_auc_needs_both_outcomes() -> None:
    assert evaluate.auc([1, 2], [True, True]) is None
    assert evaluate.auc([], []) is None


def test_auc_is_the_share_of_pairs_in_order() -> None:
    rng = random.Random(0)
    scores = [rng.randint(0, 9) / 10 for _ in range(80)]
    outcomes = [rng.random() < 0.4 for _ in scores]
    pairs = [
        (right > wrong) + (right == wrong) / 2
        for right, is_true in zip(scores, outcomes, strict=True)
        if is_true
        for wrong, is_also_true in zip(scores, outcomes, strict=True)
        if not is_also_true
    ]
    assert evaluate.auc(scores, outcomes) == pytest.approx(sum(pairs) / len(pairs))


def test_calibration_bins() -> None:
    low, high = evaluate.calibration([0.05, 0.1, 0.95, 1.0], [False, True, True, True], bins=2)
    assert (low.low, low.high, low.count, low.frequency) == (0.0, 0.5, 2, 0.5)
    assert low.mean_probability == pytest.approx(0.075)
    assert high.mean_probability == pytest.approx(0.975)
    error = evaluate.calibration_error([low, high])
    assert error == pytest.approx((0.425 * 2 + 0.025 * 2) / 4)


def test_step_metrics() -> None:
    rows = [
        (math.log(0.7), math.log(0.2), math.log(0.1)),
        (math.log(0.2), math.log(0.2), math.log(0.6)),
        (math.log(0.5), math.log(0.1), math.log(0.4)),
    ]
    metrics = evaluate.step_metrics(rows, [0, 2, 2])
    assert metrics["steps"] == 3
    assert metrics["accuracy"] == pytest.approx(2 / 3)
    assert metrics["step_auc"] == metrics["auc_negative"] == 1.0
    assert metrics["accuracy_positive"] == 0.5
    assert metrics["loss"] == pytest.approx(-(math.log(0.7) + math.log(0.6) + math.log(0.4)) / 3)
    assert metrics["steps_neutral"] == 0
    assert "auc_neutral" not in metrics


def test_step_metrics_of_nothing() -> None:
    assert evaluate.step_metrics([], []) == {
        "steps": 0.0,
        "steps_negative": 0.0,
        "steps_neutral": 0.0,
        "steps_positive": 0.0,
    }


def some_samples(seed: int, count: int = 7) -> list[ScoredSample]:
    rng = random.Random(seed)
    return [ScoredSample(rng.random(), rng.choice("abc"), rng.random() < 0.4) for _ in range(count)]


@pytest.mark.parametrize("n", [1, 2, 5, 7])
@pytest.mark.parametrize("seed", range(5))
def test_closed_forms_are_the_mean_over_all_subsets(seed: int, n: int) -> None:
    samples = some_samples(seed)
    subsets = list(itertools.combinations(samples, n))
    best = fmean(max(subset, key=lambda sample: sample.score).is_right for subset in subsets)
    assert evaluate.best_of(samples, n) == pytest.approx(best)
    assert evaluate.oracle(samples, n) == pytest.approx(fmean(any(s.is_right for s in subset) for subset in subsets))


def test_one_sample_is_the_share_of_right_ones() -> None:
    samples = some_samples(3)
    share = fmean(sample.is_right for sample in samples)
    assert evaluate.best_of(samples, 1) == pytest.approx(share)
    assert evaluate.majority(samples, 1, random.Random(0), draws=20_000) == pytest.approx(share, abs=0.02)


def test_the_majority_of_all_samples_is_certain() -> None:
    samples = [ScoredSample(0, "4", True), ScoredSample(0, "4", True), ScoredSample(0, "5", False)]
    assert evaluate.majority(samples, 3, random.Random(0)) == 1.0
    assert evaluate.majority([ScoredSample(0, "4", True), ScoredSample(0, "5", False)], 2, random.Random(0)) == 0.5


def of(answers: str, is_right: bool) -> list[ScoredSample]:
    return [ScoredSample(0, answer, is_right) for answer in answers.split("; ") if answer]


@pytest.mark.parametrize(
    ("right", "wrong", "share"),
    [
        ("2,3; 3,2; \\{2,3\\}; x=2 or x=3", "9; 9; 9", 1.0),
        ("2,3; 3,2; 2 and 3", "9; 9; 9", 0.5),
        ("2,3; 3,2", "9; 9; 9; 8", 0.0),
        ("5", "8; 9; 7", 0.25),
    ],
)
def test_spellings_of_the_right_answer_are_one_vote(right: str, wrong: str, share: float) -> None:
    samples = of(right, is_right=True) + of(wrong, is_right=False)
    assert evaluate.majority(samples, len(samples), random.Random(0)) == pytest.approx(share)


def test_no_answer_is_no_vote() -> None:
    silent = [ScoredSample(0, "", False)] * 5
    assert evaluate.majority([ScoredSample(0, "4", True), *silent], 6, random.Random(0)) == 1.0
    assert evaluate.majority(silent, 5, random.Random(0)) == 0.0


def test_quintiles_go_from_easy_to_hard() -> None:
    problems = [[ScoredSample(0, "", number < right) for number in range(10)] for right in range(10)]
    found = evaluate.difficulty_quintiles(problems)
    assert [len(part) for part in found] == [2] * 5
    assert sum(sample.is_right for sample in found[0][0]) == 9
    assert sum(sample.is_right for sample in found[4][-1]) == 0


@pytest.mark.parametrize(("row", "expected"), [([0.9, 0.2, 0.1], 1), ([0.9], -1), ([], -1), ([0.5], -1)])
def test_the_first_error_is_the_first_step_below_the_threshold(row: list[float], expected: int) -> None:
    assert evaluate.first_error(row, 0.5) == expected


def test_processbench_f1_is_the_harmonic_mean() -> None:
    found = evaluate.processbench_f1([0, 2, -1, -1, 3], [0, 1, -1, -1, -1])
    assert found == {"erroneous": 0.5, "correct": pytest.approx(2 / 3), "f1": pytest.approx(4 / 7)}


def test_nothing_found_is_zero_and_no_crash() -> None:
    assert evaluate.processbench_f1([], [])["f1"] == 0.0
    assert evaluate.processbench_f1([-1], [2])["f1"] == 0.0


def test_the_threshold_that_separates_is_chosen() -> None:
    rows = [[0.9, 0.3], [0.8, 0.95], [0.2], [0.85]]
    mark = evaluate.choose_threshold(rows, [1, -1, 0, -1])
    assert 0.3 < mark <= 0.8
    assert evaluate.choose_threshold([], []) == 0.5


def test_share_decided_at_the_end() -> None:
    assert evaluate.share_decided_at_the_end([[0.9, 0.1], [0.1, 0.9], []]) == 0.5
