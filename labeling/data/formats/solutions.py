"""Solutions JSONL, our own format: one model-written solution a line.

``problem`` and either ``steps`` (a list of texts) or ``text`` (split by the rule in ``labeling.rules.splitting``) are
needed, and ``generator``; ``id``, ``reference_answer``, ``reference_solution``, ``subject``, ``level``, ``split``,
``answer`` (else found in the last step) and ``correct`` (a verdict of the record's own; then no grader runs) may be
there.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from labeling.data.formats import fields
from labeling.data.formats.fields import FormatError, Record
from labeling.rules.answers import extract_answer
from labeling.rules.splitting import split_steps, strip_calculator_notes

MAX_STEPS = 1000


class ParsedProblem(Struct, frozen=True, gc=False):
    """What a record says about its problem."""

    statement: str
    reference_answer: str = ""
    reference_solution: str = ""
    subject: str = ""
    level: str = ""
    split: str = "train"


class ParsedSolution(Struct, frozen=True, gc=False):
    """One solution; ``is_correct`` is None where the record brings no verdict. ``external_id`` may be empty."""

    problem: ParsedProblem
    steps: tuple[str, ...]
    answer: str
    generator: str
    is_correct: bool | None = None
    external_id: str = ""


class _Record(Struct, gc=False):
    problem: fields.NotBlank
    generator: fields.Name
    steps: Annotated[list[fields.NotBlank], Meta(min_length=1, max_length=MAX_STEPS)] | None = None
    text: str | None = None
    id: fields.Identity = None
    reference_answer: str | int | None = None
    reference_solution: str | int | None = None
    subject: Annotated[str, Meta(max_length=100)] | fields.Whole | None = None
    level: Annotated[str, Meta(max_length=50)] | fields.Whole | None = None
    split: Annotated[str, Meta(pattern="^(train|test|)$")] | None = None
    answer: str | int | None = None
    correct: bool | None = None


def parse(record: Record) -> ParsedSolution:
    """Raises FormatError, which names the field."""
    given = fields.convert(record, _Record)
    steps = _steps(given)
    problem = ParsedProblem(
        statement=given.problem.strip(),
        reference_answer=fields.text(given.reference_answer).strip(),
        reference_solution=fields.text(given.reference_solution),
        subject=fields.text(given.subject),
        level=fields.text(given.level),
        split=given.split or "train",
    )
    return ParsedSolution(
        problem=problem,
        steps=steps,
        answer=fields.text(given.answer) or extract_answer("\n\n".join(steps)),
        generator=given.generator,
        is_correct=given.correct,
        external_id=fields.text(given.id),
    )


def _steps(given: _Record) -> tuple[str, ...]:
    if given.steps is not None:
        return tuple(strip_calculator_notes(step) for step in given.steps)
    steps = split_steps(given.text or "")
    if not steps:
        raise FormatError("there are neither “steps” nor a “text” that has any")
    if len(steps) > MAX_STEPS:
        raise FormatError(f"“text” has {len(steps)} steps; at most {MAX_STEPS} are allowed")
    return tuple(steps)
