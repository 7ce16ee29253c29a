"""Recognizes what a file is, and reads its records one by one.

A bad line never ends the reading; whatever does (a cut-off archive, a file without end) is the last LineError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import Any

from labeling.data.formats.files import archives, items, kinds, layout, opening, tables, whole
from labeling.data.formats.files.decoding import decode
from labeling.data.formats.files.errors import GivenUp, LineError, Unreadable
from labeling.data.formats.files.lines import lines
from labeling.data.formats.notes import Notes

MAX_LINE_BYTES = 8 * 1024 * 1024
HEAD = 1 << 18
PARQUET = b"PAR1"
NESTS = ("row", "_source")  # where the Hub's API and Elasticsearch put a record

Line = tuple[int, dict[str, Any]]
OnBytes = Callable[[int], None]
Look = Callable[[], None]


def read_records(
    path: Path, *, max_line_bytes: int = MAX_LINE_BYTES, on_bytes: OnBytes | None = None, notes: Notes | None = None
) -> Iterator[Line | LineError]:
    """Yields the records of a file with their line numbers, and errors in place of bad ones. Blank lines are skipped.

    ``on_bytes`` gets the number of bytes of the file (compressed, if it is) read so far, also while no record comes;
    what it raises ends the reading. A file that goes on and on without a record is given up. ``notes`` counts
    what was changed. Raises Unreadable, whose message says what the file is and what to do.
    """
    notes, number = notes or Notes(), 0
    damage = list[str]()
    try:
        found = _records(path, max_line_bytes, on_bytes or _nobody, notes, damage)
        for item in whole.joined(_unnested(found, notes), max_line_bytes):
            number = item.line if isinstance(item, LineError) else item[0]
            yield item
    except GivenUp as end:
        yield LineError(end.line, str(end))
    if damage:
        yield LineError(number + 1, damage[0])


def _nobody(_done: int) -> None:
    """Reports progress to nobody."""


def _records(path: Path, limit: int, on_bytes: OnBytes, notes: Notes, damage: list[str]) -> Iterator[Line | LineError]:
    if path.is_dir():
        raise Unreadable(f"“{path}” is a folder, not a file.")
    try:
        file = path.open("rb")
    except OSError as error:
        raise Unreadable(f"“{path}” can't be opened: {error.strerror}.") from None
    with file:
        size = path.stat().st_size
        if file.peek(4).startswith(PARQUET):
            yield from tables.parquet_rows(path, lambda share: on_bytes(int(share * size)), notes)
            return
        if file.peek(4).startswith(archives.ZIP):
            for sample in archives.samples(path, limit, lambda share: on_bytes(int(share * size))):
                yield sample if isinstance(sample, LineError) else _decoded(*sample, limit, notes)
            return
        stream = opening.decoded(opening.unpacked(file, damage), damage)
        yield from _of_text(stream, limit, lambda: on_bytes(file.tell()), notes)


def _of_text(stream: BufferedReader, limit: int, look: Look, notes: Notes) -> Iterator[Line | LineError]:
    head = stream.read(HEAD)
    kinds.check_kind(head[:2000])
    if layout.comes_late(head) or (head.lstrip().startswith(b"{") and b"\n" not in head.strip()):
        head += stream.read(limit + 1)
    found = layout.of(head, is_all=not stream.peek(1))
    if found.comments:
        notes.add("comments above the records left out")
    rest = opening.rejoined(head[found.start :], stream)
    line = 1 + head.count(b"\n", 0, found.start)
    if found.kind == "csv":
        yield from tables.csv_rows(rest, tables.delimiter(head), limit, look)
    elif found.kind == "lines":
        yield from (_decoded(number, text, limit, notes) for number, text in lines(rest, limit, look, line))
    else:
        is_list = found.kind == "list"
        found_items = items.items(rest, limit, look, line=line, is_list=is_list, is_only=not found.others)
        yield from (_decoded(number, text, limit, notes) for number, text in found_items)
    look()


def _decoded(number: int, text: bytes | None, limit: int, notes: Notes) -> Line | LineError:
    if text is None:
        return LineError(number, f"longer than {limit:,} bytes")
    record = decode(number, text, notes)
    return record if isinstance(record, LineError) else (number, record)


def _unnested(found: Iterator[Line | LineError], notes: Notes) -> Iterator[Line | LineError]:
    """Yields the records, unwrapped if they stand under a key of NESTS. Raises Unreadable for a foreign export."""
    for item in found:
        if isinstance(item, LineError):
            yield item
            continue
        kinds.check_record(item[1])
        nest = next((key for key in NESTS if isinstance(item[1].get(key), dict)), "")
        if not nest:
            yield item
            yield from found
            return
        notes.add(f"the records are those under “{nest}”")
        yield item[0], item[1][nest]
        for other in found:
            yield other if isinstance(other, LineError) else (other[0], other[1].get(nest, other[1]))
