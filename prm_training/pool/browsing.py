"""Searches the pool: each request reads at most WINDOW rows, and the next one continues from there."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from labeling.models import Labelling, Phase, Sample, Solution, Task
from prm_training.models import Generation, Import, RewardModel, Score

WINDOW = 20_000
PAGE = 50
SPLIT = ("split_by", "split_version", "split_model")
NEWEST, HIGHEST = "newest", "score"


@dataclass(frozen=True)
class Search:
    """A search; empty fields narrow nothing. Scores are the solution's P(right), from 0 to 1."""

    search: str = ""
    source: str = ""
    generator: str = ""
    verdict: str = ""
    split: str = ""
    labelled: bool | None = None
    phase: Phase | None = None
    origin: UUID | None = None
    model: RewardModel | None = None
    min_score: float | None = None
    max_score: float | None = None
    sort: str = NEWEST


@dataclass(frozen=True)
class Page:
    """`cursor` is where to continue, empty at the end; there may be more to read even if `solutions` are few."""

    solutions: list[Solution]
    cursor: str


def page(pool: QuerySet[Solution], asked: Search, cursor: str = "") -> Page:
    """The matches among the next WINDOW solutions, at most PAGE. Raises ValueError for an invalid cursor."""
    if (own_id := _id_in(asked.search)) is not None:
        return Page(list(pool.filter(pk=own_id).select_related("problem")), "")
    return (_by_score if asked.sort == HIGHEST else _newest)(pool, asked, cursor)


def _newest(pool: QuerySet[Solution], asked: Search, cursor: str) -> Page:
    """A page in the order of ids, which is chronological, newest first."""
    rows = pool.filter(pk__lt=UUID(cursor)) if cursor else pool
    end = rows.order_by("-pk").values_list("pk", flat=True)[WINDOW - 1 : WINDOW].first()
    window = rows.filter(pk__gte=end) if end else rows
    wanted = window.filter(_fits(asked), *_score_fits(asked)).select_related("problem")
    found = list(wanted.order_by("-pk")[: PAGE + 1])
    shown = found[:PAGE]
    if len(found) > PAGE:
        return Page(shown, str(shown[-1].pk))
    return Page(shown, str(end or ""))


def _by_score(pool: QuerySet[Solution], asked: Search, cursor: str) -> Page:
    """A page of the solutions that the model has scored, best first."""
    scores = Score.objects.filter(_score_range(asked), reward_model=asked.model, log_score__isnull=False)
    rows = scores.filter(_after_cursor(cursor)) if cursor else scores
    end = rows.order_by("-log_score", "pk").values_list("log_score", "pk")[WINDOW - 1 : WINDOW].first()
    window = rows.exclude(_after_cursor(_cursor_at(*end))) if end else rows
    wanted = window.filter(_fits(asked, "solution__"), solution__in_pool=True).select_related("solution__problem")
    found = list(wanted.order_by("-log_score", "pk")[: PAGE + 1])
    shown = [score.solution for score in found[:PAGE]]
    if len(found) > PAGE:
        return Page(shown, _cursor_at(found[PAGE - 1].log_score, found[PAGE - 1].pk))
    return Page(shown, _cursor_at(*end) if end else "")


def _cursor_at(log_score: float | None, pk: int) -> str:
    return f"{log_score!r}/{pk}"


def _after_cursor(cursor: str) -> Q:
    log_score, _, pk = cursor.partition("/")
    score = float(log_score)
    return Q(log_score__lte=score) & (Q(log_score__lt=score) | Q(pk__gt=int(pk)))


def _fits(asked: Search, on: str = "") -> Q:
    exact = {"verdict": asked.verdict, "problem__split": asked.split}
    fits = Q(**{f"{on}{name}": value for name, value in exact.items() if value})
    solution = OuterRef(f"{on.removesuffix('__')}_id" if on else "pk")
    sampled = {"source": asked.source, "generator": asked.generator, "origin": asked.origin}
    if any(sampled.values()):
        of = {name: value for name, value in sampled.items() if value}
        fits &= Q(Exists(Sample.objects.filter(solution=solution, **of)))
    if asked.search:
        fits &= _holds(asked.search, on)
    if asked.labelled is not None:
        labelled = Exists(Labelling.objects.current().filter(task__solution=solution))
        fits &= Q(labelled) if asked.labelled else ~Q(labelled)
    if asked.phase:
        fits &= Q(Exists(Task.objects.filter(solution=solution, round__phase=asked.phase)))
    return fits


def _holds(words: str, on: str) -> Q:
    """Matches rows whose statement, answer or external id contains the words."""
    holds = Q()
    for name in ("problem__statement", "answer", "external_id"):
        holds |= Q(**{f"{on}{name}__icontains": words})
    return holds


def _id_in(words: str) -> UUID | None:
    try:
        return UUID(words)
    except ValueError:
        return None


def _score_range(asked: Search) -> Q:
    fits = Q()
    if asked.min_score:
        fits &= Q(log_score__gte=math.log(asked.min_score))
    if asked.max_score is not None and asked.max_score < 1:
        fits &= Q(log_score__lte=math.log(asked.max_score)) if asked.max_score else Q(pk__in=[])
    return fits


def _score_fits(asked: Search) -> list[Exists]:
    if asked.min_score is None and asked.max_score is None:
        return []
    own = Score.objects.filter(_score_range(asked), reward_model=asked.model, log_score__isnull=False)
    return [Exists(own.filter(solution=OuterRef("pk")))]


def scores(model: RewardModel | None, solutions: Sequence[Solution]) -> dict[UUID, float]:
    """P(right) of each solution that the model has scored."""
    found = Score.objects.filter(reward_model=model, solution__in=solutions, log_score__isnull=False)
    return {pk: math.exp(log_score or 0) for pk, log_score in found.values_list("solution", "log_score")}


def draws(solutions: Sequence[Solution]) -> dict[UUID, list[dict[str, Any]]]:
    """Counts each solution's draws by source and generator."""
    rows = Sample.objects.filter(solution__in=solutions, repeat=0).order_by("source", "generator")
    found = defaultdict[UUID, list[dict[str, Any]]](list)
    for row in rows.values("solution", "source", "generator").annotate(draws=Count("pk")):
        found[row.pop("solution")].append(row)
    return found


def labellings(solutions: Sequence[Solution]) -> dict[UUID, int]:
    """The number of current labellings of each solution that has any."""
    found = Labelling.objects.current().filter(task__solution__in=solutions).values("task__solution")
    return dict(found.annotate(number=Count("pk")).values_list("task__solution", "number"))


def origin(solution: Solution) -> dict[str, Any] | None:
    """The import or generation that added the solution, and the rule that cut its texts into steps, if any was cut."""
    if solution.origin is None:
        return None
    named = ("id", "name", "created_at")
    imports = Import.objects.filter(pk=solution.origin).values(*named, *SPLIT, "findings__steps")
    if found := imports.first():
        if not {*(found.pop("findings__steps") or ())} - {"given"}:
            found |= {"split_by": None, "split_version": None, "split_model": ""}
        return {"kind": "import"} | found
    generation = Generation.objects.filter(pk=solution.origin).values(*named, "split_by", "split_version").first()
    return generation and {"kind": "generate", "split_model": ""} | generation
