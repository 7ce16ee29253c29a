"""A problem and its numbered steps as texts that follow one another: ``1 + 1? Step 1: We add.``, ``Step 2: 2``.

Math-Shepherd, OpenRLHF and RLHFlow write them like this. `split` gets the same problem and steps back from the texts
that `join` writes; from texts of other files it drops the numbers, which `join` would add.

A step that numbers itself is not numbered twice: one more space before it says that the number is its own. Where the
problem would end too early, because it has a “Step 1:” itself, or too late, KEEP (an invisible character that joins
words) stands in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from labeling.data.formats.fields import FormatError

KEEP = "\u2060"
FIRST = re.compile(r"(.*?)[ \n]( ?)(Step 1:) ?(.*)", re.DOTALL | re.IGNORECASE)
NUMBERED = re.compile(r"( ?)(Step (\d+):) ?(.*)", re.DOTALL | re.IGNORECASE)
WRITTEN = re.compile(r"(?<=Step )(?=\u2060*1:)", re.IGNORECASE)
KEPT = re.compile(r"(?<=Step )\u2060(?=\u2060*1:)", re.IGNORECASE)


def join(problem: str, steps: Sequence[str]) -> list[str]:
    """One text for each step; the first begins with the problem."""
    problem = WRITTEN.sub(KEEP, problem)
    if problem[-1:].isspace() or problem.endswith(KEEP):
        problem += KEEP
    first, *others = (_numbered(number, text) for number, text in enumerate(steps, start=1))
    return [f"{problem} {first}", *others]


def _numbered(number: int, text: str) -> str:
    is_numbered = text.lower().startswith(f"step {number}:")
    return f" {text}" if is_numbered else f"Step {number}: {text}"


def split(texts: Sequence[str]) -> tuple[str, list[str]]:
    """The problem and the steps. Raises FormatError if nothing says where the problem ends."""
    found = FIRST.fullmatch(texts[0])
    if found is None:
        raise FormatError("nothing says where the problem ends: there is no “Step 1:”")
    problem = found[1].removesuffix(KEEP)
    first = texts[0][found.start(3) :] if found[2] else found[4]
    return KEPT.sub("", problem), [first, *map(_without_number, range(2, len(texts) + 1), texts[1:])]


def _without_number(number: int, text: str) -> str:
    found = NUMBERED.fullmatch(text)
    if found is None or int(found[3]) != number:
        return text
    return text[1:] if found[1] else found[4]
