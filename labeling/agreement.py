"""How far people agree, over the tasks that several of them labelled (pure)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from statistics import fmean
from uuid import UUID

import krippendorff

from labeling.quality import first_error

DOMAIN = [-1, 0, 1]


@dataclass(frozen=True)
class Said:
    """One person's ratings of a solution's own steps, in order; None is unsure."""

    task: UUID
    annotator: UUID
    ratings: Sequence[int | None]


@dataclass(frozen=True)
class Agreement:
    """`alpha`: Krippendorff's, ordinal, over steps; None where there is nothing to tell apart. `first_error`: the
    share of pairs of labellings that see the first error at the same step, or both none."""

    tasks: int
    alpha: float | None
    first_error: float | None


def between(labellings: Iterable[Said]) -> Agreement:
    of_task = [rows for rows in _by_task(labellings).values() if len(rows) > 1]
    pairs = [pair for rows in of_task for pair in combinations(rows, 2)]
    same = [first_error(one.ratings) == first_error(other.ratings) for one, other in pairs]
    return Agreement(len(of_task), _alpha(of_task), fmean(same) if same else None)


def between_pairs(labellings: Iterable[Said]) -> Iterator[tuple[UUID, UUID, Agreement]]:
    """Of every two people who have labelled the same task."""
    shared: dict[tuple[UUID, UUID], list[Said]] = {}
    for rows in _by_task(labellings).values():
        for one, other in combinations(sorted(rows, key=lambda row: row.annotator), 2):
            shared.setdefault((one.annotator, other.annotator), []).extend([one, other])
    for (one_person, other_person), rows in shared.items():
        yield one_person, other_person, between(rows)


def rating_counts(labellings: Iterable[Said]) -> dict[tuple[UUID, int], Counter[int]]:
    """How often each rating was given to each step of each task; unsure counts as none."""
    counts: dict[tuple[UUID, int], Counter[int]] = {}
    for said in labellings:
        for step, rating in enumerate(said.ratings):
            if rating is not None:
                counts.setdefault((said.task, step), Counter())[rating] += 1
    return counts


def _by_task(labellings: Iterable[Said]) -> dict[UUID, list[Said]]:
    found: dict[UUID, list[Said]] = {}
    for said in labellings:
        found.setdefault(said.task, []).append(said)
    return found


def _alpha(of_task: Iterable[Sequence[Said]]) -> float | None:
    counts = rating_counts(chain.from_iterable(of_task))
    table = [[each[value] for value in DOMAIN] for each in counts.values() if each.total() > 1]
    if sum(any(column) for column in zip(*table, strict=True)) < 2:
        return None  # everybody always said the same: nothing to be surprised at
    return float(krippendorff.alpha(value_counts=table, value_domain=DOMAIN, level_of_measurement="ordinal"))
