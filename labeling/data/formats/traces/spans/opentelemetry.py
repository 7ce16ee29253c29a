"""Spans of calls of models, as OpenTelemetry, OpenInference, MLflow, Langfuse and LangSmith export them.

A record has OTLP's `resourceSpans`, or its spans under a key of KEYS, perhaps under `data` or `trace`; a file of spans
one after another is one record, which has them under `spans`. Each trace becomes a solution, of its spans with a
model's answer in the order of their start: of each span's messages those that its agent had not had, then what the
model answered. `exchanges` finds them in a span. The agent is `gen_ai.agent.name`, or that of the nearest agent's span
around it. A part's `at` counts a trace's messages in this order.

What is kept: all contents, the agents' names, the model, the trace's id. What is not: spans without a model's answer,
which are counted, times, token counts, and every other attribute.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import structs

from labeling.data.formats.fields import FormatError, Record, Row
from labeling.data.formats.notes import Notes
from labeling.data.formats.solutions import ParsedSolution
from labeling.data.formats.traces.content import Contents
from labeling.data.formats.traces.dialects.chat import decoded
from labeling.data.formats.traces.messages import parts_of, solution_fields
from labeling.data.formats.traces.solved import solution_of
from labeling.data.formats.traces.spans import attributes, exchanges
from labeling.data.formats.traces.values import Object, mapping, objects, string
from labeling.rules.traces.parts import Part
from labeling.rules.words import PartKind

KEY = "spans"
OTLP = "resourceSpans"
RUN = "run_type"  # LangSmith's; a run has those that it started under `child_runs`
KEYS = {KEY: "", "observations": "type", "runs": RUN}  # of lists, each with a key that its spans have
WITHIN = ("child_spans", "child_runs")
READ = {OTLP, *KEYS, "data", "trace", "input", "id", "trace_id"}
NAMES = ("agent.name", "graph.node.id", "name", "span_name")  # of the spans of agents
SPANS, PARENTS = (
    ("spanId", "span_id", "id"),
    ("parentSpanId", "parent_span_id", "parent_id", "parentObservationId", "parent_run_id"),
)
TRACES = ("traceId", "trace_id")
STARTS = ("startTimeUnixNano", "start_time_unix_nano", "start_time_ns", "start_time", "startTime", "timestamp")
OF_MODELS = ("gen_ai.", "llm.")  # prefixes of the attributes that `unread` lists
PLACE = re.compile(r"\.\d+(?=\.|$)")
Span = Object


class Call(NamedTuple):
    """A call of a model: the span that it is in, its attributes as a tree, its agent."""

    span: Span
    tree: Object
    agent: str


Said = tuple[str, Object, Span]  # the agent, the message, the span that it is in


def parse(record: Record, notes: Notes) -> list[ParsedSolution]:
    """The solution of each trace. Raises FormatError if none has a message of a model's."""
    asked = record.get("input")  # Langfuse's, of the whole trace
    instruction = asked if isinstance(asked, str) else msgspec.json.encode(asked).decode() if asked else ""
    return [_solution(trace, calls, instruction, notes) for trace, calls in _traces(record, notes).items()]


def spans_of_messages(record: Record) -> list[list[Span]]:
    """The span of each message of each solution that `parse` returns."""
    return [[span for _, _, span in _in_order(calls)] for calls in _traces(record, Notes()).values()]


def unread(record: Record) -> Iterator[tuple[str, object]]:
    """Yields the record's fields and the models' attributes that are not read, each once."""
    yield from solution_fields(record, READ)
    found = dict[str, object]()
    for span in spans_of(record):
        for name, value in attributes.of_span(span).items():
            if name.startswith(OF_MODELS) and not name.startswith(exchanges.READ):
                found.setdefault(PLACE.sub("", name), value)
    yield from found.items()


def is_span(record: Mapping[str, Any]) -> bool:
    """Returns whether the record is one span or OTLP export of a file of them, rather than a record of its own."""
    place = mapping(record.get("context")) or {name.removeprefix("context."): record[name] for name in record}
    has_ids = any(key in place for key in TRACES) and any(key in place for key in SPANS)
    has_attributes = any(isinstance(record.get(key), dict | list) for key in attributes.HOLDERS)
    is_observation = "type" in record and "startTime" in record and not any(key in record for key in KEYS)
    has_more = has_attributes or RUN in record or is_observation or "context.span_id" in record
    return OTLP in record or (has_ids and has_more)


def holds_spans(record: Record) -> bool:
    """Returns whether the record has a list of spans."""
    return _lists(record) is not None


def spans_of(record: Record) -> list[Span]:
    """The record's spans, in its order, those within others after them. Raises FormatError."""
    found = _lists(record)
    if found is None:
        raise FormatError(f"there are no spans, under “{OTLP}”, “{'”, “'.join(KEYS)}”")
    return [*_walked(found)]


def _lists(record: Record) -> list[Any] | None:
    if isinstance(record.get(OTLP), list):
        return [record]
    # A table's cell can only hold a trace as a text.
    trace = decoded(record.get("trace")) if isinstance(record, Row) else record.get("trace")
    holders = (record, mapping(record.get("data")), mapping(trace))
    found = (each[key] for each in holders for key, mark in KEYS.items() if _are_spans(each.get(key), mark))
    return next(found, [record] if RUN in record and "inputs" in record else None)


def _are_spans(value: Any, mark: str) -> bool:
    return isinstance(value, list) and (not mark or any(mark in each for each in objects(value)[:1]))


def _walked(spans: Sequence[Any]) -> Iterator[Span]:
    for span in objects(spans):
        if OTLP in span:
            scopes = (scope for each in objects(span[OTLP]) for scope in objects(each.get("scopeSpans")))
            yield from (inner for scope in scopes for inner in objects(scope.get("spans")))
        else:
            yield span
        for key in WITHIN:
            yield from _walked(span.get(key) or ())


def _traces(record: Record, notes: Notes) -> dict[str, list[Call]]:
    """The calls of models, by trace. Raises FormatError if there are none."""
    traces = defaultdict[str, list[Call]](list)
    spans = [(span, attributes.tree_of(span)) for span in sorted(spans_of(record), key=_start_of)]
    agents = _agents(spans)
    for span, tree in spans:
        if any(map(exchanges.says_something, exchanges.output_of(tree))):
            named = attributes.value_at(tree, exchanges.AGENTS)
            agent = named if isinstance(named, str) else agents.get(_id_at(tree, SPANS), "")
            traces[_id_at(tree, TRACES) or string(record, "trace_id", "id")].append(Call(span, tree, agent))
        else:
            notes.add("spans without a model's messages, left out")
    if not traces:
        raise FormatError("no span has a model's answer: the contents of messages were not recorded")
    return traces


def _agents(spans: Sequence[tuple[Span, Object]]) -> dict[str, str]:
    """The name of each span's agent, by the span's id: that of the nearest agent's span, itself or above it."""
    above = {_id_at(tree, SPANS): _id_at(tree, PARENTS) for _, tree in spans}
    own = {_id_at(tree, SPANS): _agent(tree) for _, tree in spans if exchanges.kind_of(tree) in exchanges.OF_AGENTS}
    found = dict[str, str]()
    for start in above:
        span, seen = start, {""}
        while span not in seen and span not in own:
            seen.add(span)
            span = above.get(span, "")
        found[start] = own.get(span, "")
    return found


def _agent(tree: Object) -> str:
    name = attributes.value_at(tree, NAMES)
    return name if isinstance(name, str) else ""


def _id_at(tree: Object, keys: Sequence[str]) -> str:
    return string(mapping(tree.get("context")), *keys) or string(tree, *keys)


def _start_of(span: Span) -> str:
    start = string(span, *STARTS)
    return start.rjust(30, "0") if start.isdigit() else start


def _solution(trace: str, calls: Sequence[Call], instruction: str, notes: Notes) -> ParsedSolution:
    model = next(filter(None, (exchanges.model_of(call.tree) for call in calls)), "")
    parts = _placed_parts(_in_order(calls), notes)
    return solution_of(parts, notes, instruction=instruction, generator=model, external_id=trace)


def _in_order(calls: Sequence[Call]) -> list[Said]:
    """The messages in their order, each once for each agent."""
    agents = {call.agent for call in calls}
    said, held = list[Said](), defaultdict[str, Counter[bytes]](Counter)
    for call in calls:
        given = [*exchanges.input_of(call.tree), *exchanges.output_of(call.tree)]
        agent = call.agent if len(agents) > 1 else ""
        said += [(agent, each, call.span) for each in _new(given, held[call.agent])]
    return said


def _new(messages: Sequence[Object], held: Counter[bytes]) -> Iterator[Object]:
    """Yields the messages that `held` lacks, and adds them to it; equal ones count as often as they come."""
    seen = Counter[bytes]()
    for message in messages:
        key = _content(message)
        seen[key] += 1
        if seen[key] > held[key]:
            held[key] += 1
            yield message


def _content(message: Object) -> bytes:
    """Returns a key that equal messages share: their contents without ids, and without reasoning, which models don't
    get back.
    """
    try:
        found = [part for _, part in parts_of([message], "messages", Notes())]
    except FormatError:
        return msgspec.json.encode(message)
    said = [part for part in found if part.kind is not PartKind.REASONING] or found
    return msgspec.json.encode(
        [structs.replace(part, call="", name="" if part.is_context else part.name) for part in said]
    )


def _placed_parts(said: Sequence[Said], notes: Notes) -> Iterator[tuple[str, Part]]:
    for _, part in parts_of([message for _, message, _ in said], "messages", notes, Contents(notes)):
        yield said[part.at or 0][0], part
