"""PRMBench: a solution into which mistakes were put, and the steps that have them. Read only.

Source: huggingface.co/datasets/hitsmy/PRMBench_Preview (Song et al. 2025, arXiv 2501.03124): ``modified_question``
(else ``question``) and ``modified_process`` (the steps) are what is judged; ``error_steps`` counts from 1, none for a
solution without mistake; ``classification`` is the kind of mistake, ``idx`` the record's name.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

from msgspec import Meta, Struct

from labeling.data.formats import fields
from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.labels.parsed import ParsedLabelling, labelled_steps
from labeling.data.formats.solutions import ParsedProblem, ParsedSolution
from labeling.rules.texts.answers import extract_answer


class _Record(Struct, gc=False):
    question: fields.NotBlank
    modified_process: Annotated[tuple[str, ...], Meta(min_length=1)]
    modified_question: str | None = None
    error_steps: list[int] | None = None
    idx: fields.Identity = None


unread = partial(fields.unread, kind=_Record)


def parse(record: Record) -> ParsedLabelling:
    """Parses one record. Raises FormatError, which names the field."""
    given = fields.convert(record, _Record)
    steps, wrong = given.modified_process, {*(given.error_steps or ())}
    if unknown := wrong - {*range(1, len(steps) + 1)}:
        raise FormatError(f"“error_steps” has {min(unknown)}, but there are {len(steps)} steps, counted from 1")
    solution = ParsedSolution(
        problem=ParsedProblem(given.modified_question or given.question),
        steps=steps,
        answer=extract_answer("\n\n".join(steps)),
        generator="",
        external_id=fields.text(given.idx),
    )
    values = [number not in wrong for number in range(1, len(steps) + 1)]
    return labelled_steps(solution, values, name="error_steps", finish_reason="found_error" if wrong else "solution")
