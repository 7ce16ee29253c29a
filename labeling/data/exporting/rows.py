"""Reads labels from the database in batches: memory stays flat however many there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.db.models import Case, CharField, Exists, F, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Cast, Concat

from labeling.errors import DomainError
from labeling.models import Gold, Labelling, RatedCompletion, Split, Task
from labeling.rules.labelled import QUALITY_CONTROL, Labelled, LabelledCompletion
from labeling.rules.ratings import ERROR
from labeling.rules.traces.parts import Part, Turn
from labeling.rules.words import FinishReason

BATCH = 500
KNOWN = frozenset(FinishReason.values)
DRAWN = "drawn"
OWN = ("pk", "annotator_id", "finish_reason", "active_ms", "submitted_at", "guidelines_version", "result")
ROUND, SOLUTION = "round__", "solution__"
OF_TASK = {
    "round_number": f"{ROUND}number",
    "phase": f"{ROUND}phase__name",
    "phase_kind": f"{ROUND}phase__kind",
    "rates_all_steps": f"{ROUND}phase__rates_all_steps",
    **{name: f"{SOLUTION}{name}" for name in ("generator", "answer", "verdict", "problem_id", "external_id")},
    **{
        "problem": f"{SOLUTION}problem__statement",
        "problem_source": f"{SOLUTION}problem__source",
        "problem_hash": f"{SOLUTION}problem__text_hash",
    },
    **{name: f"{SOLUTION}problem__{name}" for name in ("reference_answer", "reference_solution")},
}
# JSON as the database's own text: parsing it in Django is slow.
AS_TEXT = {
    "solution_steps": f"{SOLUTION}steps",
    "turns": f"{SOLUTION}turns",
    "conversation": f"{SOLUTION}problem__conversation",
    "error_kinds": f"{ROUND}phase__error_kinds",
}
read_texts = msgspec.json.Decoder(list[str]).decode
read_turns = msgspec.json.Decoder(list[Turn]).decode
read_parts = msgspec.json.Decoder(list[Part]).decode
RATED = ("step", "completion", "text", "rating", "is_flagged", "is_chosen", "is_human", *ERROR)


class NewerWord(DomainError, code="newer_word", status=503):
    """Labels have a finish reason that only a newer version knows."""


class Error(NamedTuple):
    """A ruling's statement about a step's error, as a LabelledCompletion holds it."""

    error_kind: str = ""
    error_start: int | None = None
    error_end: int | None = None
    root_cause: int | None = None


class Settled(NamedTuple):
    """The ruling, with its author and time, or consensus that replaces a task's labellings."""

    task: UUID
    method: str
    ratings: list[int | None]
    problem: tuple[str, str]  # split, and what it is drawn by
    by: UUID | None = None
    at: datetime | None = None
    errors: Sequence[Error] = ()  # of each step; of a ruling
    result: str = ""  # of a ruling


def of_labellings(chosen: QuerySet[Labelling]) -> Iterator[Labelled]:
    """Yields the labellings in the order of their ids."""
    gold = Exists(Gold.objects.filter(solution=OuterRef("task__solution")))
    rows = chosen.values(
        *OWN, is_gold=gold, **_of_task("task__"), key=_as_text("pk"), source_text=_as_text("source_record")
    )
    found = rows.order_by("pk").iterator(chunk_size=BATCH)
    # One query for the labellings, one per 500 of them for their ratings.
    while batch := list(islice(found, BATCH)):
        yield from _with_completions(batch)


class Behind(NamedTuple):
    """The labellings that a ruling or consensus replaces."""

    ids: list[str]
    results: set[str]  # the verdicts on the final result

    @property
    def result(self) -> str:
        """The verdict on the final result, if all labellings that have one agree; else empty."""
        return next(iter(self.results)) if len(self.results) == 1 else ""


def of_tasks(settled: Sequence[Settled], behind: Mapping[UUID, Behind]) -> Iterator[Labelled]:
    """Yields the rulings or consensuses of tasks in place of the labellings behind them, each with its task's id."""
    tasks = Task.objects.filter(pk__in=[each.task for each in settled])
    found = {row["pk"]: row for row in tasks.values("pk", "is_gold", **_of_task(""))}
    nothing = Behind([], set())
    for each in settled:
        replaced = behind.get(each.task, nothing)
        row = _read_row(found[each.task])
        errors = [*each.errors, *[Error()] * len(each.ratings)]
        steps = enumerate(zip(row["solution_steps"], each.ratings, errors, strict=False))
        goes_on = row["rates_all_steps"]
        yield Labelled(
            **row,
            id=str(each.task),
            annotator_id=str(each.by or ""),
            finish_reason=_end_of(each.ratings, len(row["solution_steps"])),
            active_ms=None,
            submitted_at=each.at,
            source_record=None,
            completions=[
                LabelledCompletion(step, 0, text, rating, rating is None, goes_on or rating is not None, False, *error)
                for step, (text, rating, error) in steps
            ],
            method=each.method,
            behind=replaced.ids,
            result=each.result or replaced.result,
        )


def _end_of(ratings: Sequence[int | None], steps: int) -> str | None:
    """The finish reason of the ratings; None for a consensus that ends where the votes settle nothing."""
    if -1 in ratings:
        return "found_error"
    return "solution" if len(ratings) == steps and None not in ratings else None


def _of_task(prefix: str) -> dict[str, Any]:
    columns = {name: F(f"{prefix}{path}") for name, path in OF_TASK.items()}
    derived = {"split": split(prefix), "drawn_by": drawn_by(prefix)}
    return {**columns, **derived} | {name: _as_text(f"{prefix}{path}") for name, path in AS_TEXT.items()}


def split(prefix: str) -> Case:
    """The split of the problem of a task at the prefix; DRAWN for one of split train that a snapshot held out."""
    problem = f"{prefix}{SOLUTION}problem__"
    is_drawn = When(**{f"{problem}split": Split.TRAIN, f"{problem}held_out_at__isnull": False}, then=Value(DRAWN))
    return Case(is_drawn, default=F(f"{problem}split"))


def drawn_by(prefix: str) -> Case:
    """`Problem.drawn_by` of the problem of a task at the prefix."""
    problem = f"{prefix}{SOLUTION}problem__"
    task = Concat(F(f"{problem}source"), Value(" "), F(f"{problem}external_id"), output_field=CharField())
    of_a_task = Q(**{f"{problem}conversation__isnull": False}) & ~Q(**{f"{problem}external_id": ""})
    return Case(When(of_a_task, then=task), default=F(f"{problem}text_hash"), output_field=CharField())


def _as_text(path: str) -> Cast:
    """Selects a column as the database's own text."""
    return Cast(path, CharField())


def _with_completions(batch: list[dict[str, Any]]) -> Iterator[Labelled]:
    completions = _completions([row["pk"] for row in batch])
    for row in batch:
        key, annotator, source = row.pop("key"), row.pop("annotator_id"), row.pop("source_text")
        row |= {"id": str(row["pk"]), "annotator_id": str(annotator or "")}
        row["source_record"] = source and msgspec.json.decode(source)
        _check_word(row["finish_reason"])
        yield Labelled(**_read_row(row), completions=completions.get(key, ()))


def _check_word(reason: str | None) -> None:
    """Raises NewerWord for a finish reason of a newer version, which may or may not be a give-up."""
    if reason is not None and reason not in KNOWN:
        raise NewerWord(f"A labelling ended with “{reason}”, which only a newer version of Stepmark can read.")


def _read_row(row: dict[str, Any]) -> dict[str, Any]:
    """Turns a row into fields of Labelled: decodes its JSON, and derives `is_gold`."""
    del row["pk"]
    row["is_gold"] = row["is_gold"] or row["round_number"] == QUALITY_CONTROL
    row["problem_id"] = str(row["problem_id"])
    row["error_kinds"] = msgspec.json.decode(row["error_kinds"])
    row["solution_steps"] = read_texts(row["solution_steps"])
    row["turns"] = read_turns(row["turns"]) if row["turns"] else ()
    row["conversation"] = read_parts(row["conversation"]) if row["conversation"] else ()
    return row


def _completions(labelling_ids: Iterable[Any]) -> dict[str, list[LabelledCompletion]]:
    rows = RatedCompletion.objects.filter(labelling__in=list(labelling_ids)).order_by("labelling", "step", "completion")
    grouped = groupby(rows.values_list(Cast("labelling_id", CharField()), *RATED), key=itemgetter(0))
    return {key: [LabelledCompletion(*row[1:]) for row in group] for key, group in grouped}
