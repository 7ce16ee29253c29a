"""SWE-agent's `.traj` files: `history[]`, the messages, or `trajectory[]{thought, action, observation}` without it.

A message of the assistant's has its `thought` and its `action`, or `tool_calls`; demonstrations (`is_demo`) are
context. What is kept: thoughts, actions, observations, and what the agent was told. What is not: `info` (with the
submission), `environment`, states, times, `replay_config`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import structs

from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.notes import Notes
from labeling.data.formats.solutions import ParsedProblem, ParsedSolution
from labeling.data.formats.traces.content import Contents
from labeling.data.formats.traces.messages import (
    OF_A_MESSAGE,
    TASKS,
    id_of,
    message_fields,
    own_parts,
    parts_of,
    solution_fields,
)
from labeling.data.formats.traces.solved import USER, solution_of
from labeling.data.formats.traces.values import objects, string
from labeling.rules.traces.parts import Part
from labeling.rules.words import PartKind

READ = {"history", "instance_id", "id", "task_id", "model"}
OF_HISTORY = {
    *(OF_A_MESSAGE - {"index"}),
    *("thought", "action", "message_type", "agent", "tool_call_ids", "thinking_blocks", "is_demo"),
}
OF_TRAJECTORY = {"thought", "action", "observation", "response", "thinking_blocks", "tool_calls", "tool_call_ids"}


def parse(record: Record, notes: Notes) -> list[ParsedSolution]:
    """Parses one record. Raises FormatError, which names the field."""
    key = key_of(record)
    parts = _of_history(record[key], notes) if key == "history" else _of_trajectory(record, notes)
    problem = ParsedProblem("", external_id=string(record, *TASKS))
    return [solution_of(parts, notes, problem=problem, generator=string(record, "model"), external_id=id_of(record))]


def key_of(record: Record) -> str:
    """The key that the messages are under. Raises FormatError if there is none."""
    key = next((key for key in ("history", "trajectory") if isinstance(record.get(key), list) and record[key]), "")
    if not key:
        raise FormatError("there is no “history”")
    return key


def unread(record: Record) -> Iterator[tuple[str, object]]:
    """Yields the fields that are not read. `trajectory` repeats the history."""
    key = key_of(record)
    yield from solution_fields(record, {*READ, "trajectory"})
    yield from message_fields(record[key], key, OF_HISTORY if key == "history" else OF_TRAJECTORY)


def _of_history(history: list[Any], notes: Notes) -> Iterator[tuple[str, Part]]:
    contents = Contents(notes)
    for at, message in enumerate(history):
        if not isinstance(message, dict):
            raise FormatError(f"history[{at}]: it is no message")
        if message.get("role") == "assistant" and not message.get("is_demo"):
            yield from (("", part) for part in _own_parts(message, at, contents))
        elif message.get("is_demo"):
            yield from (("", part) for part in contents.parts(message.get("content"), at, USER))
        else:
            calls = message.get("tool_call_ids")
            told = {"tool_call_id": calls[0], **message} if isinstance(calls, list) and calls else message
            said = parts_of([told], "history", notes, contents)
            yield from ((agent, structs.replace(part, at=at)) for agent, part in said)


def _own_parts(message: Mapping[str, Any], at: int, contents: Contents) -> Iterator[Part]:
    """The thought, and the action as a tool call or as code."""
    thought, action = message.get("thought"), message.get("action")
    if not isinstance(thought, str) and not action:
        yield from own_parts(message, at, contents)
        return
    yield from contents.parts(message.get("thinking_blocks") or [], at)
    if isinstance(thought, str):
        yield Part(kind=PartKind.TEXT, text=thought, at=at)
    if calls := objects(message.get("tool_calls")):
        yield from (contents.call(each, at) for each in calls)
    elif isinstance(action, str):
        yield Part(kind=PartKind.CODE, text=action, at=at)


def _of_trajectory(record: Record, notes: Notes) -> Iterator[tuple[str, Part]]:
    contents = Contents(notes)
    asked = record.get("problem_statement") or record.get("problem") or record.get("question")
    yield from (("", part) for part in contents.parts(asked or record.get("environment"), 0, USER))
    for at, step in enumerate(record["trajectory"]):
        if not isinstance(step, dict):
            raise FormatError(f"trajectory[{at}]: it is no step")
        yield from (("", part) for part in _own_parts(step, at, contents))
        yield from (("", part) for part in contents.result(step.get("observation"), at))
