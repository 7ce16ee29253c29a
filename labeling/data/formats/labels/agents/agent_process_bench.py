"""AgentProcessBench: chat messages with tool calls, and a rating of each of the model's.

Source: github.com/RUCBM/AgentProcessBench (arXiv 2603.14465): `messages`, `step_labels` by the index of the message
(`{"2": 1, "8": -1}`; 1 right and useful, 0 neutral, -1 wrong), `final_label` (1 or -1) of the outcome, and `record_id`
or `total_index`. Every message of the model's is labelled, also after a mistake.

Writes the ratings of a trace's own turns; not alternatives, nor who labelled, and when.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from labeling.data.formats import fields
from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.labels.agents import rebuilt
from labeling.data.formats.labels.agents.placing import ELSEWHERE, judged, steps_of
from labeling.data.formats.labels.parsed import ParsedLabelling
from labeling.data.formats.notes import Notes
from labeling.data.formats.solutions import ParsedProblem
from labeling.data.formats.traces import messages
from labeling.data.formats.traces.content import Contents
from labeling.data.formats.traces.messages import message_fields, solution_fields
from labeling.data.formats.traces.solved import solution_of
from labeling.data.formats.traces.values import string
from labeling.rules.labelled import Labelled

READ = {
    *("record_id", "total_index", "query_index", "sample_index", "question", "data_source", "ground_truth", "messages"),
    *("step_labels", "final_label", "answer_text", "model", "generator"),
}
RATINGS = {-1, 0, 1}
FINAL = {1: True, -1: False}
OUTCOMES = {"right": 1, "wrong": -1}
LONGEST_SUBJECT = 100


def parse(record: Record) -> ParsedLabelling:
    """Parses one record. Raises FormatError, which names the field."""
    notes, given = Notes(), record.get("messages")
    if not isinstance(given, list):
        raise FormatError("there are no “messages”")
    final = fields.whole(record.get("final_label"))
    solution = solution_of(
        messages.parts_of(given, "messages", notes, Contents(notes)),
        notes,
        problem=ParsedProblem(
            statement=string(record, "question"),
            reference_answer=_reference(record.get("ground_truth")),
            subject=string(record, "data_source")[:LONGEST_SUBJECT],
        ),
        generator=string(record, "generator", "model"),
        answer=string(record, "answer_text"),
        is_correct=FINAL.get(final) if isinstance(final, int) else None,
        external_id=string(record, "record_id", "total_index"),
    )
    return judged(solution, _ratings(record.get("step_labels"), steps_of(solution.turns), notes), notes)


def unread(record: Record) -> Iterator[tuple[str, object]]:
    """Yields the fields that are not read."""
    yield from solution_fields(record, READ)
    yield from message_fields(record["messages"], "messages")


def write(labelled: Labelled) -> Iterator[dict[str, Any]]:
    ratings = rebuilt.ratings(labelled)
    if not labelled.turns or not ratings:
        return
    given, places = rebuilt.messages(labelled)
    yield {
        "record_id": labelled.external_id or labelled.id,
        "question": labelled.problem,
        "data_source": labelled.problem_source,
        "ground_truth": labelled.reference_answer,
        "answer_text": labelled.answer,
        "generator": labelled.generator,
        "messages": given,
        "step_labels": {str(places[step]): rating for step, rating in ratings.items()},
        "final_label": OUTCOMES.get(labelled.verdict),
    }


def _ratings(labels: Any, steps: dict[int, int], notes: Notes) -> dict[int, int]:
    """Converts labels by message (an object, or a list with one per message) to ratings by step."""
    given = labels.items() if isinstance(labels, dict) else enumerate(labels) if isinstance(labels, list) else ()
    found = dict[int, int]()
    for index, label in given:
        rating = fields.whole(label)
        if rating is None:
            continue
        if isinstance(rating, bool) or rating not in RATINGS or not str(index).isdecimal():
            raise FormatError(f"step_labels: “{str(index)[:20]}”: “{str(label)[:20]}” is no rating of a message")
        step = steps.get(int(str(index)[:9]))
        if step is None:
            notes.add(ELSEWHERE)
        else:
            found[step] = min(rating, found.get(step, rating))
    if not found:
        raise FormatError("step_labels: no message of the model's has a label")
    return found


def _reference(truth: Any) -> str:
    """The reference answer, which some records have in a list under `target`."""
    inner = truth.get("target") if isinstance(truth, dict) and "target" in truth else truth
    if isinstance(inner, list) and all(isinstance(each, str) for each in inner):
        return ", ".join(inner)
    return inner if isinstance(inner, str) else "" if inner is None else msgspec.json.encode(inner).decode()
