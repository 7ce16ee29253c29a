"""The rows of CSV and Parquet files as records. A cell of CSV is a text, or null where it is empty."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from io import BufferedReader, StringIO, TextIOWrapper
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any

from labeling.data.formats import nul
from labeling.data.formats.fields import Cells, Row
from labeling.data.formats.files.errors import GivenUp, LineError, Unreadable, is_of_the_disk
from labeling.data.formats.labels.parquet import ParquetIsMissing
from labeling.data.formats.notes import Notes

DELIMITERS = ",;\t|"
LOOKED_AT = 20  # rows
ROWS = 500
MAX_NAME = 100
csv.field_size_limit(8 * 1024 * 1024)

Numbered = tuple[int, Row]


def delimiter(head: bytes) -> str:
    """The delimiter of a CSV file that begins like this; empty if it is no CSV."""
    text = head.decode(errors="replace").lstrip("\r\n")
    best = max(DELIMITERS, key=lambda mark: _width(text, mark))
    return best if _width(text, best) > 1 else ""


def _width(text: str, mark: str) -> int:
    """The number of columns of the table with this delimiter; 0 if that makes no table."""
    try:
        rows = [row for row in islice(csv.reader(StringIO(text, newline=""), delimiter=mark), LOOKED_AT) if row]
    except csv.Error:
        return 0
    names, others = rows[0] if rows else [], rows[1:-1] or rows[1:]  # the last one may be cut off
    first, *more = names or ["{"]
    if first.startswith(("{", "[")) or len(set(names)) < len(names) or not all(map(_is_name, more)):
        return 0
    fitting = sum(len(row) == len(names) for row in others)
    return len(names) if 2 * fitting >= len(others) else 0


def _is_name(text: str) -> bool:
    return 0 < len(text.strip()) <= MAX_NAME


def csv_rows(stream: BufferedReader, mark: str, limit: int, look: Callable[[], None]) -> Iterator[Numbered | LineError]:
    """The rows with their lines; the first one names the columns. Raises GivenUp where a quote isn't closed."""
    text = TextIOWrapper(stream, "utf-8", "surrogateescape", newline="")
    rows = csv.reader(iter(lambda: text.readline(limit), ""), delimiter=mark)
    names = [name.strip() for name in next(rows)]
    line = rows.line_num + 1
    try:
        for count, cells in enumerate(rows):
            if count % ROWS == 0:
                look()
            if cells:
                yield _csv_row(line, names, cells)
            line = rows.line_num + 1
    except csv.Error as error:
        raise GivenUp(line, f"not CSV ({error})") from None


def _csv_row(line: int, names: list[str], cells: list[str]) -> Numbered | LineError:
    if len(cells) != len(names):
        return LineError(line, f"the row has {len(cells)} cells, but there are {len(names)} columns")
    row = Cells((name, cell or None) for name, cell in zip(names, cells, strict=True) if name)
    joined = "".join(cells)
    if nul.NUL in joined:
        return LineError(line, nul.HELD)
    if not joined.isascii() and any("\udc80" <= character <= "\udcff" for character in joined):
        return LineError(line, "not UTF-8: save the file as UTF-8")
    return line, row


def parquet_rows(path: Path, look: Callable[[float], None], notes: Notes) -> Iterator[Numbered]:
    """The rows, numbered from 1; ``look`` gets the share that has been read. Raises Unreadable, ParquetIsMissing or,
    for a disk that fails, OSError.
    """
    try:
        import pyarrow  # noqa: PLC0415  large, and an extra
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError:
        raise ParquetIsMissing("Parquet needs pyarrow: pip install 'stepmark[parquet]'.") from None
    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(ROWS):
                for number, row in enumerate(batch.to_pylist(), start=number + 1):  # noqa: B020
                    yield number, Row((key, _plain(value, notes, number)) for key, value in row.items())
                look(number / file.metadata.num_rows)
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        if is_of_the_disk(error):
            raise
        if number:
            raise GivenUp(number + 1, f"the Parquet file is damaged here ({error})") from None
        raise Unreadable("This Parquet file is cut off or damaged: download or write it again.") from None


def _plain(value: Any, notes: Notes, number: int) -> Any:
    """The cell's value in JSON's types."""
    if isinstance(value, list):
        return [_plain(part, notes, number) for part in value]
    if isinstance(value, dict):
        return {key: _plain(part, notes, number) for key, part in value.items()}
    if isinstance(value, float) and not isfinite(value):
        notes.add("NaN or Infinity read as null", line=number)
        return None
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    if isinstance(value, str) and nul.NUL in value:
        notes.add(nul.REPLACED, value.count(nul.NUL), line=number)
        return value.replace(nul.NUL, nul.INSTEAD)
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value.isoformat() if isinstance(value, date) else value
