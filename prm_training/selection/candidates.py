"""What a selection's pool holds, by verdict and score, counted in one query."""

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Exp, Greatest

from labeling.models import Verdict
from prm_training.selection.rules import Pick

BINS = 20
ENDS = [-math.inf, *(math.log(place / BINS) for place in range(1, BINS)), math.inf]  # of the bins of log scores
LOWEST = -700.0  # below this, exp fails in PostgreSQL


@dataclass(frozen=True)
class CandidateCounts:
    """The pool's solutions with one verdict: how many, the sum of their scores, and how many in each bin."""

    verdict: str
    number: int
    unscored: int
    total: float | None
    bins: Sequence[int]


CountsByVerdict = Sequence[CandidateCounts]


def of(pool: QuerySet[Any]) -> CountsByVerdict:
    """Everything needed about the pool, in one query."""
    below = {f"below_{place}": Count("log_score", filter=Q(log_score__lt=end)) for place, end in enumerate(ENDS[1:])}
    total = Sum(Exp(Greatest("log_score", LOWEST)))
    counts = {"number": Count("pk"), "unscored": Count("pk", filter=Q(score__isnull=True)), "total": total} | below
    rows: Any = pool.order_by().values_list("verdict").annotate(**counts)
    return [
        CandidateCounts(verdict, number, unscored, total, [high - low for low, high in pairwise([0, *below])])
        for verdict, number, unscored, total, *below in rows
    ]


def typical_right(pool: QuerySet[Any], counts: CountsByVerdict) -> float | None:
    """The median score of the right answers: only its bin is read."""
    bins = next((each.bins for each in counts if each.verdict == Verdict.RIGHT), [])
    # From the highest bin down: how many right answers still have to be passed to reach the one in the middle.
    rank = sum(bins) // 2
    for (low, high), number in reversed(list(zip(pairwise(ENDS), bins, strict=False))):
        if rank < number:
            within = pool.filter(verdict=Verdict.RIGHT, log_score__gte=low, log_score__lt=high)
            scores = within.order_by("-log_score").values_list("log_score", flat=True)
            return next(iter(scores[rank : rank + 1]), None)
        rank -= number
    return None


def histogram(counts: CountsByVerdict, picks: Sequence[Pick]) -> list[dict[str, float]]:
    """How many candidates have which solution score, from 0 to 1: picked, and the rest. Empty without scores."""
    numbers = [sum(each) for each in zip(*(each.bins for each in counts), strict=True)]
    scores = (item.candidate.log_score for item in picks)
    picked = Counter(bisect_right(ENDS, score) - 1 for score in scores if score is not None)
    return [
        {"from": at / BINS, "to": (at + 1) / BINS, "picked": picked[at], "rest": max(0, number - picked[at])}
        for at, number in enumerate(numbers if any(numbers) else [])
    ]
