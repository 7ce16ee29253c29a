"""Counts over many rows: made at once if there are few, else by a worker, and shown with their time.

Reading an old count requests a new one and returns the old: nothing is counted that nobody looks at.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from typing import Any
from uuid import UUID

from celery import current_app
from django.db import transaction
from django.db.models import Q, Sum
from kombu.exceptions import ChannelError, OperationalError

from labeling.models import Round
from labeling.models.counts import ALL, Rollup

logger = logging.getLogger(__name__)
TASK = "prm_training.roll_up"
FEW = 3_000  # tasks: counting so many in a request takes about a tenth of a second
FRESH = timedelta(minutes=1)
FRESH_TIMES = 20  # slow counts are made less often: at most a twentieth of a worker's time
LOST_AFTER = timedelta(minutes=10)


@dataclass(frozen=True)
class Kind:
    """`count` gives the counts of a subject as JSON; `is_big` says whether that is too slow for a request."""

    name: str
    count: Callable[[UUID], Any]
    is_big: Callable[[UUID], bool]


@dataclass(frozen=True)
class Counted:
    """A count: `as_of` is None if it was made just now, `value` if it was never made."""

    value: Any
    as_of: datetime | None = None

    @property
    def freshness(self) -> dict[str, Any]:
        return {"as_of": self.as_of, "is_counting": self.value is None}


def has_many_tasks(phase_id: UUID) -> bool:
    tasks = Round.objects.filter(phase=phase_id).aggregate(all=Sum("task_count"))["all"]
    return (tasks or 0) > FEW


def read_counts(kind: Kind, subject: UUID = ALL, *, now: datetime) -> Counted:
    if not kind.is_big(subject):
        return Counted(kind.count(subject))
    return read_many(kind, [subject], now=now)[0]


def read_many(kind: Kind, subjects: Sequence[UUID], *, now: datetime) -> list[Counted]:
    """Reads the roll-ups of subjects known to be big, in one query."""
    kept = {row.subject: row for row in Rollup.objects.filter(kind=kind.name, subject__in=subjects)}
    for subject in subjects:
        if subject not in kept or _is_old(kept[subject], now):
            request_count(kind, subject, now)
    return [Counted(kept[each].value, kept[each].counted_at) if each in kept else Counted(None) for each in subjects]


def _is_old(kept: Rollup, now: datetime) -> bool:
    # What takes 30 seconds to count is counted every 10 minutes at most.
    fresh = max(FRESH, FRESH_TIMES * timedelta(milliseconds=kept.took_ms))
    return kept.counted_at is None or kept.counted_at < now - fresh


def request_count(kind: Kind, subject: UUID, now: datetime) -> None:
    """Asks a worker to count the subject; once, unless the request was lost."""
    Rollup.objects.bulk_create([Rollup(kind=kind.name, subject=subject)], ignore_conflicts=True)
    # Conditional, so that of many readers of an old count one asks for a new one; a request that was lost is repeated
    # after LOST_AFTER.
    is_free = Q(requested_at=None) | Q(requested_at__lt=now - LOST_AFTER)
    if Rollup.objects.filter(is_free, kind=kind.name, subject=subject).update(requested_at=now):
        transaction.on_commit(lambda: _enqueue(kind.name, subject))


def _enqueue(name: str, subject: UUID) -> None:
    try:
        current_app.send_task(TASK, args=[str(subject), name], retry=False)
    except (OperationalError, ChannelError, OSError):  # the broker is away, or its folder is on a full disk
        logger.warning("The broker is away; %s is counted at the next request.", name)


def count_subject(kind: Kind, subject: UUID, *, now: datetime) -> None:
    """Counts the subject in a worker, and stores the result."""
    begun = monotonic()
    value = kind.count(subject)
    counted = {"value": value, "counted_at": now, "took_ms": round(1000 * (monotonic() - begun))}
    Rollup.objects.filter(kind=kind.name, subject=subject).update(**counted, requested_at=None)
