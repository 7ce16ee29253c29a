"""The rest of a trace's long texts, of which pages show the beginning at first (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from labeling.errors import DomainError

AT_ONCE = 100_000
BEFORE = -1  # the step of what was said before the first one


class NoSuchPart(DomainError, code="not_found", status=404):
    """The solution has no such part."""


class PartText(Struct):
    """A stretch of a part's text, and the length of the whole, in characters."""

    text: str
    length: int


def text_of(
    said: Sequence[dict[str, Any]], turns: Sequence[dict[str, Any]] | None, *, step: int, part: int, start: int
) -> PartText:
    """Returns at most AT_ONCE characters of the text of a part, from `start` on. `said` and `turns`: as rows hold them.
    Raises NoSuchPart.
    """
    lists = [turn["parts"] for turn in turns or []]
    parts = {BEFORE: said, **dict(enumerate(lists))}.get(step, [])
    if part >= len(parts):
        raise NoSuchPart("There is no such part in this solution.")
    text = parts[part].get("text", "")
    return PartText(text[start : start + AT_ONCE], len(text))
