"""JSON Lines, or one JSON array; plain or gzipped, streamed in constant memory; bad lines reported by number."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any

import msgspec

from labeling.formats import array

MAX_LINE_BYTES = 8 * 1024 * 1024
GZIP_MAGIC = b"\x1f\x8b"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
NUL_ESCAPE = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")

Line = tuple[int, dict[str, Any]]


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

    ``on_bytes`` is told how many bytes of the file (compressed, if it is) have been read.
    """
    number = 0
    with path.open("rb") as file, _open(file) as stream:
        try:
            if stream.peek(1)[:1] == b"[":
                for number, text in array.items(stream, limit=max_line_bytes):
                    yield _parse(number, text)
                    if on_bytes is not None:
                        on_bytes(file.tell())
                return
            while line := stream.readline(max_line_bytes + 1):
                number += 1
                if len(line) > max_line_bytes and not line.endswith(b"\n"):
                    _skip_line(stream, max_line_bytes)
                    yield LineError(number, f"longer than {max_line_bytes:,} bytes")
                elif line.strip():
                    yield _parse(number, line)
                if on_bytes is not None:
                    on_bytes(file.tell())
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            yield LineError(number + 1, f"the gzip file is cut off or damaged here ({error})")


def _open(file: BufferedReader) -> BufferedReader | gzip.GzipFile:
    start = file.read(2)
    file.seek(0)
    return gzip.GzipFile(fileobj=file) if start == GZIP_MAGIC else file


def _skip_line(stream: BufferedReader | gzip.GzipFile, chunk: int) -> None:
    while (rest := stream.readline(chunk)) and not rest.endswith(b"\n"):
        pass


def _parse(number: int, line: bytes) -> Line | LineError:
    if number == 1:
        line = line.removeprefix(BYTE_ORDER_MARK)
    try:
        value = msgspec.json.decode(line)
    except UnicodeDecodeError as error:
        return LineError(number, f"not UTF-8 ({error.reason})")
    except (msgspec.DecodeError, RecursionError) as error:
        return LineError(number, f"not JSON ({error})")
    if b"\\u0000" in line and NUL_ESCAPE.search(line):
        return LineError(number, "it has a NUL character, which no database text can hold")
    return (number, value) if isinstance(value, dict) else LineError(number, "not a JSON object")
