"""Reads the labels that `beside` puts into records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from labeling.data.formats.fields import FormatError
from labeling.data.formats.solutions import ParsedSolution
from labeling.data.formats.traces import sessions
from labeling.data.formats.traces.beside import ATTRIBUTE, Judgement, places_of
from labeling.data.formats.traces.spans import attributes, opentelemetry
from labeling.data.formats.traces.values import OURS, Object, mapping, objects, string

RATINGS = {-1, 0, 1}
Entry = tuple[int, Object]  # a message and what one labelling says of it
Turns = Mapping[int | None, int]  # the step of each message that is a turn of the model's
Taking = Callable[[Any, Turns], Iterator[Entry]]


def take(file_format: str, record: Mapping[str, Any], solutions: Sequence[ParsedSolution]) -> list[list[Judgement]]:
    """The judgements of each of the record's solutions, as `put` got them.

    Raises FormatError, which names the field.
    """
    taking: Taking = TAKING.get(file_format, _from_record)
    found = list[list[Judgement]]()
    for place, solution in zip(places_of(file_format, record, len(solutions)), solutions, strict=True):
        ats = [turn.at for turn in solution.turns] if solution.turns else range(len(solution.steps))
        turns = {at: step for step, at in enumerate(ats)}
        found.append(_judgements(taking(place, turns), turns, _said_apart(file_format, place)))
    return found


def has_labels(file_format: str, record: Mapping[str, Any]) -> bool:
    """Returns whether the record holds labels, without reading them."""
    match file_format:
        case "atif":
            inner = objects(record.get("subagent_trajectories"))
            return OURS in mapping(record.get("extra")) or any(has_labels(file_format, each) for each in inner)
        case "inspect":
            return OURS in mapping(record.get("scores"))
        case "sessions":
            return any(OURS in line for line in objects(record.get(sessions.KEY)))
        case "opentelemetry":
            return any(ATTRIBUTE in attributes.of_span(span) for span in opentelemetry.spans_of(record))
    return OURS in record


def _judgements(entries: Iterator[Entry], turns: Turns, said: Sequence[Object]) -> list[Judgement]:
    found = {string(each, "labelling"): Judgement(each, {}) for each in said}
    for at, entry in entries:
        rating = entry.get("rating")
        if isinstance(rating, bool) or not (rating is None or rating in RATINGS):
            raise FormatError(f"{OURS}: “{str(rating)[:20]}” is no rating of message {at}")
        if at not in turns:
            raise FormatError(f"{OURS}: message {at} is no turn of a model")
        own = {name: value for name, value in entry.items() if name not in {"rating", "error"}}
        judgement = found.setdefault(string(entry, "labelling"), Judgement(own, {}))
        judgement.ratings[turns[at]] = rating
        if error := mapping(entry.get("error")):
            cause = error.get("root_cause")
            placed = {"root_cause": turns.get(cause)} if isinstance(cause, int) else {}
            judgement.errors[turns[at]] = error | placed
    return list(found.values())


def _said_apart(file_format: str, trajectory: Any) -> list[Object]:
    """The facts about each labelling, if the format keeps them apart from the ratings; else none."""
    if file_format != "atif":
        return []
    return objects(mapping(trajectory.get("extra")).get(OURS))


def _from_record(record: Mapping[str, Any], turns: Turns) -> Iterator[Entry]:
    return _by_message(record.get(OURS))


def _from_inspect(record: Mapping[str, Any], turns: Turns) -> Iterator[Entry]:
    score = mapping(mapping(record.get("scores")).get(OURS))
    return _by_message(mapping(score.get("metadata")).get("labellings"))


def _by_message(labellings: Any) -> Iterator[Entry]:
    for each in objects(labellings):
        said = {name: value for name, value in each.items() if name not in {"step_labels", "step_errors"}}
        errors = mapping(each.get("step_errors"))
        for at, rating in mapping(each.get("step_labels")).items():
            if not at.isdecimal() or len(at) > len(str(10**9)):
                raise FormatError(f"{OURS}.step_labels: “{at[:20]}” is no message, counted from 0")
            yield int(at), {**said, "rating": rating, "error": errors.get(at)}


def _from_atif(trajectory: Mapping[str, Any], turns: Turns) -> Iterator[Entry]:
    for at, step in enumerate(trajectory["steps"]):
        yield from ((at, each) for each in objects(mapping(step.get("extra")).get(OURS)))


def _from_session(record: Mapping[str, Any], turns: Turns) -> Iterator[Entry]:
    for at, line in enumerate(record[sessions.KEY]):
        if at in turns:
            yield from ((at, each) for each in objects(mapping(line).get(OURS)))


def _from_spans(spans: Sequence[Object], turns: Turns) -> Iterator[Entry]:
    for span in {id(each): each for each in spans}.values():
        for each in _of_span(attributes.of_span(span)):
            at = each.get("message")
            if not isinstance(at, int) or isinstance(at, bool):
                raise FormatError(f"{ATTRIBUTE}: a label has no “message”")
            yield at, {name: value for name, value in each.items() if name != "message"}


def _of_span(given: Object) -> list[Object]:
    text = given.get(ATTRIBUTE)
    try:
        return objects(msgspec.json.decode(text)) if isinstance(text, str) else []
    except msgspec.DecodeError:
        raise FormatError(f"{ATTRIBUTE}: it is no JSON") from None


TAKING: dict[str, Taking] = {
    "atif": _from_atif,
    "inspect": _from_inspect,
    "sessions": _from_session,
    "opentelemetry": _from_spans,
}
