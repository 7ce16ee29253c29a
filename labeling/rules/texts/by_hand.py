"""Changes the steps of a text as a person says: cuts one in two, or makes one of two neighbours."""

from __future__ import annotations

from collections.abc import Sequence

from labeling.errors import DomainError
from labeling.rules.texts.blocks import Span


class NoSuchStep(DomainError, code="no_such_step"):
    """The text has no such step, or it can't be cut there."""


def merge(steps: Sequence[Span], number: int) -> list[Span]:
    """Makes one step of this one, counted from 0, and the next. Raises NoSuchStep for the last."""
    if number + 1 >= len(steps):
        raise NoSuchStep("There is no step after this one.")
    return [*steps[:number], (steps[number][0], steps[number + 1][1]), *steps[number + 2 :]]


def cut(text: str, steps: Sequence[Span], number: int, at: int) -> list[Span]:
    """Cuts a step, counted from 0, before its character `at`. White space there is left out.

    Raises NoSuchStep unless something is on both sides.
    """
    if number >= len(steps):
        raise NoSuchStep("There is no such step.")
    start, end = steps[number]
    before, after = text[start : min(end, start + at)].rstrip(), text[min(end, start + at) : end].lstrip()
    if not before or not after:
        raise NoSuchStep("A step can only be cut between two of its words.")
    return [*steps[:number], (start, start + len(before)), (end - len(after), end), *steps[number + 1 :]]
