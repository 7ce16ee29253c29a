"""The import job: an uploaded file into rows, by the acts of labeling.data.importing."""

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

from django.utils import timezone

from labeling.data import importing
from labeling.data.importing import ImportReport, NothingImported
from labeling.data.importing.marking import Shown
from labeling.jobs import files
from labeling.jobs.lifecycle import ReportProgress
from prm_training.models import Import, ImportFormat
from prm_training.pool import undoing

REPORT_EVERY_SECONDS = 0.5
COUNTED = ("problems", "solutions", "shared", "labellings", "ratings", "golds", "held_out")


def import_file(run: Import, report: ReportProgress) -> None:
    """Imports the file, or undoes that. A retry counts what earlier attempts imported as imported, not as duplicates.

    The file is deleted once all is imported; a failed or cancelled import keeps it for a retry. Raises DomainError;
    NothingImported if no line is good.
    """
    if run.undo_requested_at is not None:
        undoing.undo_import(run, report)
        return
    if run.stage == "done":  # an earlier attempt died after the last batch
        undoing.discard(run.file)
        return
    before, found = run.counts, ImportReport(shown=Shown(run.statement_markup, run.markup, run.is_markup_guessed))
    watch = _watched(report, total=run.file.size, counts=lambda: counted(found, before))
    watch(0)
    try:
        with files.on_disk(run.file) as path:
            _import(run, path, on_bytes=watch, report=found)
    finally:
        errors = [[error.line, error.reason] for error in found.errors]
        Import.objects.filter(pk=run.pk).update(counts=counted(found, before), errors=errors, **_settled(found.shown))
    if found.is_empty and not any(before.get(name) for name in COUNTED):
        raise NothingImported(found.why_nothing())
    report(stage="done", done=run.file.size, total=run.file.size)
    undoing.discard(run.file)


def _settled(shown: Shown) -> dict[str, Any]:
    """As the run's columns: a retry keeps the guess."""
    if not shown.steps:
        return {}
    columns = {"statement_markup": shown.statements, "markup": shown.steps}
    return columns | {"is_markup_guessed": shown.is_guessed}


def counted(found: ImportReport, before: dict[str, int]) -> dict[str, int]:
    """The counts of all attempts together, given those of the earlier ones."""
    counts = {name: getattr(found, name) + before.get(name, 0) for name in COUNTED}
    # Draws that an earlier attempt has stored are told from another import's; labellings and bare problems are not.
    alone = before.get("problems", 0) if not before.get("solutions") else 0
    duplicates = max(0, found.duplicates - (before.get("labellings", 0) or alone))
    return counts | {"draws": found.draws, "duplicates": duplicates, "errors": found.error_count}


def _watched(report: ReportProgress, *, total: int, counts: Callable[[], dict[str, int]]) -> Callable[[int], None]:
    last = -REPORT_EVERY_SECONDS

    def on_bytes(done: int) -> None:
        nonlocal last
        if monotonic() - last >= REPORT_EVERY_SECONDS:
            last = monotonic()
            report(stage="reading", done=done, total=total, counts=counts())

    return on_bytes


def _import(run: Import, path: Path, **options: Any) -> None:
    options |= {"atomic": run.is_atomic, "origin": run.pk}
    options["of_problems"] = importing.ProblemOptions(run.split, run.benchmark)
    if run.file_format == ImportFormat.PRM800K:
        importing.import_prm800k(path, now=timezone.now(), phase=run.target, **options)
    elif run.file_format == ImportFormat.PROCESSBENCH:
        importing.import_processbench(path, gold_set=run.target or "processbench", **options)
    elif run.file_format == ImportFormat.PROBLEMS:
        importing.import_problems(path, source=run.target or run.name[:100], **options)
    else:
        source = run.target or run.name[:100]
        importing.import_solutions(path, source=source, file_format=run.file_format, **options)
