"""The import job: inspects an uploaded file and, once confirmed, imports it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Any

from django.core.files.uploadedfile import UploadedFile

from labeling import clock
from labeling.data.formats.cutter import Cutter, HandCut
from labeling.data.formats.files import Unreadable
from labeling.data.formats.notes import Notes
from labeling.data.importing import ImportReport, NothingImported, ProblemOptions, undo
from labeling.data.importing.marking import Shown
from labeling.data.inspecting import files as any_file
from labeling.data.inspecting import model_splitting
from labeling.data.inspecting.asking import Kept
from labeling.data.inspecting.files import Options
from labeling.jobs import files
from labeling.jobs.lifecycle import ReportProgress
from labeling.models import Run, Status
from labeling.rules.texts import by_hand
from labeling.rules.texts.cutting import VERSION, Cutting
from labeling.rules.words import FileFormat, Grader, StepRule
from prm_training.models import Import
from prm_training.pool import undoing

REPORT_EVERY_SECONDS = 0.5
COUNTED = ("problems", "solutions", "shared", "labellings", "ratings", "golds", "held_out")
CUT_OFF = "The command that imported it did not come to its end. Import the file again: nothing is stored twice."
KEPT_UNCONFIRMED = timedelta(days=7)


def import_file(run: Import, report: ReportProgress) -> Status:
    """Inspects the file, imports it, or undoes the import. A retry counts rows from earlier attempts as imported, not
    as duplicates.

    The file is deleted once all is imported; a failed or cancelled import keeps it for a retry. Raises DomainError;
    NothingImported if no line is good.
    """
    if run.undo_requested_at is not None:
        undoing.undo_import(run, report)
    elif run.confirmed_at is None:
        _name_model(run, model_splitting.model())
        _inspect(run, report)
        return Status.READY
    elif run.stage == "done":  # an earlier attempt died after the last batch
        undoing.discard(run.file)
    else:
        _name_model(run, run.split_model or model_splitting.model())
        _import(run, report)
    return Status.DONE


def _name_model(run: Import, name: str) -> None:
    """Stores the model that splits the texts, if one does, so that the import uses the one whose steps were shown."""
    run.split_model = name if run.split_by == StepRule.MODEL else ""
    Import.objects.filter(pk=run.pk).exclude(split_model=run.split_model).update(split_model=run.split_model)


def _inspect(run: Import, report: ReportProgress) -> None:
    found = _report_of(run)
    watch = _watched(report, "inspecting", total=run.file.size)
    try:
        with files.on_disk(run.file) as path:
            _go_through(run, path, on_bytes=watch, report=found, is_dry=True)
        if found.is_empty:
            raise NothingImported(found.why_nothing())
    except NothingImported:
        report(stage="inspecting", errors=_errors(found))
        raise
    report(stage="inspected", done=run.file.size, total=run.file.size, **_found(found, found.counts()))


def _import(run: Import, report: ReportProgress) -> None:
    before, found = run.counts, _report_of(run)
    watch = _watched(report, "reading", total=run.file.size, columns=lambda: {"counts": counted(found, before)})
    watch(0)
    try:
        with files.on_disk(run.file) as path:
            _go_through(run, path, on_bytes=watch, report=found, atomic=run.is_atomic)
    finally:
        counts = counted(found, before)
        Import.objects.filter(pk=run.pk).update(counts=counts, **_found(found, counts))
    if found.is_empty and not any(before.get(name) for name in COUNTED):
        raise NothingImported(found.why_nothing())
    report(stage="done", done=run.file.size, total=run.file.size)
    undoing.discard(run.file)


def _report_of(run: Import) -> ImportReport:
    return ImportReport(shown=Shown(run.statement_markup, run.markup, run.is_markup_guessed))


def _found(report: ImportReport, counts: dict[str, int]) -> dict[str, Any]:
    """Returns the import's columns for this report."""
    found = report.found() | {"counts": counts}
    return {"findings": found, "errors": _errors(report), "split_version": VERSION, **_settled(report.shown)}


def _errors(report: ImportReport) -> list[list[Any]]:
    return [[error.line, error.reason] for error in report.errors]


def _settled(shown: Shown) -> dict[str, Any]:
    """Returns the markup, chosen or guessed, as the run's columns, so that a retry keeps the guess."""
    if not shown.steps:
        return {}
    columns = {"statement_markup": shown.statements, "markup": shown.steps}
    return columns | {"is_markup_guessed": shown.is_guessed}


def counted(found: ImportReport, before: dict[str, int]) -> dict[str, int]:
    """The counts of all attempts together, given those of the earlier ones."""
    counts = {name: getattr(found, name) + before.get(name, 0) for name in COUNTED}
    # An earlier attempt's draws are told apart from another import's; labellings and problems alone are not.
    alone = before.get("problems", 0) if not before.get("solutions") else 0
    duplicates = max(0, found.duplicates - (before.get("labellings", 0) or alone))
    return counts | {"draws": found.draws, "duplicates": duplicates, "errors": found.error_count}


def _watched(
    report: ReportProgress, stage: str, *, total: int, columns: Callable[[], dict[str, Any]] = dict
) -> Callable[[int], None]:
    last = -REPORT_EVERY_SECONDS

    def on_bytes(done: int) -> None:
        nonlocal last
        if monotonic() - last >= REPORT_EVERY_SECONDS:
            last = monotonic()
            report(stage=stage, done=done, total=total, **columns())

    return on_bytes


def options_of(run: Import) -> Options:
    """Returns the options. Without a target, solutions go into a source named after the file; gold into a set, and
    labels into a phase, named after the format.
    """
    becomes = FileFormat(run.file_format).traits.becomes
    usual = run.file_format if becomes == "gold" else "" if becomes == "labellings" else run.name[:100]
    of_problems = ProblemOptions(run.split, run.benchmark, Grader(run.graded_by))
    mark = run.mark if run.split_by == StepRule.MARK else ""
    cutting = Cutting(run.split_by, mark, run.split_model if run.split_by == StepRule.MODEL else "")
    target, hand_cuts = run.target or usual, run.hand_cuts or ()
    return Options(run.file_format, target, of_problems, run.columns, run.generator, cutting, hand_cuts)


def inspected_with(run: Import) -> Options:
    """The options that the findings of an inspection depend on.

    Solutions are compared with those of the source that they go into; labels with those of all phases, and problems
    with the whole pool.
    """
    options = options_of(run)
    source = options.target if options.becomes in {"solutions", "gold"} else ""
    return replace(options, target=source, of_problems=ProblemOptions(run.split))


def cut_by_hand(
    run: Import, *, line: int, text_hash: str, step: int | None = None, at: int | None = None
) -> list[HandCut]:
    """Returns the import's hand cuts with one text changed: a step is cut before its character `at` or, without `at`,
    joined to the next one. Without a step, the rule cuts the text again.

    Raises UnknownText unless it is in the head, and NoSuchStep.
    """
    options = any_file.recalled(run.head, options_of(run))
    text = any_file.find_text(run.head, options, line, text_hash)
    others = [each for each in options.by_hand if (each["line"], each["text_hash"]) != (line, text_hash)]
    if step is None:
        return others
    steps = Cutter(Notes(line), options.cutting, options.by_hand).spans(text)
    changed = by_hand.merge(steps, step) if at is None else by_hand.cut(text, steps, step, at)
    return [*others, {"line": line, "text_hash": text_hash, "steps": changed}]


def preview_import(run: Import) -> dict[str, Any]:
    """The first records as they will look."""
    options, is_rated = any_file.recalled(run.head, options_of(run)), (run.findings or {}).get("is_rated", False)
    return any_file.preview_file(run.head, options, _report_of(run).shown, is_rated=is_rated)


def _go_through(run: Import, path: Path, **how: Any) -> None:
    any_file.go_through(path, options_of(run), now=clock.now(), origin=run.pk, **how)


@contextmanager
def kept(path: Path, what: Options, **stated: str) -> Iterator[Kept]:
    """Records a command's import as a row, so that it is listed and can be undone.

    The row says failed until the import ends. An import that adds nothing leaves no row.
    """
    now = clock.now()
    columns = {"file_format": what.file_format, "target": what.target, "columns": what.columns}
    columns |= {"split_by": what.cutting.rule, "mark": what.cutting.mark, "split_model": what.cutting.model}
    columns |= {"split": what.of_problems.split, "benchmark": what.of_problems.benchmark, "generator": what.generator}
    columns["graded_by"] = what.of_problems.graded_by
    life = {"status": Status.FAILED, "error": CUT_OFF, "confirmed_at": now, "started_at": now, "finished_at": now}
    run = Import.objects.create(name=path.name[-200:], total=path.stat().st_size, **columns, **life, **stated)
    kept = Kept(run.pk)
    try:
        yield kept
    finally:
        if kept.report is not None and not kept.report.is_empty:
            counts = counted(kept.report, {})
            end = {
                "status": Status.DONE,
                "error": "",
                "stage": "done",
                "done": run.total,
                "finished_at": clock.now(),
            }
            Run.objects.filter(pk=run.pk).update(**end)
            Import.objects.filter(pk=run.pk).update(counts=counts, **_found(kept.report, counts))
        elif not any(undo.brought(run.pk).values()):
            run.delete()


def forget_unconfirmed(*, now: datetime) -> None:
    """Deletes uploads that nobody confirmed, with their rows, and old answers of the model that splits texts."""
    model_splitting.forget_old(now=now)
    for run in Import.objects.filter(confirmed_at=None, created_at__lt=now - KEPT_UNCONFIRMED):
        undoing.discard(run.file)
        run.delete()


def head_of(upload: UploadedFile[Any]) -> any_file.Head:
    """The first lines of an upload, as `any_file.head` gives them; if it can't be read, the reason as line 0."""
    with files.uploaded(upload) as path:
        try:
            return any_file.head(path)
        except Unreadable as error:
            return [(0, str(error), False)]
