"""Turns every response of the API into numbers that an annotator could note.

Fields need not be named here, so later ones are noted, too.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

OF_ONE_ANSWER = {"Content-Length", "X-Request-ID"}  # headers that differ between equal responses
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.*")
Notes = dict[str, float]


def leaves(body: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yields every value with its path; a list's items share one, and its length has its own."""
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
    """Returns a value as numbers: an id as version and time, a time as its distance from now, a text as its sizes."""
    if value is None or isinstance(value, bool | int | float):
        return {path: -1.0 if value is None else float(value), f"{path} is null": float(value is None)}
    if found := ID.fullmatch(value):
        return {f"{path} (version)": int(found[1], 16), f"{path} (time)": int(value.replace("-", "")[:12], 16)}
    if TIME.fullmatch(value):
        return {path: (datetime.fromisoformat(value) - now).total_seconds()}
    return {f"{path} (size)": len(value), f"{path} (words)": len(value.split()), f"{path} (lines)": value.count("\n")}


def noted(body: Any, now: datetime) -> Notes:
    """Returns the answer as numbers, added up by path."""
    notes: Notes = {}
    for path, value in leaves(body):
        for name, number in numbers(path, value, now).items():
            notes[name] = notes.get(name, 0.0) + number
    return notes


def texts(body: Any) -> set[tuple[str, str]]:
    """Returns the texts with their paths, to recognise repetitions."""
    return {(path, value) for path, value in leaves(body) if isinstance(value, str) and not TIME.fullmatch(value)}


def moved(before: Notes, after: Notes) -> Notes:
    """Returns the change of each number."""
    names = before.keys() | after.keys()
    return {f"{name} moved": after.get(name, -1.0) - before.get(name, -1.0) for name in names}
