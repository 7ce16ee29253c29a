"""The selection job: rows in, rows out, no torch."""

import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import chain
from statistics import fmean
from typing import Any, cast

from django.db import transaction
from django.db.models import (
    CharField,
    Count,
    Exists,
    F,
    FilteredRelation,
    OuterRef,
    Q,
    QuerySet,
    Sum,
    UUIDField,
    Value,
)
from django.db.models.functions import MD5, Cast, Concat, Least, Replace
from django.utils import timezone

from labeling.jobs.lifecycle import NotReady, ReportProgress
from labeling.models import Problem, Solution, Verdict
from prm_training.models import Selection, SelectionItem
from prm_training.selection import candidates
from prm_training.selection.candidates import CountsByVerdict
from prm_training.selection.grader_disagreements import GraderDisagreements
from prm_training.selection.rules import POLICIES, Candidate, Pick, Rule, Traits, order, pick

BATCH = 1000
PROBLEMS = 250
COLUMNS = ("pk", "problem", "verdict", "log_score", "answer", "text_hash", "problem__text_hash")
SCORE_FIRST = "Score them first."
NOTHING_LEFT = "No solution is left to select from: all were published in this phase or have no score."


def select(run: Selection, report: ReportProgress) -> None:
    """Picks among the pool's solutions that the phase has not published yet, and stores the picks.

    Raises NotReady if part of the pool has no score under the selecting model.
    """
    report(stage="reading scores")
    at = run.started_at or timezone.now()
    pool = _pool(run, at)
    found = candidates.of(pool)
    counts = _counts(run, found)
    report(stage="picking", total=counts["candidates"])
    picks, set_aside = _choose(run, pool, found, at)
    _store(run, picks, set_aside)
    summary = counts | _summary(picks) | {"set_aside": len(set_aside), "histogram": candidates.histogram(found, picks)}
    report(stage="done", done=len(picks), total=len(picks), summary=summary)


def _choose(run: Selection, pool: QuerySet[Any], found: CountsByVerdict, at: datetime) -> tuple[list[Pick], list[Pick]]:
    """What the selection picks from the pool as it was then, and what it sets aside on the way."""
    disagreements = GraderDisagreements(run, pool, at, candidates.typical_right(pool, found))
    rule = Rule(
        run.policy, run.size or _room(run, POLICIES[run.policy], pool), run.per_problem, run.wrong_share, run.seed
    )

    def ranked(verdicts: Sequence[str]) -> Iterator[Candidate]:
        return disagreements.left_out_of(_ranked(run, rule, pool.filter(verdict__in=verdicts)))

    return pick(ranked, rule), disagreements.found


def _room(run: Selection, traits: Traits, pool: QuerySet[Any]) -> int:
    """How many can be picked if only the number per problem is limited."""
    usable = pool.exclude(verdict=Verdict.UNSURE) if traits.mixes else pool
    by_problem = usable.order_by().values("problem").annotate(number=Least(Count("pk"), run.per_problem))
    return by_problem.aggregate(all=Sum("number"))["all"] or 1


def _pool(run: Selection, at: datetime) -> QuerySet[Any]:
    """What the phase had not published then, each with its `log_score` under the run's model."""
    drawn = Solution.objects.in_pool().drawn_by(run.phase, **({"source": run.source} if run.source else {}))
    pool: QuerySet[Any] = drawn.not_published_in(None if run.is_fresh else run.phase, at=at)
    by_model = Q(scores__reward_model=run.reward_model)
    scored = pool.alias(score=FilteredRelation("scores", condition=by_model))
    return cast("QuerySet[Any]", scored.annotate(log_score=F("score__log_score")))


def check(run: Selection) -> None:
    """Raises NotReady if `select` could pick nothing, or part of the pool has no score. Reads one row of each."""
    pool = _pool(run, timezone.now())
    if run.reward_model and pool.filter(score__isnull=True).exists():
        raise NotReady(
            f"Some solutions that “{run.phase}” draws from have no score under “{run.reward_model}” yet. {SCORE_FIRST}"
        )
    if not (pool.filter(log_score__isnull=False) if run.reward_model else pool).exists():
        raise NotReady(NOTHING_LEFT)


def _counts(run: Selection, found: CountsByVerdict) -> dict[str, Any]:
    """Counts over everything that could be picked. Raises NotReady."""
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
        "pool_mean_score": round(total / scored, 12) if scored else None,  # the order of a database's sum may differ
    }


def _ranked(run: Selection, rule: Rule, pool: QuerySet[Any]) -> Iterable[Candidate]:
    """Candidates in the order of `rules.order`, read a page at a time."""
    if run.reward_model:
        pool = pool.filter(log_score__isnull=False)
    if rule.traits.by_problem:
        return _within_problems(rule, pool)
    if rule.traits.is_random:
        by_text = pool.order_by("text_hash", "problem")  # has an index
        parts = by_text.filter(text_hash__gte=rule.start), by_text.filter(text_hash__lt=rule.start)
        return chain.from_iterable(_read(part, "text_hash__gte") for part in parts)
    return _read(pool.order_by("-log_score", _tie_break(rule)), "log_score__lte")


def _within_problems(rule: Rule, pool: QuerySet[Any]) -> Iterator[Candidate]:
    """Some problems at a time, in the order in which they are drawn, with all of their candidates."""
    problems = Problem.objects.filter(Exists(pool.filter(problem=OuterRef("pk")))).order_by("text_hash")
    by_hash = problems.values_list("text_hash", "pk")
    for part in (by_hash.filter(text_hash__gte=rule.start), by_hash.filter(text_hash__lt=rule.start)):
        page = part
        while drawn := list(page[:PROBLEMS]):
            rows = pool.filter(problem__in=[pk for _, pk in drawn]).values_list(*COLUMNS)
            yield from sorted((Candidate(*row) for row in rows), key=order(rule))
            page = part.filter(text_hash__gt=drawn[-1][0])


def _tie_break(rule: Rule) -> Cast:
    """The hash of `rules.order`; as a UUID, because texts compare slowly and by the database's locale."""
    plain = Replace(Cast("pk", CharField(max_length=36)), Value("-"))
    return Cast(MD5(Concat(Value(f"{rule.seed}:"), plain)), UUIDField())


def _read(ranked: QuerySet[Any], rest: str) -> Iterator[Candidate]:
    """Page by page: given how few are needed, the database walks its index instead of sorting everything.

    `rest` is the filter that the last row's value gives for the rows after it; rows with the same value that were read
    already are skipped.
    """
    rows = ranked.values_list(*COLUMNS)
    page, before, equal = rows, None, 0
    while found := [Candidate(*row) for row in page[equal : equal + BATCH]]:
        yield from found
        values = [getattr(each, rest.partition("__")[0]) for each in found]
        # A page may end among equal values: after 5, 4, 4 the next page asks for 4 and less, and skips the two that
        # were read.
        equal = values.count(values[-1]) + (equal if values[-1] == before else 0)
        before = values[-1]
        page = rows.filter(**{rest: before})


@transaction.atomic
def _store(run: Selection, picks: list[Pick], set_aside: list[Pick]) -> None:
    # What an attempt before this one has stored.
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
