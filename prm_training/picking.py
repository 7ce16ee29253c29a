"""The selection and publication jobs: rows in, rows out, no torch."""

import heapq
import math
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from statistics import fmean
from typing import Any, cast

from django.db import transaction
from django.db.models import Avg, CharField, Count, F, FilteredRelation, Q, QuerySet, UUIDField, Value
from django.db.models.functions import MD5, Cast, Concat, Exp, Greatest, Replace
from django.utils import timezone

from labeling import rounds
from labeling.models import Solution, Verdict
from prm_training import jobs
from prm_training.lifecycle import Report
from prm_training.models import Policy, Publication, Selection, SelectionItem
from prm_training.selection import LOG_HALF, Candidate, Pick, Rule, order, pick

BATCH = 1000
LOWEST = -700.0  # exp of less is an error in PostgreSQL


def select(run: Selection, report: Report) -> None:
    """Picks among the pool's solutions that the phase has not put up yet, and stores the picks.

    Raises NotReady when part of the pool has no score under the selecting model.
    """
    report(stage="reading scores")
    pool = _figures(run)
    report(stage="picking", total=pool["candidates"])
    rule = Rule(run.policy, run.size, run.per_problem, run.wrong_share, run.seed)
    picks = pick(partial(_ranked, run, rule), rule)
    _store(run, picks)
    report(stage="done", done=len(picks), total=len(picks), summary=pool | _summary(picks))


def _pool(run: Selection) -> QuerySet[Any]:
    """What the phase has not put up yet, each with its `log_score` under the run's model."""
    pool: QuerySet[Any] = Solution.objects.in_pool().not_put_up_in(run.phase)
    if run.source:
        pool = pool.filter(source=run.source)
    by_model = Q(scores__reward_model=run.reward_model)
    scored = pool.alias(score=FilteredRelation("scores", condition=by_model))
    return cast("QuerySet[Any]", scored.annotate(log_score=F("score__log_score")))


def _figures(run: Selection) -> dict[str, Any]:
    """Counts over all that could be picked, in one query. Raises NotReady."""
    readable = Q(log_score__isnull=False) if run.reward_model else Q()
    chance = Exp(Greatest("log_score", LOWEST))
    pool = _pool(run).aggregate(
        unscored=Count("pk", filter=Q(score__isnull=True)),
        candidates=Count("pk", filter=readable),
        pool_wrong=Count("pk", filter=readable & Q(verdict=Verdict.WRONG)),
        pool_mean_score=Avg(chance, filter=Q(log_score__isnull=False)),
    )
    unscored = pool.pop("unscored")
    if unscored and run.reward_model:
        raise jobs.NotReady(f"{unscored} solutions have no score under “{run.reward_model}” yet. Score the pool first.")
    if not pool["candidates"]:
        raise jobs.NotReady(
            "No solution is left to select from: each was put up in this phase before, or has no score."
        )
    return pool


def _ranked(run: Selection, rule: Rule, verdicts: Sequence[str]) -> Iterable[Candidate]:
    """Candidates in the order of `selection.order`, which the database keeps: one row at a time comes in here."""
    pool = _pool(run).filter(verdict__in=verdicts)
    if run.reward_model:
        pool = pool.filter(log_score__isnull=False)
    if run.policy == Policy.UNIFORM:
        return _read(pool.order_by(_tie_break(rule)), rule)
    if run.policy == Policy.CONVINCING:
        return _read(pool.order_by("-log_score", _tie_break(rule)), rule)
    above = pool.filter(log_score__gte=LOG_HALF).order_by("log_score", _tie_break(rule))
    below = pool.filter(log_score__lt=LOG_HALF).order_by("-log_score", _tie_break(rule))
    return heapq.merge(_read(above, rule), _read(below, rule), key=order(rule))


def _tie_break(rule: Rule) -> Cast:
    """The hash of `selection.order`; as a UUID, because texts compare slowly and by the database's language."""
    plain = Replace(Cast("pk", CharField(max_length=36)), Value("-"))
    return Cast(MD5(Concat(Value(f"{rule.seed}:"), plain)), UUIDField())


def _read(ranked: QuerySet[Any], rule: Rule) -> Iterator[Candidate]:
    """Pages that grow: told how few are wanted, the database walks its index instead of sorting everything."""
    rows = ranked.values_list("pk", "problem", "verdict", "log_score")
    start, page, found = 0, 0, 0
    while found == page:
        start, page, found = start + page, 4 * page or 2 * rule.size, 0
        for found, row in enumerate(rows[start : start + page].iterator(BATCH), start=1):  # noqa: B007
            yield Candidate(*row)


@transaction.atomic
def _store(run: Selection, picks: list[Pick]) -> None:
    run.items.all().delete()
    items = (
        SelectionItem(
            selection=run,
            solution_id=item.candidate.solution_id,
            rank=rank,
            log_score=item.candidate.log_score,
            reason=item.reason,
        )
        for rank, item in enumerate(picks, start=1)
    )
    SelectionItem.objects.bulk_create(items, batch_size=BATCH)


def _summary(picks: list[Pick]) -> dict[str, Any]:
    scores = [math.exp(item.candidate.log_score) for item in picks if item.candidate.log_score is not None]
    return {
        "picked": len(picks),
        "wrong": sum(item.candidate.verdict == Verdict.WRONG for item in picks),
        "mean_score": fmean(scores) if scores else None,
    }


def publish(run: Publication, report: Report) -> None:
    """Puts the selection up as the next round; a run that has its round already does nothing."""
    report(stage="publishing", total=1)
    if run.round is not None:
        return
    with transaction.atomic():
        chosen = run.selection.items.order_by("rank").values_list("solution", flat=True)
        published = rounds.publish(
            phase=run.selection.phase, solution_ids=list(chosen), overlap=run.overlap, now=timezone.now()
        )
        report(stage="published", done=1, total=1, round=published)
