"""Maps columns of other names to our fields, as told or as guessed from a file's first record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from labeling.data.formats import chat
from labeling.data.formats.fields import Row
from labeling.data.formats.notes import Notes
from labeling.errors import DomainError

# For each field the other names that are well known for it, the likeliest first.
SYNONYMS = {
    "problem": ("question", "prompt", "instruction", "query", "problem_text", "input"),
    "text": ("response", "output", "completion", "generation", "model_output", "model_response", "prediction"),
    "generator": ("model", "model_name", "model_id", "policy"),
    "reference_answer": ("ground_truth", "gold_answer", "gold", "expected_answer", "correct_answer", "target"),
    "reference_solution": ("gold_solution",),
    "correct": ("is_correct",),
    "subject": ("category", "topic"),
    "level": ("difficulty",),
}
OWN = {*SYNONYMS, "steps", "id", "split", "answer"}


class UnknownColumn(DomainError, code="unknown_column"):
    """A column is mapped to no field, or the file doesn't have it."""


def told(pairs: Iterable[str]) -> dict[str, str]:
    """Reads a mapping from texts such as “question=problem”. Raises UnknownColumn."""
    names = dict[str, str]()
    for pair in pairs:
        column, _, field = pair.partition("=")
        if not column or field not in OWN:
            raise UnknownColumn(
                f"“{pair}” names no field: write COLUMN=FIELD, FIELD being one of {', '.join(sorted(OWN))}."
            )
        names[column] = field
    return names


def guessed(record: Mapping[str, Any]) -> dict[str, str]:
    """Guesses by name which field each unknown column stands for."""
    names = dict[str, str]()
    for field, others in SYNONYMS.items():
        if field not in record and (found := next((name for name in others if name in record), "")):
            names[found] = field
    has_text = {"steps", "text"} & {*record, *names.values()}
    if not has_text and (found := _text_column(record, names)):
        names[found] = "text"
    elif "solution" in record and "reference_solution" not in record:
        names["solution"] = "reference_solution"
    # In a file with other names than ours, “answer” is the reference answer.
    if "answer" in record and "problem" in names.values() and not {"reference_answer"} & {*record, *names.values()}:
        names.setdefault("answer", "reference_answer")
    return names


def _text_column(record: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """The column of the model's text, if a generator is named: without one, a “solution” is the reference."""
    is_written = bool({"generator"} & {*record, *names.values()})
    return next((name for name in ("solution", "answer") if name in record and is_written), "")


class Columns:
    """Gives the records of one file the names of our fields, and a generator to those without one.

    Names that are ``told`` win over guesses, which are counted in ``notes``. Raises UnknownColumn for a table without
    such a column.
    """

    def __init__(self, notes: Notes, told: Mapping[str, str] | None = None, generator: str = "") -> None:
        self._notes, self._told, self._generator = notes, told or {}, generator
        self._names: dict[str, str] | None = None

    def __call__(self, record: dict[str, Any]) -> dict[str, Any]:
        record = chat.from_messages(record, self._notes)
        if self._names is None:
            self._names = self._chosen(record)
        if self._names:
            record = self._renamed(record, self._names)
        if self._generator and not str(record.get("generator") or "").strip():
            record["generator"] = self._generator
            self._notes.add(f"records without a generator, for which “{self._generator}” stands")
        return record

    def _chosen(self, record: dict[str, Any]) -> dict[str, str]:
        if isinstance(record, Row) and (missing := self._told.keys() - record.keys()):
            raise UnknownColumn(f"There is no column “{min(missing)}”, but {', '.join(record)}.")
        fields = {*self._told.values()}
        others = {name: field for name, field in guessed(record).items() if field not in fields}
        return {**others, **self._told}

    def _renamed(self, record: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
        kept = {name: value for name, value in record.items() if name not in names}
        renamed = {field: record[name] for name, field in names.items() if name in record}
        for name, field in names.items():
            if name in record and name not in self._told:
                self._notes.add(f"“{name}” read as “{field}”")
        return type(record)(kept | renamed)
