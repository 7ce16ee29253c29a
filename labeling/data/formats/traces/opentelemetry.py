"""Spans of OpenTelemetry's conventions for generative AI: OTLP's JSON, or spans one after another, read as one record.

A record has OTLP's `resourceSpans`, or the file's spans under `spans`. Each trace becomes a solution, of its spans with
`gen_ai.output.messages` in the order of their start: of each span's messages those that its agent
(`gen_ai.agent.name`) had not had, then what the model answered. Messages are JSON under `gen_ai.input.messages`,
`gen_ai.output.messages` and `gen_ai.system_instructions`, of spans or of their events, or flat attributes
(`gen_ai.prompt.0.content`), as OpenLLMetry writes them. A part's `at` counts a trace's messages in this order.

What is kept: all contents, the agents' names, the model, the trace's id. What is not: spans without messages, which are
counted, times, token counts, and every other attribute.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.notes import Notes
from labeling.data.formats.solutions import ParsedSolution
from labeling.data.formats.traces.content import Contents
from labeling.data.formats.traces.messages import parts_of
from labeling.data.formats.traces.solved import solution_of
from labeling.data.formats.traces.values import mapping, objects, string
from labeling.rules.traces.parts import Part

KEY = "spans"
OTLP = "resourceSpans"
INSTRUCTIONS, INPUT, OUTPUT = "gen_ai.system_instructions", "gen_ai.input.messages", "gen_ai.output.messages"
PROMPT, COMPLETION = "gen_ai.prompt.", "gen_ai.completion."
AGENT = "gen_ai.agent.name"
MODELS = ("gen_ai.response.model", "gen_ai.request.model")
Span = Mapping[str, Any]
Attributes = dict[str, Any]
Said = tuple[str, dict[str, Any], Span]  # the agent, the message, the span that it is in


def parse(record: Record, notes: Notes) -> list[ParsedSolution]:
    """The solution of each trace. Raises FormatError if none has a message of a model's."""
    return [_solution(trace, spans, notes) for trace, spans in _traces(record, notes).items()]


def spans_of_messages(record: Record) -> list[list[Span]]:
    """The span of each message that `parse` counts, of each of its solutions."""
    return [[span for _, _, span in _said(spans)] for spans in _traces(record, Notes()).values()]


def _traces(record: Record, notes: Notes) -> dict[str, list[tuple[Attributes, Span]]]:
    """The spans with a model's messages, by trace. Raises FormatError if there are none."""
    traces = defaultdict[str, list[tuple[Attributes, Span]]](list)
    for span in sorted(spans_of(record), key=_start):
        attributes = _attributes(span)
        if _output(attributes):
            traces[trace_id(span)].append((attributes, span))
        else:
            notes.add("spans without a model's messages, left out")
    if not traces:
        raise FormatError(f"no span has “{OUTPUT}”: the contents of messages were not recorded")
    return traces


def unread(record: Record) -> Iterator[tuple[str, object]]:
    """Yields the attributes of generative AI that are not read, each once."""
    found = dict[str, object]()
    read = {INSTRUCTIONS, INPUT, OUTPUT, AGENT, *MODELS}
    for span in spans_of(record):
        for name, value in _attributes(span).items():
            if name.startswith("gen_ai.") and name not in read and not name.startswith((PROMPT, COMPLETION)):
                found.setdefault(name, value)
    yield from found.items()


def is_span(record: Mapping[str, Any]) -> bool:
    """Returns whether it is one span, rather than a record of its own."""
    place = mapping(record.get("context")) or record
    has_ids = any(key in place for key in ("trace_id", "traceId")) and any(
        key in place for key in ("span_id", "spanId")
    )
    return has_ids and isinstance(record.get("attributes"), dict | list)


def spans_of(record: Record) -> list[Span]:
    """The record's spans, in its order. Raises FormatError."""
    if isinstance(record.get(KEY), list):
        return [*objects(record[KEY])]
    if not isinstance(record.get(OTLP), list):
        raise FormatError(f"there is neither “{OTLP}” nor “{KEY}”")
    scopes = (scope for each in objects(record[OTLP]) for scope in objects(each.get("scopeSpans")))
    return [span for scope in scopes for span in objects(scope.get("spans"))]


def trace_id(span: Span) -> str:
    return string(mapping(span.get("context")) or span, "traceId", "trace_id")


def _start(span: Span) -> str:
    start = string(span, "startTimeUnixNano", "start_time", "startTime")
    return start.rjust(30, "0") if start.isdigit() else start


def _attributes(span: Span) -> Attributes:
    """The span's attributes, and those of its events."""
    holders = [*objects(span.get("events")), span]
    return {name: value for each in holders for name, value in _plain(each.get("attributes")).items()}


def _plain(attributes: Any) -> Attributes:
    if isinstance(attributes, list):
        return {string(each, "key"): _value(each.get("value")) for each in objects(attributes)}
    return mapping(attributes)


def _value(value: Any) -> Any:
    """The value of OTLP's `{"stringValue": ...}` and its like."""
    if not isinstance(value, dict) or len(value) != 1:
        return value
    kind, inner = next(iter(value.items()))
    if kind == "arrayValue":
        return [_value(each) for each in objects(mapping(inner).get("values"))]
    return _plain(mapping(inner).get("values")) if kind == "kvlistValue" else inner


def _solution(trace: str, spans: Sequence[tuple[Attributes, Span]], notes: Notes) -> ParsedSolution:
    model = next(filter(None, (string(each, *MODELS) for each, _ in spans)), "")
    return solution_of(_parts(_said(spans), notes), notes, generator=model, external_id=trace)


def _said(spans: Sequence[tuple[Attributes, Span]]) -> list[Said]:
    """The messages in their order, each once for each agent."""
    agents = {string(each, AGENT) for each, _ in spans}
    said, held = list[Said](), defaultdict[str, Counter[bytes]](Counter)
    for attributes, span in spans:
        agent = string(attributes, AGENT)
        given = [*_instructions(attributes), *_input(attributes), *_output(attributes)]
        said += [(agent if len(agents) > 1 else "", each, span) for each in _new(given, held[agent])]
    return said


def _new(messages: Sequence[dict[str, Any]], held: Counter[bytes]) -> Iterator[dict[str, Any]]:
    """The messages that were not held before, which are held from now on; equal ones count as often as they come."""
    seen = Counter[bytes]()
    for message in messages:
        key = msgspec.json.encode(message)
        seen[key] += 1
        if seen[key] > held[key]:
            held[key] += 1
            yield message


def _parts(said: Sequence[Said], notes: Notes) -> Iterator[tuple[str, Part]]:
    for _, part in parts_of([message for _, message, _ in said], "messages", notes, Contents(notes)):
        yield said[part.at or 0][0], part


def _instructions(attributes: Attributes) -> list[dict[str, Any]]:
    found = _decoded(attributes.get(INSTRUCTIONS))
    return [{"role": "system", "content": found}] if found else []


def _input(attributes: Attributes) -> list[dict[str, Any]]:
    return _messages(attributes.get(INPUT)) or _flat(attributes, PROMPT)


def _output(attributes: Attributes) -> list[dict[str, Any]]:
    return _messages(attributes.get(OUTPUT)) or _flat(attributes, COMPLETION)


def _messages(value: Any) -> list[dict[str, Any]]:
    """The messages as chat has them; of several choices, the first."""
    given = objects(_decoded(value))
    return [
        {"role": string(each, "role") or "assistant", "content": each.get("parts", each.get("content"))}
        for each in given
    ]


def _decoded(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return msgspec.json.decode(value)
    except msgspec.DecodeError:
        return value


def _flat(attributes: Attributes, prefix: str) -> list[dict[str, Any]]:
    """Messages from attributes such as `gen_ai.prompt.0.tool_calls.1.name`."""
    found = defaultdict[int, dict[str, Any]](dict)
    for name, value in attributes.items():
        number, _, path = name.removeprefix(prefix).partition(".")
        if not name.startswith(prefix) or not number.isdecimal() or len(number) > 6:
            continue
        message, (key, *inner) = found[int(number)], path.split(".")
        if key == "tool_calls" and len(inner) == 2:
            message.setdefault(key, {}).setdefault(inner[0], {})[inner[1]] = value
        else:
            message[key] = _decoded(value) if key == "content" else value
    default = "assistant" if prefix == COMPLETION else "user"
    return [
        {"role": default, **found[number], "tool_calls": [*found[number].get("tool_calls", {}).values()]}
        for number in sorted(found)
    ]
