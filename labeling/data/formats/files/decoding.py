"""Decodes a JSON object: quickly if it is valid, leniently if it deviates as other programs' JSON does."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from labeling.data.formats import nul
from labeling.data.formats.files.errors import LineError
from labeling.data.formats.notes import Notes

Record = dict[str, Any]
KEY_END = re.compile(rb'"\s*:')
ESCAPED_KEY_END = re.compile(rb"\\u00(?:22|3[aA])")  # a quote or a colon
LENIENT = re.compile(rb"NaN|Infinity|\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]")
HALF = re.compile("[\ud800-\udfff]")
HINTS = {
    rb"\s*\{\s*'": "not JSON, but Python: write it with json.dumps",
    rb"\s*(//|#|/\*)": "a comment, which JSON doesn't have",
}


def decode(number: int, line: bytes, notes: Notes) -> Record | LineError:
    """Returns the object of one line; counts its changes in ``notes``."""
    line = nul.replaced(line, notes, line=number)
    try:
        value = _value(number, line, notes)
    except (UnicodeDecodeError, msgspec.DecodeError, RecursionError) as error:
        return LineError(number, _reason(line, error))
    except ValueError as error:
        return LineError(number, str(error))
    if isinstance(value, str):
        return _inner(number, value, notes)
    return value if isinstance(value, dict) else LineError(number, "not a JSON object")


def _value(number: int, line: bytes, notes: Notes) -> Any:
    try:
        value = msgspec.json.decode(line)
    except (UnicodeDecodeError, msgspec.DecodeError):
        if LENIENT.search(line) and (found := _leniently(number, line, notes)) is not None:
            return found
        if line.rstrip().endswith(b"},"):  # the lines of a list without its brackets
            return _value(number, line.rstrip()[:-1], notes)
        raise
    _check_keys(line, value)
    return value


def _reason(line: bytes, error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 ({error.reason}): save the file as UTF-8"
    return next((hint for start, hint in HINTS.items() if re.match(start, line)), f"not JSON ({error})")


def _inner(number: int, text: str, notes: Notes) -> Record | LineError:
    """Decodes JSON inside a JSON string: a record that was encoded twice."""
    if text.lstrip().startswith("["):
        return LineError(number, "a list inside a JSON string: decode it once more, and write it as it is")
    found = decode(number, text.encode(), notes) if text.lstrip().startswith("{") else None
    if not isinstance(found, dict):
        return found or LineError(number, "not a JSON object")
    notes.add("JSON inside JSON strings, decoded once more", line=number)
    return found


def _leniently(number: int, line: bytes, notes: Notes) -> Any:
    """Reads JSON with Python's NaN and Infinity as null, and with lone surrogates replaced; None if it is no JSON."""
    numbers = list[str]()
    try:
        text = line.decode("utf-8", "surrogatepass")
        value = json.loads(text, parse_constant=numbers.append, object_pairs_hook=_without_repeats)
        text, halves = HALF.subn("\N{REPLACEMENT CHARACTER}", json.dumps(value, ensure_ascii=False))
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        return None
    if numbers:
        notes.add("NaN or Infinity read as null", len(numbers), line=number)
    if halves:
        notes.add("half characters (lone surrogates) replaced by \N{REPLACEMENT CHARACTER}", halves, line=number)
    return json.loads(text) if halves else value


def _check_keys(line: bytes, value: Any) -> None:
    """Raises ValueError if an object has a key twice: which value was meant is unknown.

    A cheap test comes first: a line with a repeated key has more ends of keys than its value encoded again.
    """
    if ESCAPED_KEY_END.search(line) or len(KEY_END.findall(line)) != msgspec.json.encode(value).count(b'":'):
        json.loads(line, object_pairs_hook=_without_repeats)


def _without_repeats(pairs: list[tuple[str, Any]]) -> Record:
    found = dict(pairs)
    if len(found) < len(pairs):
        repeated = next(name for at, (name, _) in enumerate(pairs) if name in dict(pairs[:at]))
        raise ValueError(f"the key “{repeated[:60]}” appears twice")
    return found
