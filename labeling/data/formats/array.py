"""The items of a large JSON array (RFC 8259), as bytes, in constant memory: ProcessBench's files are such arrays.

Only brackets, commas and strings are looked at; each item is left to a real parser, which judges what is inside.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from gzip import GzipFile
from io import BufferedReader

CHUNK = 1 << 16
MAX_DEPTH = 500
# A string, or the marks outside of strings. A string that the chunk cuts off ends without its quote. `*+` never gives
# back what it matched, so a string is read once, not once for each backslash.
TOKEN = re.compile(rb'"(?:[^"\\]|\\.?)*+("|\Z)|[\[\]{},]', re.DOTALL)
DEEPER = {b"[": 1, b"{": 1, b"]": -1, b"}": -1}


class GivenUp(Exception):
    """The file is not worth reading on from this line."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def items(stream: BufferedReader | GzipFile, limit: int, look: Callable[[], None]) -> Iterator[tuple[int, bytes]]:
    """Each item with its line; ``look`` is called as the reading goes on. What is no array in the end ends with a
    broken item. Raises GivenUp for an item over the limit, or nested too deep."""
    # `begin` is where the item in hand starts in the buffer, `at` where the next token is looked for, `line` that of
    # `begin`. After each chunk everything before `begin` is dropped, so the buffer holds about one item.
    buffer, at, line, depth = b"", 0, 1, 0
    while chunk := stream.read(max(CHUNK, len(buffer))):  # a long string is begun anew each time
        look()
        buffer, begin = buffer + chunk, 0
        for token in TOKEN.finditer(buffer, at):
            if token[1] == b"":
                break
            at, depth = token.end(), depth + DEEPER.get(token[0], 0)
            if depth > MAX_DEPTH:
                raise GivenUp(line, f"nested more than {MAX_DEPTH} deep")
            if token[0] == b"[" and depth == 1:
                begin = at
            elif depth == 0 or (depth == 1 and token[0] == b","):
                yield from _item(line, buffer[begin : token.start()])
                line += buffer.count(b"\n", begin, at)
                begin = at
            if depth == 0:  # the array is closed: what follows, if anything, is one more item
                yield from _item(line, buffer[at:] + stream.read(CHUNK))
                return
        buffer, at = buffer[begin:], at - begin
        if len(buffer) > limit:
            raise GivenUp(line, f"an item of the array is longer than {limit:,} bytes")
    yield line, b"[" + buffer


def _item(line: int, text: bytes) -> Iterator[tuple[int, bytes]]:
    if item := text.lstrip():
        yield line + text.count(b"\n", 0, len(text) - len(item)), item
