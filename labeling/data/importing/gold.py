"""Importing gold: solutions for the pool, and what is said of their steps, up to the first mistake."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

from labeling.data.formats.labels import READERS
from labeling.data.importing import reading
from labeling.data.importing.pool import keyed, store_solutions
from labeling.data.importing.reading import ImportReport, Reader
from labeling.data.importing.samples import Keyed, Numbers
from labeling.models import Gold

FORMATS = ("processbench", "prmbench")
Ratings = list[int | None]


def import_gold(  # noqa: PLR0913  the options of a command
    path: str | Path,
    *,
    file_format: str = "processbench",
    gold_set: str = "",
    origin: UUID | None = None,
    atomic: bool = False,
    on_bytes: Callable[[int], None] | None = None,
    report: ImportReport | None = None,
) -> ImportReport:
    """Import a file in one of FORMATS as the gold set with this name, else the format's. Existing gold is kept.

    Bad records are in the report; ``atomic`` imports nothing if there is one.
    """
    reader = Reader(Path(path), partial(_read, file_format=file_format), on_bytes)
    store = partial(_store, gold_set=gold_set or file_format, origin=origin, numbers=Numbers())
    return reading.run(reader, store, atomic=atomic, report=report)


def _read(record: dict[str, Any], file_format: str) -> tuple[Keyed, Ratings]:
    judged = READERS[file_format](record)
    return keyed(judged.solution), [item.rating for item in judged.path]


def _store(
    batch: list[tuple[Keyed, Ratings]], report: ImportReport, *, gold_set: str, origin: UUID | None, numbers: Numbers
) -> None:
    items, given = [each for each, _ in batch], [ratings for _, ratings in batch]
    ids = store_solutions(items, report, source=gold_set, origin=origin, numbers=numbers)
    ratings = dict(zip(ids, given, strict=True))
    known = set(Gold.objects.filter(solution__in=ratings).values_list("solution", flat=True))
    # A solution has one gold from here, however often the file, or an earlier one, names it.
    rows = [
        Gold(solution_id=solution, ratings=own, gold_set=gold_set, origin=origin)
        for solution, own in ratings.items()
        if solution not in known
    ]
    Gold.objects.bulk_create(rows, ignore_conflicts=True)
    report.golds += len(rows)
