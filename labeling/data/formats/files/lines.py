"""The lines of a JSON Lines file (jsonlines.org), in constant memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BufferedReader

from labeling.data.formats.files.errors import GivenUp

CHUNK = 1 << 18
MAX_WASTE_BYTES = 64 * 1024 * 1024  # of blank lines, or of one line, without a record


def lines(
    stream: BufferedReader, limit: int, look: Callable[[], None], number: int = 1
) -> Iterator[tuple[int, bytes | None]]:
    """The lines that are not blank, with their numbers; None in place of one over the limit. Raises GivenUp."""
    # `rest` is the line that the chunk cuts off; `waste` counts the bytes since the last good line.
    rest, waste = b"", 0
    is_cut = False  # `rest` belongs to a line that was over the limit
    while chunk := stream.read(CHUNK):
        look()
        waste += len(chunk)
        if waste > MAX_WASTE_BYTES:
            raise GivenUp(number, f"{MAX_WASTE_BYTES >> 20} MB without a record")
        if not rest and chunk.isspace():  # quick, for there may be millions of them
            number += chunk.count(b"\n")
            is_cut = is_cut and b"\n" not in chunk
            continue
        # The last piece has no end yet: it is the beginning of the next chunk's first line.
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
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
