"""Gathers what a card says of the chosen labels: phases, origins, agreement, noise, benchmarks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from labeling.campaign import consensus, quality, screening
from labeling.data.exporting import LabelFilter, standing
from labeling.models import Guidelines, Labelling
from labeling.rules import agreement, intervals
from labeling.rules.ratings import first_error
from prm_training.models import Generation, Import

# Where rows of a labelling come from. A solution may have been drawn by several imports and generations.
KINDS = ("problems", "solutions", "labellings")
ORIGINS = (
    ("problems", "task__solution__problem__origin", "task__solution__problem"),
    ("solutions", "task__solution__origin", "task__solution"),
    ("solutions", "task__solution__samples__origin", "task__solution"),
    ("labellings", "origin", "pk"),
)


def gather(label_filter: LabelFilter) -> dict[str, Any]:
    """Returns the card's facts, except those counted while the labels are written; names nobody."""
    behind = _behind(label_filter)
    return {
        "annotators": behind.exclude(annotator=None).aggregate(number=Count("annotator", distinct=True))["number"],
        "phases": _phases(behind),
        "origins": _origins(behind),
        "left_out": standing.left_out(label_filter),
        "overlap": standing.overlaps(label_filter),
        "agreement": asdict(_agreement(label_filter)),
        "gold": _on_gold(label_filter),
        "rulings": _beside_rulings(label_filter),
    }


def guidelines_of(phases: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, Guidelines]]:
    """Yields each version of guidelines that labels of the card's phases were given under, with its phase's name."""
    for phase in phases:
        versions = Guidelines.objects.filter(phase=phase["id"], version__in=phase["guidelines"])
        yield from ((phase["name"], row) for row in versions.order_by("version") if row.text.strip())


def _behind(label_filter: LabelFilter) -> QuerySet[Labelling]:
    """Selects the labellings that stand, and those that rulings and consensuses are made of."""
    stand = Q(pk__in=standing.labellings(label_filter).values("pk"))
    stand |= Q(task__in=standing.rulings(label_filter).values("task"))
    if label_filter.consensus:
        stand |= Q(task__in=standing.shared(label_filter))
    return standing.given(label_filter).filter(stand).order_by()


def _phases(behind: QuerySet[Labelling]) -> list[dict[str, Any]]:
    phase = "task__round__phase"
    rows = behind.values_list(phase, f"{phase}__name", f"{phase}__kind", "guidelines_version").annotate(Count("pk"))
    found = dict[UUID, dict[str, Any]]()
    for pk, name, kind, version, number in rows:
        one = found.setdefault(pk, {"id": str(pk), "name": name, "kind": kind, "labellings": 0, "guidelines": []})
        one["labellings"] += number
        if version is not None:
            one["guidelines"] = sorted({*one["guidelines"], version})
    return sorted(found.values(), key=lambda one: str(one["name"]))


def _origins(behind: QuerySet[Labelling]) -> list[dict[str, Any]]:
    """The imports and generations behind the labellings, each with the numbers of rows it added, largest first."""
    counts = defaultdict[UUID | None, Counter[str]](Counter)
    for kind, path, row in ORIGINS:
        for origin, number in behind.exclude(**{path: None}).values_list(path).annotate(Count(row, distinct=True)):
            counts[origin][kind] = max(counts[origin][kind], number)
    imports, generations = Import.objects.in_bulk([*counts]), Generation.objects.in_bulk([*counts])
    runs: dict[UUID, Import | Generation] = {**generations, **imports}
    counts[None] += _without_origin(behind)
    found = [
        {**_origin(runs.get(pk) if pk else None), **{kind: numbers[kind] for kind in KINDS}}
        for pk, numbers in counts.items()
        if numbers.total()
    ]
    return sorted(found, key=lambda each: (-sum(each[kind] for kind in KINDS), each["name"]))


def _without_origin(behind: QuerySet[Labelling]) -> Counter[str]:
    """Counts the rows that no known import or generation added. Labellings made in Stepmark need no origin."""
    of_solution = {"task__solution__origin": None, "task__solution__samples__origin": None}
    unknown = {
        "problems": behind.filter(task__solution__problem__origin=None).values("task__solution__problem"),
        "solutions": behind.filter(**of_solution).values("task__solution"),
        "labellings": behind.filter(origin=None, assignment=None).values("pk"),
    }
    return Counter({kind: rows.distinct().count() for kind, rows in unknown.items()})


def _origin(run: Import | Generation | None) -> dict[str, str]:
    if isinstance(run, Import):
        return {"name": run.name, "licence": run.licence, "provenance": run.provenance}
    if isinstance(run, Generation):
        return {"name": run.name, "licence": "", "provenance": f"written by {run.generator_model}"}
    return {"name": "Not known", "licence": "", "provenance": ""}


def _agreement(label_filter: LabelFilter) -> agreement.Agreement:
    shared = standing.compared(label_filter).filter(label_filter.of_tasks("task__"), task__round__number__gte=0)
    return agreement.between(consensus.rated_by(shared.filter(task__in=standing.shared(label_filter))))


def _on_gold(label_filter: LabelFilter) -> dict[str, Any]:
    """Returns how the chosen people did on hidden gold in the chosen rounds: `right` is a share, None without gold."""
    judged = Labelling.objects.filter(label_filter.of_tasks("task__") & label_filter.of_people("annotator")).judged()
    rows = list(judged.select_related("task").prefetch_related("completions").order_by("submitted_at", "pk"))
    found = quality.summed_up((given, gold.ratings) for _, given, gold in screening.beside_gold(rows))
    return {"tasks": found.tasks, "right": found.accuracy, "interval": [found.low, found.high] if found.tasks else None}


def _beside_rulings(label_filter: LabelFilter) -> dict[str, Any]:
    """Returns the share of labellings that see the first error where the ruling on their task does."""
    ruled = dict(standing.rulings(label_filter).values_list("task", "ratings"))
    given: Any = standing.given(label_filter).filter(task__in=ruled)
    hits = [
        found == first_error(ruled[task])
        for task, found in given.complete().with_first_error().values_list("task", "first_error")
    ]
    right, number = sum(hits), len(hits)
    interval = list(intervals.wilson(right, number)) if number else None
    return {
        "tasks": len(ruled),
        "labellings": number,
        "right": right / number if number else None,
        "interval": interval,
    }
