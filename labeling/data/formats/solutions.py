"""Solutions JSONL, our own format: one model-written solution a line.

``problem`` and either ``steps`` (a list of texts) or ``text`` (cut by a rule of ``labeling.rules.texts``) are needed,
and ``generator``; ``id``, ``reference_answer``, ``reference_solution``, ``subject``, ``level``, ``split``,
``answer`` (else found in the last step) and ``correct`` (a verdict of the record's own; then no grader runs) may be
there.

Steps of other programs are read, too: ``{"text": ...}`` for a text; empty ones are dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from msgspec import Meta, Struct

from labeling.data.formats import fields
from labeling.data.formats.cutter import SplitSteps
from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.notes import Notes
from labeling.rules.texts.answers import extract_answer
from labeling.rules.texts.splitting import split_steps
from labeling.rules.traces.parts import Part, Turn


class ParsedProblem(Struct, frozen=True, gc=False):
    """The facts of a record about its problem. An empty split means none was given; `external_id` is the problem's.
    `conversation`: what was said before the first turn of a trace.
    """

    statement: str
    reference_answer: str = ""
    reference_solution: str = ""
    subject: str = ""
    level: str = ""
    split: str = ""
    external_id: str = ""
    markup: str = "mathematics"
    conversation: tuple[Part, ...] | None = None


class ParsedSolution(Struct, frozen=True, gc=False):
    """One solution; ``is_correct`` is None where the record brings no verdict. ``external_id`` may be empty.
    ``turns``: a trace's steps as parts; ``steps`` are their texts.
    """

    problem: ParsedProblem
    steps: tuple[str, ...]
    answer: str
    generator: str
    is_correct: bool | None = None
    external_id: str = ""
    markup: str = "mathematics"
    turns: tuple[Turn, ...] | None = None


class _Record(Struct, gc=False):
    problem: fields.NotBlank
    generator: fields.Name
    steps: Annotated[list[fields.NotBlank], Meta(min_length=1)] | None = None
    text: str | None = None
    id: fields.Identity = None
    reference_answer: fields.Answer = None
    reference_solution: fields.Answer = None
    subject: Annotated[str, Meta(max_length=100)] | fields.Whole | float | None = None
    level: Annotated[str, Meta(max_length=50)] | fields.Whole | float | None = None
    split: Annotated[str, Meta(pattern="^(train|test|)$")] | None = None
    answer: fields.Answer = None
    correct: fields.Flag = None


def unread(record: Record) -> Iterator[tuple[str, object]]:
    """Yields the fields that are not read, and of steps the keys beside their text."""
    yield from fields.unread(record, _Record)
    steps = record.get("steps")
    for step in steps if isinstance(steps, list) else ():
        if isinstance(step, dict):
            yield from ((f"steps.{key}", value) for key, value in step.items() if key != "text")


def texts(record: Record) -> list[str]:
    """Returns the text that is split into steps; an empty one if the record gives the steps."""
    return [str(record.get("text") or "") if record.get("steps") is None else ""]


def parse(record: Record, notes: Notes | None = None, split: SplitSteps = split_steps) -> ParsedSolution:
    """Parses one record; counts its changes in ``notes``. Raises FormatError, which names the field."""
    notes = notes or Notes()
    try:
        given = fields.convert(record, _Record)
    except FormatError:
        given = fields.convert(_mended(record, notes), _Record)
    steps = _steps(given, notes, split)
    problem = ParsedProblem(
        statement=given.problem,
        reference_answer=fields.text(given.reference_answer),
        reference_solution=fields.text(given.reference_solution),
        subject=fields.text(given.subject),
        level=fields.text(given.level),
        split=given.split or "",
    )
    return ParsedSolution(
        problem=problem,
        steps=steps,
        answer=fields.text(given.answer) or extract_answer("\n\n".join(steps)),
        generator=given.generator,
        is_correct=None if given.correct is None else bool(given.correct),
        external_id=fields.text(given.id),
    )


def _mended(record: Record, notes: Notes) -> Record:
    """The record with its steps as texts, none of them empty."""
    record = fields.mended(record, _Record)
    steps = record.get("steps")
    if not isinstance(steps, list):
        return record
    texts = [_step_text(step) for step in steps]
    kept = [text for text in texts if not isinstance(text, str) or text.strip()]
    if 0 < len(kept) < len(texts):
        notes.add("empty steps dropped", len(texts) - len(kept))
    return {**record, "steps": kept or steps}


def _step_text(step: Any) -> Any:
    return step["text"] if isinstance(step, dict) and isinstance(step.get("text"), str) else step


def _steps(given: _Record, notes: Notes, split: SplitSteps) -> tuple[str, ...]:
    if given.steps is not None:
        if given.text:
            notes.add("“text” left out, because there are “steps”")
        return tuple(given.steps)
    steps = split(given.text or "")
    if not steps:
        raise FormatError("there are neither “steps” nor a “text” that has any")
    return tuple(steps)
