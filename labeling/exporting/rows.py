"""Labellings out of the database, a batch at a time: memory stays flat however many there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

import msgspec
from django.db.models import CharField, Exists, F, QuerySet
from django.db.models.functions import Cast

from labeling.formats.labelled import QUALITY_CONTROL, Completion, Labelled
from labeling.models import Labelling, RatedCompletion
from labeling.querysets import gold_of_the_task

BATCH = 500
OWN = ("pk", "annotator_id", "finish_reason", "active_ms", "submitted_at")
ROUND, SOLUTION = "task__round__", "task__solution__"
JOINED = {
    **{"round_number": f"{ROUND}number", "phase": f"{ROUND}phase__name", "phase_kind": f"{ROUND}phase__kind"},
    **{name: f"{SOLUTION}{name}" for name in ("generator", "answer", "verdict", "problem_id")},
    **{
        "problem": f"{SOLUTION}problem__statement",
        "problem_source": f"{SOLUTION}problem__source",
        "problem_hash": f"{SOLUTION}problem__text_hash",
    },
    **{name: f"{SOLUTION}problem__{name}" for name in ("reference_answer", "reference_solution", "split")},
}
# Columns as the texts that the database holds or makes of them: Django would take them apart one by one, and slowly.
AS_TEXT = {"key": "pk", "source_text": "source_record", "steps_text": f"{SOLUTION}steps"}
RATED = ("step", "completion", "text", "rating", "is_flagged", "is_chosen", "is_human")


def stream(chosen: QuerySet[Labelling]) -> Iterator[Labelled]:
    """The labellings in the order of their ids."""
    plain = {name: F(path) for name, path in JOINED.items()}
    texts = {name: Cast(path, CharField()) for name, path in AS_TEXT.items()}
    rows = chosen.values(*OWN, is_gold=Exists(gold_of_the_task()), **plain, **texts)
    found = rows.order_by("pk").iterator(chunk_size=BATCH)
    while batch := list(islice(found, BATCH)):
        yield from _with_completions(batch)


def _with_completions(batch: list[dict[str, Any]]) -> Iterator[Labelled]:
    completions = _completions([row["pk"] for row in batch])
    for row in batch:
        pk, key, annotator = row.pop("pk"), row.pop("key"), row.pop("annotator_id")
        row["is_gold"] = row["is_gold"] or row["round_number"] == QUALITY_CONTROL
        row |= {"id": str(pk), "annotator_id": str(annotator or ""), "problem_id": str(row["problem_id"])}
        source, steps = row.pop("source_text"), row.pop("steps_text")
        row |= {"source_record": source and msgspec.json.decode(source), "solution_steps": msgspec.json.decode(steps)}
        yield Labelled(**row, completions=completions.get(key, ()))


def _completions(labelling_ids: Iterable[Any]) -> dict[str, list[Completion]]:
    rows = RatedCompletion.objects.filter(labelling__in=list(labelling_ids)).order_by("labelling", "step", "completion")
    grouped = groupby(rows.values_list(Cast("labelling_id", CharField()), *RATED), key=itemgetter(0))
    return {key: [Completion(*row[1:]) for row in group] for key, group in grouped}
