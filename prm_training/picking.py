"""The selection job: rows in, rows out, no torch."""

import heapq
import math
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain
from statistics import fmean
from typing import Any, cast

from django.db import transaction
from django.db.models import (
    CharField,
    Count,
    F,
    FilteredRelation,
    Q,
    QuerySet,
    Sum,
    UUIDField,
    Value,
)
from django.db.models.functions import MD5, Cast, Concat, Least, Replace
from django.utils import timezone

from labeling.models import Solution, Verdict
from prm_training import survey
from prm_training.lifecycle import NotReady, Report
from prm_training.models import Policy, Selection, SelectionItem
from prm_training.run_models import Status
from prm_training.selection import LOG_HALF, Candidate, Pick, Rule, order, pick
from prm_training.survey import Survey
from prm_training.suspects import Suspects

BATCH = 1000
SCORE_FIRST = "Score them first."
NOTHING_LEFT = "No solution is left to select from: each has been published in this phase, or has no score."


def select(run: Selection, report: Report) -> None:
    """Picks among the pool's solutions that the phase has not put up yet, and stores the picks.

    Raises NotReady when part of the pool has no score under the selecting model.
    """
    report(stage="reading scores")
    at = run.started_at or timezone.now()
    pool = _pool(run, at)
    found = survey.of(pool)
    figures = _figures(run, found)
    report(stage="picking", total=figures["candidates"])
    picks, set_aside = _choose(run, pool, found, at)
    _store(run, picks, set_aside)
    summary = figures | _summary(picks) | {"set_aside": len(set_aside), "histogram": survey.histogram(found, picks)}
    report(stage="done", done=len(picks), total=len(picks), summary=summary)


def _choose(run: Selection, pool: QuerySet[Any], found: Survey, at: datetime) -> tuple[list[Pick], list[Pick]]:
    """What the selection picks from the pool as it was then, and what it sets aside on the way."""
    suspects = Suspects(run, pool, at, survey.typical_right(pool, found))
    rule = Rule(run.policy, run.size or _room(run, pool), run.per_problem, run.wrong_share, run.seed)
    picks = pick(lambda verdicts: suspects.left_out_of(_ranked(run, rule, pool.filter(verdict__in=verdicts))), rule)
    return picks, suspects.found


def replay(run: Selection) -> dict[str, Any]:
    """Picks again from the pool as it was when the selection was made, and says whether the picks are the same."""
    if run.status != Status.DONE or run.started_at is None:
        raise NotReady("Only a finished selection can be replayed.")
    before = list(run.items.picked().values_list("solution", flat=True))
    pool = _pool(run, run.started_at)
    now = [item.candidate.solution_id for item in _choose(run, pool, survey.of(pool), run.started_at)[0]]
    return {"is_same": now == before, "picked": len(now), "differing": len(set(now) ^ set(before))}


def _room(run: Selection, pool: QuerySet[Any]) -> int:
    """How many can be picked where only the number of each problem is limited."""
    usable = pool if run.policy == Policy.UNIFORM else pool.exclude(verdict=Verdict.UNSURE)
    by_problem = usable.order_by().values("problem").annotate(number=Least(Count("pk"), run.per_problem))
    return by_problem.aggregate(all=Sum("number"))["all"] or 1


def _pool(run: Selection, at: datetime) -> QuerySet[Any]:
    """What the phase had not put up then, each with its `log_score` under the run's model."""
    drawn = Solution.objects.in_pool().drawn_by(run.phase)
    pool: QuerySet[Any] = drawn.not_put_up_in(None if run.is_fresh else run.phase, at=at)
    if run.source:
        pool = pool.filter(source=run.source)
    by_model = Q(scores__reward_model=run.reward_model)
    scored = pool.alias(score=FilteredRelation("scores", condition=by_model))
    return cast("QuerySet[Any]", scored.annotate(log_score=F("score__log_score")))


def check(run: Selection) -> None:
    """Raises what `select` would raise, from a look at one row of each kind. Raises NotReady."""
    pool = _pool(run, timezone.now())
    if run.reward_model and pool.filter(score__isnull=True).exists():
        raise NotReady(
            f"Some solutions that “{run.phase}” draws from have no score under “{run.reward_model}” yet. {SCORE_FIRST}"
        )
    if not (pool.filter(log_score__isnull=False) if run.reward_model else pool).exists():
        raise NotReady(NOTHING_LEFT)


def _figures(run: Selection, found: Survey) -> dict[str, Any]:
    """Counts over all that could be picked. Raises NotReady."""
    unscored = sum(each.unscored for each in found)
    if unscored and run.reward_model:
        which = f"{unscored} of the solutions that “{run.phase}” draws from"
        raise NotReady(f"{which} have no score under “{run.reward_model}” yet. {SCORE_FIRST}")
    scored = sum(sum(each.bins) for each in found)
    usable = {each.verdict: sum(each.bins) if run.reward_model else each.number for each in found}
    if not any(usable.values()):
        raise NotReady(NOTHING_LEFT)
    total = sum(each.total or 0 for each in found)
    return {
        "candidates": sum(usable.values()),
        "pool_wrong": usable.get(Verdict.WRONG, 0),
        "pool_mean_score": round(total / scored, 12) if scored else None,  # databases add up in orders of their own
    }


def _ranked(run: Selection, rule: Rule, pool: QuerySet[Any]) -> Iterable[Candidate]:
    """Candidates in the order of `selection.order`, which the database keeps: one row at a time comes in here."""
    if run.reward_model:
        pool = pool.filter(log_score__isnull=False)
    if run.policy == Policy.UNIFORM:
        by_text = pool.order_by("text_hash", "problem")  # has an index
        parts = by_text.filter(text_hash__gte=rule.start), by_text.filter(text_hash__lt=rule.start)
        return chain.from_iterable(_read(part, "text_hash__gte") for part in parts)
    if run.policy == Policy.CONVINCING:
        return _read(pool.order_by("-log_score", _tie_break(rule)), "log_score__lte")
    above = pool.filter(log_score__gte=LOG_HALF).order_by("log_score", _tie_break(rule))
    below = pool.filter(log_score__lt=LOG_HALF).order_by("-log_score", _tie_break(rule))
    return heapq.merge(_read(above, "log_score__gte"), _read(below, "log_score__lte"), key=order(rule))


def _tie_break(rule: Rule) -> Cast:
    """The hash of `selection.order`; as a UUID, because texts compare slowly and by the database's language."""
    plain = Replace(Cast("pk", CharField(max_length=36)), Value("-"))
    return Cast(MD5(Concat(Value(f"{rule.seed}:"), plain)), UUIDField())


def _read(ranked: QuerySet[Any], rest: str) -> Iterator[Candidate]:
    """Page by page: told how few are wanted, the database walks its index instead of sorting everything. `rest` is
    the filter that the last row's value gives for what comes after it; those of the same value are passed over.
    """
    rows = ranked.values_list("pk", "problem", "verdict", "log_score", "answer", "text_hash")
    page, before, equal = rows, None, 0
    while found := [Candidate(*row) for row in page[equal : equal + BATCH]]:
        yield from found
        values = [getattr(each, rest.partition("__")[0]) for each in found]
        equal = values.count(values[-1]) + (equal if values[-1] == before else 0)
        before = values[-1]
        page = rows.filter(**{rest: before})


@transaction.atomic
def _store(run: Selection, picks: list[Pick], set_aside: list[Pick]) -> None:
    run.items.all().delete()
    listed = [(item, False, rank) for rank, item in enumerate(picks, start=1)]
    listed += [(item, True, rank) for rank, item in enumerate(set_aside, start=1)]
    items = (
        SelectionItem(
            selection_id=run.pk,
            solution_id=item.candidate.solution_id,
            rank=rank,
            log_score=item.candidate.log_score,
            reason=item.reason,
            is_set_aside=is_set_aside,
        )
        for item, is_set_aside, rank in listed
    )
    SelectionItem.objects.bulk_create(items, batch_size=BATCH)


def _summary(picks: list[Pick]) -> dict[str, Any]:
    scores = [math.exp(item.candidate.log_score) for item in picks if item.candidate.log_score is not None]
    return {
        "picked": len(picks),
        "wrong": sum(item.candidate.verdict == Verdict.WRONG for item in picks),
        "mean_score": fmean(scores) if scores else None,
    }
