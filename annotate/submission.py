"""The act of submitting a labelling: once, whole, in one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from annotate import allocation
from annotate.drafts import AlreadySubmitted
from annotate.models import Draft
from labeling import ratings
from labeling.errors import DomainError
from labeling.models import Assignment, Labelling, RatedCompletion, RoundStatus, User


class RoundClosed(DomainError):
    code = "round_closed"
    status = 409


@dataclass(frozen=True)
class Submission:
    """What an annotator sends: ratings in order, how it ended, and how the ratings came about."""

    ratings: Sequence[ratings.StepRating]
    finish_reason: str
    finish_note: str = ""
    active_ms: int = 0
    history: list[dict[str, Any]] = field(default_factory=list)


@transaction.atomic
def submit(*, assignment_id: UUID, annotator: User, submission: Submission, now: datetime) -> Labelling:
    """Stores the labelling and ends the lease. The same submission again returns what is stored.

    Raises InvalidLabelling where the protocol is broken, RoundClosed, AlreadySubmitted when a different
    labelling is stored, and what `allocation.held` raises.
    """
    assignment = allocation.held(assignment_id=assignment_id, annotator=annotator)
    stored = Labelling.objects.current().filter(assignment=assignment).first()
    if stored is not None:
        return _same_or_refused(stored, submission)
    if assignment.round.status != RoundStatus.OPEN:
        raise RoundClosed("This round was closed while you were labelling. Your draft is kept.")
    steps: list[str] = assignment.task.solution.steps
    ratings.check_labelling(
        step_count=len(steps), ratings=submission.ratings,
        finish_reason=submission.finish_reason, finish_note=submission.finish_note,
    )  # fmt: skip
    labelling = _store(assignment, submission, steps, now)
    Draft.objects.filter(task=assignment.task, annotator=annotator).delete()
    return labelling


def _same_or_refused(stored: Labelling, submission: Submission) -> Labelling:
    rows = stored.completions.order_by("step").values_list("step", "rating")
    sent = [(item.step, item.rating) for item in submission.ratings]
    if list(rows) != sent or stored.finish_reason != submission.finish_reason:
        raise AlreadySubmitted("This task is submitted already, with other ratings.")
    return stored


def _store(assignment: Assignment, submission: Submission, steps: list[str], now: datetime) -> Labelling:
    cap = _longest_possible_ms(assignment, now)
    labelling = Labelling.objects.create(
        task=assignment.task,
        assignment=assignment,
        annotator=assignment.annotator,
        finish_reason=submission.finish_reason,
        finish_note=submission.finish_note,
        active_ms=min(submission.active_ms, cap),
        submitted_at=now,
        history=submission.history,
    )
    RatedCompletion.objects.bulk_create(_rated(labelling, item, steps, cap) for item in submission.ratings)
    assignment.submitted_at = now
    assignment.lease_expires_at = None
    assignment.save(update_fields=["submitted_at", "lease_expires_at"])
    return labelling


def _longest_possible_ms(assignment: Assignment, now: datetime) -> int:
    """Nobody is active for longer than the task has been in their hands."""
    held_for = now - assignment.leased_at if assignment.leased_at else None
    return max(0, int(held_for.total_seconds() * 1000)) if held_for else 0


def _rated(labelling: Labelling, item: ratings.StepRating, steps: list[str], cap: int) -> RatedCompletion:
    return RatedCompletion(
        labelling=labelling,
        step=item.step,
        completion=0,
        text=steps[item.step],
        rating=item.rating,
        is_flagged=item.is_flagged,
        note=item.note,
        active_ms=min(item.active_ms, cap),
    )
