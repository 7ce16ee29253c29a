"""Reads the lines of all imports: parsing, collecting errors, storing in batches."""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from pathlib import Path
from threading import Event
from typing import Any, Generic, TypedDict, TypeVar, Unpack

from django.db import DataError, IntegrityError

from labeling import planning
from labeling.data.formats import fields, files, guess
from labeling.data.formats.columns import UnknownColumn
from labeling.data.formats.fields import Row
from labeling.data.formats.files import LineError
from labeling.data.formats.findings import Findings
from labeling.data.formats.labels import OKAY_ZEROS, has_ratings
from labeling.data.formats.notes import Notes
from labeling.data.importing.marking import Shown
from labeling.data.paused_gc import paused_gc
from labeling.data.structs import complete_all
from labeling.errors import DomainError
from labeling.models import Labelling, Problem, RatedCompletion, Solution, Task
from labeling.outages import outage_of

logger = logging.getLogger(__name__)

BATCH = 2000
ERRORS_KEPT = 10_000
HOPELESS = 1000  # bad lines without a good one: surely the wrong file
REASON_LENGTH = 300
LOOK_EVERY_SECONDS = 0.5
# Errors that a record may cause in a reader, the grader or the database; any other is no record's fault.
CODE_ERRORS = (ValueError, TypeError, AttributeError, LookupError, ArithmeticError, RecursionError)
MISSING = re.compile("missing required field `(.+?)`")
OF_ONE_RECORD = (DataError, IntegrityError, *CODE_ERRORS)

Parsed = TypeVar("Parsed")
Numbered = tuple[int, Parsed]  # a record and its line
Notice = Callable[[Findings, int, dict[str, Any]], None]


class NothingImported(DomainError, code="nothing_imported"):
    """No record of the file was imported, and none is a duplicate."""


@dataclass
class ImportReport:
    """The result of an import. Only new rows are counted; ``duplicates`` counts records that were there already.

    ``solutions`` are new texts, ``draws`` their samples and those of known texts; ``shared`` counts known texts that
    are now in this source too. ``held_out`` counts the known problems that moved to split test.

    ``shown`` may be given; what it leaves open is guessed. ``errors`` keeps the first ERRORS_KEPT bad lines,
    ``error_count`` counts them all. ``format`` is the format that the first bad record looks like. ``notes`` says what
    was changed or left out of good ones, ``findings`` what was lost or is in doubt.
    """

    problems: int = 0
    solutions: int = 0
    draws: int = 0
    shared: int = 0
    labellings: int = 0
    ratings: int = 0
    golds: int = 0
    duplicates: int = 0
    held_out: int = 0
    error_count: int = 0
    errors: list[LineError] = field(default_factory=list)
    shown: Shown = field(default_factory=Shown)
    format: str = ""
    notes: Notes = field(default_factory=Notes)
    findings: Findings = field(default_factory=Findings)

    def add_error(self, error: LineError) -> None:
        self.error_count += 1
        if len(self.errors) < ERRORS_KEPT:
            self.errors.append(LineError(error.line, error.reason[:REASON_LENGTH]))

    def counts(self) -> dict[str, int]:
        names = ("problems", "solutions", "draws", "shared", "labellings", "ratings", "golds", "held_out", "duplicates")
        return {name: getattr(self, name) for name in names} | {"errors": self.error_count}

    def found(self) -> dict[str, Any]:
        """The counts, how many records were good, where their steps come from, what is lost or in doubt, and whether a
        label of 0 was read as Okay.
        """
        found = self.findings
        doubts = found.doubts(self.notes)
        steps = {"steps": dict(found.steps), "step_counts": found.step_counts(), "is_rated": OKAY_ZEROS in self.notes}
        return {"counts": self.counts(), "records": found.records, "doubts": doubts} | steps

    @property
    def is_empty(self) -> bool:
        stored = (self.problems, self.solutions, self.draws, self.labellings, self.golds, self.duplicates)
        return not any(stored)

    def why_nothing(self) -> str:
        """Says why the file gave no record; for a report without any."""
        if not self.error_count:
            return "There is no record in the file."
        return f"Nothing was imported. Bad lines: {self.error_count:,}. {self.first_error()}"

    def first_error(self) -> str:
        """The first bad line, and what the file looks like."""
        looks = f" The file looks like {self.format}: is the format right?" if self.format else ""
        error = self.errors[0]
        return f"Line {error.line}: {error.reason}.{looks}"


@dataclass(frozen=True)
class Reader(Generic[Parsed]):
    """A file and how to read a record of it. ``on_bytes`` and ``notice``: as in How."""

    path: Path
    parse: Callable[[dict[str, Any]], Parsed]
    on_bytes: Callable[[int], None] | None = None
    notice: Notice | None = None

    def tell(self, done: int) -> None:
        if self.on_bytes is not None:
            self.on_bytes(done)


class How(TypedDict, total=False):
    """Options of reading a file.

    ``atomic`` imports nothing if any line is bad; ``is_dry`` only looks. ``report`` is filled on the way, for whoever
    watches. ``on_bytes`` gets how far the (compressed) file has been read, twice a second also while no record comes;
    what it raises ends the import. ``notice`` sees each good record as it was written; ``look`` each batch of good
    records with their lines, before it is stored.
    """

    atomic: bool
    is_dry: bool
    report: ImportReport
    on_bytes: Callable[[int], None]
    notice: Notice
    look: Callable[[Sequence[Numbered[Any]]], None]


def import_records(
    reader: Reader[Parsed], store: Callable[[list[Parsed], ImportReport], None], **how: Unpack[How]
) -> ImportReport:
    """Store the good records of the file, a batch at a time; with ``atomic``, none when any line is bad.

    An atomic import reads the file twice, so that no transaction stays open over the whole of it. An import that
    is broken off has stored whole batches; started again, it counts them as duplicates.

    Raises Unreadable for a file that can't be read, NothingImported where the first HOPELESS lines are bad.
    """
    report, is_dry, atomic = how.get("report") or ImportReport(), how.get("is_dry", False), how.get("atomic", False)
    reader = replace(reader, on_bytes=how.get("on_bytes"), notice=how.get("notice"))
    report.notes.has_ratings = cache(lambda: has_ratings(files.read_records(reader.path)))
    if reader.path.is_file() and not reader.path.stat().st_size:
        raise NothingImported("The submitted file is empty.")
    with paused_gc():
        if atomic and not is_dry:
            with closing(_batches(replace(reader, notice=None), report)) as batches:
                for _ in batches:
                    pass
        if is_dry or not atomic or not report.error_count:
            report.notes.clear()  # an atomic import has read the file once
            with closing(_batches(reader, report)) as batches:
                for batch in batches:
                    if look := how.get("look"):
                        look(batch)
                    if not is_dry:
                        _store_batch(batch, store, report, is_whole=atomic)
        if (report.solutions or report.labellings) and not is_dry:
            planning.count_rows(Problem, Solution, Task, Labelling, RatedCompletion)
    report.errors.sort(key=lambda error: error.line)
    return report


def _store_batch(
    batch: list[Numbered[Parsed]],
    store: Callable[[list[Parsed], ImportReport], None],
    report: ImportReport,
    *,
    is_whole: bool,
) -> None:
    """Stores the batch; if that fails, its halves, until the record to blame stands alone: a bad line."""
    try:
        store([parsed for _, parsed in batch], report)
    except OF_ONE_RECORD as error:
        if is_whole:
            raise
        if len(batch) == 1:
            _blame(batch[0][0], error, report)
            return
        # Of 2,000 records with one bad, about 11 halvings find it; all others are stored.
        middle = len(batch) // 2
        for half in (batch[:middle], batch[middle:]):
            _store_batch(half, store, report, is_whole=False)


def _blame(line: int, error: Exception, report: ImportReport) -> None:
    """Reports the record on which code failed as a bad line, and logs the traceback."""
    if report.error_count < ERRORS_KEPT:
        logger.error("Line %s can't be imported", line, exc_info=error)
    first, *_ = str(error).splitlines() or [""]
    report.add_error(LineError(line, f"it can't be read ({type(error).__name__}: {first})"))


class _Stopped(Exception):
    """Ends the reading thread when nobody waits for it any more."""


def _batches(reader: Reader[Parsed], report: ImportReport) -> Generator[list[Numbered[Parsed]]]:
    """Yields batches; while the database works on one, the next is read and parsed in a thread."""
    # `reader.tell`, which may raise to end the import, is called here and not in the thread: it writes to the database.
    read, stop = 0, Event()

    def looked(done: int) -> None:
        nonlocal read
        if stop.is_set():
            raise _Stopped
        read = done

    def waited(coming: Future[list[Numbered[Parsed]]]) -> list[Numbered[Parsed]]:
        while wait([coming], timeout=LOOK_EVERY_SECONDS).not_done:
            reader.tell(read)
        return coming.result()

    records = _records(reader, report, looked)
    complete_all()
    with ThreadPoolExecutor(max_workers=1) as ahead:
        try:
            coming = ahead.submit(list, islice(records, BATCH))
            while batch := waited(coming):
                done = read
                coming = ahead.submit(list, islice(records, BATCH))
                yield batch
                reader.tell(done)
        finally:
            stop.set()


def _records(
    reader: Reader[Parsed], report: ImportReport, on_bytes: Callable[[int], None]
) -> Iterator[Numbered[Parsed]]:
    line_of_id, has_good = dict[bytes, int](), False
    for item in files.read_records(reader.path, on_bytes=on_bytes, notes=report.notes):
        if isinstance(item, LineError):
            report.add_error(item)
        elif (parsed := _parsed(reader, *item, line_of_id, report)) is not None:
            has_good = True
            yield item[0], parsed
        if not has_good and report.error_count >= HOPELESS:
            first = f"None of the first {HOPELESS:,} lines can be read; the others were not looked at."
            raise NothingImported(f"{first} {report.first_error()}")


def _parsed(
    reader: Reader[Parsed], number: int, record: dict[str, Any], line_of_id: dict[bytes, int], report: ImportReport
) -> Parsed | None:
    """The parsed record, or None for a bad line, which the report records."""
    try:
        report.notes.line = number
        _check_id(record, number, line_of_id)
        parsed = reader.parse(record)
        if reader.notice is not None:
            reader.notice(report.findings, number, record)
        return parsed
    except UnknownColumn:
        raise
    except DomainError as error:
        _check_columns(record, str(error))
        report.add_error(LineError(number, str(error)))
    except Exception as error:  # whatever a reader stumbles over
        if outage_of(error):  # such as a full disk, on which an image has no room: no record's fault
            raise
        _blame(number, error, report)
    report.format = report.format or guess.format_of(record)
    return None


def _check_columns(record: dict[str, Any], error: str) -> None:
    """Raises NothingImported if a table lacks a column, as all its rows do then."""
    if isinstance(record, Row) and (missing := MISSING.search(error)):
        raise NothingImported(
            f"The table has no column “{missing[1]}”, but {', '.join(record)}: name the columns "
            "(--map COLUMN=FIELD), or choose another format."
        )


def _check_id(record: dict[str, Any], number: int, line_of_id: dict[bytes, int]) -> None:
    identity = record.get("id")
    if identity is None:
        return
    if "epoch" in record:  # of Inspect, which tries a sample several times
        identity = f"{identity}, epoch {record['epoch']}"
    # 12 bytes in place of the id: a file may have millions, and all are kept until its end.
    digest = hashlib.blake2b(str(fields.whole(identity)).encode(), digest_size=12).digest()
    first = line_of_id.setdefault(digest, number)
    if first != number:
        raise DomainError(f"the id “{str(identity)[:60]}” was already used on line {first}")
