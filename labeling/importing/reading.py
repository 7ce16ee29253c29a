"""The part that all imports share: read lines, parse, collect what is wrong, store in batches."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeVar

from labeling import collector
from labeling.errors import DomainError
from labeling.formats import jsonl
from labeling.formats.jsonl import LineError

BATCH = 2000
ERRORS_KEPT = 10_000

Parsed = TypeVar("Parsed")


@dataclass
class ImportReport:
    """What an import did. Rows are counted where they are new; ``duplicates`` counts records that were there.

    ``errors`` keeps the first ERRORS_KEPT bad lines, ``error_count`` counts them all.
    """

    problems: int = 0
    solutions: int = 0
    labellings: int = 0
    ratings: int = 0
    golds: int = 0
    duplicates: int = 0
    error_count: int = 0
    errors: list[LineError] = field(default_factory=list)

    def add_error(self, error: LineError) -> None:
        self.error_count += 1
        if len(self.errors) < ERRORS_KEPT:
            self.errors.append(error)


@dataclass(frozen=True)
class Source(Generic[Parsed]):
    """A file and how to read it. ``on_bytes`` is told how far the (compressed) file has been read."""

    path: Path
    parse: Callable[[dict[str, Any]], Parsed]
    on_bytes: Callable[[int], None] | None = None


def run(
    source: Source[Parsed],
    store: Callable[[list[Parsed], ImportReport], None],
    *,
    atomic: bool,
    report: ImportReport | None = None,
) -> ImportReport:
    """Store the good records of the file, a batch at a time; with ``atomic``, none when any line is bad.

    A ``report`` that is given is filled on the way, for whoever watches.

    An atomic import reads the file twice, so that no transaction stays open over the whole of it. An import that
    is broken off has stored whole batches; started again, it counts them as duplicates.
    """
    report = report or ImportReport()
    with collector.paused():
        if atomic:
            for _ in _batches(source, report):
                pass
        if not report.error_count or not atomic:
            for batch in _batches(source, report):
                store(batch, report)
    return report


def _batches(source: Source[Parsed], report: ImportReport) -> Iterator[list[Parsed]]:
    """The next one is read and parsed, in a thread, while the database works on this one."""
    read = [0]
    records = _records(source, report, partial(read.__setitem__, 0))
    with ThreadPoolExecutor(max_workers=1) as ahead:
        coming = ahead.submit(list, islice(records, BATCH))
        while batch := coming.result():
            done = read[0]
            coming = ahead.submit(list, islice(records, BATCH))
            yield batch
            if source.on_bytes is not None:
                source.on_bytes(done)


def _records(source: Source[Parsed], report: ImportReport, on_bytes: Callable[[int], None]) -> Iterator[Parsed]:
    line_of_id = dict[bytes, int]()
    for item in jsonl.read(source.path, on_bytes=on_bytes):
        if isinstance(item, LineError):
            report.add_error(item)
            continue
        number, record = item
        try:
            _check_id(record.get("id"), number, line_of_id)
            yield source.parse(record)
        except DomainError as error:
            report.add_error(LineError(number, str(error)))


def _check_id(identity: object, number: int, line_of_id: dict[bytes, int]) -> None:
    if identity is None:
        return
    digest = hashlib.blake2b(str(identity).encode(), digest_size=12).digest()
    first = line_of_id.setdefault(digest, number)
    if first != number:
        raise DomainError(f"the id “{str(identity)[:60]}” was already used on line {first}")
