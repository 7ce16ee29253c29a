"""What a record looks like when it can't be read as what it was given for."""

from __future__ import annotations

from typing import Any

# By the keys that a record has; the first that fits: ProcessBench's have all that solutions need.
RECORDS = {
    "PRM800K labels": {"question", "label"},
    "GSM8K model solutions": {"question", "ground_truth"},
    "ProcessBench": {"problem", "steps", "label", "generator"},
    "Solutions JSONL": {"problem", "generator"},
    "chat messages": {"messages"},
    "TRL stepwise supervision, which can't be imported": {"prompt", "completions", "labels"},
    "Math-Shepherd, which can't be imported": {"input", "label"},
}
FOREIGN = {
    "an Argilla export": ({"fields", "responses"}, {"fields", "suggestions"}),
    "a Label Studio export": ({"data", "annotations"}, {"data", "predictions"}, {"annotation_id", "lead_time"}),
}
# A JSON object with such a key is a record, and no document that holds records in a list.
OF_A_RECORD = set[str]().union(
    *RECORDS.values(),
    *(keys for each in FOREIGN.values() for keys in each if keys != {"data", "annotations"}),
    {"annotations", "predictions", "conversations", "conversation", "steps", "text", "instruction", "query", "history"},
    {"trajectory", "traj", "response", "choices", "completion", "output", "original_question", "row", "_source"},
) - {"data"}


def format_of(record: dict[str, Any]) -> str:
    """The name of the format that the record is of; empty where it is like none."""
    return next((name for name, keys in RECORDS.items() if keys <= record.keys()), "")


def foreign_format_of(record: dict[str, Any]) -> str:
    """The program whose export this is, where nothing of it can be read; else empty."""
    return next((name for name, shapes in FOREIGN.items() if any(keys <= record.keys() for keys in shapes)), "")


def is_by_columns(document: dict[str, Any]) -> bool:
    """Whether each key has all values of a column, as pandas writes by default, rather than one record's."""
    values = list(document.values())
    if all(isinstance(value, dict) and value for value in values):
        names = values[0].keys()
        return all(value.keys() == names for value in values) and (len(values) > 1 or "0" in names)
    if document.keys() == {"columns", "index", "data"}:
        return True
    are_lists = len(values) > 1 and all(isinstance(value, list) and value for value in values)
    have_records = are_lists and all(isinstance(value[0], dict) for value in values)
    return are_lists and not have_records and len({len(value) for value in values}) == 1 and not format_of(document)
