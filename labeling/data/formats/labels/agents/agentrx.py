"""AgentRx's labels: the failures of a trajectory that is in another file, by the number of the message.

Source: github.com/microsoft/AgentRx: `trajectory_id` is the trajectory's own, or its `task_id`; `failures[]
{failure_id, step_number, failed_agent, step_reason, failure_category}`, `root_cause{failure_id}`. `step_number` counts
the messages from 1, in the dialogues of tau-bench (where it is the message's `index`) as in the runs of Magentic-One.

A trajectory's turns without a failure are right. Failures of people (`User`) and of tools are on no turn. The root
cause is taken for that of itself and of later failures. If a message has several failures, the first gives the category
and the reason. The reasons for the root cause and for the categories are not kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from labeling.data.formats import fields
from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.labels.agents import rebuilt
from labeling.data.formats.labels.agents.placing import Reference
from labeling.data.formats.labels.parsed import Mistake
from labeling.data.formats.traces.values import mapping, objects, string
from labeling.rules import error_kinds
from labeling.rules.labelled import Labelled

READ = {"trajectory_id", "failures", "root_cause"}
MORE_OF_A_MESSAGE = "categories and reasons of further failures of a message, left out"
OF_A_FAILURE = {"failure_id", "step_number", "failed_agent", "failure_category", "step_reason"}
# The categories, by the keys of error_kinds.AGENTRX. The first name of each is written.
CATEGORIES = {
    "Instruction/Plan Adherence Failure": "1",
    "Invention of New Information": "2",
    "Invalid Invocation": "3",
    "Misinterpretation of Tool Output": "4",
    "Intent Plan Misalignment": "5",
    "Underspecified User Intent": "6",
    "Intent Not Supported": "7",
    "Guardrails Triggered": "8",
    "System Failure": "9",
    "Inconclusive": "0",
    "Instruction Adherence Failure": "1",
    "Plan Adherence Failure": "1",
}
NAMES = {kind.key: kind.name for kind in error_kinds.AGENTRX}


def refer(record: Record) -> Reference:
    """Reads the labels, with the id of their trajectory. Raises FormatError, which names the field."""
    name, failures = string(record, "trajectory_id"), record.get("failures")
    if not name or not isinstance(failures, list):
        raise FormatError("there is no “trajectory_id” with “failures”")
    messages = [_message(each, at) for at, each in enumerate(failures)]
    placed = [*zip(messages, failures, strict=True)]
    root_id = mapping(record.get("root_cause")).get("failure_id")
    root = next((at for at, each in placed if root_id is not None and each.get("failure_id") == root_id), None)
    mistakes = {
        at: Mistake(
            kind_of(string(each, "failure_category")),
            root if root is not None and root <= at else None,
            string(each, "step_reason"),
        )
        for at, each in reversed(placed)  # of several failures of a message, the first
    }
    more = {MORE_OF_A_MESSAGE: len(placed) - len(mistakes)}
    return Reference(name, frozenset(messages), mistakes=mistakes, unkept=more)


def unread(record: Record) -> Iterator[tuple[str, object]]:
    """Yields the fields that are not read, each once."""
    yield from ((name, value) for name, value in record.items() if name not in READ)
    found = dict[str, object]()
    for failure in objects(record.get("failures")):
        for name, value in failure.items():
            if name not in OF_A_FAILURE:
                found.setdefault(f"failures.{name}", value)
    for name, value in mapping(record.get("root_cause")).items():
        if name != "failure_id":
            found.setdefault(f"root_cause.{name}", value)
    yield from found.items()


def write(labelled: Labelled) -> Iterator[dict[str, Any]]:
    """Yields a record if the labelling judges the whole of a trace that has an id; else nothing."""
    if not labelled.turns or not labelled.external_id or not labelled.is_judged:
        return
    wrong = [step for step, rating in rebuilt.ratings(labelled).items() if rating == -1]
    said = {item.step: item for item in labelled.completions if item.number == 0 and not item.is_human}
    failures = [
        {
            "failure_id": number,
            "step_number": (labelled.turns[step].at or 0) + 1,
            "step_reason": "",
            "failure_category": _category(error_kinds.name_of(labelled.error_kinds, said[step].error_kind)),
            "failed_agent": labelled.turns[step].agent,
        }
        for number, step in enumerate(wrong, start=1)
    ]
    blamed = Counter(said[step].root_cause for step in wrong if said[step].root_cause in wrong)
    root = {"root_cause": {"failure_id": 1 + wrong.index(max(wrong, key=blamed.__getitem__))}} if failures else {}
    yield {"trajectory_id": labelled.external_id, "failures": failures, **root}


def kind_of(category: str) -> str:
    """The name of the kind of error for this category; categories unknown to AgentRx keep their names."""
    known = {_letters(name): NAMES[key] for name, key in CATEGORIES.items()}
    return known.get(_letters(category), category.strip())


def _category(kind: str) -> str:
    return next((name for name, key in CATEGORIES.items() if NAMES[key] == kind), kind)


def _letters(name: str) -> str:
    return "".join(filter(str.isalpha, name.casefold()))


def _message(failure: Any, at: int) -> int:
    number = fields.whole(mapping(failure).get("step_number"))
    number = int(number) if isinstance(number, str) and number.isdecimal() and len(number) < 10 else number
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise FormatError(f"failures[{at}].step_number: it is no number of a message, counted from 1")
    return number - 1
