"""What an annotator can note down about a task: every answer of the API as numbers, whatever its fields are called.

A field that is added tomorrow is noted, too, without anybody naming it here.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.*")
Notes = dict[str, float]


def leaves(body: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value with its path; the items of a list share one, and the list's length has its own."""
    if isinstance(body, dict):
        for name, value in body.items():
            yield from leaves(value, f"{path}.{name}")
    elif isinstance(body, list):
        yield f"{path}.length", len(body)
        for value in body:
            yield from leaves(value, f"{path}[]")
    else:
        yield path, body


def numbers(path: str, value: Any, now: datetime) -> Notes:
    """An id tells when it was drawn if it is one of version 7; a time counts from now; a text has a size."""
    if value is None or isinstance(value, bool | int | float):
        return {path: -1.0 if value is None else float(value), f"{path} is null": float(value is None)}
    if found := ID.fullmatch(value):
        return {f"{path} (version)": int(found[1], 16), f"{path} (time)": int(value.replace("-", "")[:12], 16)}
    if TIME.fullmatch(value):
        return {path: (datetime.fromisoformat(value) - now).total_seconds()}
    return {f"{path} (size)": len(value), f"{path} (words)": len(value.split()), f"{path} (lines)": value.count("\n")}


def noted(body: Any, now: datetime) -> Notes:
    """The answer as numbers; what has the same path is added up."""
    notes: Notes = {}
    for path, value in leaves(body):
        for name, number in numbers(path, value, now).items():
            notes[name] = notes.get(name, 0.0) + number
    return notes


def texts(body: Any) -> set[tuple[str, str]]:
    """The texts by their paths, to recognize when they come again."""
    return {(path, value) for path, value in leaves(body) if isinstance(value, str) and not TIME.fullmatch(value)}


def moved(before: Notes, after: Notes) -> Notes:
    """By how much each number moved."""
    names = before.keys() | after.keys()
    return {f"{name} moved": after.get(name, -1.0) - before.get(name, -1.0) for name in names}
