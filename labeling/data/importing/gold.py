"""Importing gold: solutions for the pool, and what is said of their steps, up to the first mistake."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from uuid import UUID

from labeling.data.formats.labels import READERS, ParsedLabelling
from labeling.data.importing import reading
from labeling.data.importing.pool import keyed, store_solutions
from labeling.data.importing.reading import ImportReport, Reader
from labeling.models import Gold

FORMATS = ("processbench", "prmbench")


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
    reader = Reader(Path(path), READERS[file_format], on_bytes)
    store = partial(_store, gold_set=gold_set or file_format, origin=origin)
    return reading.run(reader, store, atomic=atomic, report=report)


def _store(batch: list[ParsedLabelling], report: ImportReport, *, gold_set: str, origin: UUID | None) -> None:
    ids = store_solutions((keyed(each.solution) for each in batch), report, source=gold_set, origin=origin)
    ratings = {solution: [item.rating for item in each.path] for solution, each in zip(ids, batch, strict=True)}
    known = set(Gold.objects.filter(solution__in=ratings).values_list("solution", flat=True))
    # A solution has one gold from here, however often the file, or an earlier one, names it.
    rows = [
        Gold(solution_id=solution, ratings=given, gold_set=gold_set, origin=origin)
        for solution, given in ratings.items()
        if solution not in known
    ]
    Gold.objects.bulk_create(rows, ignore_conflicts=True)
    report.golds += len(rows)
