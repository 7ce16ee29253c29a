"""Gives other writers' messages the keys that OpenAI's have: `role` and `content`.

from, value                      ShareGPT
type (human, ai), kwargs, data   LangChain
text, system_prompt              SWE-agent's trajectories as Nebius published them
message, contents                OpenInference
type (gemini)                    Gemini CLI
info, parts                      OpenCode
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from labeling.data.formats.traces.dialects import events
from labeling.data.formats.traces.values import Object, mapping, objects, string

WRAPPERS = ("message", "kwargs", "data", "info")
CONTENTS = ("content", "contents", "parts", "value", "text", "system_prompt")
SILENT = {"info", "warning", "error"}  # what Gemini CLI tells its user
ROLES = {"human", "user", "ai", "assistant", "system", "tool", "gemini"}  # that may stand under `type`
CLASS = ("MessageChunk", "Message")  # how LangChain's classes end


def as_chat(message: Any) -> Any:
    """The message with `role` and `content`; unchanged if it has both, or is no message. An event that says nothing has
    an empty role.
    """
    if events.is_event(message):
        return events.as_message(message)
    if not isinstance(message, dict) or (isinstance(message.get("role"), str) and message.get("content") is not None):
        return message
    wrapped = next(filter(None, (mapping(message.get(key)) for key in WRAPPERS)), Object())
    found = {**message, **wrapped} if _role(wrapped) or _role(message) else message
    if not (role := _role(found)):
        return events.NOTHING if string(message, "type") in SILENT and "content" in message else message
    content = next((found[key] for key in CONTENTS if found.get(key) is not None), None)
    thoughts = [f"{each.get('subject')}\n{each.get('description')}" for each in objects(found.get("thoughts"))]
    return {**found, "role": role, "content": content, **({"thinking": "\n\n".join(thoughts)} if thoughts else {})}


def listed(value: Any) -> list[Any]:
    """The value as a list, which may be JSON in a text; empty if it is no list."""
    found = decoded(value) if isinstance(value, str) and value.lstrip().startswith("[") else value
    return found if isinstance(found, list) else []


def decoded(value: Any) -> Any:
    """The value of JSON in a text; any other value as it is."""
    if not isinstance(value, str):
        return value
    try:
        return msgspec.json.decode(value)
    except msgspec.DecodeError:
        return value


def _role(message: Mapping[str, Any]) -> str:
    if role := string(message, "role", "from"):
        return role
    kind = string(message, "type")
    if kind == "constructor" and isinstance(path := message.get("id"), list) and path:
        kind = str(path[-1])
        kind = next((kind.removesuffix(end) for end in CLASS if kind.endswith(end)), kind).lower()
    return kind if kind in ROLES else ""
