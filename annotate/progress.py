"""An annotator's own figures: how much, how fast, how well; nothing that tells a gold task from a real one."""

from dataclasses import dataclass
from datetime import datetime
from statistics import mean, median

from django.db.models import QuerySet
from django.utils import timezone

from labeling import screening
from labeling.models import Labelling, Phase, PhaseKind, RoundStatus, Task, User

RECENT = 50
FEWEST_GOLD = 10
STEPS = 20


@dataclass(frozen=True)
class OwnProgress:
    """`quality` is the agreement with gold up to yesterday, in steps of 5 %, from 10 gold tasks on.

    What is done and wanted counts own work on gold as any other, or a figure that stands still would tell it.
    """

    today: int
    this_round: int
    total: int
    round_number: int | None
    round_done: int
    round_wanted: int
    median_ms: int | None
    quality: float | None


def own_progress(*, phase: Phase, annotator: User, now: datetime) -> OwnProgress:
    midnight = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    mine = Labelling.objects.current().filter(annotator=annotator, task__round__phase=phase)
    current = phase.rounds.filter(status=RoundStatus.OPEN, number__gte=0).with_progress().first()
    hidden = current.tasks.filter(is_gold=True) if current else Task.objects.none()
    on_hidden = mine.filter(task__in=hidden).count()
    return OwnProgress(
        today=mine.filter(submitted_at__gte=midnight).count(),
        this_round=mine.filter(task__round=current).count() if current else 0,
        total=mine.count(),
        round_number=current.number if current else None,
        round_done=current.labellings_done + on_hidden if current else 0,
        round_wanted=current.labellings_wanted + hidden.count() if current else 0,
        median_ms=_median_ms(mine),
        quality=_quality(phase, mine.filter(task__round__number__gte=0, submitted_at__lt=midnight)),
    )


def _median_ms(mine: QuerySet[Labelling]) -> int | None:
    times = mine.filter(active_ms__isnull=False).order_by("-submitted_at").values_list("active_ms", flat=True)
    recent = [ms for ms in times[:RECENT] if ms is not None]
    return int(median(recent)) if recent else None


def _quality(phase: Phase, mine: QuerySet[Labelling]) -> float | None:
    """Trajectories have no gold to compare them with."""
    if phase.kind != PhaseKind.SOLUTIONS:
        return None
    rows = mine.filter(task__solution__golds__isnull=False).distinct().order_by("-submitted_at", "pk")
    recent = list(rows.select_related("task").prefetch_related("completions")[:RECENT])
    if len(recent) < FEWEST_GOLD:
        return None
    return round(mean(screening.agreements(recent).values()) * STEPS) / STEPS
