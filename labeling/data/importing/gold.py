"""Importing gold: solutions for the pool, and what is said of their steps, up to the first mistake."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any, Unpack
from uuid import UUID

from labeling.data.formats.labels import READERS
from labeling.data.importing import reading
from labeling.data.importing.pool import NOTHING_SAID, PoolDestination, ProblemOptions, keyed, store_solutions
from labeling.data.importing.reading import How, ImportReport, Reader
from labeling.data.importing.samples import Keyed, Numbers
from labeling.models import Gold

Ratings = list[int | None]


def import_gold(
    path: str | Path,
    *,
    file_format: str = "processbench",
    gold_set: str = "",
    of_problems: ProblemOptions = NOTHING_SAID,
    origin: UUID | None = None,
    **how: Unpack[How],
) -> ImportReport:
    """Import a file of a format that becomes gold, as the gold set with this name, else the format's.

    Existing gold is kept. Bad records are in the report.
    """
    reader = Reader(Path(path), partial(_read_record, file_format=file_format))
    destination = PoolDestination(gold_set or file_format, Numbers(), origin, of_problems.of_format(file_format))
    return reading.import_records(reader, partial(_store_gold, destination=destination), **how)


def _read_record(record: dict[str, Any], file_format: str) -> tuple[Keyed, Ratings]:
    judged = READERS[file_format](record)
    return keyed(judged.solution), [item.rating for item in judged.path]


def _store_gold(batch: list[tuple[Keyed, Ratings]], report: ImportReport, *, destination: PoolDestination) -> None:
    items, given = [each for each, _ in batch], [ratings for _, ratings in batch]
    ids = store_solutions(items, report, destination)
    ratings = dict(zip(ids, given, strict=True))
    known = set(Gold.objects.filter(solution__in=ratings).values_list("solution", flat=True))
    # A solution has one gold from here, however often the file, or an earlier one, names it.
    rows = [
        Gold(solution_id=solution, ratings=own, gold_set=destination.source, origin=destination.origin)
        for solution, own in ratings.items()
        if solution not in known
    ]
    Gold.objects.bulk_create(rows, ignore_conflicts=True)
    report.golds += len(rows)
