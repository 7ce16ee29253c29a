"""Metrics against numbers worked out by hand."""

from __future__ import annotations

import math
import random

import pytest

from prm_training.prm import evaluate


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
