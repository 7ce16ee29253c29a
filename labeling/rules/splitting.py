"""The rule that splits a raw solution text into steps.

- Where the text has a blank line, each paragraph is a step; where it has none, each line is one.
- Code fences, display math and LaTeX environments are never split, whatever lines they hold.
- A Markdown heading belongs to what follows it, so that ``# Answer`` and the answer are one step.
- GSM8K's calculator notes (``<<16-3=13>>``) are taken out.
"""

from __future__ import annotations

import re

# The blocks: a code fence of ``` or ~~~ at the start of a line, $$ ... $$, \[ ... \], \begin{name} ... \end{name}.
OPENING = re.compile(r"^[ \t]*(?P<fence>`{3,9}|~{3,9})|\$\$|\\\[|\\begin\{(?P<name>[A-Za-z]+\*?)\}", re.MULTILINE)
ENDED = re.compile(r"\\end\{[A-Za-z]+\*?\}")
CALCULATOR_NOTE = re.compile(r"<<[^<>\n]*>>")
BLANK_LINE = re.compile(r"\n[ \t]*\n\s*")
HEADING = re.compile(r"#{1,6} [^\n]*")
KEPT_NEWLINE = "\x00"  # stands for a newline inside a block while the text is split


def split_steps(text: str) -> list[str]:
    """The steps of a raw solution, in order, none empty; no steps for a text without a word."""
    text = strip_calculator_notes(text.replace(KEPT_NEWLINE, "").replace("\r\n", "\n")).strip()
    guarded = _guard_blocks(text)
    pieces = BLANK_LINE.split(guarded) if BLANK_LINE.search(guarded) else guarded.split("\n")
    steps = [piece.replace(KEPT_NEWLINE, "\n").strip() for piece in pieces if piece.strip()]
    return _join_headings(steps)


def strip_calculator_notes(text: str) -> str:
    """``16 - 3 = <<16-3=13>>13`` becomes ``16 - 3 = 13``."""
    return CALCULATOR_NOTE.sub("", text)


def _guard_blocks(text: str) -> str:
    """The text with the newlines inside its blocks replaced, in time linear in its length."""
    parts, position = list[str](), 0
    unclosed = set[str]()  # a few fences and brackets; of environments a text may hold as many as it likes
    last_ends = {ended[0]: ended.start() for ended in ENDED.finditer(text)}
    while opening := OPENING.search(text, position):
        closing = _closing_of(opening)
        # A block that is never closed guards nothing. That it isn't is remembered, or known from the last end of its
        # kind: searched for each time, a text of a thousand openings would be read a thousand times.
        is_open = closing in unclosed or (opening["name"] and last_ends.get(closing, -1) < opening.end())
        found = -1 if is_open else text.find(closing, opening.end())
        if found < 0 and not opening["name"]:
            unclosed.add(closing)
        end = found + len(closing) if found >= 0 else opening.end()
        parts += [text[position : opening.start()], text[opening.start() : end].replace("\n", KEPT_NEWLINE)]
        position = end
    return "".join([*parts, text[position:]])


def _closing_of(opening: re.Match[str]) -> str:
    if opening["fence"]:
        return "\n" + opening["fence"]
    if opening["name"]:
        return f"\\end{{{opening['name']}}}"
    return "$$" if opening[0] == "$$" else "\\]"


def _join_headings(steps: list[str]) -> list[str]:
    joined = list[str]()
    for step in steps:
        if joined and HEADING.fullmatch(joined[-1]):
            joined[-1] = f"{joined[-1]}\n\n{step}"
        else:
            joined.append(step)
    return joined
