"""Shows what picking by a score leads to: the picks beside the pool, and how well each score tells right from wrong
(pure).
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from statistics import fmean
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from labeling.rules import intervals

STEP_BINS = (1, 2, 3, 4, 5, 7, 10, 15, 20)
SCORE_BINS = 10
MOST_VALUES = 8
OTHERS = "Others"
Shares = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class CountedSolution:
    """A solution with everything counted here. `scores`: by the name of each score; `log_score`: the one that ranks."""

    problem: UUID
    verdict: str
    steps: int
    generator: str
    subject: str
    level: str
    log_score: float | None
    scores: Mapping[str, float | None]
    step_log_probabilities: Sequence[float] = ()

    @property
    def expected_labels(self) -> float:
        """The expected number of steps rated up to the first error, by the model's own probabilities; without them,
        all.
        """
        if not self.step_log_probabilities:
            return self.steps
        return sum(math.exp(sum_) for sum_ in accumulate(self.step_log_probabilities[:-1], initial=0.0))


def in_numbers(some: Sequence[CountedSolution], *, rates_all_steps: bool = False) -> dict[str, Any]:
    """The means over these solutions; None for a mean of nothing. `rates_all_steps`: a mistake ends no labelling."""
    scores = [math.exp(each.log_score) for each in some if each.log_score is not None]
    return {
        "number": len(some),
        "problems": len({each.problem for each in some}),
        "wrong": _mean(each.verdict == "wrong" for each in some),
        "steps": _mean(each.steps for each in some),
        "labels": _mean(each.steps if rates_all_steps else each.expected_labels for each in some),
        "score": _mean(scores),
    }


def beside(parts: Mapping[str, Sequence[CountedSolution]]) -> list[dict[str, Any]]:
    """Compares the parts, such as the picks and the pool: for each trait, the share of each part with each value.

    A trait with a single value everywhere is left out.
    """
    ways: dict[str, Callable[[Sequence[str]], Sequence[str]]] = {
        "steps": lambda _: [_ends(low, high) for low, high in _step_bins()],
        "score": lambda _: [f"{place / SCORE_BINS:.1f}" for place in range(SCORE_BINS)],
        **dict.fromkeys(("generator", "subject", "level"), _commonest),
    }
    found = []
    for name, values_of in ways.items():
        given = {part: [value for each in some if (value := _value(each, name))] for part, some in parts.items()}
        values = values_of([value for part in given.values() for value in part])
        rows = _shares(given, values)
        if sum(any(row[part] for part in parts) for row in rows) > 1:
            found.append({"name": name, "rows": rows})
    return found


def rankings(pool: Sequence[CountedSolution]) -> list[dict[str, Any]]:
    """Returns for each score how well it ranks right answers above wrong ones, and its correlation with length.

    Then the same of length alone, the shortest or the longest first, whichever is better. AUC with a 95 % interval, by
    problem.
    """
    graded = [each for each in pool if each.verdict != "unsure"]
    number = {problem: place for place, problem in enumerate(dict.fromkeys(each.problem for each in graded))}
    drawn = intervals.weights(len(number))

    def row(by: str, some: Sequence[CountedSolution], scores: Sequence[float]) -> dict[str, Any]:
        is_right = np.array([each.verdict == "right" for each in some], bool)
        of_problem = np.array([number[each.problem] for each in some], int)
        values = intervals.auc(np.array(scores, float), is_right, of_problem, drawn) if some else np.array([np.nan])
        return {
            "by": by,
            "auc": float(values[0]) if np.isfinite(values[0]) else None,
            "interval": intervals.around(values) if len(values) > 1 else None,
            "with_length": spearman(scores, [each.steps for each in some]),
            "solutions": len(some),
            "problems": len({each.problem for each in some}),
        }

    found = []
    for by in pool[0].scores if pool else ():
        some = [each for each in graded if each.scores[by] is not None]
        found.append(row(by, some, [each.scores[by] or 0.0 for each in some]))
    shortest = row("shortest", graded, [-each.steps for each in graded])
    longest = row("longest", graded, [each.steps for each in graded])
    return [*found, max(shortest, longest, key=lambda each: each["auc"] or 0.0)]


def spearman(some: Sequence[float], others: Sequence[float]) -> float | None:
    """Spearman's rank correlation; None if either side is constant."""
    ranks, other_ranks = _ranks(np.array(some, float)), _ranks(np.array(others, float))
    if len(some) < 2 or ranks.std() == 0 or other_ranks.std() == 0:
        return None
    return float(np.corrcoef(ranks, other_ranks)[0, 1])


def _ranks(values: NDArray[Any]) -> NDArray[Any]:
    """The ranks of the values; equal values share the mean of their ranks."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    ends = count.cumsum()
    ranks: NDArray[Any] = (ends - (count - 1) / 2)[place]
    return ranks


def _value(each: CountedSolution, name: str) -> str:
    if name == "steps":
        return next(_ends(low, high) for low, high in _step_bins() if high is None or each.steps <= high)
    if name == "score":
        if each.log_score is None:
            return ""
        return f"{min(int(math.exp(each.log_score) * SCORE_BINS), SCORE_BINS - 1) / SCORE_BINS:.1f}"
    return str(getattr(each, name))


def _step_bins() -> Iterable[tuple[int, int | None]]:
    lows = [1, *(high + 1 for high in STEP_BINS)]
    return zip(lows, [*STEP_BINS, None], strict=True)


def _ends(low: int, high: int | None) -> str:
    return f"{low}+" if high is None else str(low) if low == high else f"{low}–{high}"


def _commonest(values: Sequence[str]) -> Sequence[str]:
    ordered = sorted(Counter(values).items(), key=lambda item: (-item[1], item[0]))
    names = [name for name, _ in ordered[:MOST_VALUES]]
    return [*names, OTHERS] if len(ordered) > MOST_VALUES else names


def _shares(given: Mapping[str, Sequence[str]], values: Sequence[str]) -> Shares:
    counts = {part: Counter(value if value in values else OTHERS for value in some) for part, some in given.items()}
    return [
        {"value": value, **{part: count[value] / max(1, count.total()) for part, count in counts.items()}}
        for value in values
    ]


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return fmean(found) if found else None
