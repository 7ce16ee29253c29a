"""Queries of every claim and submission: few statements, each compiled once."""

from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.db.models import Exists, FilteredRelation, OuterRef, Q, QuerySet, Subquery

from annotate.models import Draft
from labeling.campaign.screening import SCREENING
from labeling.models import AHEAD, LABELLING, Assignment, Membership, Report, ReportKind, RoundStatus
from labeling.prepared import DELETED, Changes, Prepared

PLACES = range(AHEAD + 1)
CONTENT = ("task__solution__problem",)


def _membership(phase_id: UUID, annotator_id: UUID) -> Any:
    """The membership with its phase, its open round as `current` and its open screening as `first`, if they exist."""
    is_open = Q(phase__rounds__status=RoundStatus.OPEN)
    # Joins under a condition: one query reads the membership, its phase and both rounds, or nulls.
    rounds = {
        "current": FilteredRelation("phase__rounds", condition=is_open & Q(phase__rounds__number__gte=0)),
        "first": FilteredRelation("phase__rounds", condition=is_open & Q(phase__rounds__number=SCREENING)),
    }
    rows: Any = Membership.objects.labelling().annotate(**rounds).filter(phase=phase_id, user=annotator_id)
    return rows.select_related("phase", "current", "first")


def _own_seats(round_id: UUID, annotator_id: UUID) -> QuerySet[Assignment]:
    mine = Assignment.objects.open().filter(round=round_id, annotator=annotator_id)
    # The oldest first, in an order that no renewal changes, or two tabs could deadlock.
    return mine.order_by("leased_at", "position", "pk").select_for_update()


def _claimable(round_id: UUID, annotator_id: UUID, now: datetime) -> QuerySet[Assignment]:
    """Seats of tasks that the annotator has no part in; gold's like any other, in the same time."""
    own_part = Assignment.objects.filter(task=OuterRef("task"), annotator=annotator_id)
    return Assignment.objects.claimable(now=now).filter(~Exists(own_part), round=round_id)


def _first(seats: QuerySet[Assignment, Any]) -> QuerySet[Assignment, Any]:
    """Locked; skips seats being claimed by others. Locks on tasks would make people wait."""
    return seats.select_for_update(skip_locked=True).order_by("position")[:1]


def _taken(
    place: int, round_id: UUID, annotator_id: UUID, now: datetime, end: datetime
) -> tuple[QuerySet[Assignment], Changes]:
    """The first free seat, with its lease: found, locked and taken in one statement."""
    # An UPDATE whose WHERE holds the locking SELECT: between finding a seat and taking it there is no moment in which
    # somebody else could, and no second trip to the database.
    free = _first(_claimable(round_id, annotator_id, now)).values("pk")
    taken = {"annotator": annotator_id, "place": place, "leased_at": now, "lease_expires_at": end}
    return Assignment.objects.filter(pk=free), taken


def _kept(place: int, pk: UUID, end: datetime) -> tuple[QuerySet[Any, Any], Changes]:
    changes = {"place": place, "lease_expires_at": end}
    return Assignment.objects.filter(pk=pk).values_list("id"), changes


def _ended(pk: UUID, now: datetime) -> tuple[QuerySet[Any, Any], Changes]:
    """A labelling is submitted, which ends the lease."""
    return Assignment.objects.filter(pk=pk).values_list("id"), {"submitted_at": now, "lease_expires_at": None}


def _draft(task_id: UUID, annotator_id: UUID) -> tuple[QuerySet[Any, Any], Changes]:
    return Draft.objects.filter(task=task_id, annotator=annotator_id).values_list("id"), DELETED


def _content(first: UUID, second: UUID, third: UUID) -> QuerySet[Assignment]:
    """One seat to three, with the annotator's work so far: `draft_version`, `draft_content`, their report's `note`, and
    whether a question of theirs `has_answer`.
    """
    drafts = Draft.objects.filter(task=OuterRef("task"), annotator=OuterRef("annotator"))
    own = Report.objects.filter(task=OuterRef("task"), annotator=OuterRef("annotator"))
    reports = own.filter(kind=ReportKind.REFERENCE_ANSWER)
    rows: QuerySet[Assignment] = Assignment.objects.select_related(*CONTENT).filter(pk__in=[first, second, third])
    return rows.annotate(
        draft_version=Subquery(drafts.values("version")),
        draft_content=Subquery(drafts.values("content")),
        note=Subquery(reports.values("note")[:1]),
        has_answer=Exists(own.answered()),
    )


def _held(pk: UUID, annotator_id: UUID) -> Any:
    """The assignment with its round, phase, open screening (`first`) and its holder's membership (`member`).

    Only the seat is locked: locks on the round and the phase would make annotators wait for one another.
    """
    member = Q(round__phase__memberships__user=annotator_id, round__phase__memberships__role__in=LABELLING)
    first = Q(round__phase__rounds__number=SCREENING, round__phase__rounds__status=RoundStatus.OPEN)
    relations = {
        "member": FilteredRelation("round__phase__memberships", condition=member),
        "first": FilteredRelation("round__phase__rounds", condition=first),
    }
    rows: Any = Assignment.objects.annotate(**relations).select_for_update(of=("self",))
    return rows.select_related("round__phase", "member", "first", *CONTENT).filter(pk=pk, annotator=annotator_id)


MEMBERSHIP, OWN_SEATS = Prepared(_membership), Prepared(_own_seats)
CONTENT_OF, HELD = Prepared(_content), Prepared(_held)
DRAFT_DELETED, LEASE_ENDED = Prepared(_draft), Prepared(_ended)
SEAT_TAKEN = {place: Prepared(partial(_taken, place)) for place in PLACES}
SEAT_KEPT = {place: Prepared(partial(_kept, place)) for place in PLACES}
