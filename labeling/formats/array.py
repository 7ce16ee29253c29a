"""The items of a large JSON array, as bytes, without reading all of it: ProcessBench's files are such arrays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from gzip import GzipFile
from io import BufferedReader

CHUNK = 1 << 16
# A string, or the marks outside of strings. A string that the chunk cuts off ends without its quote.
TOKEN = re.compile(rb'"(?:[^"\\]|\\.?)*+("|\Z)|[\[\]{},]', re.DOTALL)
DEEPER = {b"[": 1, b"{": 1, b"]": -1, b"}": -1}


def items(stream: BufferedReader | GzipFile, *, limit: int) -> Iterator[tuple[int, bytes]]:
    """Each item with its line. What is no array in the end, or has an item over the limit, ends with a broken item."""
    buffer, at, line, depth = b"", 0, 1, 0
    while (chunk := stream.read(CHUNK)) and len(buffer) <= limit:
        buffer, begin = buffer + chunk, 0
        for token in TOKEN.finditer(buffer, at):
            if token[1] == b"":
                break
            at, depth = token.end(), depth + DEEPER.get(token[0], 0)
            if token[0] == b"[" and depth == 1:
                begin = at
            elif depth == 0 or (depth == 1 and token[0] == b","):
                yield from _item(line, buffer[begin : token.start()])
                line += buffer.count(b"\n", begin, at)
                begin = at
            if depth == 0:
                yield from _item(line, buffer[at:] + stream.read(CHUNK))
                return
        buffer, at = buffer[begin:], at - begin
    yield line, b"[" + buffer


def _item(line: int, text: bytes) -> Iterator[tuple[int, bytes]]:
    if item := text.lstrip():
        yield line + text.count(b"\n", 0, len(text) - len(item)), item
