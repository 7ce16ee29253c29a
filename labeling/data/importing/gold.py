"""Imports gold: solutions for the pool with ratings of their steps, up to the first mistake, or to the end if a phase
that rates all steps uses the gold set; or labels of solutions that are in the pool already.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Unpack
from uuid import UUID

from labeling.data.formats.labels import read_all
from labeling.data.formats.notes import Notes
from labeling.data.importing import reading, referred
from labeling.data.importing.pool import NOTHING_SAID, PoolDestination, ProblemOptions, keyed, store_solutions
from labeling.data.importing.reading import How, ImportReport, Reader
from labeling.data.importing.referred import GoldLabels, Judged, Known, Referred, gold_labels
from labeling.data.importing.samples import Numbers
from labeling.models import Gold


def import_gold(
    path: str | Path,
    *,
    file_format: str = "processbench",
    gold_set: str = "",
    of_problems: ProblemOptions = NOTHING_SAID,
    origin: UUID | None = None,
    **how: Unpack[How],
) -> ImportReport:
    """Imports a file of a format that becomes gold, into the gold set with this name, else the format's.

    Existing gold is kept. Bad records are in the report.
    """
    report = how.setdefault("report", ImportReport())
    known = referred.known_in(Path(path), file_format, gold_set)
    reader = Reader(Path(path), partial(_read_record, file_format=file_format, notes=report.notes, known=known))
    destination = PoolDestination(gold_set or file_format, Numbers(), origin, of_problems.of_format(file_format))
    return reading.import_records(reader, partial(_store_gold, destination=destination), **how)


def _read_record(record: dict[str, Any], file_format: str, notes: Notes, known: Known) -> Judged:
    if reference := referred.reference_in(record, file_format):
        found = known.referred(reference, notes)
        found.labels.note_cut(notes)
        return Judged([found])
    given = read_all(file_format, record, notes)
    labels = [gold_labels(each, takes_all_steps=known.takes_all_steps) for each in given]
    for each in labels:
        each.note_cut(notes)
    return Judged([*zip((keyed(each.solution) for each in given), labels, strict=True)])


def _store_gold(records: list[Judged], report: ImportReport, *, destination: PoolDestination) -> None:
    batch = [item for each in records for item in each.items]
    given = [each for each in batch if not isinstance(each, Referred)]
    ids = store_solutions([each for each, _ in given], report, destination)
    stored: dict[UUID, GoldLabels] = dict(zip(ids, (own for _, own in given), strict=True))
    found = {each.solution: each.labels for each in reversed(batch) if isinstance(each, Referred)}
    # A solution has one gold from here, however often the file, or an earlier one, names it.
    known = set(Gold.objects.filter(solution__in={*stored, *found}).values_list("solution", flat=True))
    rows = [
        Gold(
            solution_id=solution,
            ratings=own.ratings,
            mistakes=[asdict(said) for said in own.named_mistakes],
            rationale=own.rationale,
            gold_set=destination.source,
            origin=destination.origin,
        )
        for solution, own in {**stored, **found}.items()
        if solution not in known
    ]
    Gold.objects.bulk_create(rows, ignore_conflicts=True)
    report.golds += len(rows)
    report.duplicates += len(batch) - len(given) - len(found.keys() - known)
