"""Recognizes how a text of records is laid out, by its beginning."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from labeling.data.formats import guess
from labeling.data.formats.files import tables
from labeling.data.formats.files.decoding import decode
from labeling.data.formats.files.errors import LineError, Unreadable
from labeling.data.formats.files.items import DEEPER, TOKEN
from labeling.data.formats.notes import Notes

COMMENTS = re.compile(rb"(?:\s*(?://|#)[^\n]*\n|\s*/\*.*?\*/)+\s*(?=[\[{])", re.DOTALL)
COLUMNS = re.compile(rb'\s*\{\s*"[^"\\]+"\s*:\s*\{\s*"0"\s*:')
LOOKED_AT = 10  # lines
# How documents begin that are one trace each, whatever lists they have; and an Inspect log, whose samples are records.
ONE = re.compile(
    rb'"schema_version"\s*:\s*"ATIF|"trajectory_format"\s*:|"resourceSpans"\s*:'
    rb'|"info"\s*:\s*\{\s*"(model_stats|exit_status|submission|config)"\s*:'
)
INSPECT = re.compile(rb'\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:\s*"[a-z]*"\s*,\s*"eval"\s*:')
SAMPLES = "samples"
TAU2 = re.compile(rb'\{\s*"timestamp"\s*:\s*"[^"]*"\s*,\s*"info"\s*:\s*\{\s*"git_commit"\s*:')
SIMULATIONS = "simulations"
BEGINNING = 2000  # bytes
NO_RECORDS = {"features"}  # of the Hub's API, beside “rows”


@dataclass(frozen=True)
class Layout:
    """A text's layout. ``start``: the number of bytes before the first record. ``comments``: whether comments are left
    out there. ``others``: whether lists without records may follow.
    """

    kind: Literal["lines", "list", "documents", "csv"]
    start: int = 0
    comments: bool = False
    others: bool = False


def of(head: bytes, *, is_all: bool) -> Layout:
    """The layout of the text that begins with ``head``. Raises Unreadable for JSON by columns."""
    comments = COMMENTS.match(head)
    start = comments.end() if comments else len(head) - len(head.lstrip())
    text = head[start:]
    if text.startswith(b"["):
        return Layout("list", start + 1, bool(comments))
    if not text.startswith(b"{"):
        return Layout("csv" if tables.delimiter(head) else "lines")
    if (name := _name(text)) and (place := _first_list(text, name)):
        return Layout("list", start + place, bool(comments), others=True)
    document = _document(text) if is_all else None
    if COLUMNS.match(text) or (document and guess.is_by_columns(document)):
        raise Unreadable("This JSON is by columns: write it by records, in pandas with orient='records', lines=True.")
    is_one = ONE.search(text[:BEGINNING]) or (document and guess.format_of(document))
    place = 0 if is_one else _first_list(text)
    if document is None and not _goes_on(text, is_list=place > 0):
        return Layout("lines", start, bool(comments))
    return Layout("list" if place else "documents", start + place, bool(comments))


def comes_late(head: bytes) -> bool:
    """Returns whether the records of the document are known to come after what the head holds."""
    text = head.lstrip()
    return bool(name := _name(text)) and not _first_list(text, name)


def _name(text: bytes) -> str:
    """The key of the records of a document that has other lists before; empty where the first list is theirs."""
    return SAMPLES if INSPECT.match(text) else SIMULATIONS if TAU2.match(text) else ""


def _document(text: bytes) -> dict[str, Any] | None:
    """The whole text as one object; None where it is something else."""
    found = decode(0, text, Notes())
    return None if isinstance(found, LineError) else found


def _goes_on(text: bytes, *, is_list: bool) -> bool:
    """Returns whether the first object spans several lines, rather than being a bad line before others."""
    first, *others = (line for line in text.split(b"\n", maxsplit=LOOKED_AT) if line.strip())
    depth = sum(DEEPER.get(token[0], 0) for token in TOKEN.finditer(first))
    return depth > 0 and (_document(others[0]) is None if others else is_list)


def _first_list(text: bytes, name: str = "") -> int:
    """The offset of the first item in the object's first list of objects, however deep its key; with a name, in the
    list under that key of the object itself.

    0 if there is none, or if the object is itself a record.
    """
    within, key = list[bytes](), ""
    for token in TOKEN.finditer(text):
        is_among_keys = b"[" not in within
        if is_among_keys and token[1] and _next(text, token.end()) == b":":
            key = token[0].strip(b'"').decode(errors="replace")
        elif is_among_keys and token[0] == b"[" and _next(text, token.end()) == b"{" and _is_wanted(key, name, within):
            return token.end()
        if is_among_keys and not name and key in guess.OF_A_RECORD:
            return 0
        if DEEPER.get(token[0]) == 1:
            within.append(token[0])
        elif token[0] in DEEPER and within:
            within.pop()
    return 0


def _is_wanted(key: str, name: str, within: list[bytes]) -> bool:
    return key == name and len(within) == 1 if name else key not in NO_RECORDS


def _next(text: bytes, at: int) -> bytes:
    return text[at : at + 200].lstrip()[:1]
