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

from labeling.rules.texts.blocks import BLANK_LINES, BREAK, BREAKS, Span, masked, without_blank_lines

# For texts without other line breaks, as most are: many times faster.
NEWLINE, BLANK_NEWLINES = re.compile(r"\n"), re.compile(r"\n(?:[^\S\n]*\n)+")
# Lines that are no step by themselves.
RULE = re.compile(r"([-*_])(?: ?\1){2,}")
BEFORE = re.compile(rf"{RULE.pattern}|#{{1,6}} .*|\*\*[^*\n]+\*\*:?|<[a-z_]+>", re.IGNORECASE)
LINE_STARTS = {*"#*-_<"}
AFTER = re.compile(r"</[a-z_]+>", re.IGNORECASE)


def split_steps(text: str) -> list[str]:
    """The steps of a raw solution, in order, none blank; empty for a text without a word."""
    return [text[start:end] for start, end in split_spans(text)]


def split_spans(text: str) -> list[Span]:
    """Returns where the steps start and end."""
    return joined(text, _pieces(text))


def rule_for(text: str) -> str:
    """Returns where the text is split: at `blank_lines`, or, if it has none outside its blocks, at `lines`."""
    start, end = without_blank_lines(text)
    return "blank_lines" if BLANK_LINES.search(masked(text, start, end), start, end) else "lines"


def _pieces(text: str) -> Iterator[Span]:
    """Yields the paragraphs, or the lines if there is only one paragraph."""
    start, end = without_blank_lines(text)
    whole = masked(text, start, end)
    is_plain = not any(each in text for each in BREAKS[1:])
    line_break, blank_lines = (NEWLINE, BLANK_NEWLINES) if is_plain else (BREAK, BLANK_LINES)
    between = blank_lines if blank_lines.search(whole, start, end) else line_break
    for cut in between.finditer(whole, start, end):
        yield start, cut.start()
        start = cut.end()
    if start < end:
        yield start, end


def joined(text: str, pieces: Iterable[Span]) -> list[Span]:
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
