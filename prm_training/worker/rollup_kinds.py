"""The roll-ups that workers count, by name."""

from uuid import UUID

from labeling import clock
from labeling.campaign import consensus, dashboard, quality
from labeling.counts import pool_counts, recounts, rollups
from labeling.review import cases
from prm_training.loop import overview
from prm_training.selection import arms

ALL = [
    arms.ROLLED,
    cases.ROLLED,
    consensus.AGREED,
    dashboard.ROLLED,
    overview.ROLLED,
    pool_counts.ROLLED,
    quality.EVERYWHERE,
    quality.IN_PHASE,
    recounts.RECOUNT,
]
KINDS = {kind.name: kind for kind in ALL}


def count_named(name: str, subject: UUID) -> None:
    rollups.count_subject(KINDS[name], subject, now=clock.now())
