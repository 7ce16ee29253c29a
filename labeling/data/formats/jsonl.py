"""JSON Lines (jsonlines.org), or one JSON array; plain or gzipped, streamed in constant memory; bad lines reported by
number.

A bad line never ends the reading; what does (a cut-off archive, a file without records) is the last LineError.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any

import msgspec

from labeling.data.formats import array

MAX_LINE_BYTES = 8 * 1024 * 1024
MAX_WASTE_BYTES = 64 * 1024 * 1024  # of blank lines, or of one line, in which no record is
CHUNK = 1 << 18
GZIP_MAGIC = b"\x1f\x8b"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# An odd number of backslashes before u0000: after an even one it is the text “\\u0000”, not the character.
NUL_ESCAPE = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
KEY_END = re.compile(rb'"\s*:')
REST = "the rest of the file was not read"

Line = tuple[int, dict[str, Any]]
Stream = BufferedReader | gzip.GzipFile


@dataclass(frozen=True)
class LineError:
    """Why a line was left out. Lines count from 1."""

    line: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


def read(
    path: Path, *, max_line_bytes: int = MAX_LINE_BYTES, on_bytes: Callable[[int], None] | None = None
) -> Iterator[Line | LineError]:
    """The objects of a file with their line numbers, and errors in place of bad lines. Blank lines are skipped.

    ``on_bytes`` gets how many bytes of the file (compressed, if it is) have been read, also where nothing comes of
    them; what it raises ends the reading. A file that goes on and on without a record is given up.
    """
    number = 0
    with path.open("rb") as file, _open(file) as stream:

        def look() -> None:
            if on_bytes is not None:
                on_bytes(file.tell())

        try:
            is_array = stream.peek(1)[:1] == b"["
            for number, text in (array.items if is_array else _lines)(stream, max_line_bytes, look):
                too_long = LineError(number, f"longer than {max_line_bytes:,} bytes")
                yield too_long if text is None else _parse(number, text)
            look()
        except array.GivenUp as end:
            yield LineError(end.line, f"{end}; {REST}")
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            yield LineError(number + 1, f"the gzip file is cut off or damaged here ({error})")


def _open(file: BufferedReader) -> Stream:
    start = file.read(2)
    file.seek(0)
    return gzip.GzipFile(fileobj=file) if start == GZIP_MAGIC else file


def _lines(stream: Stream, limit: int, look: Callable[[], None]) -> Iterator[tuple[int, bytes | None]]:
    """The lines that are not blank, with their numbers; None in place of one over the limit. Raises GivenUp."""
    # `rest` is the line that the chunk cuts off; `waste` counts the bytes since the last good line.
    number, rest, waste = 1, b"", 0
    is_cut = False  # `rest` belongs to a line that was over the limit
    while chunk := stream.read(CHUNK):
        look()
        waste += len(chunk)
        if waste > MAX_WASTE_BYTES:
            raise array.GivenUp(number, f"{MAX_WASTE_BYTES >> 20} MB without a record")
        if not rest and chunk.isspace():  # quick, for there may be millions of them
            number += chunk.count(b"\n")
            is_cut = is_cut and b"\n" not in chunk
            continue
        # The last piece has no end yet: it is the beginning of the next chunk's first line.
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if not is_cut and line.strip():
                yield number, line if len(line) <= limit else None
                waste = 0 if len(line) <= limit else waste
            is_cut = False
            number += 1
        # Reported once, when it gets too long; what follows of it, up to its end, is thrown away unread.
        if len(rest) > limit and not is_cut:
            yield number, None
            is_cut = True
        rest = b"" if is_cut else rest
    if rest.strip():
        yield number, rest


def _parse(number: int, line: bytes) -> Line | LineError:
    if number == 1:
        line = line.removeprefix(BYTE_ORDER_MARK)
    try:
        value = msgspec.json.decode(line)
        _check_keys(line, value)
    except UnicodeDecodeError as error:
        return LineError(number, f"not UTF-8 ({error.reason})")
    except (msgspec.DecodeError, RecursionError) as error:
        return LineError(number, f"not JSON ({error})")
    except ValueError as error:
        return LineError(number, str(error))
    if b"\\u0000" in line and NUL_ESCAPE.search(line):
        return LineError(number, "it has a NUL character, which no database text can hold")
    return (number, value) if isinstance(value, dict) else LineError(number, "not a JSON object")


def _check_keys(line: bytes, value: Any) -> None:
    """Raises ValueError where an object has a key twice: which value was meant, nobody knows.

    As a rule nothing else looks like the end of a key: then counting is enough.
    """
    if len(KEY_END.findall(line)) != _keys(value):
        json.loads(line, object_pairs_hook=_without_repeats)


def _keys(value: Any) -> int:
    if isinstance(value, dict):
        return len(value) + sum(_keys(part) for part in value.values() if isinstance(part, dict | list))
    return sum(_keys(part) for part in value if isinstance(part, dict | list)) if isinstance(value, list) else 0


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        repeated = next(name for at, (name, _) in enumerate(pairs) if name in dict(pairs[:at]))
        raise ValueError(f"the key “{repeated[:60]}” appears twice")
    return found
