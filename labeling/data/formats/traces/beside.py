"""Puts labels beside the text that they judge: in its own record, which otherwise stays as it is.

    ATIF            `extra.stepmark` of each rated step; whose labels they are, in the trajectory's
    Inspect         the score `stepmark` of the sample: its value has the ratings by message
    sessions        `stepmark` of each rated line
    OpenTelemetry   the attribute `stepmark.labels` of the span that answered, as JSON, each with its `message`
    others          `stepmark` of the record: of each labelling the `step_labels` by message
    solutions       the same, by step

Messages and steps count from 0, as in the file. Ratings are 1, 0, -1, or null for unsure. What is said of an error (its
kind, words and root cause) is the `error` beside its rating, or in `step_errors` by message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from typing import Any

import msgspec
from msgspec import Struct

from labeling.data.formats import solutions
from labeling.data.formats.fields import Record
from labeling.data.formats.notes import Notes
from labeling.data.formats.solutions import ParsedSolution
from labeling.data.formats.traces import READERS, UNREAD, atif, sessions
from labeling.data.formats.traces.spans import attributes, opentelemetry
from labeling.data.formats.traces.values import OURS, Object
from labeling.rules.traces.parts import Turn

ATTRIBUTE = f"{OURS}.labels"


def _plain(record: Record, notes: Notes) -> list[ParsedSolution]:
    """The one solution of a record of our own format. Its generator doesn't matter here."""
    return [solutions.parse({"generator": "anybody", **record}, notes)]


def _unread_of_plain(record: Record) -> Iterator[tuple[str, object]]:
    return ((name, value) for name, value in solutions.unread(record) if name != OURS)


# The readers of all formats whose records can hold labels beside their text.
HOLDERS = READERS | {"solutions": _plain}
UNREAD_OF_HOLDERS = UNREAD | {"solutions": _unread_of_plain}


class Judgement(Struct, frozen=True):
    """A labelling, ruling or consensus of a trace. `said`: facts about it. `ratings`: by step, None for unsure.
    `errors`: facts about the errors, by step. A root cause is a step.
    """

    said: Object
    ratings: dict[int, int | None]
    errors: dict[int, Object] = {}


def put(file_format: str, record: Object, judgements: Sequence[Sequence[Judgement]]) -> Object:
    """Returns the record with the judgements of each of its solutions, in the order of the format's reader."""
    changed, solutions = deepcopy(record), HOLDERS[file_format](record, Notes())
    places = places_of(file_format, changed, len(solutions))
    for place, solution, own in zip(places, solutions, judgements, strict=True):
        if own:
            PUTTING.get(file_format, _in_record)(place, solution.turns or (), own)
    return changed


def places_of(file_format: str, record: Record, solutions: int) -> Sequence[Any]:
    """Returns what holds the labels of each of the record's solutions: a trajectory, the span of each message, or the
    whole record.
    """
    match file_format:
        case "atif":
            return atif.with_turns(record)
        case "opentelemetry":
            return opentelemetry.spans_of_messages(record)
    return [record] * solutions


def _entries(turns: Sequence[Turn], own: Sequence[Judgement]) -> dict[int, list[Object]]:
    """The ratings and errors of each message that is a turn, an entry for each judgement."""
    found = dict[int, list[Object]]()
    for judgement in own:
        errors = _errors(turns, judgement)
        for step, rating in judgement.ratings.items():
            if (at := turns[step].at) is not None:
                entry = {"labelling": judgement.said["labelling"], "rating": rating}
                error = errors.get(str(at))
                found.setdefault(at, []).append(entry | {"error": error} if error else entry)
    return found


def _labellings_by_message(turns: Sequence[Turn], own: Sequence[Judgement]) -> list[Object]:
    """Each labelling with its ratings by message; the last turn's, if a message is several."""
    found = list[Object]()
    for each in own:
        labels = {str(_message_of(turns, step)): rating for step, rating in each.ratings.items()}
        errors = _errors(turns, each)
        found.append({**each.said, "step_labels": labels, **({"step_errors": errors} if errors else {})})
    return found


def _errors(turns: Sequence[Turn], judgement: Judgement) -> Object:
    """The judgement's errors by message; their root causes become messages, too."""
    found = Object()
    for step, error in judgement.errors.items():
        cause = error.get("root_cause")
        placed = {} if cause is None else {"root_cause": _message_of(turns, cause)}
        found[str(_message_of(turns, step))] = error | placed
    return found


def _message_of(turns: Sequence[Turn], step: int) -> int | None:
    """The message of a step; of a solution without turns, the step itself."""
    return turns[step].at if turns else step


def _in_record(record: Object, turns: Sequence[Turn], own: Sequence[Judgement]) -> None:
    record[OURS] = _labellings_by_message(turns, own)


def _in_atif(trajectory: Object, turns: Sequence[Turn], own: Sequence[Judgement]) -> None:
    _add_entries(trajectory, [each.said for each in own])
    for at, entries in _entries(turns, own).items():
        _add_entries(trajectory["steps"][at], entries)


def _add_entries(holder: Object, entries: list[Object]) -> None:
    extra = holder.get("extra")
    holder["extra"] = {**(extra if isinstance(extra, dict) else {}), OURS: entries}


def _in_inspect(record: Object, turns: Sequence[Turn], own: Sequence[Judgement]) -> None:
    """Adds a score: the first judgement, a ruling or consensus if there is one, with all of them as metadata."""
    labellings, scores = _labellings_by_message(turns, own), record.get("scores")
    score = {"value": labellings[0]["step_labels"], "metadata": {"labellings": labellings}}
    record["scores"] = {**(scores if isinstance(scores, dict) else {}), OURS: score}


def _in_session(record: Object, turns: Sequence[Turn], own: Sequence[Judgement]) -> None:
    said = {each.said["labelling"]: each.said for each in own}
    for at, entries in _entries(turns, own).items():
        record[sessions.KEY][at][OURS] = [{**said[each["labelling"]], **each} for each in entries]


def _in_spans(spans: Sequence[Object], turns: Sequence[Turn], own: Sequence[Judgement]) -> None:
    said = {each.said["labelling"]: each.said for each in own}
    given = dict[int, list[Object]]()  # of each span, by its identity
    for at, entries in _entries(turns, own).items():
        labels = given.setdefault(id(spans[at]), [])
        labels += [{**said[each["labelling"]], **each, "message": at} for each in entries]
    for span in {id(each): each for each in spans if id(each) in given}.values():
        text, holder = msgspec.json.encode(given[id(span)]).decode(), _holder(span)
        if isinstance(holder, dict):
            holder[ATTRIBUTE] = text
        else:
            holder[:] = [each for each in holder if not _is_ours(each)]
            holder.append({"key": ATTRIBUTE, "value": {"stringValue": text}})


def _holder(span: Object) -> Any:
    """Returns the span's attributes; adds an empty object of them if there are none."""
    found = (span[key] for key in attributes.HOLDERS if isinstance(span.get(key), dict | list))
    holder = next(found, None)
    return span.setdefault("attributes", {}) if holder is None else holder


def _is_ours(attribute: Any) -> bool:
    return isinstance(attribute, dict) and attribute.get("key") == ATTRIBUTE


PUTTING: dict[str, Callable[[Any, Sequence[Turn], Sequence[Judgement]], None]] = {
    "atif": _in_atif,
    "inspect": _in_inspect,
    "sessions": _in_session,
    "opentelemetry": _in_spans,
}
