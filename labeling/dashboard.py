"""How a phase is going, in numbers: the same few queries, whatever its size."""

from __future__ import annotations

from collections import Counter
from typing import Any
from uuid import UUID

from django.db.models import Case, Count, DateField, Exists, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Cast

from labeling import consensus, rollups
from labeling.models import Assignment, FinishReason, Labelling, RatedCompletion, Snapshot, Task

WORDS = {1: "positive", 0: "neutral", -1: "negative", None: "unrated"}
SECONDS = (2, 5, 10, 20, 30, 60, 120)  # upper ends of the classes of time


def figures(phase: UUID) -> dict[str, Any]:
    """Of current labellings in the phase's own rounds: no screening, and no gold among the tasks."""
    said = Labelling.objects.current().filter(task__round__phase=phase, task__round__number__gte=0, task__is_gold=False)
    rated = RatedCompletion.objects.filter(labelling__in=said)
    return {
        "days": _days(said),
        **_ratings(rated),
        "first_errors": _first_errors(rated),
        "funnel": _funnel(Task.objects.filter(round__phase=phase, round__number__gte=0, is_gold=False)),
    }


ROLLED = rollups.Kind("dashboard", figures, rollups.has_many_tasks)


def _days(said: QuerySet[Any]) -> list[dict[str, Any]]:
    """Per day of UTC: Cast, because the databases do it themselves; TruncDate calls Python for each row on SQLite."""
    dated = said.filter(submitted_at__isnull=False).annotate(day=Cast("submitted_at", DateField()))
    counts = {"labellings": Count("pk"), "annotators": Count("annotator", distinct=True)}
    days = dated.values("day").annotate(**counts).order_by("day")
    return [row | {"day": str(row["day"])} for row in days]


def _ratings(rated: QuerySet[Any]) -> dict[str, list[dict[str, Any]]]:
    """The mix of each round, and how long steps took where that was measured: one pass over all ratings."""
    below = [When(active_ms__lt=1000 * seconds, then=Value(seconds)) for seconds in SECONDS]
    classed = rated.annotate(below=Case(When(active_ms=0, then=Value(-1)), *below, default=Value(0)))
    rows = classed.values_list("labelling__task__round__number", "rating", "below").annotate(Count("pk")).order_by()
    mix, times = dict[int, Counter[str]](), Counter[int]()
    for number, rating, seconds, count in rows:
        mix.setdefault(number, Counter())[WORDS[rating]] += count
        times[seconds] += count
    zeros = dict.fromkeys(WORDS.values(), 0)
    return {
        "mix": [{"round": number, **zeros, **mix[number]} for number in sorted(mix)],
        "step_times": [{"below": seconds or None, "steps": times[seconds]} for seconds in (*SECONDS, 0)],
    }


def _first_errors(rated: QuerySet[Any]) -> list[dict[str, int]]:
    """At which step the first error was seen, of solutions where one was found."""
    found = rated.filter(labelling__finish_reason=FinishReason.FOUND_ERROR, completion=0, rating=-1)
    return list(found.values("step").annotate(labellings=Count("pk")).order_by("step"))


def _funnel(tasks: QuerySet[Any]) -> list[dict[str, int]]:
    """Of each round's tasks: how many were begun, labelled, labelled by all, agreed on, and trained on."""
    said = Labelling.objects.current().filter(task=OuterRef("pk"))
    seats = Assignment.objects.filter(task=OuterRef("pk"))
    frozen = Snapshot.labellings.through.objects.filter(labelling__task=OuterRef("pk"))
    complete = Exists(said) & ~Exists(seats.open())
    disputed = Counter(
        consensus.disputed(tasks.filter(complete, overlap__gt=1)).values_list("round__number", flat=True)
    )
    rows = tasks.values("round__number").annotate(
        tasks=Count("pk"),
        begun=Count("pk", filter=Exists(seats.filter(leased_at__isnull=False)) | Exists(said)),
        labelled=Count("pk", filter=Q(Exists(said))),
        complete=Count("pk", filter=complete),
        trained_on=Count("pk", filter=Q(Exists(frozen))),
    )
    return [
        {**row, "round": (number := row.pop("round__number")), "agreed": row["complete"] - disputed[number]}
        for row in rows.order_by("round__number")
    ]
