"""Cuts the texts of one file into steps: by the source's rule, except texts that somebody has cut by hand."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import TypedDict

from labeling.data.formats.notes import Notes
from labeling.rules.texts.blocks import Span
from labeling.rules.texts.cutting import USUAL, Cutting, cut_before_parts, cut_spans
from labeling.rules.words import StepRule

SplitSteps = Callable[[str], list[str]]


class HandCut(TypedDict):
    """The steps of one text, cut by hand: each is a start and an (exclusive) end."""

    line: int
    text_hash: str
    steps: Sequence[Sequence[int]]


class Cutter:
    """Cuts texts of the record on the line `notes.line` into steps."""

    def __init__(self, notes: Notes, how: Cutting = USUAL, by_hand: Iterable[HandCut] = ()) -> None:
        self._notes, self._how = notes, how
        self._by_hand = {(each["line"], each["text_hash"]): each["steps"] for each in by_hand}

    def __call__(self, text: str) -> list[str]:
        return [text[start:end] for start, end in self.spans(text)]

    def spans(self, text: str) -> list[Span]:
        """Returns where the steps start and end."""
        # Of millions of texts, a few are cut by hand: without any, no hash is computed.
        steps = self._by_hand.get((self._notes.line, text_hash(text))) if self._by_hand else None
        if steps is not None:
            return [(start, end) for start, end in steps]
        numbers = told(self._how, text)
        return cut_spans(text, self._how) if numbers is None else cut_before_parts(text, numbers)


def told(how: Cutting, text: str) -> Sequence[int] | None:
    """The numbers of the parts that begin a step, as a model told them; None if it didn't."""
    return how.told.get(text_hash(text)) if how.rule == StepRule.MODEL else None


def was_asked(how: Cutting, text: str) -> bool:
    return text_hash(text) in how.told


def text_hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
