"""A phase's progress in numbers: the same few queries, whatever its size."""

from __future__ import annotations

from collections import Counter
from typing import Any
from uuid import UUID

from django.db.models import Case, Count, DateField, Exists, F, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Cast

from labeling.campaign import consensus
from labeling.counts import rollups
from labeling.models import Assignment, FinishReason, Labelling, RatedCompletion, Round, Snapshot, Task

WORDS = {1: "positive", 0: "neutral", -1: "negative", None: "unrated"}
SECONDS = (2, 5, 10, 20, 30, 60, 120)  # upper ends of the time classes


def numbers(phase: UUID) -> dict[str, Any]:
    """Counts the current labellings in the phase's rounds, without screening and gold.

    Rounds are listed, not joined: that way the database knows how few of all tasks are in them.
    """
    numbers = dict(Round.objects.filter(phase=phase, number__gte=0).values_list("pk", "number"))
    tasks = Task.objects.filter(round__in=numbers, is_gold=False)
    labellings = Labelling.objects.current().filter(task__round__in=numbers, task__is_gold=False)
    of_tasks = {"labelling__task__round__in": numbers, "labelling__task__is_gold": False}
    rated = RatedCompletion.objects.filter(**of_tasks, labelling__superseded_at=None)
    return {"days": _days(labellings), **_ratings(rated, numbers), "funnel": _funnel(tasks)}


ROLLED = rollups.Kind("dashboard", numbers, rollups.has_many_tasks)


def _days(labellings: QuerySet[Any]) -> list[dict[str, Any]]:
    """Counts labellings and annotators per UTC day. Uses Cast: TruncDate would call Python for each row on SQLite."""
    dated = labellings.filter(submitted_at__isnull=False).annotate(day=Cast("submitted_at", DateField()))
    counts = {"labellings": Count("pk"), "annotators": Count("annotator", distinct=True)}
    days = dated.values("day").annotate(**counts).order_by("day")
    return [row | {"day": str(row["day"])} for row in days]


def _ratings(rated: QuerySet[Any], numbers: dict[UUID, int]) -> dict[str, list[dict[str, Any]]]:
    """Returns the rating mix of each round; the time per step, if measured; the step of the first error, for solutions
    with one, or of every error where all steps are rated; how often each kind of error occurs. Makes one pass over all
    ratings.
    """
    below = [When(active_ms__lt=1000 * seconds, then=Value(seconds)) for seconds in SECONDS]
    is_error = Q(labelling__finish_reason=FinishReason.FOUND_ERROR, completion=0, rating=-1)
    classed = rated.annotate(
        below=Case(When(active_ms=0, then=Value(-1)), *below, default=Value(0)),
        error=Case(When(is_error, then=F("step")), default=Value(None)),
    )
    rows = classed.values_list("labelling__task__round", "rating", "below", "error", "error_kind").annotate(Count("pk"))
    mix, times, errors, kinds = dict[int, Counter[str]](), Counter[int](), Counter[int](), Counter[str]()
    for round_id, rating, seconds, step, kind, count in rows.order_by():
        mix.setdefault(numbers[round_id], Counter())[WORDS[rating]] += count
        times[seconds] += count
        if kind:
            kinds[kind] += count
        if step is not None:
            errors[step] += count
    zeros = dict.fromkeys(WORDS.values(), 0)
    return {
        "mix": [{"round": number, **zeros, **mix[number]} for number in sorted(mix)],
        "step_times": [{"below": seconds or None, "steps": times[seconds]} for seconds in (*SECONDS, 0)],
        "first_errors": [{"step": step, "labellings": errors[step]} for step in sorted(errors)],
        "kinds": [{"key": key, "steps": kinds[key]} for key in sorted(kinds)],
    }


def _funnel(tasks: Any) -> list[dict[str, int]]:
    """Counts by round how many tasks were started, labelled, labelled by all, agreed on, and trained on."""
    labellings = Labelling.objects.current().filter(task=OuterRef("pk"))
    seats = Assignment.objects.filter(task=OuterRef("pk"))
    frozen = Snapshot.labellings.through.objects.filter(labelling__task=OuterRef("pk"))
    complete = Exists(labellings) & ~Exists(seats.open())
    several = tasks.filter(overlap__gt=1).without_open_seat()
    disputed = Counter(consensus.disputed(several).values_list("round__number", flat=True))
    rows = tasks.values("round__number").annotate(
        tasks=Count("pk"),
        begun=Count("pk", filter=Exists(seats.filter(leased_at__isnull=False)) | Exists(labellings)),
        labelled=Count("pk", filter=Q(Exists(labellings))),
        complete=Count("pk", filter=complete),
        trained_on=Count("pk", filter=Q(Exists(frozen))),
    )
    return [
        {**row, "round": (number := row.pop("round__number")), "agreed": row["complete"] - disputed[number]}
        for row in rows.order_by("round__number")
    ]
