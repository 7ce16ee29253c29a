"""Measures on gold how well people label: by the position of the first error, as ProcessBench does."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from statistics import fmean
from typing import Any, Literal
from uuid import UUID

from django.db import transaction
from django.db.models import Case, FloatField, OuterRef, QuerySet, Subquery, Sum, Value, When

from labeling import audit
from labeling.campaign import screening
from labeling.counts import rollups
from labeling.models import Gold, Labelling, Membership, Phase, Tally, User
from labeling.rules import intervals
from labeling.rules.audited import AuditAct
from labeling.rules.error_kinds import name_of
from labeling.rules.ratings import first_error

GoldComparison = Literal["exact", "early", "late", "missed", "false_alarm"]
RECENT = 10
FEWEST = 10
WINDOW = 30
FEW = 500


@dataclass(frozen=True)
class Quality:
    """`accuracy`: the share whose first error is where gold has it, with its 95 % interval; None without gold. `kinds`:
    how many mistakes have a kind named by both annotator and gold; `kind_agreement`: the share of these with the same
    name.
    """

    tasks: int
    outcomes: dict[str, int]
    accuracy: float | None
    low: float
    high: float
    step_agreement: float | None
    step_agreement_interval: intervals.Interval | None
    is_drifting: bool
    kinds: int = 0
    kind_agreement: float | None = None
    kind_agreement_interval: intervals.Interval | None = None


def compared_with_gold(*, given: Sequence[int | None], gold: Sequence[int]) -> GoldComparison:
    found, true = first_error(given), first_error(gold)
    if found == true:
        return "exact"
    if true < 0:
        return "false_alarm"
    if found < 0:
        return "missed"
    return "early" if found < true else "late"


def is_drifting(hits: Sequence[bool]) -> bool:
    """Returns whether the last ten hits (oldest first) are worse than ten or more before, with disjoint intervals."""
    earlier, recent = hits[:-RECENT], hits[-RECENT:]
    return (
        len(earlier) >= FEWEST
        and intervals.wilson(sum(recent), len(recent))[1] < intervals.wilson(sum(earlier), len(earlier))[0]
    )


def same_kinds(labelling: Labelling, gold: Gold, error_kinds: Sequence[dict[str, str]]) -> list[bool]:
    """Returns, for each mistake whose kind labelling and gold both name, whether they agree. Gold has names, the
    labelling keys into `error_kinds`.
    """
    named = {said["step"]: said["kind"].casefold() for said in gold.mistakes if said["kind"]}
    given = screening.given_kind_keys(labelling) if named else {}
    return [name_of(error_kinds, key).casefold() == named[step] for step, key in given.items() if step in named]


def summed_up(pairs: Iterable[tuple[Sequence[int | None], Sequence[int]]], kinds: Sequence[bool] = ()) -> Quality:
    """Sums up pairs of (given, gold) ratings, oldest first, and whether kinds of error were the same."""
    judged = list(pairs)
    outcomes = [compared_with_gold(given=given, gold=gold) for given, gold in judged]
    hits = [each == "exact" for each in outcomes]
    agreements = [screening.step_agreement(given=given, gold=gold) for given, gold in judged]
    return Quality(
        tasks=len(judged),
        outcomes=dict(Counter[str](outcomes)),
        accuracy=fmean(hits) if hits else None,
        low=intervals.wilson(sum(hits), len(hits))[0],
        high=intervals.wilson(sum(hits), len(hits))[1],
        step_agreement=fmean(agreements) if agreements else None,
        step_agreement_interval=intervals.wilson(sum(agreements), len(agreements)) if agreements else None,
        is_drifting=is_drifting(hits),
        kinds=len(kinds),
        kind_agreement=fmean(kinds) if kinds else None,
        kind_agreement_interval=intervals.wilson(sum(kinds), len(kinds)) if kinds else None,
    )


def of_people(phase_id: UUID, *, annotator: User | None = None) -> dict[UUID, Quality]:
    """The quality of everybody in the phase, or of one annotator; screening is not included."""
    judged = Labelling.objects.filter(task__round__phase=phase_id).judged()
    rows = judged.filter(annotator=annotator) if annotator else judged
    latest = list(rows.select_related("task").prefetch_related("completions").order_by("-submitted_at", "pk"))
    error_kinds = Phase.objects.values_list("error_kinds", flat=True).get(pk=phase_id)
    pairs: dict[Any, list[tuple[list[int | None], list[int]]]] = {}
    kinds = defaultdict[Any, list[bool]](list)
    for labelling, given, gold in screening.beside_gold(latest[::-1]):
        pairs.setdefault(labelling.annotator_id, []).append((given, gold.ratings))
        kinds[labelling.annotator_id] += same_kinds(labelling, gold, error_kinds)
    return {person: summed_up(each, kinds[person]) for person, each in pairs.items()}


def _in_phase(phase_id: UUID) -> dict[str, Any]:
    return {str(person): asdict(each) for person, each in of_people(phase_id).items()}


def _has_much_gold(phase_id: UUID) -> bool:
    return _on_gold(round__phase=phase_id) > FEW


def _on_gold(**rounds: Any) -> int:
    return Tally.objects.filter(**rounds).aggregate(all=Sum("on_gold", default=0))["all"]  # type: ignore[no-any-return]


def accuracies(people: Iterable[UUID] | None = None) -> dict[str, tuple[int, float, intervals.Interval]]:
    """Returns for each person the number of gold tasks in all phases, and the share whose first error is gold's, with
    its 95 % interval.

    Covers everybody, unless people are named.
    """
    labellings = Labelling.objects.all() if people is None else Labelling.objects.filter(annotator__in=people)
    rows = list(labellings.judged().values_list("annotator", "task__solution", "first_error"))
    golds = Gold.objects.newest().filter(solution__in={solution for _, solution, _ in rows})
    true = {solution: first_error(ratings) for solution, ratings in golds.values_list("solution", "ratings")}
    hits: dict[str, list[bool]] = {}
    for person, solution, found in rows:
        hits.setdefault(str(person), []).append(found == true[solution])
    return {person: (len(each), fmean(each), intervals.wilson(sum(each), len(each))) for person, each in hits.items()}


def sorted_by_accuracy(
    by: str, people: QuerySet[Any], shares: Mapping[str, float | None], *, person: str = "pk"
) -> QuerySet[Any]:
    """Sorts people by `accuracy`, from a roll-up; with a -, the best come first. People without gold come last."""
    known = [When(**{person: pk}, then=Value(share)) for pk, share in shares.items() if share is not None]
    unknown = Value(-1.0 if by.startswith("-") else 2.0)
    rows: QuerySet[Any] = people.annotate(on_gold=Case(*known, default=unknown, output_field=FloatField()))
    return rows.order_by(by.replace("accuracy", "on_gold"), "pk")


IN_PHASE = rollups.Kind("quality", _in_phase, _has_much_gold)
EVERYWHERE = rollups.Kind("accuracies", lambda _: accuracies(), lambda _: _on_gold() > FEW)


def pause_if_poor(*, membership: Membership, phase: Phase, now: datetime) -> bool:
    """Pauses a member whose last 30 gold tasks, at least 10, are below the phase's threshold."""
    if phase.pause_below is None:
        return False
    hits = _newest_hits(membership, phase)
    if len(hits) < FEWEST or fmean(hits) >= phase.pause_below:
        return False
    with transaction.atomic():
        # Conditional: several tabs may find this at once, and the log gets one line.
        if Membership.objects.filter(pk=membership.pk, paused_at=None).update(paused_at=now):
            audit.record(
                by=None, act=AuditAct.PAUSE, on=membership, after={"accuracy": fmean(hits), "tasks": len(hits)}
            )
    return True


def _newest_hits(membership: Membership, phase: Phase) -> list[bool]:
    """Returns for each of a member's last gold tasks whether the first error was where gold has it. Newest first.

    Always one query: every claim runs it, and none may take longer because there is gold to judge.
    """
    judged = Labelling.objects.filter(task__round__phase=phase, annotator=membership.user).judged()
    gold = Gold.objects.newest().filter(solution=OuterRef("task__solution")).values("ratings")
    rows = judged.annotate(gold=Subquery(gold)).order_by("-submitted_at", "pk").values_list("first_error", "gold")
    return [found == first_error(ratings) for found, ratings in rows[:WINDOW]]
