"""The selection and publication jobs: rows in, rows out, no torch."""

import math
from collections.abc import Iterator
from statistics import fmean
from typing import Any

from django.db import transaction
from django.utils import timezone

from labeling import rounds
from labeling.models import Solution, Verdict
from prm_training import jobs
from prm_training.lifecycle import Report
from prm_training.models import Publication, Score, Selection, SelectionItem
from prm_training.selection import Candidate, Pick, Rule, pick

BATCH = 1000


def select(run: Selection, report: Report) -> None:
    """Picks among the pool's solutions that the phase has not put up yet, and stores the picks.

    Raises NotReady when part of the pool has no score under the selecting model.
    """
    report(stage="reading scores")
    candidates = list(_candidates(run))
    if not candidates:
        raise jobs.NotReady(
            "No solution is left to select from: each was put up in this phase before, or has no score."
        )
    rule = Rule(run.policy, run.size, run.per_problem, run.wrong_share, run.seed)
    report(stage="picking", total=len(candidates))
    picks = pick(candidates, rule)
    _store(run, picks)
    report(stage="done", done=len(picks), total=len(picks), summary=_summary(candidates, picks))


def _candidates(run: Selection) -> Iterator[Candidate]:
    pool = Solution.objects.in_pool().not_put_up_in(run.phase)
    if run.source:
        pool = pool.filter(source=run.source)
    if run.reward_model is None:
        for pk, problem, verdict in pool.values_list("pk", "problem", "verdict").iterator(BATCH):
            yield Candidate(pk, problem, verdict, None)
        return
    scores = Score.objects.filter(reward_model=run.reward_model, solution__in=pool)
    missing = pool.count() - scores.count()
    if missing:
        raise jobs.NotReady(f"{missing} solutions have no score under “{run.reward_model}” yet. Score the pool first.")
    columns = ("solution", "solution__problem", "solution__verdict", "log_score")
    for row in scores.filter(log_score__isnull=False).values_list(*columns).iterator(BATCH):
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


def _summary(candidates: list[Candidate], picks: list[Pick]) -> dict[str, Any]:
    picked = [item.candidate for item in picks]
    return {
        "candidates": len(candidates),
        "picked": len(picked),
        "wrong": sum(item.verdict == Verdict.WRONG for item in picked),
        "pool_wrong": sum(item.verdict == Verdict.WRONG for item in candidates),
        "mean_score": _mean_score(picked),
        "pool_mean_score": _mean_score(candidates),
    }


def _mean_score(candidates: list[Candidate]) -> float | None:
    scores = [math.exp(item.log_score) for item in candidates if item.log_score is not None]
    return fmean(scores) if scores else None


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
