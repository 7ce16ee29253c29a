"""Resamples problems: the uncertainty of held-out metrics, and of the difference of two models (pure).

Each metric is a vector: the sample's own value, then one for each resample of the problems. Two models that are
measured on the same labels share the resamples, so that the difficulty of the problems cancels out of their difference.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labeling.rules.intervals import Interval, around, auc, auc_either_way, per_cluster, ratio, weights
from prm_training.prm.metrics.evaluate import LogProbabilities, first_error, threshold_candidates

Vector = NDArray[Any]
BINS = 10
UNBOUNDED = {"loss"}


@dataclass(frozen=True)
class HeldOut:
    """A model's output on held-out labels.

    `of_label` and `of_path` number the problems, from 0; `folds` are 0 or 1; -1 in `first_errors` means no error.
    """

    rows: Sequence[LogProbabilities]
    classes: Sequence[int]
    of_label: Sequence[int]
    paths: Sequence[Sequence[float]]
    first_errors: Sequence[int]
    folds: Sequence[int]
    of_path: Sequence[int]
    places: Sequence[int] = ()  # the labels' step numbers, for `step_auc_by_place`


def resampled(held: HeldOut, problems: int) -> dict[str, Vector]:
    """Each metric as (1 + resamples,): step_auc, accuracy, loss, calibration_error, erroneous, correct, f1, f1_at_half,
    as `evaluate` defines them; and step_auc_by_place, by a step's place alone, early or late first, whichever is
    better.
    """
    drawn = weights(problems)
    return _of_labels(held, drawn) | _of_paths(held, drawn)


def step_intervals(
    rows: Sequence[LogProbabilities], classes: Sequence[int], of_label: Sequence[int]
) -> dict[str, float]:
    """The 95 % intervals of the metrics on labels, as `step_auc_low`, `step_auc_high` and so on, where there is one."""
    held = HeldOut(rows, classes, of_label, [], [], [], [])
    ends = intervals(_of_labels(held, weights(1 + max(of_label, default=0))))
    named = {name: zip(("low", "high"), pair, strict=True) for name, pair in ends.items()}
    return {f"{name}_{side}": end for name, pair in named.items() for side, end in pair}


def intervals(found: Mapping[str, Vector]) -> dict[str, Interval]:
    """The intervals of the metrics that have one. See `labeling.rules.intervals.around`."""
    ends = {name: around(values, high=np.inf if name in UNBOUNDED else 1.0) for name, values in found.items()}
    return {name: ends for name, ends in ends.items() if ends is not None}


def differences(new: Mapping[str, Vector], old: Mapping[str, Vector]) -> dict[str, dict[str, float]]:
    """Returns how much higher each metric of the new model is on the same problems: value, low, high.

    A metric that only one model has is left out; if both models agree on every problem, low and high are missing.
    """
    found: dict[str, dict[str, float]] = {}
    for name in (new.keys() & old.keys()) - {"step_auc_by_place"}:  # the same of both
        values = new[name] - old[name]
        if np.isfinite(values[0]):
            ends = around(values, low=-np.inf, high=np.inf)
            found[name] = {"value": float(values[0])} | ({"low": ends[0], "high": ends[1]} if ends else {})
    return found


def _of_labels(held: HeldOut, drawn: Vector) -> dict[str, Vector]:
    if not held.rows:
        return {}
    rows, classes = np.array(held.rows), np.array(held.classes)  # (labels, 3), (labels,)
    problem, problems = np.array(held.of_label), drawn.shape[1]
    right, is_right = -np.expm1(rows[:, 0]), classes > 0
    number = np.minimum((right * BINS).astype(int), BINS - 1)
    in_bin = np.eye(BINS)[number]  # (labels, bins)
    gap = per_cluster(in_bin * (is_right - right)[:, None], problem, problems)
    columns = np.stack([np.ones(len(classes)), rows.argmax(1) == classes, -rows[np.arange(len(classes)), classes]], 1)
    labels, hits, loss = (drawn @ per_cluster(columns, problem, problems)).T
    places = np.array(held.places)
    alone = {"step_auc_by_place": auc_either_way(places, ~is_right, problem, drawn)} if len(places) else {}
    return alone | {
        "step_auc": auc(rows[:, 0], ~is_right, problem, drawn),
        "accuracy": ratio(hits, labels),
        "loss": ratio(loss, labels),
        "calibration_error": ratio(np.abs(drawn @ gap).sum(1), labels),
    }


def _of_paths(held: HeldOut, drawn: Vector) -> dict[str, Vector]:
    """The metrics on paths. Each resample chooses its thresholds anew, each fold's on the other one, as the
    sample did.
    """
    is_wrong = np.array([truth != -1 for truth in held.first_errors], bool)
    if not held.paths or is_wrong.all() or not is_wrong.any():
        return {}
    fold = np.array(held.folds)
    parts = [_read_with_others_threshold(held, fold == own, is_wrong, drawn) for own in (0, 1)]
    found, wrong, spared, right = np.sum(parts, axis=0)
    erroneous, correct = ratio(found, wrong), ratio(spared, right)
    at_half = _at_half(held, is_wrong, drawn)
    return {"erroneous": erroneous, "correct": correct, "f1": harmonic(erroneous, correct), "f1_at_half": at_half}


def _at_half(held: HeldOut, is_wrong: Vector, drawn: Vector) -> Vector:
    pairs = zip(held.paths, held.first_errors, strict=True)
    hits = np.array([first_error(row, 0.5) == truth for row, truth in pairs], float)
    columns = np.stack([hits * is_wrong, is_wrong, hits * ~is_wrong, ~is_wrong], 1)  # (paths, 4)
    found, wrong, spared, right = (drawn @ per_cluster(columns, np.array(held.of_path), drawn.shape[1])).T
    return harmonic(ratio(found, wrong), ratio(spared, right))


def _read_with_others_threshold(held: HeldOut, is_own: Vector, is_wrong: Vector, drawn: Vector) -> list[Vector]:
    """Counts in one fold: errors found, erroneous paths, correct paths spared, correct paths; each (1 + resamples,)."""
    marks = threshold_candidates(list(compress(held.paths, ~is_own)))
    hits = [
        [first_error(row, mark) == truth for mark in marks]
        for row, truth in zip(held.paths, held.first_errors, strict=True)
    ]
    # Whether each threshold finds the path's first error; the last column counts the path itself. Summed by problem
    # once, so that a resample only has to weigh problems.
    columns = np.column_stack([np.array(hits, float), np.ones(len(hits))])  # (paths, marks + 1)
    problem, problems = np.array(held.of_path), drawn.shape[1]

    def counted(chosen: Vector) -> Vector:
        sums: Vector = drawn @ per_cluster(columns * chosen[:, None], problem, problems)  # (1 + resamples, marks + 1)
        return sums

    there = [counted(~is_own & which) for which in (is_wrong, ~is_wrong)]
    shares = [np.nan_to_num(ratio(each[:, :-1], each[:, -1:].repeat(len(marks), 1))) for each in there]
    f1 = np.nan_to_num(harmonic(*shares))
    best = len(marks) - 1 - f1[:, ::-1].argmax(1)  # the highest of equals, as `choose_threshold` does
    here = [counted(is_own & which) for which in (is_wrong, ~is_wrong)]
    return [column for each in here for column in (each[np.arange(len(best)), best], each[:, -1])]


def harmonic(one: Vector, other: Vector) -> Vector:
    """The harmonic mean of each pair; 0 where both are 0."""
    both = one + other
    return np.where(both == 0, 0.0, ratio(2 * one * other, both))
