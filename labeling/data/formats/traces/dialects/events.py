"""Events of OpenHands as messages: what was said, an action as a tool call, an observation as its result.

    version 0   `action` with `args`, `observation` with `content`, `tool_call_metadata`, `source`
    version 1   `kind`: SystemPromptEvent, MessageEvent, ActionEvent, ObservationEvent, AgentErrorEvent

Actions of one response of the model's have its id. Events of other kinds, such as changes of state, say nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from labeling.data.formats.traces.values import Object, mapping, objects, string

NOTHING: Object = {"role": "", "content": None}
SILENT = {"change_agent_state", "recall", "condensation", "condensation_request", "null", "start"}
SAID = {"message", "system"}
ENDS = ("Event", "Condensation")


def is_event(value: Any) -> bool:
    """Returns whether the value is an event of OpenHands, of either version."""
    if not isinstance(value, dict) or "role" in value:
        return False
    is_action = isinstance(value.get("action"), str) and isinstance(value.get("args"), dict)
    is_observation = isinstance(value.get("observation"), str) and "content" in value
    return is_action or is_observation or ("source" in value and string(value, "kind").endswith(ENDS))


def as_message(event: Mapping[str, Any]) -> Object:
    """The event as a message; NOTHING if it says nothing."""
    if "kind" in event:
        return _of_version_1(event)
    called = mapping(event.get("tool_call_metadata"))
    if isinstance(event.get("action"), str):
        return _action(event, called)
    if not event.get("content") and not called:
        return NOTHING
    extras = mapping(event.get("extras"))
    is_error = event.get("observation") == "error" or bool(extras.get("error"))
    return _result(
        event.get("content"), string(called, "tool_call_id"), string(event, "observation"), is_error=is_error
    )


def _action(event: Mapping[str, Any], called: Object) -> Object:
    """The message, or the tool call as the model wrote it, if its response was kept."""
    action, args, is_users = string(event, "action"), mapping(event.get("args")), event.get("source") == "user"
    if action in SILENT:
        return NOTHING
    if action in SAID:
        role = "system" if action == "system" else "user" if is_users else "assistant"
        return {"role": role, "content": args.get("content") or event.get("message")}
    response = mapping(called.get("model_response"))
    written = [call for each in objects(response.get("choices")) for call in _calls(each)]
    place = string(called, "tool_call_id")
    call = next((each for each in written if place and string(each, "id") == place), {})
    given = {key: value for key, value in args.items() if key != "thought"}
    named = {"type": "tool_call", "id": place, "name": string(called, "function_name") or action, "arguments": given}
    content = [{"type": "text", "text": string(args, "thought")}, {**named, **call, "type": "tool_call"}]
    return {"role": "user" if is_users else "assistant", "content": content, **_of_response(response)}


def _calls(choice: Object) -> list[Object]:
    return objects(mapping(choice.get("message")).get("tool_calls"))


def _of_response(response: Object) -> Object:
    return {key: response[key] for key in ("id", "model") if isinstance(response.get(key), str)}


def _of_version_1(event: Mapping[str, Any]) -> Object:
    said, call = mapping(event.get("llm_message")), string(event, "tool_call_id")
    match string(event, "kind"):
        case "SystemPromptEvent":
            return {"role": "system", "content": [event.get("system_prompt")]}
        case "MessageEvent":
            is_agents = event.get("source") == "agent"
            return {"role": "assistant" if is_agents else "user", **said}
        case "ActionEvent":
            written = mapping(event.get("tool_call"))
            named = {"id": call, "name": string(event, "tool_name"), "arguments": event.get("action")}
            thoughts = [*objects(event.get("thinking_blocks")), *objects(event.get("thought"))]
            content = [*thoughts, {**named, **written, "type": "tool_call"}]
            found = {"role": "assistant", "content": content, "id": event.get("llm_response_id")}
            return {**found, "reasoning_content": event.get("reasoning_content")}
        case "ObservationEvent":
            given = event.get("observation")
            result = mapping(given).get("content", mapping(given).get("output", given))
            is_error = mapping(given).get("is_error") is True
            return _result(result, call, string(event, "tool_name"), is_error=is_error)
        case "AgentErrorEvent":
            return _result(event.get("error"), call, string(event, "tool_name"), is_error=True)
    return NOTHING


def _result(content: Any, call: str, name: str, *, is_error: bool) -> Object:
    return {"role": "tool", "content": content, "tool_call_id": call, "name": name, "is_error": is_error}
