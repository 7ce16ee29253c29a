"""Saving an annotator's unfinished work."""

from contextlib import suppress
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction

from annotate import allocation
from labeling.errors import DomainError
from labeling.models import User
from labeling.statements import Statement

# One statement that inserts or replaces. A version that comes late, after a newer one, changes no row, and none is
# returned.
# Django's bulk_create can't replace only older versions.
SAVED = Statement(
    """
    INSERT INTO annotate_draft (id, task_id, annotator_id, version, content, saved_at)
    VALUES (%(id)s, %(task)s, %(annotator)s, %(version)s, %(content)s, %(now)s)
    ON CONFLICT (task_id, annotator_id) DO UPDATE
    SET version = excluded.version, content = excluded.content, saved_at = excluded.saved_at
    WHERE annotate_draft.version < excluded.version
    RETURNING id
    """
)


class StaleDraft(DomainError, code="stale_draft", status=409):
    """A newer version is stored."""


class AlreadySubmitted(DomainError, code="already_submitted", status=409):
    """The task was submitted, and what is stored may not be replaced."""


@transaction.atomic
def save(*, assignment_id: UUID, annotator: User, version: int, content: dict[str, Any], now: datetime) -> None:
    """Keeps the content if `version` is newer than the stored one, and renews the lease once half of it is over, if the
    task may be submitted. The lock on the assignment makes two saves of one draft take turns.

    Raises StaleDraft for an older version, AlreadySubmitted once the task is submitted, and what `allocation.held`
    raises.
    """
    assignment = allocation.held(assignment_id=assignment_id, annotator=annotator)
    if assignment.submitted_at is not None:
        raise AlreadySubmitted("This task has already been submitted; the draft was not saved.")
    # A paused annotator's draft is kept, too, but the lease runs out.
    with suppress(allocation.RoundClosed, allocation.NotAMember, allocation.Paused):
        allocation.check_may_work(assignment)
        if allocation.is_half_over(assignment, now=now):
            allocation.put_off(assignment, now=now)
    own = {"id": uuid4(), "task": assignment.task_id, "annotator": annotator.pk}
    if not SAVED.rows(**own, version=version, content=content, now=now):
        raise StaleDraft("A newer draft of this task has been saved, perhaps from another tab.")
