"""AgentRx's labels: the failures of a trajectory that is in another file, by the number of the message.

Source: github.com/microsoft/AgentRx: `trajectory_id` is the trajectory's own, or its `task_id`; `failures[]
{failure_id, step_number, failed_agent, step_reason, failure_category}`, `root_cause{failure_id}`. `step_number` counts
the messages from 1, in the dialogues of tau-bench (where it is the message's `index`) as in the runs of Magentic-One.

A trajectory's turns without a failure are right. Failures of people (`User`) and of tools are on no turn. Reasons and
kinds of failures, and which of them is the root cause, are not kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from labeling.data.formats import fields
from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.labels.agents import rebuilt
from labeling.data.formats.labels.agents.placing import Reference
from labeling.data.formats.traces.values import mapping, objects, string
from labeling.rules.labelled import Labelled

READ = {"trajectory_id", "failures", "root_cause"}
OF_A_FAILURE = {"failure_id", "step_number", "failed_agent"}


def refer(record: Record) -> Reference:
    """The labels, with the trajectory that they are of. Raises FormatError, which names the field."""
    name, failures = string(record, "trajectory_id"), record.get("failures")
    if not name or not isinstance(failures, list):
        raise FormatError("there is no “trajectory_id” with “failures”")
    return Reference(name, frozenset(_message(each, at) for at, each in enumerate(failures)))


def unread(record: Record) -> Iterator[tuple[str, object]]:
    """Yields the fields that are not read, each once."""
    yield from ((name, value) for name, value in record.items() if name not in READ)
    found = dict[str, object]()
    for failure in objects(record.get("failures")):
        for name, value in failure.items():
            if name not in OF_A_FAILURE:
                found.setdefault(f"failures.{name}", value)
    for name, value in mapping(record.get("root_cause")).items():
        found.setdefault(f"root_cause.{name}", value)
    yield from found.items()


def write(labelled: Labelled) -> Iterator[dict[str, Any]]:
    """Only of a trace with an id of its own, judged as a whole."""
    if not labelled.turns or not labelled.external_id or not labelled.is_judged:
        return
    wrong = [step for step, rating in rebuilt.ratings(labelled).items() if rating == -1]
    failures = [
        {"failure_id": number, "step_number": (turn.at or 0) + 1, "step_reason": "", "failed_agent": turn.agent}
        for number, turn in enumerate((labelled.turns[step] for step in wrong), start=1)
    ]
    root = {"root_cause": {"failure_id": 1}} if failures else {}
    yield {"trajectory_id": labelled.external_id, "failures": failures, **root}


def _message(failure: Any, at: int) -> int:
    number = fields.whole(mapping(failure).get("step_number"))
    number = int(number) if isinstance(number, str) and number.isdecimal() and len(number) < 10 else number
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise FormatError(f"failures[{at}].step_number: it is no number of a message, counted from 1")
    return number - 1
