"""Chat messages with tool calls, as OpenAI's API has them: tau-bench, mini-swe-agent and many others write them.

A record has its messages under `messages`, `traj` or `trajectory`: `{"role": "assistant", "content": ...,
"tool_calls": [{"id", "function": {"name", "arguments"}}]}`, answered by `{"role": "tool", "tool_call_id", "content"}`.
`reward` or `correct` is its verdict, where it is 0 or 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from labeling.data.formats import fields
from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.notes import Notes
from labeling.data.formats.solutions import ParsedSolution
from labeling.data.formats.traces.solved import SYSTEM, USER, solution_of
from labeling.rules.traces.parts import Part
from labeling.rules.words import PartKind

KEYS = ("messages", "traj", "trajectory")
SPEAKERS = {"system": SYSTEM, "developer": SYSTEM, "user": USER}
VERDICTS = {0: False, 1: True}


def parse(record: Record, notes: Notes) -> ParsedSolution:
    """Raises FormatError, which names the field."""
    key = next((key for key in KEYS if isinstance(record.get(key), list)), "")
    if not key:
        raise FormatError("there are no “messages”")
    verdict = fields.whole(record.get("correct", record.get("reward")))
    return solution_of(
        _parts(record[key], key),
        notes,
        generator=fields.text(record.get("generator") or record.get("model")),
        is_correct=VERDICTS.get(verdict) if isinstance(verdict, int) else None,
        external_id=fields.text(record.get("id", record.get("task_id"))),
    )


def _parts(messages: list[Any], key: str) -> Iterator[tuple[str, Part]]:
    names = dict[str, str]()  # of the tools, by the id of their calls
    for at, message in enumerate(messages):
        if not isinstance(message, dict) or not isinstance(role := message.get("role"), str):
            raise FormatError(f"{key}[{at}]: it is no message")
        if role == "assistant":
            yield from (("", part) for part in _own(message, at, names))
        elif role == "tool":
            call = fields.text(message.get("tool_call_id"))
            name = names.get(call) or fields.text(message.get("name"))
            text = _text(message)
            yield "", Part(kind=PartKind.OBSERVATION, name=name, text=text, call=call, is_context=True, at=at)
        else:
            name = SPEAKERS.get(role, role)
            yield "", Part(kind=PartKind.MESSAGE, name=name, text=_text(message), is_context=True, at=at)


def _own(message: Mapping[str, Any], at: int, names: dict[str, str]) -> Iterator[Part]:
    if reasoning := message.get("reasoning_content"):
        yield Part(kind=PartKind.REASONING, text=str(reasoning), at=at)
    if text := _text(message):
        yield Part(kind=PartKind.TEXT, text=text, at=at)
    for called in message.get("tool_calls") or ():
        function, call = called.get("function") or {}, fields.text(called.get("id"))
        names[call] = fields.text(function.get("name"))
        arguments, text = _arguments(function.get("arguments"))
        yield Part(kind=PartKind.TOOL_CALL, name=names[call], arguments=arguments, text=text, call=call, at=at)


def _arguments(given: Any) -> tuple[dict[str, Any] | None, str]:
    """The arguments as an object, or as they came where they are none."""
    if isinstance(given, dict):
        return given, ""
    try:
        return msgspec.json.decode(str(given or "{}"), type=dict[str, Any]), ""
    except msgspec.DecodeError:
        return None, str(given)


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    return content if isinstance(content, str) else ""
