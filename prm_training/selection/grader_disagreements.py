"""Collects probable mistakes of the grader, which a selection sets aside, by `rules.is_grader_disagreement`."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from typing import Any
from uuid import UUID

from django.db.models import Count, QuerySet

from labeling.grading import voting
from labeling.models import Sample, Verdict
from labeling.models.pool import not_withdrawn
from prm_training.models import WITHOUT_MODEL, Selection
from prm_training.selection.rules import Candidate, Pick, is_grader_disagreement, majority

AT_ONCE = 500
MOST_UNSURE = 200
WHY_WRONG = "graded wrong, though most solutions of the problem give this answer"
WHY_UNSURE = "the grader is unsure of it"
RIGHT = "\0"  # the vote of all right answers, however they are written; no answer is this text


class GraderDisagreements:
    """Sets aside the solutions that were probably graded wrongly; `found` holds them, best scored first.

    A uniform draw, the baseline, takes everything and sets none aside. `typical_right` is the median score of the right
    answers.
    """

    def __init__(self, run: Selection, pool: QuerySet[Any], at: datetime, typical_right: float | None) -> None:
        is_on = run.sets_suspects_aside and run.policy not in WITHOUT_MODEL
        self._at = at
        self._phase = run.phase
        self._typical_right = typical_right if is_on else None
        self._found = {item.candidate.solution_id: item for item in self._unsure(pool)}
        self._common_answers = dict[UUID, set[str]]()

    @property
    def found(self) -> list[Pick]:
        return sorted(
            self._found.values(), key=lambda item: (-(item.candidate.log_score or 0), item.candidate.solution_id)
        )

    def left_out_of(self, ranked: Iterable[Candidate]) -> Iterator[Candidate]:
        if self._typical_right is None:
            yield from ranked
            return
        rest = iter(ranked)
        # The other answers of several hundred problems in one query, not one query for each candidate.
        while some := list(islice(rest, AT_ONCE)):
            self._read_answers({each.problem_id for each in some if self._may_be(each)} - self._common_answers.keys())
            for candidate in some:
                if self._is_disagreement(candidate):
                    self._found.setdefault(candidate.solution_id, Pick(candidate, WHY_WRONG))
                elif candidate.solution_id not in self._found:
                    yield candidate

    def _may_be(self, candidate: Candidate) -> bool:
        """Returns whether the candidate is a grader disagreement if the problem's other answers agree with it."""
        return is_grader_disagreement(
            candidate, typical_right=self._typical_right, common_answer=lambda _: candidate.answer
        )

    def _is_disagreement(self, candidate: Candidate) -> bool:
        common = self._common_answers.get(candidate.problem_id, set())  # missing if its problem has just left the pool
        return self._may_be(candidate) and candidate.answer in common

    def _read_answers(self, problems: set[UUID]) -> None:
        """Reads the most common answer to each problem, in all its spellings, unless it is graded right."""
        drawn = Sample.objects.drawn_by(self._phase).filter(not_withdrawn("solution"), solution__in_pool=True)
        samples = drawn.filter(solution__problem__in=problems, solution__created_at__lte=self._at)
        answers = samples.values_list("solution__problem", "solution__answer", "solution__verdict")
        votes = defaultdict[UUID, Counter[str]](Counter)
        for problem, answer, verdict, number in answers.annotate(Count("pk")):
            votes[problem][RIGHT if verdict == Verdict.RIGHT else answer] += number
        self._common_answers |= {problem: _most_common(given) for problem, given in votes.items()}

    def _unsure(self, pool: QuerySet[Any]) -> list[Pick]:
        """The solutions of unsure verdict that score like right answers. They are never picked, but worth a look."""
        if self._typical_right is None:
            return []
        liked = pool.filter(verdict=Verdict.UNSURE, log_score__gte=self._typical_right).order_by("-log_score", "pk")
        rows = liked.values_list("pk", "problem", "verdict", "log_score")[:MOST_UNSURE]
        return [Pick(Candidate(*row), WHY_UNSURE) for row in rows]


def _most_common(votes: Counter[str]) -> set[str]:
    """The spellings of the answer with most votes; empty if right answers have most."""
    names = voting.named(answer for answer in votes.elements() if answer != RIGHT)
    most = majority(names.get(answer, answer) for answer in votes.elements())
    return {answer for answer, name in names.items() if name == most}
