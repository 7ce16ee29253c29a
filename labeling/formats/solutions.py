"""Solutions JSONL, our own format: one model-written solution a line.

``problem`` and either ``steps`` (a list of texts) or ``text`` (split by the rule in ``labeling.steps``) are needed, and
``generator``; ``id``, ``reference_answer``, ``reference_solution``, ``subject``, ``level``, ``split``, ``answer`` (else
found in the last step) and ``correct`` (a verdict of the record's own; then no grader runs) may be there.
"""

from __future__ import annotations

from dataclasses import dataclass

from labeling.answers import extract_answer
from labeling.formats import fields
from labeling.formats.fields import FormatError, Record
from labeling.steps import split_steps, strip_calculator_notes

SPLITS = ("train", "test")
MAX_ID, MAX_NAME, MAX_LEVEL = 200, 100, 50
MAX_STEPS = 1000


@dataclass(frozen=True)
class ParsedProblem:
    """What a record says about its problem."""

    statement: str
    reference_answer: str = ""
    reference_solution: str = ""
    subject: str = ""
    level: str = ""
    split: str = "train"


@dataclass(frozen=True)
class ParsedSolution:
    """One solution; ``is_correct`` is None where the record brings no verdict. ``external_id`` may be empty."""

    problem: ParsedProblem
    steps: tuple[str, ...]
    answer: str
    generator: str
    is_correct: bool | None = None
    external_id: str = ""


def parse(record: Record) -> ParsedSolution:
    """Raises FormatError, which names the field."""
    problem, steps = _problem(record), _steps(record)
    return ParsedSolution(
        problem=problem,
        steps=steps,
        answer=fields.optional_text(record, "answer") or extract_answer("\n\n".join(steps)),
        generator=fields.text(record, "generator", limit=MAX_NAME),
        is_correct=fields.optional_bool(record, "correct"),
        external_id=fields.optional_text(record, "id", limit=MAX_ID),
    )


def _problem(record: Record) -> ParsedProblem:
    split = fields.optional_text(record, "split") or "train"
    if split not in SPLITS:
        raise FormatError(f"“split” must be train or test, not “{split[:40]}”")
    return ParsedProblem(
        statement=fields.text(record, "problem").strip(),
        reference_answer=fields.optional_text(record, "reference_answer").strip(),
        reference_solution=fields.optional_text(record, "reference_solution"),
        subject=fields.optional_text(record, "subject", limit=MAX_NAME),
        level=fields.optional_text(record, "level", limit=MAX_LEVEL),
        split=split,
    )


def _steps(record: Record) -> tuple[str, ...]:
    if "steps" not in record:
        return _checked(split_steps(fields.text(record, "text")), "text")
    given = fields.sequence(record, "steps")
    for number, step in enumerate(given, start=1):
        if not isinstance(step, str):
            raise FormatError(f"“steps”: step {number} must be a text, not {fields.kind_of(step)}")
        if not step.strip():
            raise FormatError(f"“steps”: step {number} is empty")
    return _checked([strip_calculator_notes(step) for step in given], "steps")


def _checked(steps: list[str], key: str) -> tuple[str, ...]:
    if not steps:
        raise FormatError(f"“{key}” has no steps")
    if len(steps) > MAX_STEPS:
        raise FormatError(f"“{key}” has {len(steps)} steps; at most {MAX_STEPS} are allowed")
    return tuple(steps)
