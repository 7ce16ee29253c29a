"""The rest of a trace's long texts, of which an annotator is shown the beginning at first."""

from __future__ import annotations

from msgspec import Struct

from labeling.errors import DomainError
from labeling.models import Assignment

AT_ONCE = 100_000
BEFORE = -1  # the step of what was said before the first one


class NoSuchPart(DomainError, code="not_found", status=404):
    """The task has no such part."""


class PartText(Struct):
    """A stretch of a part's text, and the length of the whole, in characters."""

    text: str
    length: int


def text_of(assignment: Assignment, *, step: int, part: int, start: int) -> PartText:
    """At most AT_ONCE characters of the text of a part, from `start` on. Raises NoSuchPart."""
    solution = assignment.task.solution
    lists = [turn["parts"] for turn in solution.turns or []]
    said = solution.problem.conversation or [{"text": solution.problem.statement}]
    parts = {BEFORE: said, **dict(enumerate(lists))}.get(step, [])
    if part >= len(parts):
        raise NoSuchPart("There is no such part in this task.")
    text = parts[part].get("text", "")
    return PartText(text[start : start + AT_ONCE], len(text))
