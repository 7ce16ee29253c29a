"""CodeTraceBench: the wrong and the useless steps of a coding agent's trajectory, by stage.

Source: huggingface.co/datasets/NJU-LINK/CodeTraceBench (arXiv 2604.11641): `traj_id`, `agent`, `model`, `solved`,
`step_count`, and `incorrect_stages[]{stage_id, incorrect_step_ids, unuseful_step_ids}`, or with `steps[]{step_id,
labels}` for the ids; lists may be JSON in a text. Steps count from 1: step n is the n-th turn. An incorrect step is
wrong, an unuseful one neutral, any other right.

The trajectory is in the record, under one of `traces`' keys or as `steps[]{action, observation}`; or in another file,
imported before with `traj_id` as its id. Reasons and stages are not kept. Writes labellings that judge the whole
solution; steps after `judged_step_count` have no label.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import structs

from labeling.data.formats import fields, guess
from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.labels.agents import rebuilt
from labeling.data.formats.labels.agents.placing import Reference, judged
from labeling.data.formats.labels.parsed import ParsedLabelling
from labeling.data.formats.notes import Notes
from labeling.data.formats.traces import READERS, UNREAD, messages
from labeling.data.formats.traces.dialects.chat import decoded, listed
from labeling.data.formats.traces.messages import solution_fields
from labeling.data.formats.traces.values import mapping, objects, string
from labeling.rules.labelled import Labelled

READ = {
    *("traj_id", "agent", "model", "solved", "step_count", "stages", "incorrect_stages", "judged_step_count"),
    *("problem_statement", "task_description", "instruction", "task_name", "ground_truth"),
    *("steps", "messages", "history", "trajectory", "traj"),
}
ASKED = ("problem_statement", "task_description", "instruction", "task_name")
VERDICTS = {"right": True, "wrong": False}
LABELS = (("incorrect", -1), ("unuseful", 0))


def parse(record: Record) -> ParsedLabelling:
    """Parses one record. Raises FormatError, which names the field."""
    if refer(record) is not None:
        raise FormatError("its trajectory is in another file")
    reference, notes, trace = _reference(record), Notes(), _trace(record)
    solution = READERS[_name(trace)](trace, notes)[0]
    solved = record.get("solved")
    truth = string(record, "ground_truth") or solution.problem.reference_answer
    solution = structs.replace(
        solution,
        problem=structs.replace(solution.problem, reference_answer=truth),
        generator=solution.generator or string(record, "model"),
        external_id=reference.external_id,
        is_correct=solved if isinstance(solved, bool) else solution.is_correct,
    )
    ats = [None] * len(solution.steps)
    for what, many in reference.left_out(ats, len(ats)).items():
        notes.add(what, many)
    ratings = reference.ratings(ats)
    count = fields.whole(record.get("judged_step_count"))
    return judged(solution, ratings[:count] if isinstance(count, int) else ratings, notes)


def refer(record: Record) -> Reference | None:
    """Reads the labels, with the id of their trajectory; None if that is in the record. Raises FormatError."""
    return None if _name(_trace(record)) else _reference(record)


def unread(record: Record) -> Iterator[tuple[str, object]]:
    """Yields the fields that are not read."""
    yield from solution_fields(record, READ)
    trace = _trace(record)
    if name := _name(trace):
        yield from UNREAD[name](trace)


def write(labelled: Labelled) -> Iterator[dict[str, Any]]:
    if not labelled.turns or not labelled.is_judged:
        return
    ratings, count = rebuilt.ratings(labelled), len(labelled.solution_steps)
    found = {name: [step + 1 for step, each in ratings.items() if each == rating] for name, rating in LABELS}
    ids = {f"{name}_step_ids": steps for name, steps in found.items()}
    yield {
        "traj_id": labelled.external_id or labelled.id,
        "agent": labelled.turns[0].agent,
        "model": labelled.generator,
        "problem_statement": labelled.problem,
        "ground_truth": labelled.reference_answer,
        "solved": VERDICTS.get(labelled.verdict),
        "step_count": count,
        "judged_step_count": max(ratings, default=-1) + 1,
        "stages": [{"stage_id": 1, "start_step_id": 1, "end_step_id": count}],
        "incorrect_stages": [{"stage_id": 1, **ids}] if any(ids.values()) else [],
        "messages": rebuilt.messages(labelled)[0],
    }


def _reference(record: Record) -> Reference:
    name, stages = string(record, "traj_id"), decoded(record.get("incorrect_stages"))
    if not name or not isinstance(stages, list):
        raise FormatError("there is no “traj_id” with “incorrect_stages”")
    found = {rating: frozenset(_steps(stages, label)) for label, rating in LABELS}
    return Reference(name, found[-1], found[0] - found[-1], by_message=False)


def _steps(stages: list[Any], label: str) -> Iterator[int]:
    for at, stage in enumerate(stages):
        steps = objects(listed(mapping(stage).get("steps")))
        labelled = [each.get("step_id") for each in steps if label in listed(each.get("labels"))]
        for given in (*listed(mapping(stage).get(f"{label}_step_ids")), *labelled):
            number = fields.whole(given)
            if not isinstance(number, int) or number < 1:
                raise FormatError(f"incorrect_stages[{at}]: “{str(given)[:20]}” is no step, counted from 1")
            yield number - 1


def _name(trace: Record) -> str:
    """The format of the trace; empty if there is none."""
    name = guess.trace_of(trace)
    is_chat = name in {"", "multi_agent"} and any(trace.get(key) for key in messages.KEYS)  # of one agent, here
    return "messages" if is_chat else name


def _trace(record: Record) -> dict[str, Any]:
    """Returns the part of the record that is the trace, with the problem; plain steps as SWE-agent has them."""
    asked = string(record, *ASKED)
    if steps := [each for each in objects(record.get("steps")) if "action" in each]:
        parts = [{"observation": "", **each} for each in steps]
        return {"trajectory": parts, "problem_statement": asked}
    keys = ("messages", "history", "trajectory", "traj", "session", "schema_version", "steps")
    trace = {key: record[key] for key in keys if key in record}
    return {**trace, "question": asked} if asked and trace else trace
