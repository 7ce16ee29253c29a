"""Asking for relabelling: labellings stop counting, and their seats are free again, for whoever claims first.

The new seat has the number and the place in the queue of the old one, so a task gets as many labellings as before. What
was submitted is kept, with the seat it was submitted in, as a superseded labelling. Hidden gold is asked for like any
other task, or people could tell it.

Locks, in this order: the rounds; the seats, of which those that are being revised right now are skipped; the tallies.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import TextChoices

from labeling import audit
from labeling.counts import recounts
from labeling.errors import DomainError
from labeling.models import Assignment, AssignmentKind, Labelling, Round, RoundStatus, User
from labeling.rules.audited import AuditAct
from labeling.rules.labelled import SCREENING

BATCH = 1000
COLUMNS = ("pk", "assignment", "annotator", "superseded_at", "task__round", "task__withdrawn_at")


class Left(TextChoices):
    """The reasons why a labelling isn't requested again, in the order in which they are checked."""

    SUPERSEDED = "superseded", "no longer current"
    IMPORTED = "imported", "imported: publish their solutions in a round"
    SCREENING = "screening", "of a screening: allow another attempt instead"
    CLOSED = "closed", "in a closed round: reopen it first"
    WITHDRAWN = "withdrawn", "on a withdrawn task"
    BUSY = "busy", "being revised right now: try again"


class NothingToRelabel(DomainError, code="nothing_to_relabel", status=409):
    """None of the labellings can be requested again; the message says why."""


@dataclass(frozen=True)
class Asked:
    """Number of labellings requested again, and of those left, by reason."""

    number: int
    left: dict[Left, int]


@transaction.atomic
def request_again(*, labelling_ids: Sequence[UUID], now: datetime, by: User) -> Asked:
    """Asks for these labellings again, where possible. Raises NothingToRelabel."""
    rounds = {each.pk: each for each in Round.objects.locked().filter(pk__in=_rounds_of(labelling_ids)).order_by("pk")}
    rows = list(Labelling.objects.filter(pk__in=labelling_ids).order_by("pk").values(*COLUMNS))
    left = {row["pk"]: _why_left(row, rounds[row["task__round"]]) for row in rows}
    wanted = Assignment.objects.filter(pk__in=[row["assignment"] for row in rows if left[row["pk"]] is None])
    seats = {seat.pk: seat for seat in wanted.select_for_update(skip_locked=True)}
    # Under the seats' locks: a labelling that was revised since it was read is no longer the seat's.
    current = Labelling.objects.current().filter(pk__in=labelling_ids, assignment__in=seats)
    chosen = set(current.values_list("pk", flat=True))
    asked = [row for row in rows if row["pk"] in chosen]
    counts = Counter(why or Left.BUSY for pk, why in left.items() if pk not in chosen)
    if not asked:
        raise NothingToRelabel(_explained(counts))
    Labelling.objects.filter(pk__in=chosen).update(superseded_at=now)
    _open_again([seats[row["assignment"]] for row in asked])
    for key in sorted({(row["task__round"], row["annotator"]) for row in asked}):
        recounts.mend_tally(key)
    _record(asked, rounds, by)
    return Asked(len(asked), {why: counts[why] for why in Left if why in counts})


def _rounds_of(labelling_ids: Sequence[UUID]) -> Any:
    return Labelling.objects.filter(pk__in=labelling_ids).order_by().values("task__round")


def _why_left(row: dict[str, Any], round_: Round) -> Left | None:
    reasons = {
        Left.SUPERSEDED: row["superseded_at"] is not None,
        Left.IMPORTED: row["assignment"] is None,
        Left.SCREENING: round_.number == SCREENING,
        Left.CLOSED: round_.status != RoundStatus.OPEN,
        Left.WITHDRAWN: row["task__withdrawn_at"] is not None,
    }
    return next((why for why, holds in reasons.items() if holds), None)


def _open_again(seats: Sequence[Assignment]) -> None:
    new = [
        Assignment(task_id=old.task_id, round_id=old.round_id, kind=old.kind, seat=old.seat, position=old.position)
        for old in seats
    ]
    # The old seats lose their annotators, too, who may thus claim the tasks again.
    retired = {"kind": AssignmentKind.RETIRED, "seat": None, "annotator": None}
    Assignment.objects.filter(pk__in=[old.pk for old in seats]).update(**retired)
    Assignment.objects.bulk_create(new, batch_size=BATCH)


def _record(asked: Sequence[dict[str, Any]], rounds: dict[UUID, Round], by: User) -> None:
    by_round = defaultdict[UUID, list[UUID]](list)
    for row in asked:
        by_round[row["task__round"]].append(row["pk"])
    for round_id, labellings in by_round.items():
        audit.record(by=by, act=AuditAct.ASK_AGAIN, on=rounds[round_id], after={"labellings": labellings})


def _explained(counts: Counter[Left]) -> str:
    found = "; ".join(f"{counts[why]} {why.label}" for why in Left if why in counts)
    return f"None of these can be labelled again. {found}." if found else "There is nothing to label again."
