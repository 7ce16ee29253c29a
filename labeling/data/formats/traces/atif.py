"""ATIF, the Agent Trajectory Interchange Format (Harbor's RFC 0001), of versions 1.0 to 1.8.

`steps[]` are of `source` system, user or agent: `message` (a text, or parts), `reasoning_content`, `tool_calls[]
{tool_call_id, function_name, arguments}`, `observation.results[]{source_call_id, content, subagent_trajectory_ref}`. A
step with `is_copied_context` was another trajectory's before, and one with `llm_call_count` 0 is no model's: both are
context, never rated. `subagent_trajectories[]` become solutions of their own, after their parent's.

What is kept: all contents, the agent's and the model's name, `session_id` or `trajectory_id`, and `extra.reward` as
the verdict. What is not: `metrics`, `timestamp`, tool definitions, other `extra`, and trajectories in other files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.notes import Notes
from labeling.data.formats.solutions import ParsedSolution
from labeling.data.formats.traces.content import Contents
from labeling.data.formats.traces.messages import message_fields, own_parts, solution_fields
from labeling.data.formats.traces.solved import SYSTEM, USER, as_context, solution_of, verdict
from labeling.data.formats.traces.values import OURS, mapping, objects, string
from labeling.rules.traces.parts import Part

READ = {"schema_version", "session_id", "trajectory_id", "steps", "agent", "extra", "subagent_trajectories"}
OF_EXTRA = {"reward", OURS}
OF_A_STEP = {
    *("step_id", "source", "message", "reasoning_content", "tool_calls", "observation", "is_copied_context"),
    *("llm_call_count", "model_name"),
}
SPEAKERS = {"system": SYSTEM, "user": USER}


def parse(record: Record, notes: Notes) -> list[ParsedSolution]:
    """The trajectory, and those of its subagents. Raises FormatError, which names the field."""
    return [_solution(record, notes), *_of_subagents(record, notes)]


def with_turns(record: Record) -> list[Any]:
    """The trajectory, and its subagents' that have a turn, in the order of the solutions that `parse` returns."""
    found = [record]
    for each in objects(record.get("subagent_trajectories")):
        try:
            _solution(each, Notes())
        except FormatError:
            found += with_turns(each)[1:]
        else:
            found += with_turns(each)
    return found


def unread(record: Record) -> Iterator[tuple[str, object]]:
    """Yields the fields that are not read, of the trajectory and of its steps."""
    yield from solution_fields(record, READ)
    extra = mapping(record.get("extra"))
    yield from ((f"extra.{key}", value) for key, value in extra.items() if key not in OF_EXTRA)
    yield from message_fields(record["steps"], "steps", OF_A_STEP)


def _of_subagents(record: Record, notes: Notes) -> Iterator[ParsedSolution]:
    for each in objects(record.get("subagent_trajectories")):
        try:
            yield _solution(each, notes)
        except FormatError:
            notes.add("subagents' trajectories without a turn, left out")
        yield from _of_subagents(each, notes)


def _solution(record: Record, notes: Notes) -> ParsedSolution:
    agent, extra, steps = mapping(record.get("agent")), mapping(record.get("extra")), record.get("steps")
    if not isinstance(steps, list):
        raise FormatError("there are no “steps”")
    models = (string(each, "model_name") for each in objects(steps))
    return solution_of(
        _placed_parts(steps, notes),
        notes,
        generator=string(agent, "model_name") or next(filter(None, models), "") or string(agent, "name"),
        is_correct=verdict(extra.get("reward")),
        external_id=string(record, "trajectory_id", "session_id"),
    )


def _placed_parts(steps: list[Any], notes: Notes) -> Iterator[tuple[str, Part]]:
    contents = Contents(notes)
    for at, step in enumerate(steps):
        if not isinstance(step, dict) or not isinstance(source := step.get("source"), str):
            raise FormatError(f"steps[{at}]: it has no “source”")
        is_own = source == "agent" and not step.get("is_copied_context") and step.get("llm_call_count") != 0
        own = own_parts({**step, "content": step.get("message")}, at, contents)
        for part in own if source == "agent" else contents.parts(step.get("message"), at, SPEAKERS.get(source, source)):
            yield "", part if is_own or part.is_context else as_context(part)
        yield from (("", part) for part in _observed(step, at, contents))
        if source == "agent" and not is_own:
            notes.add("copied steps of the agent's, kept as context")


def _observed(step: Mapping[str, Any], at: int, contents: Contents) -> Iterator[Part]:
    for result in objects(mapping(step.get("observation")).get("results")):
        call, is_error = string(result, "source_call_id"), mapping(result.get("extra")).get("is_error") is True
        if refs := result.get("subagent_trajectory_ref"):
            contents.notes.add("references to subagents' trajectories", len(refs) if isinstance(refs, list) else 1)
        yield from contents.result(result.get("content"), at, call=call, is_error=is_error)
