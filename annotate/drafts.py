"""Acts on drafts: save what an annotator has so far."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from annotate import allocation
from annotate.models import Draft
from labeling.errors import DomainError
from labeling.models import RoundStatus, User


class StaleDraft(DomainError):
    code = "stale_draft"
    status = 409


class AlreadySubmitted(DomainError):
    code = "already_submitted"
    status = 409


@transaction.atomic
def save(*, assignment_id: UUID, annotator: User, version: int, content: dict[str, Any], now: datetime) -> None:
    """Keeps the content if `version` is newer than what is kept, and renews the lease once half of it is over, if the
    round is open. The lock on the assignment makes two saves of one draft wait for each other.

    Raises StaleDraft for an older version, AlreadySubmitted once the task is submitted, and what
    `allocation.held` raises.
    """
    assignment = allocation.held(assignment_id=assignment_id, annotator=annotator)
    if assignment.submitted_at is not None:
        raise AlreadySubmitted("This task is submitted already; the draft was not needed any more.")
    if assignment.round.status == RoundStatus.OPEN and allocation.is_half_over(assignment, now=now):
        allocation.put_off(assignment, now=now)
    own = {"task_id": assignment.task_id, "annotator_id": annotator.pk}
    fresh = {"version": version, "content": content, "saved_at": now}
    if Draft.objects.filter(**own, version__lt=version).update(**fresh):
        return
    if Draft.objects.filter(**own).exists():
        raise StaleDraft("A newer draft of this task is saved already, perhaps from another tab.")
    Draft.objects.create(**own, **fresh)
