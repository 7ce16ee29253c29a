"""Guesses the format of a record by its keys."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from labeling.data.formats.traces import messages, multi_agent
from labeling.data.formats.traces.content import REASONING, is_call, is_result
from labeling.data.formats.traces.dialects import events
from labeling.data.formats.traces.dialects.blocks import typed
from labeling.data.formats.traces.dialects.chat import as_chat, listed
from labeling.data.formats.traces.spans import opentelemetry
from labeling.data.formats.traces.taken import has_labels
from labeling.data.formats.traces.values import objects, string
from labeling.rules.words import FileFormat

# The formats of labels, by their names in `labels.READERS`; the first that fits.
LABELS = {
    "prm800k": {"question", "label"},
    "parquet": {"phase_kind", "solution_steps", "completions"},
    "trl": {"prompt", "completions", "labels"},
    "math_shepherd": {"input", "label"},
    "openrlhf": {"input", "value"},
    "prmbench": {"question", "modified_process", "error_steps"},
    "processbench": {"problem", "steps", "label"},
    "rlhflow": {"conversations"},
    "who_and_when": {"history", "mistake_step"},
    "agent_process_bench": {"messages", "step_labels"},
    "codetracebench": {"traj_id", "incorrect_stages"},
}
# Labels of traces that are in another file.
REFERRING = {"agentrx": {"trajectory_id", "failures"}}
# The formats of solutions, by their names for people.
SOLUTIONS = {
    FileFormat.SOLUTIONS.label: {"problem", "generator"},
    "chat messages": {"messages"},
}
# The formats of traces; the first that fits. `_trace_in` tells records with messages apart.
TRACES = {
    "sessions": ({"session"},),
    "inspect": ({"epoch", "messages", "target"}, {"epoch", "messages", "scores"}, {"eval", "samples"}),
}
OF_SWE_AGENT = {"thought", "action", "message_type", "is_demo"}
# Keys of problems alone: the statement, and what its author gives as the answer or the solution.
STATEMENT = {"problem", "question", "prompt", "statement"}
REFERENCE = {"answer", "reference_answer", "solution", "reference_solution"}
# Beginnings of words in the names of columns that hold a model's text, or a judgement of it.
WRITTEN = re.compile(
    "text|step|respon|output|complet|generat|predict|attempt|sampled|samples|trajector|rollout|candidate|reason|thought|cot"
    "|model|policy|message|conversation|label|rating|score|reward|verdict|correct$"
)
FOREIGN = {
    "an Argilla export": ({"fields", "responses"}, {"fields", "suggestions"}),
    "a Label Studio export": ({"data", "annotations"}, {"data", "predictions"}, {"annotation_id", "lead_time"}),
}
# A JSON object with such a key is a record, and no document that holds records in a list.
OF_A_RECORD = {
    *set[str]().union(*LABELS.values(), *REFERRING.values(), *SOLUTIONS.values()),
    *("fields", "responses", "suggestions", "annotations", "predictions", "annotation_id", "row", "_source"),
    *("conversation", "text", "instruction", "query", "history", "trajectory", "traj", "original_question"),
    *("response", "choices", "completion", "output", "question", "ground_truth"),
}
SIGNS = {"+", "-"}


def labels_of(record: Mapping[str, Any]) -> str:
    """The format of the record's labels, by its name in `labels.READERS`; empty where it has none."""
    found = next((name for name, keys in LABELS.items() if keys <= record.keys()), "")
    if found == "rlhflow" and not _has_signs(record["conversations"]):
        return ""
    return found or ("labelled_traces" if (name := holder_of(record)) and has_labels(name, record) else "")


def refers(record: Mapping[str, Any]) -> str:
    """The format of the record's labels, if their trace is in another file; else empty."""
    return next((name for name, keys in REFERRING.items() if keys <= record.keys()), "")


def _has_signs(messages: Any) -> bool:
    """Returns whether the first answer is a sign, such as +, rather than a text."""
    second = messages[1] if isinstance(messages, list) and len(messages) > 1 else None
    return isinstance(second, dict) and str(second.get("content")).strip() in SIGNS


def trace_of(record: Mapping[str, Any]) -> str:
    """The format of the record's trace, by its name in `traces.READERS`; empty where it has none."""
    found = (name for name, shapes in TRACES.items() if any(keys <= record.keys() for keys in shapes))
    return next(found, "") or ("opentelemetry" if opentelemetry.holds_spans(record) else _trace_in(record))


def holder_of(record: Mapping[str, Any]) -> str:
    """The format of a record that can hold labels beside its text, by its name in `beside.HOLDERS`; empty if none can.

    Traces can, and solutions in our own format.
    """
    is_own = "problem" in record and (isinstance(record.get("steps"), list) or isinstance(record.get("text"), str))
    return trace_of(record) or ("solutions" if is_own else "")


def _trace_in(record: Mapping[str, Any]) -> str:
    """Guesses the format of the record's trace by what its lists hold; empty if it has none."""
    if string(record, "schema_version").startswith("ATIF") or _has_all(record.get("steps"), {"source", "step_id"}):
        return "atif"
    if any(map(events.is_event, objects(record.get("history"))[:1])):
        return "messages"
    if _has_any(record.get("history"), OF_SWE_AGENT) or _has_all(record.get("trajectory"), {"action", "observation"}):
        return "swe_agent"
    if multi_agent.are_agents(record.get("messages")) or _has_all(record.get("history"), {"content", "role"}):
        return "multi_agent"
    return "messages" if _calls_tools(record) else ""


def _has_all(items: Any, keys: set[str]) -> bool:
    """Returns whether `items` is a list whose first object has all the keys."""
    return any(keys <= each.keys() for each in objects(items)[:1])


def _has_any(items: Any, keys: set[str]) -> bool:
    """Returns whether `items` is a list with an object that has one of the keys."""
    return any(keys & each.keys() for each in objects(items))


def _calls_tools(record: Mapping[str, Any]) -> bool:
    """Returns whether the record's messages are more than a question and an answer."""
    found = next((given for key in messages.KEYS if (given := listed(record.get(key)))), [])
    said = objects([as_chat(each) for each in found])
    roles = [string(each, "role") for each in said]
    is_dialogue = "tool" in roles or not messages.OWN.isdisjoint(roles[:-1])
    calls = (each.get("tool_calls") or each.get("toolCalls") for each in said)
    return is_dialogue or any(calls) or any(_has_calls([each, *objects(each.get("content"))]) for each in said)


def _has_calls(blocks: Iterable[dict[str, Any]]) -> bool:
    kinds = [typed(each)[0] for each in blocks]
    return any(is_call(kind) or is_result(kind) or kind in REASONING for kind in kinds)


def is_gsm8k(record: Mapping[str, Any]) -> bool:
    """Returns whether the record is a problem with each generator's solution and its verdict."""
    written = [value for value in record.values() if isinstance(value, dict)]
    return {"question", "ground_truth"} <= record.keys() and any("solution" in value for value in written)


def is_problem(record: Mapping[str, Any]) -> bool:
    """Returns whether the record is a problem with its author's answer or solution, and nothing that a model wrote."""
    given = {name for name, value in record.items() if value not in (None, "", [])}
    has_statement = any(isinstance(record[name], str) for name in STATEMENT & given)
    words = (word for name in record for word in re.split(r"[^a-z]+", name.lower()))
    return has_statement and bool(REFERENCE & given) and not any(map(WRITTEN.match, words))


def format_of(record: Mapping[str, Any]) -> str:
    """The name of the record's format; empty if it is like none."""
    if name := labels_of(record):
        return FileFormat(name).label
    if is_gsm8k(record):
        return FileFormat.GSM8K.label
    if name := refers(record) or trace_of(record):
        return FileFormat(name).label
    if name := next((name for name, keys in SOLUTIONS.items() if keys <= record.keys()), ""):
        return name
    return FileFormat.PROBLEMS.label if is_problem(record) else ""


def foreign_format_of(record: Mapping[str, Any]) -> str:
    """The name of another program's export, if the record is one that can't be read; else empty."""
    return next((name for name, shapes in FOREIGN.items() if any(keys <= record.keys() for keys in shapes)), "")


def is_by_columns(document: dict[str, Any]) -> bool:
    """Returns whether each key holds a whole column, as pandas writes by default, rather than one record's value."""
    values = list(document.values())
    if all(isinstance(value, dict) and value for value in values):
        names = values[0].keys()
        return all(value.keys() == names for value in values) and (len(values) > 1 or "0" in names)
    if document.keys() == {"columns", "index", "data"}:
        return True
    are_lists = len(values) > 1 and all(isinstance(value, list) and value for value in values)
    have_records = are_lists and all(isinstance(value[0], dict) for value in values)
    return are_lists and not have_records and len({len(value) for value in values}) == 1
