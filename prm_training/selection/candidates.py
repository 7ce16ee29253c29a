"""The candidates of a selection: queried, counted, sampled."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from django.db.models import Count, Exists, F, FilteredRelation, OuterRef, Q, QuerySet

from labeling.data.importing.pool import GIVEN
from labeling.models import Solution, Verdict
from labeling.rules.words import Policy
from prm_training.models import SCORE_COLUMNS, Selection
from prm_training.selection.consequences import CountedSolution
from prm_training.selection.rules import ALIKE, SURE

SAMPLED = 4000
# Solutions without a final answer, given up or cut off; except where the problem has no reference answer, as code may,
# or where its file gives verdicts and no answers at all.
ANSWERED = Q(Exists(Solution.objects.filter(problem=OuterRef("problem")).exclude(answer="")))
UNFINISHED = Q(answer="") & ~Q(problem__reference_answer="") & (~Q(grader_version=GIVEN) | ANSWERED)


@dataclass(frozen=True)
class CandidateCounts:
    """Counts of the candidates with one verdict.

    `unscored` have no row of scores yet; a row without a score means that the solution is too long for the model.
    `unfinished`: of those that could be picked, those without an answer.
    """

    verdict: str
    number: int
    unscored: int
    scored: int
    unfinished: int


def of(run: Selection, at: datetime) -> QuerySet[Any]:
    """Selects the solutions not published in the phase by `at`, each with the `log_score` that the run ranks by."""
    drawn = Solution.objects.in_pool().drawn_by(run.phase, **({"source": run.source} if run.source else {}))
    pool: QuerySet[Any] = drawn.not_published_in(None if run.is_fresh else run.phase, at=at)
    return scored(run, pool)


def scored(run: Selection, solutions: QuerySet[Any]) -> QuerySet[Any]:
    by_model = Q(scores__reward_model=run.reward_model)
    rows = solutions.alias(score=FilteredRelation("scores", condition=by_model))
    return cast("QuerySet[Any]", rows.annotate(log_score=F(f"score__{SCORE_COLUMNS[run.rank_by]}")))


def finished(run: Selection, pool: QuerySet[Any]) -> QuerySet[Any]:
    """Leaves out solutions that were cut off or have no answer, unless the run takes these, too."""
    return pool if run.takes_unfinished else pool.exclude(UNFINISHED)


def doubtful(run: Selection, pool: QuerySet[Any]) -> QuerySet[Any]:
    """Keeps what the model's ensemble is unsure of, if the policy asks the ensemble; else everything."""
    unsure = Q(score__confidence__lt=SURE) | Q(score__deviation__gt=ALIKE)
    return pool.filter(unsure) if Policy(run.policy).traits.asks_ensemble else pool


def count_candidates(run: Selection, pool: QuerySet[Any]) -> Sequence[CandidateCounts]:
    """Counts everything that could be picked, by verdict, in one query."""
    usable = UNFINISHED & Q(log_score__isnull=False) if run.reward_model else UNFINISHED
    numbers = {
        "number": Count("pk"),
        "unscored": Count("pk", filter=Q(score__isnull=True)),
        "scored": Count("log_score"),
        "unfinished": Count("pk", filter=usable),
    }
    rows: Any = pool.order_by().values_list("verdict").annotate(**numbers)
    return [CandidateCounts(*row) for row in rows]


def sample(pool: QuerySet[Any]) -> list[CountedSolution]:
    """Returns a sample of the candidates, the first by the hash of their text; all of a small pool."""
    return counted(pool.order_by("text_hash", "problem")[:SAMPLED])


def counted(rows: QuerySet[Any]) -> list[CountedSolution]:
    columns = ("problem", "verdict", "steps", "generator", "problem__subject", "problem__level", "log_score")
    scores = [f"score__{name}" for name in (*SCORE_COLUMNS.values(), "step_log_probabilities")]
    found = []
    for problem, verdict, steps, generator, subject, level, score, *ways, logs in rows.values_list(*columns, *scores):
        by_way = dict(zip(SCORE_COLUMNS, ways, strict=True))
        found.append(
            CountedSolution(problem, verdict, len(steps), generator, subject, level, score, by_way, logs or ())
        )
    return found


def typical_right(sampled: Sequence[CountedSolution]) -> float | None:
    """The median score of the right answers; None if there are none."""
    scores = [each.log_score for each in sampled if each.verdict == Verdict.RIGHT and each.log_score is not None]
    return sorted(scores, reverse=True)[len(scores) // 2] if scores else None
