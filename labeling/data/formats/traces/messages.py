"""Chat messages with tool calls, as OpenAI's and Anthropic's APIs have them: tau-bench, mini-swe-agent and many others.

A record has its messages under one of KEYS, as a list or as JSON in a text. OpenAI's are `{"role": "assistant",
"content", "reasoning_content", "tool_calls": [{"id", "function": {"name", "arguments"}}]}`, answered by `{"role":
"tool", "tool_call_id", "content"}`; Anthropic's have blocks such as `tool_use` and, in the user's messages,
`tool_result`; its system prompt stands beside the messages. Items of OpenAI's Responses (`function_call`,
`function_call_output`) may stand among them; of other writers' messages see `dialects`. `correct`, `reward` or
`resolved` is the verdict, where it is 0 or 1, as is tau2-bench's `reward_info.reward`.

What is kept: all contents (see `content`), who said them, the calls and their results. What is not: token counts,
times, and every other field.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import structs

from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.notes import Notes
from labeling.data.formats.solutions import ParsedProblem, ParsedSolution
from labeling.data.formats.traces.content import REASONING, Contents, is_call, is_result
from labeling.data.formats.traces.dialects.chat import as_chat, listed
from labeling.data.formats.traces.solved import SYSTEM, USER, solution_of, verdict
from labeling.data.formats.traces.values import OURS, mapping, objects, string
from labeling.rules.traces.parts import Part
from labeling.rules.words import PartKind

KEYS = ("messages", "traj", "trajectory", "conversation", "conversations", "history")
SPEAKERS = {"system": SYSTEM, "developer": SYSTEM, "user": USER, "human": USER}
OWN = {"assistant", "model", "ai", "gpt", "gemini"}
TOOLS = {"tool", "function", "toolResult", "tool_result", "ipython", "environment", "observation", "tool-response"}
THOUGHTS = ("reasoning_content", "reasoning", "thinking")
OF_A_MESSAGE = {
    *("role", "content", "tool_calls", "tool_call_id", "name", "type", "call_id", "id", "index", "is_error", "error"),
    *("toolCallId", "toolName", "isError"),
    *("function_call", "arguments", "output", "summary", "refusal", *THOUGHTS),
    *("model", "info", "from", "value", "text", "system_prompt", "parts", "toolCalls"),
}
IDS = (
    "id",
    "record_id",
    "trajectory_id",
    "traj_id",
    "instance_id",
    "task_id",
    "conversation_id",
    "session_id",
    "sessionId",
)
TASKS = ("task_id", "instance_id")
INSTRUCTIONS = ("instruction", "task", "prompt")  # what was asked, if no message says it
VERDICTS = ("correct", "reward", "resolved", "reward_info")
READ = {*IDS, "system", "generator", "model", "model_name", "question", "problem", *VERDICTS}


def parse(record: Record, notes: Notes) -> list[ParsedSolution]:
    """Parses one record. Raises FormatError, which names the field."""
    key = key_of(record)
    system = record.get("system")
    parts = [*Contents(notes).parts(system, 0, SYSTEM)] if system else []
    given = [("", part) for part in parts]
    return [
        solution_of(
            [*given, *parts_of(listed(record[key]), key, notes)],
            notes,
            problem=ParsedProblem(string(record, "question", "problem"), external_id=string(record, *TASKS)),
            instruction=string(record, *INSTRUCTIONS),
            generator=string(record, "generator", "model", "model_name") or _model(record),
            is_correct=_verdict_of(record),
            external_id=id_of(record),
        )
    ]


def unread(record: Record) -> Iterator[tuple[str, object]]:
    """Yields the record's fields that are not read, and those of its messages."""
    key = key_of(record)
    yield from solution_fields(record, {*READ, key})
    yield from message_fields(listed(record[key]), key)


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
    key = next((key for key in KEYS if listed(record.get(key))), "")
    if not key:
        raise FormatError("there are no “messages”")
    return key


def id_of(record: Record) -> str:
    """The id that the record gives its trace; empty if none."""
    return string(record, *IDS)


def parts_of(
    messages: list[Any], key: str, notes: Notes, contents: Contents | None = None
) -> Iterator[tuple[str, Part]]:
    """Yields the parts of the messages, counted from 0, with their agents. Raises FormatError for a non-message."""
    contents, messages = contents or Contents(notes), [as_chat(each) for each in messages]
    for at, message in zip(_places(messages), messages, strict=True):
        if not isinstance(message, dict):
            raise FormatError(f"{key}[{at}]: it is no message")
        role = message.get("role")
        if not isinstance(role, str):
            if not is_item(message) and not isinstance(message.get("output"), list):
                raise FormatError(f"{key}[{at}]: it is no message")
            yield from (("", part) for part in _of_item(message, at, contents))
        elif not role:
            contents.notes.add("events that say nothing, left out")
        elif role in OWN:
            yield from ((string(message, "name"), part) for part in own_parts(message, at, contents))
        elif role in TOOLS:
            yield from (("", part) for part in _result(message, at, contents))
        else:
            yield from (("", part) for part in _others(message, at, contents))


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
    yield from _calls(message, at, contents)


def _others(message: Mapping[str, Any], at: int, contents: Contents) -> Iterator[Part]:
    """The parts of anybody else's message; they may call tools, too, as simulated users do."""
    role = message["role"]
    yield from contents.parts(message.get("content"), at, SPEAKERS.get(role, role))
    yield from (structs.replace(part, is_context=True) for part in _calls(message, at, contents))


def _calls(message: Mapping[str, Any], at: int, contents: Contents) -> Iterator[Part]:
    """The calls, each with its result, where that stands in the call."""
    old = message.get("function_call")  # OpenAI's before tool_calls
    for called in objects([*objects(message.get("tool_calls") or message.get("toolCalls")), old]):
        part = contents.call(called, at)
        yield part
        if result := called.get("result"):
            yield from contents.result(result, at, call=part.call)


def _result(message: Mapping[str, Any], at: int, contents: Contents) -> Iterator[Part]:
    content = message.get("content")
    if any(is_result(string(each, "type")) for each in objects(content)):
        yield from contents.parts(content, at, "")
        return
    ids = [string(message, key) for key in ("tool_call_id", "toolCallId", "id")]
    call = next((each for each in ids if each in contents.names), ids[0] or ids[1])
    name = string(message, "name", "function", "toolName")
    is_error = True in (message.get("is_error"), message.get("isError")) or bool(message.get("error"))
    yield from contents.result(content or _error(message), at, call=call, name=name, is_error=is_error)


def _error(message: Mapping[str, Any]) -> Any:
    error = message.get("error")
    return mapping(error).get("message", error)


def is_item(message: Mapping[str, Any]) -> bool:
    """Returns whether the message is an item of OpenAI's Responses instead."""
    kind = string(message, "type")
    return is_call(kind) or is_result(kind) or kind in REASONING


def _is_own_item(message: Any) -> bool:
    """Returns whether the message is an item of a model's response, rather than context."""
    kind, role = string(mapping(message), "type"), string(mapping(message), "role")
    return is_call(kind) or kind in REASONING or (kind == "message" and role in OWN)


def _of_item(item: Mapping[str, Any], at: int, contents: Contents) -> Iterator[Part]:
    output = item.get("output")
    kind = string(item, "type")
    if not (is_result(kind) or is_call(kind)) and isinstance(output, list):  # a whole response
        for each in objects(output):
            yield from own_parts(each, at, contents) if string(each, "role") in OWN else contents.parts([each], at)
    else:
        yield from contents.parts([item], at)


def _verdict_of(record: Record) -> bool | None:
    value = next((record[key] for key in VERDICTS if record.get(key) is not None), None)
    return verdict(value.get("reward") if isinstance(value, dict) else value)


def _model(record: Record) -> str:
    """The model's name, from where mini-swe-agent or OpenHands puts it, or from the messages."""
    config = mapping(mapping(record.get("info")).get("config"))
    metadata = mapping(record.get("metadata"))
    used = mapping(metadata.get("llm_config") or metadata.get("llm"))
    if found := string(mapping(config.get("model")), "model_name") or string(used, "model"):
        return found
    said = objects([as_chat(each) for each in listed(record[key_of(record)])])
    return next(filter(None, (string(each, "model", "modelID") for each in said)), "")
