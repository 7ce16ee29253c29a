"""Problems JSONL: one problem a line, without solutions.

``problem`` (or ``question``, ``prompt``, ``statement``) is needed; ``answer`` or ``reference_answer``, ``solution`` or
``reference_solution``, ``subject``, ``level``, ``id`` (or ``unique_id``) and ``split`` may be there. So MATH's and
GSM8K's own files can be read: GSM8K's ``answer`` is a solution that ends with ``#### 18``. If there
is no answer, the one that the solution states is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta, Struct

from labeling.data.formats import fields
from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.gsm8k import without_calculator_notes
from labeling.data.formats.solutions import ParsedProblem
from labeling.rules.texts.answers import extract_answer

STATEMENT = ("problem", "question", "prompt", "statement")
GSM8K_ANSWER = "\n#### "


class _Record(Struct, gc=False):
    problem: fields.NotBlank
    answer: fields.Answer = None
    solution: fields.Answer = None
    subject: Annotated[str, Meta(max_length=100)] | fields.Whole | float | None = None
    level: Annotated[str, Meta(max_length=50)] | fields.Whole | float | None = None
    id: fields.Identity = None
    split: Annotated[str, Meta(pattern="^(train|test|)$")] | None = None


NAMES = {
    "problem": STATEMENT,
    "answer": ("reference_answer", "answer"),
    "solution": ("reference_solution", "solution"),
    "id": ("id", "unique_id"),
}


def parse(record: Record) -> ParsedProblem:
    """Parses one record. Raises FormatError, which names the field."""
    given = fields.convert({name: _first(record, name) for name in _Record.__struct_fields__}, _Record)
    answer, solution = fields.text(given.answer).strip(), fields.text(given.solution)
    if GSM8K_ANSWER in answer and not solution:
        solution = without_calculator_notes(answer)
        answer = answer.rpartition(GSM8K_ANSWER)[2].strip()
    return ParsedProblem(
        statement=given.problem,
        reference_answer=answer or extract_answer(solution),
        reference_solution=solution,
        subject=fields.text(given.subject),
        level=fields.text(given.level),
        split=given.split or "",
        external_id=fields.text(given.id),
    )


def unread(record: Record) -> Iterator[tuple[str, object]]:
    """Yields what `fields.unread` does; where a field has two names, the second one's value is not read."""
    names = {name: NAMES.get(name, (name,)) for name in _Record.__struct_fields__}
    read = {next((each for each in own if record.get(each) is not None), name) for name, own in names.items()}
    yield from fields.unread({key: value for key, value in record.items() if key not in read}, Struct)


def _first(record: Record, name: str) -> object:
    """The value under the first of the field's names that the record has."""
    names = NAMES.get(name, (name,))
    found = [record[each] for each in names if record.get(each) is not None]
    if not found and name == "problem":
        raise FormatError(f"there is no “{'”, “'.join(names)}”")
    return found[0] if found else None
