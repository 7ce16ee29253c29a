"""What every claim and submission reads and changes: few statements, each compiled once."""

from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.db.models import Case, Exists, F, FilteredRelation, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from annotate.models import Draft
from labeling.campaign.screening import SCREENING
from labeling.models import AHEAD, Assignment, AssignmentKind, Membership, Report, ReportKind, RoundStatus, Task
from labeling.prepared import DELETED, Changes, Prepared

PLACES = range(AHEAD + 1)
CONTENT = ("task__solution__problem", "shown__solution__problem")


def _membership(phase_id: UUID, annotator_id: UUID) -> Any:
    """With the phase, its open round as `current` and its open screening as `first`, if they exist."""
    is_open = Q(phase__rounds__status=RoundStatus.OPEN)
    # Joins under a condition: one query reads the membership, its phase and both rounds, or nulls.
    rounds = {
        "current": FilteredRelation("phase__rounds", condition=is_open & Q(phase__rounds__number__gte=0)),
        "first": FilteredRelation("phase__rounds", condition=is_open & Q(phase__rounds__number=SCREENING)),
    }
    rows: Any = Membership.objects.annotate(**rounds).filter(phase=phase_id, user=annotator_id)
    return rows.select_related("phase", "current", "first")


def _own_seats(round_id: UUID, annotator_id: UUID) -> QuerySet[Assignment]:
    mine = Assignment.objects.open().filter(round=round_id, annotator=annotator_id)
    # The oldest first, in an order that no renewal changes, or two tabs could deadlock.
    return mine.order_by("leased_at", "position", "pk").select_for_update()


def _claimable(round_id: UUID, annotator_id: UUID, now: datetime) -> QuerySet[Assignment]:
    """Seats of tasks that the annotator has no part in."""
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
    taken = {"annotator": annotator_id, "shown": None, "place": place, "leased_at": now, "lease_expires_at": end}
    return Assignment.objects.filter(pk=free), taken


def _kept(place: int, pk: UUID, end: datetime) -> tuple[QuerySet[Any, Any], Changes]:
    changes = {"place": place, "lease_expires_at": end}
    return Assignment.objects.filter(pk=pk).values_list("id"), changes


def _ended(pk: UUID, task_id: UUID, now: datetime) -> tuple[QuerySet[Any, Any], Changes]:
    """A labelling of the task is submitted, which ends the lease. A seat that showed gold becomes labelled gold."""
    # Gold takes over the assignment, which leaves the seat's number free for the task in whose place it was shown.
    is_its_own = Q(shown=None) | Q(shown=F("task"))
    changes = {
        "kind": Case(When(is_its_own, then=F("kind")), default=Value(AssignmentKind.GOLD)),
        "seat": Case(When(is_its_own, then=F("seat"))),
        "task": task_id,
        "submitted_at": now,
        "shown": None,
        "lease_expires_at": None,
    }
    return Assignment.objects.filter(pk=pk).values_list("kind", "seat"), changes


def _draft(task_id: UUID, annotator_id: UUID) -> tuple[QuerySet[Any, Any], Changes]:
    return Draft.objects.filter(task=task_id, annotator=annotator_id).values_list("id"), DELETED


def _free_seat_beside_gold(round_id: UUID, annotator_id: UUID, now: datetime) -> QuerySet[Assignment]:
    """Adds what the annotator was shown when they had the task before, and what comes after it."""
    seats = _claimable(round_id, annotator_id, now)
    draft = Draft.objects.filter(task=OuterRef("task"), annotator=annotator_id)
    # What would be left if this seat were taken: without anything after it, no gold may be shown here.
    others = seats.filter(position__gte=OuterRef("position")).exclude(task=OuterRef("task"))
    after = others.order_by("position").values("pk")[:1]  # in the index's order, or it would read other rounds
    added = {"has_draft": Exists(draft), "was_shown": Subquery(draft.values("shown")), "after": Subquery(after)}
    return _first(seats.annotate(**added))


def _content(first: UUID, second: UUID, third: UUID) -> QuerySet[Assignment]:
    """One seat to three, with the annotator's work so far: `draft_version`, `draft_content`, their report's `note`, and
    whether a question of theirs `has_answer`.
    """
    # A draft of version 0 only remembers what was shown: nothing was saved yet. Reports are about what was shown, which
    # may be gold in the task's place.
    drafts = Draft.objects.filter(task=OuterRef("task"), annotator=OuterRef("annotator"), version__gt=0)
    seen = Coalesce(OuterRef("shown"), OuterRef("task"))
    own = Report.objects.filter(task=seen, annotator=OuterRef("annotator"))
    reports = own.filter(kind=ReportKind.REFERENCE_ANSWER)
    rows: QuerySet[Assignment] = Assignment.objects.select_related(*CONTENT).filter(pk__in=[first, second, third])
    return rows.annotate(
        draft_version=Subquery(drafts.values("version")),
        draft_content=Subquery(drafts.values("content")),
        note=Subquery(reports.values("note")[:1]),
        has_answer=Exists(own.answered()),
    )


def _held(pk: UUID, annotator_id: UUID) -> Any:
    """With its round, phase, open screening (`first`) and its holder's membership (`member`).

    Only the seat is locked: locks on the round and the phase would make annotators wait for one another.
    """
    member = Q(round__phase__memberships__user=annotator_id)
    first = Q(round__phase__rounds__number=SCREENING, round__phase__rounds__status=RoundStatus.OPEN)
    relations = {
        "member": FilteredRelation("round__phase__memberships", condition=member),
        "first": FilteredRelation("round__phase__rounds", condition=first),
    }
    rows: Any = Assignment.objects.annotate(**relations).select_for_update(of=("self",))
    return rows.select_related("round__phase", "member", "first", *CONTENT).filter(pk=pk, annotator=annotator_id)


def _unseen_gold(round_id: UUID, annotator_id: UUID) -> QuerySet[Task, Any]:
    """Gold whose solution is new to the annotator, and which they were never shown."""
    drawn = Draft.objects.filter(annotator=annotator_id, shown__solution=OuterRef("solution"))
    hidden = Task.objects.filter(~Exists(drawn), round=round_id, is_gold=True, withdrawn_at=None)
    return hidden.new_to(annotator_id).values_list("pk")


UNSEEN_GOLD = Prepared(_unseen_gold)
MEMBERSHIP, OWN_SEATS = Prepared(_membership), Prepared(_own_seats)
CONTENT_OF, HELD = Prepared(_content), Prepared(_held)
FREE_SEAT_BESIDE_GOLD = Prepared(_free_seat_beside_gold)
DRAFT_DELETED, LEASE_ENDED = Prepared(_draft), Prepared(_ended)
SEAT_TAKEN = {place: Prepared(partial(_taken, place)) for place in PLACES}
SEAT_KEPT = {place: Prepared(partial(_kept, place)) for place in PLACES}
