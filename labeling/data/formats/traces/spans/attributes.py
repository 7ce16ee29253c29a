"""A span's attributes as one tree, however its program flattened or nested them.

OTLP has a list of `{"key", "value": {"stringValue"}}`, others an object. Keys with dots are paths, of which numbers are
places in lists: `llm.output_messages.0.message.role`. A span's events have attributes, too; some programs put all into
the span itself (`attributes.llm.model_name`, a column of Phoenix's table; Langfuse's and LangSmith's `input`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from labeling.data.formats.traces.values import Object, mapping, objects, string

HOLDERS = ("attributes", "span_attributes")
EVENTS = ("events", "otel_events")
WITHIN = ("child_spans", "child_runs", *EVENTS, *HOLDERS)
GEN_AI, NAME = "gen_ai.", "event.name"
FLAT = ("message.", "message_content.", "tool_call.")  # prefixes of the keys of flattened objects in lists


class _Node(dict[str, Any]):
    """An object made from a path."""


def of_span(span: Mapping[str, Any]) -> Object:
    """The attributes under the names that the span gives them, those of its events first."""
    holders = [*objects(span.get("events")), span]
    return {name: value for each in holders for key in HOLDERS for name, value in _plain(each.get(key)).items()}


def tree_of(span: Mapping[str, Any]) -> Object:
    """The span's own fields and its attributes as a tree. The events of generative AI stand under `events`."""
    own = _nested((name, value) for name, value in span.items() if name not in WITHIN)
    told = [each for key in EVENTS for each in objects(span.get(key)) if string(each, "name").startswith(GEN_AI)]
    events = [{**_plain(each.get("attributes")), NAME: each["name"]} for each in told]
    own |= mapping(own.get("attributes"))
    return {"events": events, **own, **_nested(of_span(span).items())}


def value_at(tree: Any, paths: Iterable[str]) -> Any:
    """Returns the value at the first of the paths that leads anywhere; None if none does."""
    for path in paths:
        found = tree
        for key in path.split("."):
            found = mapping(found).get(key)
        if found not in (None, "", [], {}):
            return found
    return None


def _nested(flat: Iterable[tuple[str, Any]]) -> _Node:
    """The values at their paths."""
    found = _Node()
    for path, value in flat:
        inner, (*above, name) = found, path.split(".")
        for key in above:
            if not isinstance(inner.get(key), _Node):
                inner[key] = _Node(mapping(inner.get(key)))
            inner = inner[key]
        known = inner.get(name)
        inner[name] = _Node({**known, **mapping(value)}) if isinstance(known, _Node) else value
    return _Node((key, _with_lists(value)) for key, value in found.items())


def _with_lists(value: Any) -> Any:
    """The value with lists for objects whose keys are indices."""
    if isinstance(value, list):
        return [_with_lists(_nested(each.items()) if _is_flat(each) else each) for each in value]
    if not isinstance(value, _Node):
        return value
    inner = {key: _with_lists(each) for key, each in value.items()}
    if inner and all(key.isdecimal() for key in inner):
        return [inner[key] for key in sorted(inner, key=lambda key: (len(key), key))]
    return inner


def _is_flat(value: Any) -> bool:
    return isinstance(value, dict) and any(key.startswith(FLAT) for key in value)


def _plain(attributes: Any) -> Object:
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
