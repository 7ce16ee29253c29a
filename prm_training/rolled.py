"""What workers count, by name."""

from uuid import UUID

from django.utils import timezone

from labeling import cases, consensus, dashboard, pool_counts, quality, recounts, rollups
from prm_training import loop_rows

ALL = [
    *(cases.ROLLED, consensus.AGREED, dashboard.ROLLED, loop_rows.ROLLED, pool_counts.ROLLED),
    *(quality.EVERYWHERE, quality.IN_PHASE, recounts.RECOUNT),
]
KINDS = {kind.name: kind for kind in ALL}


def count(name: str, subject: UUID) -> None:
    rollups.make(KINDS[name], subject, now=timezone.now())
