"""Importing problems alone: for generators to solve, or to register them as a benchmark."""

from __future__ import annotations

from functools import partial
from itertools import chain
from pathlib import Path
from typing import Unpack
from uuid import UUID

from django.db import transaction
from msgspec import structs

from labeling.data.formats import problems
from labeling.data.formats.solutions import ParsedProblem
from labeling.data.importing import markup_guess, pool, reading
from labeling.data.importing.marking import LOOKED_AT
from labeling.data.importing.pool import NOTHING_SAID, ProblemOptions
from labeling.data.importing.reading import How, ImportReport, Reader
from labeling.data.problems import register, splits
from labeling.models import Problem


def import_problems(
    path: str | Path,
    *,
    source: str = "",
    of_problems: ProblemOptions = NOTHING_SAID,
    origin: UUID | None = None,
    **how: Unpack[How],
) -> ImportReport:
    """Import a file of problems, plain or compressed. Known problems count as duplicates and stay as they are.

    Bad lines are in the report.
    """
    store = partial(_store_problems, source=source, of_problems=of_problems, origin=origin)
    return reading.import_records(Reader(Path(path), problems.parse), store, **how)


def _store_problems(
    batch: list[ParsedProblem], report: ImportReport, *, source: str, of_problems: ProblemOptions, origin: UUID | None
) -> None:
    hashes = [pool.problem_hash(item.statement) for item in batch]
    report.shown.statements = report.shown.statements or markup_guess.guess(
        item.statement for item in batch[:LOOKED_AT]
    )
    marked = [structs.replace(item, markup=report.shown.statements) for item in batch]
    first = dict(reversed(list(zip(hashes, marked, strict=True))))
    said = ((text_hash, item.split or of_problems.split) for text_hash, item in zip(hashes, batch, strict=True))
    held_out = splits.keys_held_out(said)
    with transaction.atomic():
        known = dict(Problem.objects.filter(text_hash__in=first).values_list("text_hash", "pk"))
        report.held_out += splits.hold_out(pk for text_hash, pk in known.items() if text_hash in held_out)
        new = {text_hash: item for text_hash, item in first.items() if text_hash not in known}
        stored, ids = pool.store_problems(new, held_out, source=source, origin=origin)
        if of_problems.benchmark:
            register.register(of_problems.benchmark, chain(known.values(), ids.values()), origin=origin)
    report.problems += stored
    report.duplicates += len(batch) - stored
