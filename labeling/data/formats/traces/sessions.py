"""Session files of coding agents: JSON Lines of messages, of which a whole file is one trace, read as one record.

A record has the file's lines under `session`. Read are lines that are a message (`role`, `content`), hold one under
`message` (Claude Code and its stream-json, Pi) or `payload` (Codex's `response_item`), or are OpenHands' events. Lines
of one message of the model's (`message.id`) are one turn, as are a response's items. Lines of subagents (`isSidechain`,
`agentId`, `parent_tool_use_id`) become solutions of their own. Lines count from 0 in a part's `at`.

What is kept: all contents, the model's name, the session's id. What is not: lines of other types (summaries, snapshots,
events that say again what a message says), which are counted; token counts, times, `toolUseResult`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import structs

from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.notes import Notes
from labeling.data.formats.solutions import ParsedSolution
from labeling.data.formats.traces.dialects import events
from labeling.data.formats.traces.messages import is_item, parts_of
from labeling.data.formats.traces.solved import solution_of
from labeling.data.formats.traces.values import mapping, objects, string
from labeling.rules.traces.parts import Part

KEY = "session"
IDS = ("sessionId", "session_id")
OF_A_RECORD = {"messages", "problem", "prompt", "question", "steps", "history", "trajectory", "traj", "completions"}
HEADER = {"id", "timestamp", "instructions"}  # of rollouts of Codex's first versions
SPEAKERS = ("user", "assistant")
CLIENT = "<synthetic>"  # the “model” of what Claude Code itself puts among the model's messages, such as errors
PAYLOADS = {"response_item", "message"}
Placed = tuple[int, dict[str, Any]]  # a line's number, from 0, and its message


def parse(record: Record, notes: Notes) -> list[ParsedSolution]:
    """The session's own trace, then its subagents'. Raises FormatError, which names the field."""
    lines = record.get(KEY)
    if not isinstance(lines, list):
        raise FormatError(f"there is no “{KEY}”")
    groups, seen = dict[str, list[Placed]]({"": []}), set[tuple[str, str]]()
    for at, line in enumerate(lines):
        if (message := message_of(line)) is None:
            notes.add(f"lines of type “{_type(line)}”, left out")
            continue
        subagent, uuid = _subagent(line), string(line, "uuid")
        if uuid and (subagent, uuid) in seen:
            notes.add("lines that repeat one before, left out")
            continue
        seen.add((subagent, uuid))
        groups.setdefault(subagent, []).append((at, message))
    session, solve = (
        _session_id(lines),
        partial(solution_of, notes=notes, generator=_model(lines), instruction=_first_asked(lines)),
    )
    found = list[ParsedSolution]()
    for subagent, messages in groups.items():
        name = f"{session}/{subagent}" if subagent else session
        try:
            found.append(solve(_placed_parts(_merged(messages), notes), external_id=name))
        except FormatError:
            if not found and subagent == [*groups][-1]:
                raise
            notes.add("sessions without a turn, left out")
    return found


def unread(_record: Record) -> Iterator[tuple[str, object]]:
    """Yields nothing: `parse` counts the lines that it leaves out."""
    return iter(())


def is_line(line: Mapping[str, Any]) -> bool:
    """Returns whether the object is a line of a session, rather than a record of its own."""
    if not OF_A_RECORD.isdisjoint(line):
        return False
    if message_of(line) is not None or events.is_event(line) or line.keys() >= HEADER:
        return True
    has_session = any(key in line for key in (*IDS, "leafUuid", "parentUuid"))
    is_snapshot = line.get("type") == "file-history-snapshot"
    is_start = string(line, "type") in {"session_meta", "session"} and ("payload" in line or "cwd" in line)
    return isinstance(line.get("type"), str) and (has_session or is_snapshot or is_start)


def message_of(line: Any) -> dict[str, Any] | None:
    """The message that a line is or holds; None for other lines."""
    if not isinstance(line, dict):
        return None
    if events.is_event(line):
        return found if (found := events.as_message(line))["role"] else None
    inner = line.get("message")
    if isinstance(inner, dict):
        found = {"role": line.get("type"), **inner} if line.get("type") in SPEAKERS else inner
        if found.get("model") == CLIENT:
            found = {**found, "role": "system"}
        return found if isinstance(found.get("role"), str) else None
    if isinstance(payload := line.get("payload"), dict):
        return payload if string(line, "type") in PAYLOADS else None
    is_message = isinstance(line.get("role"), str) and ("content" in line or "parts" in line)
    return line if is_message or is_item(line) else None


def _placed_parts(messages: Sequence[Placed], notes: Notes) -> Iterator[tuple[str, Part]]:
    for agent, part in parts_of([message for _, message in messages], KEY, notes):
        yield agent, structs.replace(part, at=messages[part.at or 0][0])


def _merged(messages: Sequence[Placed]) -> list[Placed]:
    """Merges messages with the same id: the first one stays, with the contents of all."""
    found, places = list[Placed](), dict[str, int]()
    for at, message in messages:
        own = message.get("id") if message.get("role") == "assistant" else None
        if not isinstance(own, str) or own not in places:
            if isinstance(own, str):
                places[own] = len(found)
            found.append((at, message))
            continue
        first_at, first = found[places[own]]
        known = _blocks(first)
        content = [*known, *(block for block in _blocks(message) if block not in known)]
        found[places[own]] = (first_at, {**first, "content": content})
    return found


def _blocks(message: Mapping[str, Any]) -> list[Any]:
    content = message.get("content")
    return content if isinstance(content, list) else [content]


def _subagent(line: Mapping[str, Any]) -> str:
    """The name of the subagent that the line is of; empty for the session's own."""
    is_side = bool(line.get("isSidechain"))
    return string(line, "agentId" if is_side else "parent_tool_use_id") or ("subagent" if is_side else "")


def _type(line: Any) -> str:
    return string(mapping(line), "type", "kind", "action", "observation")[:40]


def _session_id(lines: Sequence[Any]) -> str:
    for line in objects(lines):
        start = mapping(line.get("payload")) if line.get("type") == "session_meta" else {}
        start = line if line.keys() >= HEADER or line.get("type") == "session" else start  # Pi's
        if found := string(line, *IDS) or string(start, "id"):
            return found
    return ""


def _first_asked(lines: Sequence[Any]) -> str:
    """A person's first message, if Codex wrote it as an event of its own; else empty."""
    told = (mapping(line.get("payload")) for line in objects(lines) if line.get("type") == "event_msg")
    return next((string(each, "message") for each in told if each.get("type") == "user_message"), "")


def _model(lines: Sequence[Any]) -> str:
    inner = (each for line in objects(lines) for each in (message_of(line), line.get("payload")))
    names = (string(mapping(each), "model") for each in inner)
    return next((name for name in names if name not in {"", CLIENT}), "")
