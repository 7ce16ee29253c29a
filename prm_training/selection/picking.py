"""The selection job: rows in, rows out, no torch."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Count, QuerySet, Sum
from django.db.models.functions import Least

from labeling import clock
from labeling.jobs.lifecycle import NotReady, ReportProgress
from labeling.models import Solution, Verdict
from prm_training.models import SCORE_COLUMNS, Policy, QuotaBy, Selection, SelectionItem
from prm_training.selection import candidates, consequences, reading
from prm_training.selection.candidates import CandidateCounts
from prm_training.selection.consequences import CountedSolution
from prm_training.selection.grader_disagreements import GraderDisagreements
from prm_training.selection.rules import Candidate, Pick, Rule, pick, shared_out

BATCH = 1000
MOST_COMPARED = 200
OTHERS = "\0"  # the group of every value without a quota of its own
GROUPS = {QuotaBy.SUBJECT: "problem__subject", QuotaBy.LEVEL: "problem__level", QuotaBy.GENERATOR: "generator"}
SCORE_FIRST = "Score them first."
NOTHING_LEFT = "No solution is left to select from: all were published in this phase or have no score."


@dataclass(frozen=True)
class Picked:
    """`random`: the arm drawn uniformly from all candidates; `by_policy`: the policy's picks; the rest was set
    aside.
    """

    random: list[Pick]
    by_policy: list[Pick]
    set_aside: list[Pick]


def select(run: Selection, report: ReportProgress) -> None:
    """Picks among the pool's solutions that the phase has not published yet, and stores the picks.

    Raises NotReady if part of the pool has no score under the selecting model.
    """
    report(stage="reading scores")
    at = run.started_at or clock.now()
    pool = candidates.of(run, at)
    counts = candidates.count_candidates(run, pool)
    _must_be_scored(run, counts)
    sampled = candidates.sample(pool)
    number = sum(each.number for each in counts)
    report(stage="picking", total=number)
    picked = _pick(run, pool, at, number, sampled)
    _store_picks(run, picked)
    report(stage="comparing")
    done = len(picked.random) + len(picked.by_policy)
    summary = _summary(run, counts, picked) | _consequences(run, at, sampled)
    report(stage="done", done=done, total=done, summary=summary)


def check_selection(run: Selection) -> None:
    """Raises NotReady if `select` could pick nothing, or part of the pool has no score. Reads one row of each."""
    pool = candidates.of(run, clock.now())
    if run.reward_model and pool.filter(score__isnull=True).exists():
        raise NotReady(
            f"Some solutions that “{run.phase}” draws from have no score under “{run.reward_model}” yet. {SCORE_FIRST}"
        )
    scored = pool.filter(log_score__isnull=False) if run.reward_model else pool
    if Policy(run.policy).traits.asks_ensemble and scored.filter(score__confidence=None).exists():
        raise NotReady(f"“{run.reward_model}” has no ensemble to be unsure: train a model with ensemble heads.")
    if not scored.exists():
        raise NotReady(NOTHING_LEFT)


def _must_be_scored(run: Selection, counts: Sequence[CandidateCounts]) -> None:
    unscored = sum(each.unscored for each in counts)
    if unscored and run.reward_model:
        which = f"{unscored} of the solutions that “{run.phase}” draws from"
        raise NotReady(f"{which} have no score under “{run.reward_model}” yet. {SCORE_FIRST}")
    if not sum(each.scored if run.reward_model else each.number for each in counts):
        raise NotReady(NOTHING_LEFT)


def _pick(run: Selection, pool: QuerySet[Any], at: datetime, number: int, sampled: Sequence[CountedSolution]) -> Picked:
    """Draws the random arm first, from all candidates, so that it represents them; the policy then picks others."""
    scored = pool.filter(log_score__isnull=False) if run.reward_model else pool
    usable = candidates.doubtful(run, candidates.finished(run, scored))
    size = run.size or _room(run, usable if run.policy != Policy.UNIFORM else pool)
    random = _drawn(run, pool, round(min(size, number) * run.random_share))
    if run.policy == Policy.UNIFORM:
        return Picked([], _by_rule(run, pool, size), [])
    disagreements = GraderDisagreements(run, usable, at, candidates.typical_right(sampled))
    by_policy = _by_rule(run, usable, size - len(random), random, disagreements)
    drawn = {each.candidate.solution_id for each in random}  # the draw stays whole, whatever the grader said
    return Picked(random, by_policy, [each for each in disagreements.found if each.candidate.solution_id not in drawn])


def _drawn(run: Selection, pool: QuerySet[Any], size: int) -> list[Pick]:
    """The random arm. Solutions that the policy would leave out, such as unfinished ones, have the same chance."""
    # A uniform round is drawn at random as a whole.
    if not size or run.policy == Policy.UNIFORM:
        return []
    rule = Rule(Policy.UNIFORM, size, None, seed=run.seed)
    return pick(lambda _: reading.ranked(rule, pool), rule)


def _by_rule(
    run: Selection,
    usable: QuerySet[Any],
    size: int,
    others: Sequence[Pick] = (),
    disagreements: GraderDisagreements | None = None,
) -> list[Pick]:
    if size < 1:
        return []
    quotas = _quotas(run, usable, size)
    rule = Rule(run.policy, size, run.per_problem, run.wrong_share, run.seed, quotas)
    group = GROUPS[QuotaBy(run.quota_by)] if quotas else ""
    usable = usable.filter(**{f"{group}__in": quotas}) if quotas and OTHERS not in quotas else usable

    def ranked(verdicts: Sequence[str]) -> Iterator[Candidate]:
        found = reading.ranked(rule, usable.filter(verdict__in=verdicts), group)
        found = (replace(each, group=each.group if each.group in quotas else OTHERS) for each in found)
        return disagreements.left_out_of(found) if disagreements else iter(found)

    return pick(ranked, rule, others)


def _quotas(run: Selection, usable: QuerySet[Any], size: int) -> dict[str, int]:
    """Returns how many the policy may pick of each group. A group's shortfall is not made up by others."""
    if not run.quota_by:
        return {}
    shares: dict[str, float] = dict(run.quotas)
    if not shares:
        path = GROUPS[QuotaBy(run.quota_by)]
        values = usable.order_by(path).values_list(path, flat=True).distinct()
        shares = dict.fromkeys(values, 1.0)
    rest = 1 - sum(shares.values())
    # Shares that add up to less leave the rest to all other groups; the bound allows for rounding.
    if rest > 1e-9:
        shares[OTHERS] = rest
    total = sum(shares.values())
    return shared_out(size, {name: share / total for name, share in shares.items()})


def _room(run: Selection, usable: QuerySet[Any]) -> int:
    """Returns how many can be picked if only the number per problem is limited; at least 1."""
    usable = usable.exclude(verdict=Verdict.UNSURE) if Policy(run.policy).traits.mixes else usable
    by_problem = usable.order_by().values("problem").annotate(number=Least(Count("pk"), run.per_problem))
    return by_problem.aggregate(all=Sum("number"))["all"] or 1


@transaction.atomic
def _store_picks(run: Selection, picked: Picked) -> None:
    # Left by an earlier attempt.
    run.items.all().delete()
    is_random = run.policy == Policy.UNIFORM and run.per_problem is None
    listed = [(item, {"is_random": is_random}) for item in picked.by_policy]
    listed += [(item, {"is_random": True}) for item in picked.random]
    ranks = [(rank, *each) for rank, each in enumerate(listed, start=1)]
    ranks += [(rank, item, {"is_set_aside": True}) for rank, item in enumerate(picked.set_aside, start=1)]
    items = (
        SelectionItem(
            selection_id=run.pk,
            solution_id=item.candidate.solution_id,
            rank=rank,
            log_score=item.candidate.log_score,
            reason=item.reason,
            **marks,
        )
        for rank, item, marks in ranks
    )
    SelectionItem.objects.bulk_create(items, batch_size=BATCH)


def _summary(run: Selection, counts: Sequence[CandidateCounts], picked: Picked) -> dict[str, Any]:
    usable = {each.verdict: each.scored if run.reward_model else each.number for each in counts}
    both = [*picked.by_policy, *picked.random]
    unfinished = 0 if run.takes_unfinished or run.policy == Policy.UNIFORM else sum(each.unfinished for each in counts)
    return {
        "candidates": sum(usable.values()),
        "pool_wrong": usable.get(Verdict.WRONG, 0),
        "picked": len(both),
        "random": len(picked.random),
        "wrong": sum(item.candidate.verdict == Verdict.WRONG for item in both),
        "set_aside": len(picked.set_aside),
        "unfinished": unfinished,
        "too_long": sum(each.number - each.unscored - each.scored for each in counts) if run.reward_model else 0,
    }


def _consequences(run: Selection, at: datetime, sampled: Sequence[CountedSolution]) -> dict[str, Any]:
    """Compares the picks with a sample of the candidates, and tells what each score would pick."""
    by_policy, random = (_counted_picks(run, is_random) for is_random in (False, True))
    parts = {"pool": sampled, "picked": by_policy or random}
    found = consequences.rankings(sampled) if run.reward_model else []
    for row in found:
        row["picks"] = _would_pick(run, at, row["by"])
    groups = {name: _in_numbers(run, some) for name, some in (parts | {"random": random}).items()}
    return {
        "sampled": len(sampled),
        "mean_score": _in_numbers(run, by_policy)["score"],
        "pool_mean_score": _in_numbers(run, sampled)["score"],
        "groups": groups,
        "beside": consequences.beside(parts),
        "rankings": found,
    }


def _in_numbers(run: Selection, some: Sequence[CountedSolution]) -> dict[str, Any]:
    return consequences.in_numbers(some, rates_all_steps=run.phase is not None and run.phase.rates_all_steps)


def _counted_picks(run: Selection, is_random: bool) -> list[CountedSolution]:
    """The picks of one arm, counted; of a large selection, only the first ones."""
    items = run.items.picked().filter(is_random=is_random)[: candidates.SAMPLED]
    chosen = Solution.objects.filter(pk__in=items.values("solution"))
    return candidates.counted(candidates.scored(run, chosen))


def _would_pick(run: Selection, at: datetime, by: str) -> dict[str, Any] | None:
    """Picks a few by another score, and describes them in numbers. Only within problems, since ranking the whole pool
    takes too long.
    """
    if by not in SCORE_COLUMNS or not Policy(run.policy).traits.by_problem:
        return None
    other = Selection(**run.round_settings() | {"phase": run.phase, "rank_by": by})
    usable = candidates.finished(other, candidates.of(other, at).filter(log_score__isnull=False))
    picks = _by_rule(other, usable, min(run.size or MOST_COMPARED, MOST_COMPARED))
    chosen = Solution.objects.filter(pk__in=[item.candidate.solution_id for item in picks])
    return _in_numbers(run, candidates.counted(candidates.scored(other, chosen)))
