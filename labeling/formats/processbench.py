"""ProcessBench: a solution and the index of its first wrong step, -1 for none.

Read: the label becomes gold, which stops at the first mistake. Written: labellings that found a mistake or rated every
step; an unsure step says neither, so such a labelling has no record.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from labeling.answers import extract_answer
from labeling.formats import fields
from labeling.formats.fields import FormatError, Record
from labeling.formats.labelled import Labelled
from labeling.formats.solutions import MAX_ID, MAX_NAME, ParsedProblem, ParsedSolution

CORRECT = {"right": True, "wrong": False}


@dataclass(frozen=True)
class Judged:
    """A solution with gold ratings: +1 for each step before the first mistake, -1 for that one."""

    solution: ParsedSolution
    ratings: tuple[int, ...]


def parse(record: Record) -> Judged:
    """Raises FormatError, which names the field."""
    steps, label = tuple(fields.sequence(record, "steps")), record.get("label")
    if not steps or not all(isinstance(step, str) and step.strip() for step in steps):
        raise FormatError("“steps” must be a list of texts, at least one, none empty")
    if isinstance(label, bool) or not isinstance(label, int) or not -1 <= label < len(steps):
        raise FormatError(f"“label” must be -1 or the index of one of {len(steps)} steps, not {str(label)[:40]}")
    solution = ParsedSolution(
        problem=ParsedProblem(fields.text(record, "problem").strip(), split="test"),
        steps=steps,
        answer=extract_answer("\n\n".join(steps)),
        generator=fields.text(record, "generator", limit=MAX_NAME),
        is_correct=fields.optional_bool(record, "final_answer_correct"),
        external_id=fields.optional_text(record, "id", limit=MAX_ID),
    )
    return Judged(solution, (1,) * len(steps) if label == -1 else (*(1,) * label, -1))


def write(labelled: Labelled) -> Iterator[dict[str, Any]]:
    if not labelled.is_judged:
        return
    path = labelled.path
    yield {
        "id": labelled.id,
        "generator": labelled.generator,
        "problem": labelled.problem,
        "steps": [item.text for item in path] if labelled.has_alternatives_only else labelled.solution_steps,
        "final_answer_correct": CORRECT.get(labelled.verdict),
        "label": len(path) - 1 if path[-1].rating == -1 else -1,
    }
