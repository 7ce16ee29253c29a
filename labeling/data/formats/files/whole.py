"""Files of which all lines are one record: a coding agent's session, OpenTelemetry's spans."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from labeling.data.formats.files.errors import GivenUp, LineError
from labeling.data.formats.traces import sessions
from labeling.data.formats.traces.spans import opentelemetry

Line = tuple[int, dict[str, Any]]
LINES: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    sessions.KEY: sessions.is_line,
    opentelemetry.KEY: opentelemetry.is_span,
}


def joined(found: Iterator[Line | LineError], limit: int) -> Iterator[Line | LineError]:
    """Yields the records; or a single one of all of them, under a key of LINES, if the first is a line of such a file.
    A lone export of spans stays a record of its own.

    Bad lines stay errors. A joined record over the limit, in bytes, becomes one.
    """
    for item in found:
        if isinstance(item, LineError):
            yield item
        elif key := key_of(item[1]):
            yield from _joined(item, found, key, limit)
        else:
            yield item
            yield from found


def key_of(record: Mapping[str, Any]) -> str:
    """The key of LINES, if the record is a line of such a file; empty if it is a record of its own."""
    return next((key for key, is_line in LINES.items() if is_line(record)), "")


def _joined(first: Line, found: Iterator[Line | LineError], key: str, limit: int) -> Iterator[Line | LineError]:
    lines, size, end = [first[1]], len(msgspec.json.encode(first[1])), None
    try:
        for item in found:
            if isinstance(item, LineError):
                yield item
                continue
            size += len(msgspec.json.encode(item[1]))
            if size <= limit:
                lines.append(item[1])
    except GivenUp as error:
        end = error  # what came before is good
    if size > limit:
        yield LineError(first[0], f"all lines together are one record, which is longer than {limit:,} bytes")
    elif len(lines) == 1 and opentelemetry.OTLP in first[1]:
        yield first
    else:
        yield first[0], {key: lines}
    if end:
        raise end
