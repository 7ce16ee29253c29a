"""Finds the blocks of a text, which no rule splits: fences, display math, LaTeX environments, Asymptote drawings; and
tables, which only the usual rule splits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

BREAKS = "\n\r\u2028\u2029"
BREAK = re.compile(rf"(?:\r\n|(?!\r\n)[{BREAKS}])")
BLANK_LINES = re.compile(rf"{BREAK.pattern}(?:[^\S{BREAKS}]*{BREAK.pattern})+")
MASKED = str.maketrans(dict.fromkeys(BREAKS, "x"))
# The blocks: a code fence of ``` or ~~~ at the start of a line, $$ ... $$, \[ ... \], \begin{name} ... \end{name},
# [asy] ... [/asy].
OPENING = re.compile(
    r"^[ \t]*(?P<fence>`{3,9}|~{3,9})|\$\$|\\\[|\\begin\{(?P<name>[A-Za-z]+\*?)\}|\[asy\]", re.MULTILINE
)
MARKS = ("```", "~~~", "$$", "\\[", "\\begin", "[asy]")  # each opening has one
CLOSINGS = {"$$": "$$", "\\[": "\\]", "[asy]": "[/asy]"}
ENDED = re.compile(r"\\end\{[A-Za-z]+\*?\}")
ROW = rf"[ \t]*\|[^{BREAKS}]*"
TABLE = re.compile(rf"^{ROW}(?:{BREAK.pattern}{ROW})+", re.MULTILINE)
OPAQUE = "\ufffc"  # OBJECT REPLACEMENT CHARACTER: neither white space, nor a letter, nor a sign

Span = tuple[int, int]


def masked(text: str, start: int, end: int) -> str:
    """The text with the line breaks inside its blocks replaced, at the same length."""
    return replaced(text, find_blocks(text, start, end), lambda block: block.translate(MASKED))


def without_blocks(text: str) -> str:
    """The text with each character of its blocks and tables replaced by OPAQUE."""
    rest = replaced(text, find_blocks(text, 0, len(text)), lambda block: OPAQUE * len(block))
    tables = (table.span() for table in TABLE.finditer(rest))
    return replaced(rest, tables, lambda table: OPAQUE * len(table))


def replaced(text: str, spans: Iterable[Span], replace: Callable[[str], str]) -> str:
    """The text with each of the spans, which stand in order, replaced by as many characters."""
    parts, position = list[str](), 0
    for start, end in spans:
        parts += [text[position:start], replace(text[start:end])]
        position = end
    return "".join([*parts, text[position:]])


def find_blocks(text: str, start: int, end: int) -> Iterator[Span]:
    """Yields the blocks between `start` and `end`, in order. A block that is never closed is none. Time is linear."""
    if not any(mark in text for mark in MARKS):
        return
    unclosed = set[str]()  # a few fences and brackets; of environments a text may hold as many as it likes
    last_ends = {ended[0]: ended.start() for ended in ENDED.finditer(text)}
    while opening := OPENING.search(text, start, end):
        closing = _closing_of(opening)
        # That a block is never closed is remembered, or known from the last end of its kind: searched for each time, a
        # text of a thousand openings would be read a thousand times.
        is_open = closing in unclosed or (opening["name"] and last_ends.get(closing, -1) < opening.end())
        closed = -1 if is_open else _find_closing(text, closing, opening.end(), end)
        if closed >= 0:
            yield opening.start(), closed
        elif not opening["name"]:
            unclosed.add(closing)
        start = max(opening.end(), closed)


def without_blank_lines(text: str) -> Span:
    """The span from the first line that isn't blank to the end of the last one."""
    first, last = len(text) - len(text.lstrip()), len(text.rstrip())
    start = max(text.rfind(each, 0, first) for each in BREAKS) + 1
    after = BREAK.search(text, last)
    return start, max(start, after.start() if after else len(text)) if last else start


def _closing_of(opening: re.Match[str]) -> str:
    if opening["fence"]:
        return str(opening["fence"])
    return f"\\end{{{opening['name']}}}" if opening["name"] else CLOSINGS[opening[0]]


def _find_closing(text: str, closing: str, start: int, end: int) -> int:
    """The index where the block ends, or -1. A fence is closed at the start of a line, which may be indented."""
    if closing[0] in "`~":
        found = re.compile(rf"\n[ \t]*{closing}").search(text, start, end)
        return found.end() if found else -1
    at = text.find(closing, start, end)
    return at + len(closing) if at >= 0 else -1
