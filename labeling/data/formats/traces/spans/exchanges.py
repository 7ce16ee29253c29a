"""Reads a call of a model from its span: the messages that it was given, and those that it answered.

    OpenTelemetry   gen_ai.input.messages, gen_ai.output.messages; older gen_ai.prompt.0, gen_ai.completion.0
                    events: gen_ai.user.message and others, gen_ai.choice
    OpenInference   llm.input_messages, llm.output_messages (Phoenix, TRAIL, smolagents)
    Logfire         request_data, response_data; events, all_messages_events
    AI SDK          ai.prompt.messages, ai.response.text, ai.response.toolCalls
    MLflow          mlflow.spanInputs, mlflow.spanOutputs
    Langfuse        input, output, of observations that are generations
    LangSmith       inputs, outputs, of runs that are of models

MLflow, Langfuse and LangSmith record inputs and outputs of any span: only those of models are read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from labeling.data.formats.traces.dialects.chat import as_chat, decoded
from labeling.data.formats.traces.messages import is_item
from labeling.data.formats.traces.spans.attributes import NAME, value_at
from labeling.data.formats.traces.values import Object, mapping, objects, string

INSTRUCTIONS = ("gen_ai.system_instructions",)
INPUTS = ("gen_ai.input.messages", "gen_ai.prompt", "llm.input_messages", "request_data", "ai.prompt.messages")
OUTPUTS = ("gen_ai.output.messages", "gen_ai.completion", "llm.output_messages", "response_data", "ai.response")
EVENTS = ("events", "all_messages_events")
CHOICE = "gen_ai.choice"
SENT = ("mlflow.spanInputs", "langfuse.observation.input", "input.value", "input", "inputs")
BACK = ("mlflow.spanOutputs", "langfuse.observation.output", "output.value", "output", "outputs")
KINDS = ("openinference.span.kind", "mlflow.spanType", "langfuse.observation.type", "run_type", "span_kind", "type")
OF_MODELS = {"LLM", "CHAT_MODEL", "GENERATION"}
OF_AGENTS = {"AGENT"}
AGENTS = ("gen_ai.agent.name",)
MODELS = (
    *("gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "langfuse.observation.model.name"),
    *("model", "extra.metadata.ls_model_name", "mlflow.llm.model"),
)
READ = (*INSTRUCTIONS, *INPUTS, *OUTPUTS, *AGENTS, *MODELS)
SYSTEM = ("system", "instructions")  # beside the messages that were sent
MESSAGES = ("messages", "input", "choices", "generations", "output", "message")  # in what was sent or came back


def output_of(tree: Object) -> list[Object]:
    """The messages that the model answered; none if no model was called, or they were not recorded."""
    back = value_at(tree, BACK) if kind_of(tree) in OF_MODELS else None
    return (
        _messages(value_at(tree, OUTPUTS), "assistant")
        or [each for event in _events(tree) if _is_answer(event) for each in _told(event)]
        or _messages(back, "assistant")
    )


def input_of(tree: Object) -> list[Object]:
    """The messages that the model was given."""
    told = decoded(value_at(tree, INSTRUCTIONS))
    given = (
        _messages(value_at(tree, INPUTS), "user")
        or [each for event in _events(tree) if not _is_answer(event) for each in _told(event)]
        or _messages(value_at(tree, SENT), "user")
    )
    return [*_system(told), *given]


def kind_of(tree: Object) -> str:
    return str(value_at(tree, KINDS)).strip('"').upper()


def model_of(tree: Object) -> str:
    found = value_at(tree, MODELS)
    return found if isinstance(found, str) else ""


def _events(tree: Object) -> list[Object]:
    return objects(decoded(value_at(tree, EVENTS)))


def _is_answer(event: Object) -> bool:
    return string(event, NAME) == CHOICE or "message" in event


def _told(event: Object) -> list[Object]:
    """The message in an event such as `gen_ai.user.message`."""
    role = "assistant" if _is_answer(event) else (string(event, NAME).split(".")[1:2] or ["user"])[0]
    said = {key: decoded(value) if key == "tool_calls" else value for key, value in event.items() if key != NAME}
    return _messages(event.get("message", said), role)


def _system(told: Any) -> list[Object]:
    return [{"role": "system", "content": told}] if told else []


def _messages(value: Any, role: str) -> list[Object]:
    """The messages in any program's value; of several choices, the first. `role`: for messages without one."""
    value = decoded(value)
    if isinstance(value, list):
        batch = value[0] if value and isinstance(value[0], list) else value
        return [_message(each, role) for each in objects(batch)]
    if isinstance(value, str):
        return [{"role": role, "content": value}] if value.strip() else []
    if not isinstance(value, dict) or not value:
        return []
    if "toolCalls" in value or set(value) <= {"text", "finishReason", "id", "model", "timestamp"}:  # the AI SDK's
        calls = objects(decoded(value.get("toolCalls")))
        return [{"role": role, "content": value.get("text"), "tool_calls": calls}]
    key = next((key for key in MESSAGES if isinstance(value.get(key), list | str | dict) and value[key]), "")
    if not key or string(value, "role", "from"):
        return [_message(value, role)]
    found = _messages(value[key], role)
    told = next((value[name] for name in SYSTEM if value.get(name)), None)
    return [*_system(told), *(found[:1] if key in {"choices", "generations"} else found)]


def _message(value: Object, role: str) -> Object:
    """The message as chat has it."""
    found: Object = as_chat(mapping(value.get("message")) or value)
    if is_item(found):
        return found
    content = found.get("content")
    if isinstance(content, str) and content.lstrip().startswith("[{"):
        found = {**found, "content": decoded(content)}
    return found if isinstance(found.get("role"), str) else {**found, "role": role}


def says_something(message: Mapping[str, Any]) -> bool:
    """Returns whether the message has any content, or is an item that is one, such as a call."""
    return "role" not in message or any(message.get(key) for key in ("content", "tool_calls", "function_call"))
