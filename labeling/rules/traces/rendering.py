"""The one text that is made of a trace's parts: what a step says, and what a reward model reads between two steps.

It is deterministic, and has a version, which a reward model keeps: what it was trained on is what it reads. Every part
stands apart from the next by a blank line:

    text, message   its text; in context after the name of who wrote it: `User: Thank you.`
    reasoning       `<think>`, its text, `</think>`, on lines of their own
    code, diff      its text between fences
    tool call       the name with the arguments, as JSON in the order in which they came: `book({"seats":2})`
    observation     `Result of book: ` or `Error of book: `, and its text
    image, file     `[image: name]`, `[file: name]`, and its text

Where several agents take turns, a step begins with the name of its agent: `Planner: `.

Text in context of more than LONGEST characters is shortened in its middle: its first HEAD and last TAIL characters
stay, and between them stands how many were left out. What is the model's own is never shortened.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from labeling.rules.traces.parts import Part, Turn
from labeling.rules.words import PartKind

VERSION = 1
LONGEST, HEAD, TAIL = 2000, 1200, 600
TICKS = re.compile("`+")


def step_text(turn: Turn) -> str:
    """The text of the turn as a step: of its own parts."""
    text = "\n\n".join(map(_own_text, turn.own))
    return f"{turn.agent}: {text}" if turn.agent else text


def context_text(turn: Turn) -> str:
    """The text that is read between the turn and the next one; empty if it brought nothing about."""
    return "\n\n".join(map(_context, turn.context))


def parts(given: Any) -> list[Part]:
    """The parts that a row has; none for a plain text."""
    return msgspec.convert(given or [], list[Part])


def contexts(turns: Any) -> list[str]:
    """The context of each turn, given as a row has it; empty for plain texts."""
    return [context_text(turn) for turn in msgspec.convert(turns or [], list[Turn])]


def problem_text(statement: str, conversation: Sequence[Part]) -> str:
    """The text of a problem as a reward model reads it: what was said before the first turn, the statement for one
    that is no conversation.
    """
    return "\n\n".join(map(_context, conversation)) if conversation else statement


def shortened(text: str) -> str:
    """The text, without its middle if it is longer than LONGEST characters."""
    if len(text) <= LONGEST:
        return text
    return f"{text[:HEAD]}\n[… {len(text) - HEAD - TAIL:,} characters left out …]\n{text[-TAIL:]}"


def _own_text(part: Part) -> str:
    return _rendered(part, part.text)


def _context(part: Part) -> str:
    text = _rendered(part, shortened(part.text))
    if part.kind is PartKind.OBSERVATION:
        return f"{'Error' if part.is_error else 'Result'}{f' of {part.name}' if part.name else ''}: {text}"
    return f"{part.name}: {text}" if part.name and part.kind is PartKind.MESSAGE else text


def _rendered(part: Part, text: str) -> str:
    match part.kind:
        case PartKind.REASONING:
            return f"<think>\n{text}\n</think>"
        case PartKind.CODE | PartKind.DIFF:
            return fenced(text, part.language or ("diff" if part.kind is PartKind.DIFF else ""))
        case PartKind.TOOL_CALL:
            given = text if part.arguments is None else msgspec.json.encode(part.arguments).decode()
            return f"{part.name}({given})"
        case PartKind.IMAGE | PartKind.FILE:
            named = f"[{part.kind.value}: {part.name or part.image[:12]}]"
            return f"{named}\n{text}" if text else named
    return text


def fenced(text: str, language: str) -> str:
    """The text between fences that are longer than any in it."""
    fence = "`" * max(3, 1 + max(map(len, TICKS.findall(text)), default=0))
    return f"{fence}{language}\n{text}\n{fence}"
