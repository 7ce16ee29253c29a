"""How good step scores are: pure functions on plain lists, nothing but the standard library.

Class numbers are rating + 1: 0 negative, 1 neutral, 2 positive.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from operator import eq
from statistics import fmean

from prm_training.prm.data import CLASS_NAMES

LogProbabilities = tuple[float, float, float]  # negative, neutral, positive


@dataclass(frozen=True)
class CalibrationBin:
    """Steps whose probability lies in [low, high): how many, their mean probability, and how often it came true."""

    low: float
    high: float
    count: int
    mean_probability: float
    frequency: float


def auc(scores: Sequence[float], outcomes: Sequence[bool]) -> float | None:
    """The chance that a true outcome has a higher score than a false one, ties counting half (Mann-Whitney).

    None where only one outcome is present: there is nothing to rank.
    """
    trues = [score for score, outcome in zip(scores, outcomes, strict=True) if outcome]
    falses = sorted(score for score, outcome in zip(scores, outcomes, strict=True) if not outcome)
    if not trues or not falses:
        return None
    won = sum(bisect_left(falses, score) + bisect_right(falses, score) for score in trues)
    return won / (2 * len(trues) * len(falses))


def accuracy(predicted: Sequence[int], actual: Sequence[int]) -> float | None:
    """The share of equal entries; None where there are none."""
    return fmean(map(eq, predicted, actual)) if actual else None


def calibration(probabilities: Sequence[float], outcomes: Sequence[bool], bins: int = 10) -> list[CalibrationBin]:
    """Equal-width bins over [0, 1] (1.0 falls into the last one); empty bins are left out."""
    members: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for probability, outcome in zip(probabilities, outcomes, strict=True):
        members[min(int(probability * bins), bins - 1)].append((probability, outcome))
    return [
        CalibrationBin(number / bins, (number + 1) / bins, len(found), *map(fmean, zip(*found, strict=True)))
        for number, found in enumerate(members)
        if found
    ]


def calibration_error(found: Sequence[CalibrationBin]) -> float | None:
    """Expected calibration error: |frequency - mean probability|, weighted by count."""
    total = sum(each.count for each in found)
    gaps = sum(each.count * abs(each.frequency - each.mean_probability) for each in found)
    return gaps / total if total else None


def step_metrics(log_probabilities: Sequence[LogProbabilities], classes: Sequence[int]) -> dict[str, float]:
    """All step metrics of a labelled set, without those that it is too small or too uniform to have.

    `step_auc` ranks negative steps against all others by P(negative); `loss` is the mean cross-entropy in nats;
    `accuracy` and `accuracy_<class>` compare the most probable class with the label (per class: recall).
    """
    predicted = [max(range(3), key=row.__getitem__) for row in log_probabilities]
    right = [-math.expm1(row[0]) for row in log_probabilities]  # P(positive) + P(neutral)
    losses = [-row[actual] for row, actual in zip(log_probabilities, classes, strict=True)]
    metrics: dict[str, float | None] = {
        "steps": float(len(classes)),
        "loss": fmean(losses) if losses else None,
        "accuracy": accuracy(predicted, classes),
        "step_auc": auc([row[0] for row in log_probabilities], [actual == 0 for actual in classes]),
        "calibration_error": calibration_error(calibration(right, [actual > 0 for actual in classes])),
    }
    for number, name in enumerate(CLASS_NAMES):
        members = [guess for guess, actual in zip(predicted, classes, strict=True) if actual == number]
        metrics[f"steps_{name}"] = float(len(members))
        metrics[f"accuracy_{name}"] = accuracy(members, [number] * len(members))
        metrics[f"auc_{name}"] = auc(
            [row[number] for row in log_probabilities], [actual == number for actual in classes]
        )
    return {name: value for name, value in metrics.items() if value is not None}
