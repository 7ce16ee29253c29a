"""What a selection sets aside: probable mistakes of the grader, by the rule of `selection.is_suspect`."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import cache, partial
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from labeling.answers import normalise
from labeling.models import Solution, Verdict
from prm_training.models import Policy, Selection
from prm_training.selection import Candidate, Pick, is_suspect, majority

MOST_UNSURE = 200
WHY_WRONG = "graded wrong, though most solutions of the problem give this answer"
WHY_UNSURE = "the grader is unsure of it"


class Suspects:
    """`found` holds them, the best scored first. A uniform draw, the baseline, takes everything and sets none aside."""

    def __init__(self, run: Selection, pool: QuerySet[Any], at: datetime) -> None:
        self.is_on = run.sets_suspects_aside and run.policy != Policy.UNIFORM
        self._typical_right = _typical_right(pool) if self.is_on else None
        self._found = {item.candidate.solution_id: item for item in self._unsure(pool)}
        self._common_answer = cache(partial(_common_answer, at))

    @property
    def found(self) -> list[Pick]:
        return sorted(
            self._found.values(), key=lambda item: (-(item.candidate.log_score or 0), item.candidate.solution_id)
        )

    def left_out_of(self, ranked: Iterable[Candidate]) -> Iterator[Candidate]:
        for candidate in ranked:
            named = replace(candidate, answer=normalise(candidate.answer))
            if is_suspect(named, typical_right=self._typical_right, common_answer=self._common_answer):
                self._found.setdefault(candidate.solution_id, Pick(candidate, WHY_WRONG))
            else:
                yield candidate

    def _unsure(self, pool: QuerySet[Any]) -> list[Pick]:
        """Never picked anyway; those that score like right answers are worth a look."""
        if self._typical_right is None:
            return []
        liked = pool.filter(verdict=Verdict.UNSURE, log_score__gte=self._typical_right).order_by("-log_score", "pk")
        rows = liked.values_list("pk", "problem", "verdict", "log_score")[:MOST_UNSURE]
        return [Pick(Candidate(*row), WHY_UNSURE) for row in rows]


def _typical_right(pool: QuerySet[Any]) -> float | None:
    """The median score of the right answers."""
    right = pool.filter(verdict=Verdict.RIGHT, log_score__isnull=False)
    middle = right.count() // 2
    scores = right.order_by("-log_score").values_list("log_score", flat=True)[middle : middle + 1]
    return next(iter(scores), None)


def _common_answer(at: datetime, problem: UUID) -> str:
    answers = Solution.objects.in_pool().filter(problem=problem, created_at__lte=at).values_list("answer", flat=True)
    return majority(normalise(answer) for answer in answers)
