"""Copies a file of records with some records changed; all else keeps its place and its value."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from labeling.data.formats import guess
from labeling.data.formats.files import Unreadable, archives, layout, opening, whole

MAX_DOCUMENT_BYTES = 256 * 1024 * 1024  # read into memory
HEAD = 1 << 18
RECORDS = (layout.SAMPLES, layout.SIMULATIONS)  # of documents that have other lists, which look like traces
INDENT = re.compile(rb"\s*[\[{]\r?\n( {1,8})\S")

Change = Callable[[dict[str, Any]], dict[str, Any]]


def rewrite(source: Path, output: IO[bytes], change: Change) -> None:
    """Writes the file with each of its traces changed: lines, a document or an archive, as before.

    Raises Unreadable if the file holds no JSON, is damaged, or is too large a document.
    """
    with source.open("rb") as file:
        if file.peek(4).startswith(archives.ZIP):
            _rewrite_archive(source, output, change)
            return
        damage = list[str]()
        stream = opening.decoded(opening.unpacked(file, damage), damage)
        head = stream.read(HEAD)
        is_all = not stream.peek(1)
        stream = opening.rejoined(head, stream)
        kind = layout.of(head, is_all=is_all).kind if head.lstrip()[:1] in {b"{", b"["} else "csv"
        if kind == "csv":
            raise Unreadable("This file holds no JSON: labels can be put into JSON Lines, JSON and .eval files.")
        output.writelines(_lines(stream, change) if kind == "lines" else _document(stream, change))
        if damage:
            raise Unreadable(f"This file can't be copied whole: {damage[0]}.")


def _rewrite_archive(source: Path, output: IO[bytes], change: Change) -> None:
    with archives.opened(source) as archive, ZipFile(output, "w", ZIP_DEFLATED) as copy:
        for member in archive.infolist():
            content = _read_member(archive, member)
            sample = _decoded(content) if archives.SAMPLE.fullmatch(member.filename) else None
            if sample is not None:
                content = _encoded(change(sample), content)
            if member.compress_type == archives.ZSTANDARD:  # which this zipfile doesn't write
                member.compress_type = ZIP_DEFLATED
            copy.writestr(member, content)


def _read_member(archive: ZipFile, member: ZipInfo) -> bytes:
    try:
        content = archives.unpacked(archive, member, MAX_DOCUMENT_BYTES)
    except Unreadable as error:
        raise Unreadable(f"This archive can't be copied: “{member.filename[:80]}”, {error}.") from None
    if len(content) > MAX_DOCUMENT_BYTES:
        raise Unreadable(f"“{member.filename[:80]}” in this archive is longer than {MAX_DOCUMENT_BYTES:,} bytes.")
    return content


def _lines(stream: BufferedReader, change: Change) -> Iterator[bytes]:
    """Yields the changed lines, changed together if they are one record. A line that is no JSON object stays."""
    first = True
    for line in stream:
        value = _decoded(line)
        if first and value is not None and (key := whole.key_of(value)):
            yield from _whole_record(value, stream, key, change)
            return
        first = first and value is None
        yield line if value is None else _encoded(changed(value, change), b"") + b"\n"


def _whole_record(first: dict[str, Any], stream: BufferedReader, key: str, change: Change) -> Iterator[bytes]:
    lines = [(b"", first), *((line, _decoded(line)) for line in stream)]
    record = change({key: [value for _, value in lines if value is not None]})
    found = iter(record[key])
    for line, value in lines:
        yield line if value is None else _encoded(next(found), b"") + b"\n"


def _document(stream: BufferedReader, change: Change) -> Iterator[bytes]:
    text = stream.read(MAX_DOCUMENT_BYTES + 1)
    if len(text) > MAX_DOCUMENT_BYTES:
        raise Unreadable(f"This document is longer than {MAX_DOCUMENT_BYTES:,} bytes: write it as JSON Lines.")
    try:
        for value in _values(text.decode()):
            yield _encoded(changed(value, change), text) + b"\n"
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"This is no JSON ({error}).") from None


def _values(text: str) -> Iterator[Any]:
    decoder, at = json.JSONDecoder(), 0
    while rest := text[at:].lstrip():
        value, length = decoder.raw_decode(rest)
        yield value
        at = len(text) - len(rest) + length


def changed(value: Any, change: Change) -> Any:
    """The value with each trace in it changed, however deep it lies."""
    if isinstance(value, list):
        key = whole.key_of(value[0]) if value and isinstance(value[0], dict) else ""
        lines = all(isinstance(each, dict) for each in value)
        return change({key: value})[key] if key and lines else [changed(each, change) for each in value]
    if not isinstance(value, dict):
        return value
    name = guess.holder_of(value)
    if name in {"", "inspect"} and (key := next((key for key in RECORDS if isinstance(value.get(key), list)), "")):
        return value | {key: changed(value[key], change)}
    if name:
        return change(value)
    return {key: changed(each, change) for key, each in value.items()}


def _decoded(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _encoded(value: Any, like: bytes) -> bytes:
    found = INDENT.match(like[:1000])
    text = json.dumps(value, ensure_ascii=False, indent=len(found[1]) if found else None)
    return text.encode("utf-8", "surrogatepass")
