"""Rebuilds a trace's chat messages from its turns, and gives the rating of each turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from labeling.data.formats.traces.solved import SYSTEM, USER
from labeling.rules.labelled import Labelled
from labeling.rules.traces import rendering
from labeling.rules.traces.parts import Part, Turn
from labeling.rules.words import PartKind

Message = dict[str, Any]
ORDER = (PartKind.REASONING, PartKind.TEXT, PartKind.TOOL_CALL)  # of OpenAI's messages
ROLES = {SYSTEM: "system", USER: "user"}


def messages(labelled: Labelled) -> tuple[list[Message], list[int]]:
    """Returns the messages, and the index of each turn's own. Plain texts give the problem, and a message a step.

    Messages keep the places that they had in their file, if these are known: empty messages fill the gaps.
    """
    found, places = list[Message](), list[int]()
    turns = labelled.turns or [Turn((Part(kind=PartKind.TEXT, text=text),)) for text in labelled.solution_steps]
    asked = [Part(kind=PartKind.MESSAGE, name=USER, text=labelled.problem, is_context=True)]
    _add_context(found, labelled.conversation or ([] if labelled.turns else asked))
    for turn in turns:
        _fill(found, turn.at)
        places.append(len(found))
        found.append(_own_message(turn))
        _add_context(found, turn.context)
    return found, places


def ratings(labelled: Labelled) -> dict[int, int]:
    """The ratings of the solution's own steps, by step; unsure ones have none."""
    own = (item for item in labelled.completions if item.number == 0 and not item.is_human)
    return {item.step: item.rating for item in own if item.rating is not None}


def has_other_speakers(labelled: Labelled) -> bool:
    """Returns whether the labelling's context has messages of others than users and the system."""
    context = [*labelled.conversation, *(part for turn in labelled.turns for part in turn.context)]
    return any(part.kind is PartKind.MESSAGE and part.name not in ROLES for part in context)


def _fill(found: list[Message], at: int | None) -> None:
    while at is not None and len(found) < at:
        found.append({"role": "system", "content": ""})


def _add_context(found: list[Message], parts: Sequence[Part]) -> None:
    for group in _others_said(parts):
        _fill(found, group[0].at)
        found.append(_result(group) if group[0].kind is PartKind.OBSERVATION else _spoken(group))


def _others_said(parts: Sequence[Part]) -> list[list[Part]]:
    """Groups parts of the context by message: each text or result with the images after it."""
    groups = list[list[Part]]()
    for part in parts:
        if not groups or part.kind in {PartKind.MESSAGE, PartKind.OBSERVATION}:
            groups.append([part])
        else:
            groups[-1].append(part)
    return groups


def _spoken(group: Sequence[Part]) -> Message:
    name = group[0].name if group[0].kind is PartKind.MESSAGE else USER
    return {"role": ROLES.get(name) or name or "user", "content": _content(group)}


def _result(group: Sequence[Part]) -> Message:
    first = group[0]
    said = {"tool_call_id": first.call} if first.call else {}
    error = {"is_error": True} if first.is_error else {}
    return {"role": "tool", **said, "name": first.name, "content": _content(group), **error}


def _own_message(turn: Turn) -> Message:
    """The model's message; its text has all parts if they are not in OpenAI's order."""
    parts = turn.own
    said = {"role": "assistant"} | ({"name": turn.agent} if turn.agent else {})
    order = [ORDER.index(part.kind) if part.kind in ORDER else 1 for part in parts]
    if order != sorted(order) or order.count(0) > 1:
        return {**said, "content": _content(parts)}
    texts = [part for part, place in zip(parts, order, strict=True) if place == 1]
    calls = [_call(part) for part in parts if part.kind is PartKind.TOOL_CALL]
    thought = {"reasoning_content": parts[0].text} if order[:1] == [0] else {}
    return {**said, **thought, "content": _content(texts)} | ({"tool_calls": calls} if calls else {})


def _content(parts: Sequence[Part]) -> str:
    """Joins the parts into one text, in every message: a data frame's column of texts holds nothing else."""
    return "\n\n".join(map(_text_of, parts))


def _text_of(part: Part) -> str:
    if part.kind in {PartKind.TEXT, PartKind.MESSAGE, PartKind.OBSERVATION}:
        return part.text
    return rendering.step_text(Turn((msgspec.structs.replace(part, is_context=False),)))


def _call(part: Part) -> Message:
    given = part.text if part.arguments is None else msgspec.json.encode(part.arguments).decode()
    return {"id": part.call, "type": "function", "function": {"name": part.name, "arguments": given}}
