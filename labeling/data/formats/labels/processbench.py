"""ProcessBench: a solution and the index of its first wrong step, -1 for none.

Source: huggingface.co/datasets/Qwen/ProcessBench (Zheng et al. 2024, arXiv 2412.06559): JSON arrays of ``{"id",
"generator", "problem", "steps": [text, ...], "final_answer_correct", "label"}``, where ``label`` counts from 0.

A record judges a whole solution, neutral being right: labellings that found a mistake, or rated every step, have one.
An unsure step says neither, so such a labelling has none. Alternatives, what was rated after a mistake, the labeler and
the time have no place.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any

from msgspec import Meta, Struct

from labeling.data.formats import fields
from labeling.data.formats.fields import Record
from labeling.data.formats.labels.parsed import ParsedLabelling, labelled_steps
from labeling.data.formats.solutions import ParsedProblem, ParsedSolution
from labeling.rules.labelled import Labelled
from labeling.rules.texts.answers import extract_answer

CORRECT = {"right": True, "wrong": False}


class _Record(Struct):
    problem: fields.NotBlank
    steps: Annotated[tuple[str, ...], Meta(min_length=1)]
    label: Annotated[int, Meta(ge=-1)]
    generator: Annotated[str, Meta(max_length=100)] = ""
    id: fields.Identity = None
    final_answer_correct: bool | None = None

    def __post_init__(self) -> None:
        if self.label >= len(self.steps):
            raise ValueError(f"“label” is {self.label}, but there are {len(self.steps)} steps")


unread = partial(fields.unread, kind=_Record)


def parse(record: Record) -> ParsedLabelling:
    """Parses one record. Raises FormatError, which names the field."""
    given = fields.convert(record, _Record)
    solution = ParsedSolution(
        problem=ParsedProblem(given.problem),
        steps=given.steps,
        answer=extract_answer("\n\n".join(given.steps)),
        generator=given.generator,
        is_correct=given.final_answer_correct,
        external_id=fields.text(given.id),
    )
    if given.label == -1:
        return labelled_steps(solution, [True] * len(given.steps), name="label", finish_reason="solution")
    return labelled_steps(solution, [*[True] * given.label, False], name="label")


def write(labelled: Labelled) -> Iterator[dict[str, Any]]:
    if not labelled.is_judged:
        return
    path = labelled.path
    yield {
        "id": labelled.id,
        "generator": labelled.generator,
        "problem": labelled.problem_text,
        "steps": [item.text for item in path] if labelled.has_alternatives_only else labelled.solution_steps,
        "final_answer_correct": CORRECT.get(labelled.verdict),
        "label": labelled.first_error,
    }
