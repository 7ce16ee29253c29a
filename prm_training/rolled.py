"""What workers count for pages, by name."""

from uuid import UUID

from django.utils import timezone

from labeling import cases, dashboard, rollups
from labeling.api import agreement, pool
from prm_training import loop_rows

KINDS = {kind.name: kind for kind in (agreement.AGREED, cases.ROLLED, dashboard.ROLLED, loop_rows.ROLLED, pool.COUNTED)}


def count(name: str, subject: UUID) -> None:
    rollups.make(KINDS[name], subject, now=timezone.now())
