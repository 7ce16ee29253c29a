"""Splits the raw text of a solution into steps.

If the text has a blank line, each paragraph is a step; else each line is one. Code fences, display math, LaTeX
environments and Asymptote drawings are never split, whatever lines they hold. A heading (``# Answer``, or a line that
is bold from end to end), a rule (``---``) and an opening tag (``<think>``) belong to the following step, a closing tag
to the preceding one.

Steps are pieces of the unchanged text: only the line breaks and blank lines between them are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

BREAKS = "\n\r\u2028\u2029"
BREAK = re.compile(rf"(?>\r\n|[{BREAKS}])")
BLANK_LINES = re.compile(rf"{BREAK.pattern}(?:[^\S{BREAKS}]*{BREAK.pattern})+")
# The same where no other break is in the text, as in most: many times faster.
NEWLINE, BLANK_NEWLINES = re.compile(r"\n"), re.compile(r"\n(?:[^\S\n]*\n)+")
MASKED = str.maketrans(dict.fromkeys(BREAKS, "x"))
# The blocks: a code fence of ``` or ~~~ at the start of a line, $$ ... $$, \[ ... \], \begin{name} ... \end{name},
# [asy] ... [/asy].
OPENING = re.compile(
    r"^[ \t]*(?P<fence>`{3,9}|~{3,9})|\$\$|\\\[|\\begin\{(?P<name>[A-Za-z]+\*?)\}|\[asy\]", re.MULTILINE
)
MARKS = ("```", "~~~", "$$", "\\[", "\\begin", "[asy]")  # each opening has one
CLOSINGS = {"$$": "$$", "\\[": "\\]", "[asy]": "[/asy]"}
ENDED = re.compile(r"\\end\{[A-Za-z]+\*?\}")
# Lines that are no step by themselves.
RULE = re.compile(r"([-*_])(?: ?\1){2,}")
BEFORE = re.compile(rf"{RULE.pattern}|#{{1,6}} .*|\*\*[^*\n]+\*\*:?|<[a-z_]+>", re.IGNORECASE)
LINE_STARTS = {*"#*-_<"}
AFTER = re.compile(r"</[a-z_]+>", re.IGNORECASE)

Span = tuple[int, int]


def split_steps(text: str) -> list[str]:
    """The steps of a raw solution, in order, none blank; empty for a text without a word."""
    return [text[start:end] for start, end in _joined(text, _pieces(text))]


def rule_for(text: str) -> str:
    """Returns where the text is split: at `blank_lines`, or, if it has none outside its blocks, at `lines`."""
    start, end = _without_blank_lines(text)
    return "blank_lines" if BLANK_LINES.search(_masked(text, start, end), start, end) else "lines"


def _pieces(text: str) -> Iterator[Span]:
    """Yields the paragraphs, or the lines if there is only one paragraph."""
    start, end = _without_blank_lines(text)
    masked = _masked(text, start, end) if any(mark in text for mark in MARKS) else text
    is_plain = not any(each in text for each in BREAKS[1:])
    line_break, blank_lines = (NEWLINE, BLANK_NEWLINES) if is_plain else (BREAK, BLANK_LINES)
    between = blank_lines if blank_lines.search(masked, start, end) else line_break
    for cut in between.finditer(masked, start, end):
        yield start, cut.start()
        start = cut.end()
    if start < end:
        yield start, end


def _without_blank_lines(text: str) -> Span:
    """The span from the first line that isn't blank to the end of the last one."""
    first, last = len(text) - len(text.lstrip()), len(text.rstrip())
    start = max(text.rfind(each, 0, first) for each in BREAKS) + 1
    after = BREAK.search(text, last)
    return start, max(start, after.start() if after else len(text)) if last else start


def _masked(text: str, start: int, end: int) -> str:
    """The text up to `end`, with the line breaks inside blocks replaced, at the same length. Time is linear."""
    parts, position = [text[:start]], start
    unclosed = set[str]()  # a few fences and brackets; of environments a text may hold as many as it likes
    last_ends = {ended[0]: ended.start() for ended in ENDED.finditer(text)}
    while opening := OPENING.search(text, position, end):
        closing = _closing_of(opening)
        # A block that is never closed guards nothing. That it isn't is remembered, or known from the last end of its
        # kind: searched for each time, a text of a thousand openings would be read a thousand times.
        is_open = closing in unclosed or (opening["name"] and last_ends.get(closing, -1) < opening.end())
        closed = -1 if is_open else _find_closing(text, closing, opening.end(), end)
        if closed < 0 and not opening["name"]:
            unclosed.add(closing)
        block_end = closed if closed >= 0 else opening.end()
        parts += [text[position : opening.start()], text[opening.start() : block_end].translate(MASKED)]
        position = block_end
    return "".join([*parts, text[position:]])


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


def _joined(text: str, pieces: Iterable[Span]) -> list[Span]:
    """The steps: a piece that is no step by itself is joined to the next one, or to the previous one."""
    steps, waiting = list[Span](), list[Span]()
    for start, end in pieces:
        piece = text[start:end].strip()
        is_line = piece[:1] in LINE_STARTS
        if is_line and (BEFORE.fullmatch(piece) or (waiting and AFTER.fullmatch(piece))):
            waiting.append((start, end))
        elif is_line and steps and AFTER.fullmatch(piece):
            steps[-1] = (steps[-1][0], end)
        elif piece:
            steps.append((waiting[0][0] if waiting else start, end))
            waiting = []
    for start, end in waiting:  # nothing follows
        is_end_of_last = steps and RULE.fullmatch(text[start:end].strip())
        steps.append((steps.pop()[0] if is_end_of_last else start, end))
    return steps
