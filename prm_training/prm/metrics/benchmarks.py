"""Computes the numbers that ProcessBench and PRMBench define, of whole subsets, with 95 % intervals over problems."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labeling.rules.intervals import around, per_cluster, ratio, weights
from prm_training.prm.metrics.evaluate import choose_threshold, first_error
from prm_training.prm.metrics.uncertainty import harmonic

Vector = NDArray[Any]
HALF = 0.5  # the threshold of both benchmarks for a model that has none of its own


@dataclass
class Subset:
    """A benchmark's solutions as a model reads them: for each, its problem, P(right) of its steps, and its wrong
    steps.
    """

    problems: list[str] = field(default_factory=list)
    rows: list[Sequence[float]] = field(default_factory=list)
    wrong: list[Sequence[int]] = field(default_factory=list)  # steps, from 0

    def add(self, problem: str, row: Sequence[float], wrong: Sequence[int]) -> None:
        self.problems.append(problem)
        self.rows.append(row)
        self.wrong.append(wrong)

    @property
    def first_errors(self) -> list[int]:
        """The first wrong step of each solution, from 0; -1 if it has none, as in ProcessBench."""
        return [min(steps, default=-1) for steps in self.wrong]


def best_threshold(subset: Subset) -> float:
    """The threshold with the best F1 on this subset, to be used on all (Zheng et al. 2024 take GSM8K's)."""
    return choose_threshold(subset.rows, subset.first_errors)


def processbench(subsets: Sequence[Subset], threshold: float = HALF) -> Iterator[dict[str, Any]]:
    """Yields ProcessBench's metrics (arXiv 2412.06559) of each subset, then the average F1 of all.

    `erroneous`: the share of wrong solutions whose first error is found exactly; `correct`: the share of others in
    which none is found; `f1`: their harmonic mean.
    """
    found = []
    for subset, drawn in zip(subsets, _drawn(subsets), strict=True):
        is_hit = [first_error(steps, at) == truth for steps, at, truth in _with(subset, threshold)]
        is_wrong = np.array(subset.first_errors) != -1
        hits, all_ = np.array(is_hit, float), np.ones(len(is_wrong))
        erroneous, correct = (ratio(drawn(hits * side), drawn(all_ * side)) for side in (is_wrong, ~is_wrong))
        found.append(harmonic(erroneous, correct))
        yield _stated(erroneous=erroneous, correct=correct, f1=found[-1]) | _size(subset, threshold)
    yield {"average_of": len(found), **_stated(f1=np.mean(found, axis=0))}


def prmbench(kinds: Mapping[str, Subset], threshold: float = HALF) -> dict[str, Any]:
    """PRMBench's metrics (arXiv 2501.03124).

    `score` is the mean of the F1 of right steps and that of wrong ones, over all steps; `kinds` has it for each kind of
    mistake.
    """
    subsets = list(kinds.values())
    sums = [_confusion(subset, drawn, threshold) for subset, drawn in zip(subsets, _drawn(subsets), strict=True)]
    whole = _f1s(np.sum(sums, axis=0))
    by_kind = {name: _stated(**_f1s(each)) for name, each in zip(kinds, sums, strict=True)}
    return {**_stated(**whole), "steps": sum(len(row) for each in subsets for row in each.rows), "kinds": by_kind}


def _with(subset: Subset, threshold: float) -> Iterator[tuple[Sequence[float], float, int]]:
    return ((row, threshold, truth) for row, truth in zip(subset.rows, subset.first_errors, strict=True))


def _drawn(subsets: Sequence[Subset]) -> list[Callable[[Vector], Vector]]:
    """Returns for each subset a function that sums one value per solution over the sample and its resamples ->
    (1 + resamples,).

    A problem counts equally often in all subsets that have it; others are drawn independently.
    """
    number: defaultdict[str, int] = defaultdict(lambda: len(number))
    places = [np.array([number[problem] for problem in subset.problems], int) for subset in subsets]
    times = weights(len(number))

    def sums(place: Vector) -> Callable[[Vector], Vector]:
        return lambda values: times @ per_cluster(values, place, len(number))

    return [sums(place) for place in places]


def _confusion(subset: Subset, drawn: Callable[[Vector], Vector], threshold: float) -> Vector:
    """Returns (4, 1 + resamples): right steps judged right and wrong, then wrong steps judged right and wrong.

    A step that could not be read is judged neither.
    """
    counts = np.zeros((4, len(subset.rows)))
    for place, (row, wrong) in enumerate(zip(subset.rows, subset.wrong, strict=True)):
        for step, right in enumerate(row):
            counts[2 * (step in wrong) + (right < threshold), place] += 1
    return np.stack([drawn(each) for each in counts])


def _f1s(sums: Vector) -> dict[str, Vector]:
    right_right, right_wrong, wrong_right, wrong_wrong = sums
    f1 = ratio(2 * right_right, 2 * right_right + right_wrong + wrong_right)
    negative_f1 = ratio(2 * wrong_wrong, 2 * wrong_wrong + right_wrong + wrong_right)
    return {"f1": f1, "negative_f1": negative_f1, "score": (f1 + negative_f1) / 2}


def _stated(**found: Vector) -> dict[str, Any]:
    """The values, with the intervals of those that have one; values that the sample lacks are left out."""
    values = {name: float(each[0]) for name, each in found.items() if np.isfinite(each[0])}
    return values | {"intervals": {name: ends for name, each in found.items() if (ends := around(each))}}


def _size(subset: Subset, threshold: float) -> dict[str, Any]:
    problems = len(set(subset.problems))
    return {"threshold": threshold, "solutions": len(subset.rows), "problems": problems}
