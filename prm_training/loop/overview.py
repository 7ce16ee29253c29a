"""What a phase's page shows of its loop: where it stands, and its history round by round.

In the same few queries however long the loop has run; what takes long to count in a large phase may be some time old.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Q

from labeling.counts import rollups
from labeling.models import Phase, Round, Run, Solution, Status, Task, Verdict
from prm_training.loop import history, rows
from prm_training.loop.history import Brought
from prm_training.loop.rows import Loop
from prm_training.models import Selection, TrainingRun


@dataclass(frozen=True)
class Overview:
    """A phase's loop with its history."""

    loop: Loop
    labels_new: int
    history: list[Brought]
    freshness: dict[str, Any]


def read(phase: Phase, *, now: datetime) -> Overview:
    loop = Loop(phase, now=now, pilot=getattr(phase, "autopilot", None))
    loop.rounds = list(Round.objects.filter(phase=phase, number__gte=0).with_funnel(now=now).order_by("number"))
    counted = _counted(phase, loop.trainings, now)
    loop.has_candidates = counted.has_candidates
    measured = {run.reward_model_id: run for run in loop.evaluations if run.status == Status.DONE}
    brought = history.of(loop.rounds, counted.verdicts, _selections(phase), loop.models, measured)
    return Overview(loop, counted.labels_new, brought, counted.freshness)


def _selections(phase: Phase) -> dict[Any, Selection]:
    return {run.round_id: run.selection for run in rows.published(phase).filter(round__isnull=False)}


@dataclass(frozen=True)
class _Counted:
    """Counts over tasks, labels and the pool. `verdicts`: by round, how many tasks and how many graded wrong."""

    verdicts: dict[UUID, tuple[int, int]]
    has_candidates: bool
    labels_new: int
    freshness: dict[str, Any]


def _counted(phase: Phase, trainings: list[TrainingRun], now: datetime) -> _Counted:
    """An earlier count stands, except for changes since: a training has read the labels, an import can be selected
    from.
    """
    found = rollups.read(ROLLED, phase.pk, now=now)
    value = found.value or {"verdicts": {}, "has_candidates": True, "labels_new": 0, "trained": None}
    newer = Q(created_at__gt=found.as_of) if found.as_of else Q(pk=None)
    pool = Solution.objects.in_pool().drawn_by(phase)
    return _Counted(
        verdicts={UUID(pk): (number, bad) for pk, (number, bad) in value["verdicts"].items()},
        has_candidates=value["has_candidates"] or pool.filter(newer).exists(),
        labels_new=value["labels_new"] if value["trained"] == _id(rows.finished(trainings)) else 0,
        freshness=found.freshness,
    )


def _id(run: Run | None) -> str | None:
    return str(run.pk) if run else None


def _count(phase_id: UUID) -> dict[str, Any]:
    """Rounds are listed, not joined: that way the database knows how few of all tasks and labellings are in them."""
    phase = Phase.objects.get(pk=phase_id)
    rounds = list(phase.rounds.values_list("pk", flat=True))
    tasks = Task.objects.filter(round__in=rounds, is_gold=False).order_by().values_list("round")
    wrong = Count("pk", filter=Q(solution__verdict=Verdict.WRONG))
    newest = rows.finished(list(rows.trainings(phase)))
    return {
        "verdicts": {str(pk): (n, bad) for pk, n, bad in tasks.annotate(number=Count("pk"), wrong=wrong)},
        "has_candidates": rows.candidates(phase).exists(),
        "labels_new": sum(labels.count() for labels in rows.unread(phase, rounds, newest)),
        "trained": _id(newest),
    }


ROLLED = rollups.Kind("loop", _count, rollups.has_many_tasks)
