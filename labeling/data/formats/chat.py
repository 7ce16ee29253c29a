"""Chat messages as a problem and its solution: ``{"messages": [{"role": "user", "content": ...}, ...]}``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from labeling.data.formats.fields import FormatError
from labeling.data.formats.notes import Notes

KEYS = ("messages", "conversations", "conversation")
ROLES = {"human": "user", "gpt": "assistant", "model": "assistant", "developer": "system"}


def from_messages(record: dict[str, Any], notes: Notes) -> dict[str, Any]:
    """Returns the record with its question as “problem” and its answer as “text”; unchanged if it has no messages.

    Raises FormatError unless there is one question with one answer. Instructions to the model are left out.
    """
    key = next((key for key in KEYS if _are_messages(record.get(key))), "")
    messages = record[key] if key else _of_two_columns(record)
    if not messages or "problem" in record:
        return record
    turns = [(_role(message), _content(message)) for message in messages]
    spoken = [turn for turn in turns if turn[0] != "system"]
    if [role for role, _ in spoken] != ["user", "assistant"]:
        raise FormatError(f"{key or 'prompt'}: one question with one answer can be read, not {len(spoken)} messages")
    if len(spoken) < len(turns):
        notes.add("system messages left out", len(turns) - len(spoken))
    left = {name: value for name, value in record.items() if name not in {key, "prompt", "completion"}}
    return {**left, "problem": spoken[0][1], "text": spoken[1][1]}


def _of_two_columns(record: Mapping[str, Any]) -> list[Any]:
    prompt, completion = record.get("prompt", ()), record.get("completion", ())
    return [*prompt, *completion] if _are_messages(prompt) and _are_messages(completion) else []


def _are_messages(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) and _role(each) for each in value)


def _role(message: Mapping[str, Any]) -> str:
    role = message.get("role") or message.get("from") or ""
    return ROLES.get(role, role) if isinstance(role, str) else ""


def _content(message: Mapping[str, Any]) -> str:
    """The message's text: the reasoning before the answer, and all parts that are text."""
    content = message.get("content", message.get("value"))
    if isinstance(content, list):
        content = "\n\n".join(part.get("text") or "" for part in content if isinstance(part, dict))
    texts = [message.get("reasoning_content"), content]
    return "\n\n".join(text for text in texts if isinstance(text, str) and text.strip())
