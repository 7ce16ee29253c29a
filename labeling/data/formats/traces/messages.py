"""Chat messages with tool calls, as OpenAI's and Anthropic's APIs have them: tau-bench, mini-swe-agent and many others.

A record has its messages under `messages`, `traj`, `trajectory` or `conversation`. OpenAI's are `{"role": "assistant",
"content", "reasoning_content", "tool_calls": [{"id", "function": {"name", "arguments"}}]}`, answered by `{"role":
"tool", "tool_call_id", "content"}`; Anthropic's have blocks such as `tool_use` and, in the user's messages,
`tool_result`; its system prompt stands beside the messages. Items of OpenAI's Responses (`function_call`,
`function_call_output`) may stand among them. `reward` or `correct` is the verdict, where it is 0 or 1.

What is kept: all contents (see `content`), who said them, the calls and their results. What is not: token counts,
times, and every other field.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.notes import Notes
from labeling.data.formats.solutions import ParsedProblem, ParsedSolution
from labeling.data.formats.traces.content import CALLS, REASONING, RESULTS, Contents
from labeling.data.formats.traces.solved import SYSTEM, USER, solution_of, verdict
from labeling.data.formats.traces.values import OURS, mapping, objects, string
from labeling.rules.traces.parts import Part
from labeling.rules.words import PartKind

KEYS = ("messages", "traj", "trajectory", "conversation")
SPEAKERS = {"system": SYSTEM, "developer": SYSTEM, "user": USER, "human": USER}
OWN = {"assistant", "model", "ai"}
TOOLS = {"tool", "function", "toolResult", "tool_result", "ipython", "environment"}
THOUGHTS = ("reasoning_content", "reasoning", "thinking")
OF_A_MESSAGE = {
    *("role", "content", "tool_calls", "tool_call_id", "name", "type", "call_id", "id", "index", "is_error", "error"),
    *("toolCallId", "toolName", "isError"),
    *("function_call", "arguments", "output", "summary", "refusal", *THOUGHTS),
}
IDS = ("id", "record_id", "trajectory_id", "traj_id", "instance_id", "task_id", "conversation_id", "session_id")
READ = {*IDS, "system", "generator", "model", "model_name", "correct", "reward", "question", "problem"}


def parse(record: Record, notes: Notes) -> list[ParsedSolution]:
    """Raises FormatError, which names the field."""
    key = key_of(record)
    system = record.get("system")
    parts = [*Contents(notes).parts(system, 0, SYSTEM)] if system else []
    given = [("", part) for part in parts]
    return [
        solution_of(
            [*given, *parts_of(record[key], key, notes)],
            notes,
            problem=ParsedProblem(string(record, "question", "problem")),
            generator=string(record, "generator", "model", "model_name") or _model(record),
            is_correct=verdict(record.get("correct", record.get("reward"))),
            external_id=id_of(record),
        )
    ]


def unread(record: Record) -> Iterator[tuple[str, object]]:
    """Yields the record's fields that are not read, and those of its messages."""
    key = key_of(record)
    yield from solution_fields(record, {*READ, key})
    yield from message_fields(record[key], key)


def solution_fields(record: Record, read: set[str]) -> Iterator[tuple[str, object]]:
    """Yields the fields that are not among those that are read; empty ones are no loss."""
    read = {*read, OURS}
    yield from ((name, value) for name, value in record.items() if name not in read and value not in (None, "", [], {}))


def message_fields(messages: list[Any], key: str, read: set[str] = OF_A_MESSAGE) -> Iterator[tuple[str, object]]:
    """Yields the fields of the messages that are not read, each once."""
    found = dict[str, object]()
    for message in objects(messages):
        for name, value in message.items():
            if name not in read and value not in (None, "", [], {}):
                found.setdefault(f"{key}.{name}", value)
    yield from found.items()


def key_of(record: Record) -> str:
    """The key that the messages are under. Raises FormatError if there is none."""
    key = next((key for key in KEYS if isinstance(record.get(key), list) and record[key]), "")
    if not key:
        raise FormatError("there are no “messages”")
    return key


def id_of(record: Record) -> str:
    """The record's own name for its trace."""
    return string(record, *IDS)


def parts_of(
    messages: list[Any], key: str, notes: Notes, contents: Contents | None = None
) -> Iterator[tuple[str, Part]]:
    """The parts of the messages, which count from 0. Raises FormatError for what is no message."""
    contents = contents or Contents(notes)
    for at, message in zip(_places(messages), messages, strict=True):
        role = message.get("role") if isinstance(message, dict) else None
        if not isinstance(role, str) and not (isinstance(message, dict) and _is_item(message)):
            raise FormatError(f"{key}[{at}]: it is no message")
        if role is None:
            yield from (("", part) for part in _of_item(message, at, contents))
        elif role in OWN:
            yield from ((string(message, "name"), part) for part in own_parts(message, at, contents))
        elif role in TOOLS:
            yield from (("", part) for part in _result(message, at, contents))
        else:
            yield from (("", part) for part in contents.parts(message.get("content"), at, SPEAKERS.get(role, role)))


def _places(messages: list[Any]) -> list[int]:
    """The place of each message; the items of one response, which follow one another, are at the first one's."""
    places = list[int]()
    for at, message in enumerate(messages):
        goes_on = at > 0 and _is_own_item(message) and _is_own_item(messages[at - 1])
        places.append(places[-1] if goes_on else at)
    return places


def own_parts(message: Mapping[str, Any], at: int, contents: Contents) -> Iterator[Part]:
    """The parts of a message of the model's: its reasoning, its text, its calls."""
    thought = next((message[key] for key in THOUGHTS if message.get(key)), None)
    if isinstance(thought, str):
        yield Part(kind=PartKind.REASONING, text=thought, at=at)
    yield from contents.parts(message.get("content"), at)
    if refusal := message.get("refusal"):
        yield from contents.parts(refusal, at)
    old = message.get("function_call")  # OpenAI's before tool_calls
    for called in objects([*objects(message.get("tool_calls")), old]):
        yield contents.call(called, at)


def _result(message: Mapping[str, Any], at: int, contents: Contents) -> Iterator[Part]:
    content = message.get("content")
    if any(string(each, "type") in RESULTS for each in objects(content)):
        yield from contents.parts(content, at, "")
        return
    call, name = string(message, "tool_call_id", "toolCallId"), string(message, "name", "function", "toolName")
    is_error = True in (message.get("is_error"), message.get("isError")) or bool(message.get("error"))
    yield from contents.result(content or _error(message), at, call=call, name=name, is_error=is_error)


def _error(message: Mapping[str, Any]) -> Any:
    error = message.get("error")
    return mapping(error).get("message", error)


def _is_item(message: Mapping[str, Any]) -> bool:
    return string(message, "type") in CALLS | RESULTS | REASONING or isinstance(message.get("output"), list)


def _is_own_item(message: Any) -> bool:
    """Returns whether it is an item of a model's response, rather than what came in between."""
    kind, role = string(mapping(message), "type"), string(mapping(message), "role")
    return kind in CALLS | REASONING or (kind == "message" and role in OWN)


def _of_item(item: Mapping[str, Any], at: int, contents: Contents) -> Iterator[Part]:
    output = item.get("output")
    if string(item, "type") not in RESULTS and isinstance(output, list):  # a whole response
        for each in objects(output):
            yield from own_parts(each, at, contents) if string(each, "role") in OWN else contents.parts([each], at)
    else:
        yield from contents.parts([item], at)


def _model(record: Record) -> str:
    """mini-swe-agent's place for the name of the model."""
    config = mapping(mapping(record.get("info")).get("config"))
    return string(mapping(config.get("model")), "model_name")
