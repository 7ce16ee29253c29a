"""Measures how far people agree, over the tasks that several of them labelled (pure)."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import fmean
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from labeling.rules.intervals import Interval, around, ratio, weights, wilson
from labeling.rules.ratings import first_error

DOMAIN = [-1, 0, 1]


@dataclass(frozen=True)
class RatedTask:
    """One person's ratings of a solution's own steps, in order; None is unsure.

    `result`: their verdict on the final result; empty if not asked. `kinds`: the keys of the kinds of error that they
    chose, by step or completion.
    """

    task: UUID
    annotator: UUID
    ratings: Sequence[int | None]
    result: str = ""
    kinds: Mapping[Hashable, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Agreement:
    """The agreement of several people.

    `alpha`: Krippendorff's, ordinal, over steps; None if all ratings are equal. `first_error`: the share of pairs of
    labellings that see the first error at the same step, or both none. Intervals are 95 %: alpha's by resampling tasks,
    the share's is Wilson's, counting each task as one trial.
    """

    tasks: int
    alpha: float | None
    first_error: float | None
    alpha_interval: Interval | None = None
    first_error_interval: Interval | None = None


@dataclass(frozen=True)
class NominalAgreement:
    """The agreement on an answer without an order, over the units that two people or more have answered.

    `same`: the share of pairs with the same answer. `alpha`: Krippendorff's, nominal; None if all answers are equal.
    Intervals are 95 %, by tasks, as in `Agreement`.
    """

    tasks: int
    same: float | None
    alpha: float | None
    same_interval: Interval | None = None
    alpha_interval: Interval | None = None


def on_results(labellings: Iterable[RatedTask]) -> NominalAgreement:
    """The agreement on whether final results are right."""
    answers = [[row.result for row in rows if row.result] for rows in _by_task(labellings).values()]
    return nominal([[each] for each in answers])


def on_kinds(labellings: Iterable[RatedTask]) -> dict[str, NominalAgreement]:
    """The agreement on each kind of error, by its key: whether a mistake that several people gave a kind is of it."""
    units = [_kinds_of_each(rows) for rows in _by_task(labellings).values()]
    keys = sorted({key for task in units for unit in task if len(unit) > 1 for key in unit})
    return {
        key: nominal([[["yes" if each == key else "no" for each in unit] for unit in task] for task in units])
        for key in keys
    }


def _kinds_of_each(rows: Iterable[RatedTask]) -> list[list[str]]:
    """Returns for each step or completion the kinds that people gave it."""
    found: dict[Hashable, list[str]] = {}
    for row in rows:
        for unit, key in row.kinds.items():
            found.setdefault(unit, []).append(key)
    return list(found.values())


def nominal(tasks: Iterable[Iterable[Sequence[str]]]) -> NominalAgreement:
    """The agreement on the answers; each task has units, each unit the answers of several people."""
    units = [[each for each in task if len(each) > 1] for task in tasks]
    units = [task for task in units if task]
    if not units:
        return NominalAgreement(0, None, None)
    domain = sorted({answer for task in units for unit in task for answer in unit})
    pairs = np.stack([_coincidences([Counter(unit) for unit in task], domain).ravel() for task in units])
    same = fmean(one == other for task in units for unit in task for one, other in combinations(unit, 2))
    alphas = _alphas_of(pairs, len(domain), lambda of_value: 1 - np.eye(len(domain))[None])
    alpha = float(alphas[0]) if np.isfinite(alphas[0]) else None
    number = len(units)
    return NominalAgreement(number, same, alpha, wilson(same * number, number), around(alphas, low=-1.0))


def between(labellings: Iterable[RatedTask]) -> Agreement:
    of_task = [rows for rows in _by_task(labellings).values() if len(rows) > 1]
    pairs = [pair for rows in of_task for pair in combinations(rows, 2)]
    if not pairs:
        return Agreement(0, None, None)
    same = fmean(first_error(one.ratings) == first_error(other.ratings) for one, other in pairs)
    # Pairs of one task depend on one another, so the share's interval is that of as many tries as there are tasks.
    alphas, tasks = _alphas(of_task), len(of_task)
    alpha = float(alphas[0]) if np.isfinite(alphas[0]) else None
    return Agreement(tasks, alpha, same, around(alphas, low=-1.0), wilson(same * tasks, tasks))


def between_pairs(labellings: Iterable[RatedTask]) -> Iterator[tuple[UUID, UUID, Agreement]]:
    """Yields the agreement of every two people who have labelled the same task."""
    shared: dict[tuple[UUID, UUID], list[RatedTask]] = {}
    for rows in _by_task(labellings).values():
        for one, other in combinations(sorted(rows, key=lambda row: row.annotator), 2):
            shared.setdefault((one.annotator, other.annotator), []).extend([one, other])
    for (one_person, other_person), rows in shared.items():
        yield one_person, other_person, between(rows)


def rating_counts(labellings: Iterable[RatedTask]) -> dict[tuple[UUID, int], Counter[int]]:
    """Counts each rating of each step, by (task, step). An unsure rating is not counted."""
    counts: dict[tuple[UUID, int], Counter[int]] = {}
    for labelling in labellings:
        for step, rating in enumerate(labelling.ratings):
            if rating is not None:
                counts.setdefault((labelling.task, step), Counter())[rating] += 1
    return counts


def _by_task(labellings: Iterable[RatedTask]) -> dict[UUID, list[RatedTask]]:
    found: dict[UUID, list[RatedTask]] = {}
    for labelling in labellings:
        found.setdefault(labelling.task, []).append(labelling)
    return found


def _alphas(of_task: Sequence[Sequence[RatedTask]]) -> NDArray[Any]:
    """Returns (1 + resamples,): alpha of all tasks, then of resampled tasks; NaN where all ratings are equal.

    Ordinal: the distance between two values is the number of ratings between them, plus half of their own.
    """
    pairs = np.stack([_coincidences(rating_counts(rows).values(), DOMAIN).ravel() for rows in of_task])
    return _alphas_of(pairs, len(DOMAIN), _ordinal)


def _ordinal(of_value: NDArray[Any]) -> NDArray[Any]:
    # How far two values are apart depends on how often each was given: with 10, 20 and 70 ratings of -1, 0 and 1, the
    # ranks are 5, 20 and 65. So -1 is nearer to 0 than 0 is to 1.
    ranks = of_value.cumsum(1) - of_value / 2
    apart: NDArray[Any] = (ranks[:, :, None] - ranks[:, None, :]) ** 2
    return apart


def _alphas_of(of_task: NDArray[Any], values: int, distance: Callable[[NDArray[Any]], NDArray[Any]]) -> NDArray[Any]:
    """Returns (1 + resamples,): 1 - observed / expected disagreement, from how often two values coincide within a unit
    (Krippendorff 2011). `of_task`: (tasks, values * values), the coincidences in each.
    """
    pairs = (weights(len(of_task)) @ of_task).reshape(-1, values, values)
    of_value = pairs.sum(2)  # (1 + resamples, values): how many answers
    apart = distance(of_value)
    observed = (pairs * apart).sum((1, 2))
    expected = (of_value[:, :, None] * of_value[:, None, :] * apart).sum((1, 2)) / (of_value.sum(1) - 1)
    return 1 - ratio(observed, expected)


def _coincidences(units: Iterable[Counter[Any]], domain: Sequence[Any]) -> NDArray[Any]:
    """Returns (values, values): ordered pairs of answers of the same unit; a unit with m answers adds m in all."""
    counts = np.array([[each[value] for value in domain] for each in units if each.total() > 1])
    if not len(counts):
        return np.zeros((len(domain), len(domain)))
    # (units, values, values): of m ratings of a step every ordered pair of two different ones, weighed 1 / (m - 1).
    # Three people who say 1, 1, -1 add 1 each to (1, 1), (1, -1) and (-1, 1): three in all.
    ordered = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(len(domain))
    sums: NDArray[Any] = (ordered / (counts.sum(1) - 1)[:, None, None]).sum(0)
    return sums
