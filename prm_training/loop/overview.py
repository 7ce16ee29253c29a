"""Summarises a phase's loop for its page: where it stands, and its history round by round.

The number of queries does not grow with the loop; counts that are slow in a large phase may be out of date.
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
from prm_training.models import Selection

NOT_COUNTED: dict[str, Any] = {
    "verdicts": {},
    "has_candidates": True,
    "labels_new": 0,
    "trained": None,
    "disagreements": 0,
}


@dataclass(frozen=True)
class Overview:
    """A phase's loop with its history."""

    loop: Loop
    labels_new: int
    disagreements: int
    history: list[Brought]
    freshness: dict[str, Any]


def read_overview(phase: Phase, *, now: datetime) -> Overview:
    loop = Loop(phase, now=now, pilot=getattr(phase, "autopilot", None))
    loop.jobs  # noqa: B018  cached before the rounds are read; `Loop.rounds` says why
    loop.rounds = list(Round.objects.filter(phase=phase, number__gte=0).with_funnel(now=now).order_by("number"))
    # Corrects an earlier count for changes since: labels that a training has read, imports to select from.
    counted = rollups.read_counts(ROLLED, phase.pk, now=now)
    value = counted.value or NOT_COUNTED
    loop.has_disagreements = value["disagreements"] > 0
    newer = Q(created_at__gt=counted.as_of) if counted.as_of else Q(pk=None)
    loop.has_candidates = value["has_candidates"] or Solution.objects.in_pool().drawn_by(phase).filter(newer).exists()
    labels_new = value["labels_new"] if value["trained"] == _run_id(rows.finished(loop.trainings)) else 0
    verdicts = {UUID(pk): (number, bad) for pk, (number, bad) in value["verdicts"].items()}
    measured = [run for run in loop.evaluations if run.status == Status.DONE]
    selections: dict[Any, Selection] = {
        run.round_id: run.selection for run in rows.published(phase).filter(round__isnull=False)
    }
    brought = history.of(loop.rounds, verdicts, selections, loop.models, measured)
    return Overview(loop, labels_new, value["disagreements"], brought, counted.freshness)


def _run_id(run: Run | None) -> str | None:
    return str(run.pk) if run else None


def _count_phase(phase_id: UUID) -> dict[str, Any]:
    """Counts what the overview shows. Rounds are listed, not joined, so that the database knows how few they are."""
    phase = Phase.objects.get(pk=phase_id)
    rounds = list(phase.rounds.values_list("pk", flat=True))
    tasks = Task.objects.filter(round__in=rounds, is_gold=False).order_by().values_list("round")
    wrong = Count("pk", filter=Q(solution__verdict=Verdict.WRONG))
    newest = rows.finished(list(rows.trainings(phase)))
    labels, rulings = (each.order_by().values("pk") for each in rows.labels_since(phase, rounds, newest))
    return {
        "verdicts": {str(pk): (n, bad) for pk, n, bad in tasks.annotate(number=Count("pk"), wrong=wrong)},
        "has_candidates": rows.candidates(phase).exists(),
        "labels_new": labels.union(rulings, all=True).count(),
        "trained": _run_id(newest),
        "disagreements": rows.disagreements(phase).count(),
    }


ROLLED = rollups.Kind("loop", _count_phase, rollups.has_many_tasks)
