"""Turns a trace into a solution."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import structs

from labeling.data.formats import fields, nul
from labeling.data.formats.fields import FormatError
from labeling.data.formats.notes import Notes
from labeling.data.formats.solutions import ParsedProblem, ParsedSolution
from labeling.rules.traces import rendering
from labeling.rules.traces.parts import Part, traced
from labeling.rules.words import Markup, PartKind

SYSTEM = "System"
USER = "User"
AGENT = "Agent"
LONGEST = {"generator": 100, "external_id": 200}  # characters of a column
LONGEST_LEVEL = 50
VERDICTS = {0: False, 1: True}


def solution_of(
    parts: Iterable[tuple[str, Part]],
    notes: Notes,
    *,
    problem: ParsedProblem | None = None,
    instruction: str = "",
    **said: Any,
) -> ParsedSolution:
    """Turns parts, each with its agent, into a solution. Empty parts are left out; the model's are counted.

    `problem` has the record's facts about it. If its statement is empty, a person's last message before the first turn
    takes its place, or the `instruction` if nobody asked; what the model said before anybody asked is then a greeting,
    no turn. `said`: other fields of the solution. Raises FormatError if there is no turn, or no statement.
    """
    kept = list[tuple[str, Part]]()
    for agent, part in parts:
        if _says_something(part):
            kept.append((agent, part))
        elif not part.is_context:
            notes.add("empty parts left out")
    kept = _without_nul(kept, notes)
    problem = problem or ParsedProblem("")
    trace = traced(kept if problem.statement.strip() else _after_greeting(kept, notes))
    if not trace.turns:
        raise FormatError("the model says nothing in it")
    statement = (
        problem.statement if problem.statement.strip() else _last_asked(trace.conversation) or instruction.strip()
    )
    if not statement:
        raise FormatError("nothing is asked before the model's first turn")
    for name, longest in LONGEST.items():
        said[name] = _fitting(fields.text(said.get(name)), longest, name, notes)
    level = _fitting(problem.level, LONGEST_LEVEL, "level", notes)
    task = _fitting(problem.external_id, LONGEST["external_id"], "task", notes)
    return ParsedSolution(
        problem=structs.replace(
            problem, statement=statement, level=level, external_id=task, conversation=trace.conversation or None
        ),
        steps=tuple(map(rendering.step_text, trace.turns)),
        turns=trace.turns,
        **{"answer": "", "markup": Markup.MARKDOWN.value, **said},
    )


def _without_nul(parts: list[tuple[str, Part]], notes: Notes) -> list[tuple[str, Part]]:
    """Replaces NUL characters in the parts, from JSON inside a text, where the file's line escaped them twice."""
    encoded = msgspec.json.encode(parts)
    changed = nul.replaced(encoded, notes)
    return parts if changed is encoded else msgspec.json.decode(changed, type=list[tuple[str, Part]])


def _fitting(text: str, longest: int, name: str, notes: Notes) -> str:
    """The text as far as its column holds it; what is cut off is counted."""
    if len(text) > longest:
        notes.add(f"“{name}” cut after {longest} characters")
    return text[:longest]


def verdict(value: Any) -> bool | None:
    """True for 1 or true, False for 0 or false; None for other values."""
    value = fields.whole(value)
    return VERDICTS.get(value) if isinstance(value, int) else None


def as_context(part: Part) -> Part:
    """The model's part as context."""
    if part.kind is PartKind.TEXT:
        return structs.replace(part, kind=PartKind.MESSAGE, name=AGENT, is_context=True)
    return structs.replace(part, is_context=True)


def _after_greeting(parts: list[tuple[str, Part]], notes: Notes) -> list[tuple[str, Part]]:
    """Makes context of a model's greeting before the first person speaks: else all dialogues of one application would
    be about the same problem, its system prompt.
    """
    first = next((at for at, (_, part) in enumerate(parts) if _is_asked(part)), 0)
    own = [part for _, part in parts[:first] if not part.is_context]
    if not own or any(part.kind is not PartKind.TEXT for part in own):
        return parts
    notes.add("greetings before anybody asked, kept as context")
    return [(agent, part if part.is_context else as_context(part)) for agent, part in parts[:first]] + parts[first:]


def _is_asked(part: Part) -> bool:
    return part.is_context and part.kind is PartKind.MESSAGE and part.name != SYSTEM


def _says_something(part: Part) -> bool:
    has_content = part.text.strip() or part.arguments is not None or part.image
    return bool(has_content or part.kind is PartKind.OBSERVATION or (part.name and part.kind is not PartKind.MESSAGE))


def _last_asked(conversation: Iterable[Part]) -> str:
    """The text that serves as the problem's statement: the last message of a person, else of anybody."""
    messages = [part for part in conversation if part.kind is PartKind.MESSAGE and part.text.strip()]
    people = [part for part in messages if part.name != SYSTEM]
    return (people or messages)[-1].text if messages else ""
