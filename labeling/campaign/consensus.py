"""Consensus of overlapping labels, stored beside them; and one more labelling where people disagree."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery, Sum

from labeling import audit
from labeling.campaign import screening
from labeling.counts import rollups, tallies
from labeling.models import (
    Assignment,
    AssignmentKind,
    Consensus,
    ConsensusMethod,
    Labelling,
    Phase,
    PhaseKind,
    RatedCompletion,
    Round,
    Tally,
    Task,
    User,
)
from labeling.rules import agreement, consensus
from labeling.rules.agreement import RatedTask
from labeling.rules.audited import AuditAct
from labeling.rules.consensus import Opinion
from labeling.rules.words import COMPLETE

CHUNK = 500
FEW_LABELLINGS = 500
METHODS = {
    ConsensusMethod.MAJORITY: consensus.by_majority,
    ConsensusMethod.DAWID_SKENE: consensus.by_dawid_skene,
}


def rated_in(round_: Round) -> list[RatedTask]:
    """Everybody's ratings of the round's solutions; empty in kind `alternatives`, where paths differ."""
    return rated_by(Labelling.objects.comparable().filter(task__round=round_))


def rated_by(labellings: QuerySet[Labelling]) -> list[RatedTask]:
    rows = labellings.prefetch_related("completions").order_by("pk")
    return [
        RatedTask(
            row.task_id,
            cast(UUID, row.annotator_id),
            screening.given_ratings(row),
            row.result,
            screening.given_kinds(row),
        )
        for row in rows.iterator(CHUNK)
    ]


def _agreed(round_id: UUID) -> dict[str, Any]:
    """The agreement of people in the round: overall, for each pair, on final results and on kinds of error.

    In kind `alternatives` paths differ, and only the kinds of error of completions that several people saw compare.
    """
    round_ = Round.objects.select_related("phase").get(pk=round_id)
    named = rated_by(Labelling.objects.independent().filter(task__round=round_))
    rated = named if round_.phase.kind == PhaseKind.SOLUTIONS else []
    pairs = [
        {"first": str(one), "second": str(other), **vars(agreed)}
        for one, other, agreed in agreement.between_pairs(rated)
    ]
    kinds = [{"key": key, **vars(agreed)} for key, agreed in agreement.on_kinds(named).items()]
    results = vars(agreement.on_results(rated))
    return {**vars(agreement.between(rated)), "pairs": pairs, "results": results, "kinds": kinds}


def _is_much(round_id: UUID) -> bool:
    done = Tally.objects.filter(round=round_id).aggregate(all=Sum("done"))["all"]
    return (done or 0) > FEW_LABELLINGS


AGREED = rollups.Kind("agreement", _agreed, _is_much)


@transaction.atomic
def compute(*, round_: Round, now: datetime, by: User | None = None) -> int:
    """Stores majority and Dawid-Skene for each task with two labellings or more. Returns the number of tasks."""
    rated = rated_in(round_)
    number_of = Counter(row.task for row in rated)
    found = {method: together(rated, method, phase=round_.phase) for method in METHODS}
    # Two rows for each task, one per method.
    rows = [
        Consensus(
            task_id=task,
            method=method,
            ratings=ratings,
            confidence=confidence,
            labellings=number_of[task],
            computed_at=now,
        )
        for method, opinions in found.items()
        for task, (ratings, confidence) in opinions.items()
    ]
    columns = ["ratings", "confidence", "labellings", "computed_at"]
    Consensus.objects.bulk_create(
        rows, batch_size=CHUNK, update_conflicts=True, unique_fields=["task", "method"], update_fields=columns
    )
    audit.record(by=by, act=AuditAct.COMPUTE_CONSENSUS, on=round_, after={"tasks": len(rows) // 2})
    return len(rows) // 2


def together(rated: Sequence[RatedTask], method: str, *, phase: Phase) -> dict[UUID, Opinion]:
    """The consensus, by one of METHODS and the phase's protocol, on each task with ratings of two or more people."""
    number_of = Counter(row.task for row in rated)
    shared = [row for row in rated if number_of[row.task] > 1]
    combine = METHODS[ConsensusMethod(method)]
    return consensus.of_each_step(combine, shared) if phase.rates_all_steps else combine(shared)


def disputed(tasks: QuerySet[Any]) -> QuerySet[Any]:
    """Selects tasks whose labellings disagree on the step of the first error, or whether there is one; in a phase that
    rates all steps, those with a step that somebody calls Bad, and somebody else right.
    """
    judged = Labelling.objects.current().complete().filter(task=OuterRef("pk"))
    seen = judged.with_first_error().order_by().values("task")
    opinions = seen.annotate(number=Count("first_error", distinct=True)).values("number")
    rows: QuerySet[Any] = tasks.filter(round__phase__kind=PhaseKind.SOLUTIONS).annotate(opinions=Subquery(opinions))
    rates_all = Q(round__phase__rates_all_steps=True)
    return rows.filter((~rates_all & Q(opinions__gt=1)) | (rates_all & Exists(_called_bad_and_right())))


def _called_bad_and_right() -> QuerySet[Any]:
    """Selects Bad ratings of an outer query's task, in current labellings, that another of these contradicts."""
    own = {"completion": 0, "labelling__superseded_at": None, "labelling__finish_reason__in": COMPLETE}
    right = RatedCompletion.objects.filter(
        **own, labelling__task=OuterRef("labelling__task"), step=OuterRef("step"), rating__gte=0
    )
    bad = RatedCompletion.objects.filter(**own, labelling__task=OuterRef("pk"), rating=-1)
    return bad.filter(Exists(right))


@transaction.atomic
def ask_again(*, round_: Round) -> int:
    """Adds a seat to each disputed task whose seats are all labelled, up to the phase's cap. Returns their number.

    A task with a ruling needs no more opinions. Gold is asked about like any other task, or people could tell it.
    """
    cap = round_.phase.overlap_cap or 0
    waiting = Assignment.objects.open().filter(task=OuterRef("pk"))
    ruling = Consensus.objects.filter(task=OuterRef("pk"), method=ConsensusMethod.ADJUDICATED)
    free = Task.objects.filter(~Exists(waiting), ~Exists(ruling), round=round_)
    tasks = list(disputed(free.filter(withdrawn_at=None, overlap__lt=cap)).order_by("pk"))
    if not tasks:
        return 0
    Round.objects.locked().get(pk=round_.pk)  # locked before its tasks, as withdrawing them does
    last = round_.assignments.aggregate(last=Max("position"))["last"] or 0
    # The conditional UPDATE gives each task one seat more, however many claims ask at once.
    kinds = {False: AssignmentKind.WORK, True: AssignmentKind.GOLD}
    seats = [
        Assignment(task=task, round=round_, seat=task.overlap, position=last + number, kind=kinds[task.is_gold])
        for number, task in enumerate(tasks, start=1)
        if Task.objects.filter(pk=task.pk, overlap=task.overlap, withdrawn_at=None).update(overlap=F("overlap") + 1)
    ]
    Assignment.objects.bulk_create(seats, batch_size=CHUNK)
    on_gold = sum(seat.kind == AssignmentKind.GOLD for seat in seats)
    tallies.count_published(round_.pk, seats=len(seats) - on_gold, gold_seats=on_gold)
    return len(seats)
