"""The items of a JSON list, or JSON objects one after another (RFC 8259), as bytes, in constant memory.

Only brackets, commas and strings are looked at; each item is left to a real parser, which judges what is inside.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from io import BufferedReader

from labeling.data.formats.files.errors import GivenUp

CHUNK = 1 << 16
MAX_DEPTH = 500
# A string, or the marks outside of strings. A string that the chunk cuts off ends without its quote. `*+` never gives
# back what it matched, so a string is read once, not once for each backslash.
TOKEN = re.compile(rb'"(?:[^"\\]|\\.?)*+("|\Z)|[\[\]{},]', re.DOTALL)
DEEPER = {b"[": 1, b"{": 1, b"]": -1, b"}": -1}
BETWEEN = b" \t\r\n,"  # objects
LIST = re.compile(rb'"([^"\\]+)"\s*:\s*\[\s*\{')


def items(  # noqa: PLR0913  a place, and what is known of it
    stream: BufferedReader,
    limit: int,
    look: Callable[[], None],
    *,
    line: int,
    is_list: bool,
    is_only: bool = True,
) -> Iterator[tuple[int, bytes | None]]:
    """Yields each item with its line, counted from ``line``; None for one over the limit. A list's stream starts at its
    first item.

    ``look`` is called as the reading goes on. A list or object that isn't closed ends with a broken item. Raises
    GivenUp for an item that doesn't end, or is nested too deep, and, if ``is_only``, for text or another list
    after the list.
    """
    # `begin` is where the item in hand starts in the buffer, `at` where the next token is looked for, `line` that of
    # `begin`. After each chunk everything before `begin` is dropped, so the buffer holds about one item.
    buffer, at, depth = b"", 0, 0
    while chunk := stream.read(max(CHUNK, len(buffer))):  # a long string is begun anew each time
        look()
        buffer, begin = buffer + chunk, 0
        for token in TOKEN.finditer(buffer, at):
            if token[1] == b"":
                break
            at, depth = token.end(), depth + DEEPER.get(token[0], 0)
            if depth > MAX_DEPTH:
                raise GivenUp(line, f"nested more than {MAX_DEPTH} deep")
            if depth < 0 or (depth == 0 and token[0] == (b"," if is_list else b"}")):
                yield from _item(line, buffer[begin : token.start() if is_list else at], limit)
                line += buffer.count(b"\n", begin, at)
                begin = at
            if depth < 0:
                if is_only:
                    _check_end(line, buffer[at:], stream)
                return
        buffer, at = buffer[begin:], at - begin
        if len(buffer) > limit:
            raise GivenUp(line, f"an item of the file is longer than {limit:,} bytes")
    if is_list or buffer.strip(BETWEEN):
        yield line, (b"[" if is_list else b"") + buffer


def _item(line: int, text: bytes, limit: int) -> Iterator[tuple[int, bytes | None]]:
    if item := text.lstrip(BETWEEN):
        yield line + text.count(b"\n", 0, len(text) - len(item)), item if len(item) <= limit else None


def _check_end(line: int, rest: bytes, stream: BufferedReader) -> None:
    """Raises GivenUp if the rest of the document may hold records; other keys may follow that of its list."""
    if rest.strip()[:1] not in b",}":
        raise GivenUp(line, "something follows the end of the list")
    while rest := rest[-1000:] + (chunk := stream.read(CHUNK)):
        if found := LIST.search(rest):
            raise GivenUp(line, f"there is another list, “{found[1].decode(errors='replace')}”")
        if not chunk:
            return
