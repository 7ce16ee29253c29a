"""What every claim and submission reads: few queries, each compiled once."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, FilteredRelation, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotate.models import Draft
from labeling.models import Assignment, Membership, Report, ReportKind, RoundStatus, Task
from labeling.prepared import Prepared
from labeling.screening import SCREENING

CONTENT = ("task__solution__problem", "shown__solution__problem")


def _membership(phase_id: UUID, annotator_id: UUID) -> Any:
    """With the phase, its open round as `current` and its open screening as `first`, where there are such."""
    is_open = Q(phase__rounds__status=RoundStatus.OPEN)
    rounds = {
        "current": FilteredRelation("phase__rounds", condition=is_open & Q(phase__rounds__number__gte=0)),
        "first": FilteredRelation("phase__rounds", condition=is_open & Q(phase__rounds__number=SCREENING)),
    }
    rows: Any = Membership.objects.annotate(**rounds).filter(phase=phase_id, user=annotator_id)
    return rows.select_related("phase", "current", "first")


def _own_seats(round_id: UUID, annotator_id: UUID) -> QuerySet[Assignment]:
    mine = Assignment.objects.open().filter(round=round_id, annotator=annotator_id)
    return mine.order_by("is_ahead").select_for_update()  # in one order, or two tabs lock each other out; by index


def _claimable(round_id: UUID, annotator_id: UUID, now: datetime) -> QuerySet[Assignment]:
    """Of tasks that the annotator has no part in."""
    own_part = Assignment.objects.filter(task=OuterRef("task"), annotator=annotator_id)
    return Assignment.objects.claimable(now=now).filter(~Exists(own_part), round=round_id)


def _first(seats: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Locked, others' claims skipped; locks on tasks would make people wait."""
    return seats.select_for_update(skip_locked=True, of=("self",)).order_by("position")[:1]


def _free_seat(round_id: UUID, annotator_id: UUID, now: datetime) -> QuerySet[Assignment]:
    return _first(_claimable(round_id, annotator_id, now))


def _free_seat_beside_gold(round_id: UUID, annotator_id: UUID, now: datetime) -> QuerySet[Assignment]:
    """Adds what the annotator was shown when they had the task before, and what comes after it."""
    seats = _claimable(round_id, annotator_id, now)
    draft = Draft.objects.filter(task=OuterRef("task"), annotator=annotator_id)
    others = seats.filter(position__gte=OuterRef("position")).exclude(task=OuterRef("task"))
    after = others.order_by("position").values("pk")[:1]  # in the index's order, or it would look through other rounds
    added = {"has_draft": Exists(draft), "was_shown": Subquery(draft.values("shown")), "after": Subquery(after)}
    return _first(seats.annotate(**added))


def _content(first: UUID, last: UUID) -> QuerySet[Assignment]:
    """Of one seat or two, with what the annotator has said so far: `draft_version`, `draft_content` and `report`."""
    drafts = Draft.objects.filter(task=OuterRef("task"), annotator=OuterRef("annotator"), version__gt=0)
    seen = Coalesce(OuterRef("shown"), OuterRef("task"))
    reports = Report.objects.filter(task=seen, annotator=OuterRef("annotator"), kind=ReportKind.REFERENCE_ANSWER)
    rows: QuerySet[Assignment] = Assignment.objects.select_related(*CONTENT).filter(pk__in=[first, last])
    return rows.annotate(
        draft_version=Subquery(drafts.values("version")),
        draft_content=Subquery(drafts.values("content")),
        note=Subquery(reports.values("note")[:1]),
    )


def _held(pk: UUID, annotator_id: UUID) -> Any:
    """With its round, phase, open screening (`first`) and its holder's membership (`member`).

    Of the seat alone is the lock: locks on the round and the phase would make annotators wait for one another."""
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
MEMBERSHIP, OWN_SEATS, CONTENT_OF, HELD = map(Prepared, (_membership, _own_seats, _content, _held))
FREE_SEAT, FREE_SEAT_BESIDE_GOLD = Prepared(_free_seat), Prepared(_free_seat_beside_gold)
