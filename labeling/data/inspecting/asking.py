"""Imports from a terminal: shows first what would be stored and lost, and asks for confirmation."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from labeling import clock
from labeling.data.formats.notes import Notes
from labeling.data.importing import ImportReport, terminal
from labeling.data.inspecting import files
from labeling.data.inspecting.files import Options
from labeling.models import Rating
from labeling.rules.words import StepRule

LENGTH = 100  # of a text
STEPS = {rule.value: f"split by {rule.label.lower()}" for rule in StepRule if rule != StepRule.USUAL}
STEPS |= {"given": "as in the file", "blank_lines": "split at blank lines", "lines": "split at every line"}


@dataclass
class Kept:
    """An import that is kept as a row: the origin of its rows, and its report once it is done."""

    origin: UUID
    report: ImportReport | None = None


def add_options(parser: CommandParser) -> None:
    parser.add_argument(
        "--preview", "--dry-run", action="store_true", help="show what would be imported; store nothing"
    )
    parser.add_argument("--yes", action="store_true", help="don't ask, on a terminal either")


def carry_out(
    command: BaseCommand, what: Options, given: dict[str, Any], keeping: Callable[[], AbstractContextManager[Kept]]
) -> None:
    """Imports `given["file"]`. On a terminal, first shows what would be stored and lost, and asks.

    `keeping` surrounds the import and takes its report: it gives the rows' origin.
    """
    path: Path = given["file"]
    is_asking = sys.stdin.isatty() and sys.stdout.isatty() and not given["yes"]
    if given["preview"] or is_asking:
        _show(command, path, what, given)
    if given["preview"]:
        return
    if is_asking and input("Import this? [y/N] ").strip().lower() not in {"y", "yes"}:
        raise CommandError("Nothing was imported.")
    with keeping() as kept:
        report = _go_through(path, what, given, atomic=given["atomic"], origin=kept.origin)
        kept.report = report
    if not is_asking:
        _tell(command, report)
    terminal.print_report(report, command.stdout, command.stderr)


def _go_through(path: Path, what: Options, given: dict[str, Any], **how: Any) -> ImportReport:
    report = ImportReport(shown=terminal.shown(given))
    with terminal.progress(path) as on_bytes:
        return files.go_through(path, what, now=clock.now(), report=report, on_bytes=on_bytes, **how)


def _show(command: BaseCommand, path: Path, what: Options, given: dict[str, Any]) -> None:
    report = _go_through(path, what, given, is_dry=True)
    head = files.head(path)
    for record in files.preview_file(head, files.recalled(head, what))["records"]:
        command.stdout.write(f"Line {record['line']}: {_short(record['problem'])}")
        for step, (text, rating) in enumerate(zip_longest(record["steps"], record["ratings"]), start=1):
            word = f"{Rating(rating).label}: " if rating is not None else ""
            command.stdout.write(f"  {step}. {word}{_short(text)}")
        facts = {"Final answer": "answer", "reference answer": "reference_answer", "generator": "generator"}
        told = (f"{name}: {record[key] or 'none'}" for name, key in facts.items())
        command.stdout.write(f"  {'; '.join(told)}")
    for source, number in report.findings.steps.items():
        command.stdout.write(f"Solutions whose steps are {STEPS[source]}: {number:,}.")
    if found := report.findings.step_counts():
        command.stdout.write(
            f"Steps of a solution: from {found['smallest']:,} to {found['largest']:,}, median {found['median']:,}. "
            f"Solutions of one step: {found['single']:,}."
        )
    counts = (f"{name}: {number:,}" for name, number in report.counts().items() if number)
    command.stdout.write(f"This file as {what.file_format} would give: {', '.join(counts) or 'nothing'}.")
    terminal.print_errors(report, command.stderr)
    _tell(command, report)
    if guessed := files.guessed(head):
        command.stdout.write(f"It looks like {guessed}.")


def _tell(command: BaseCommand, report: ImportReport) -> None:
    """Prints losses and doubts. Bad lines and notes come at the end of an import."""
    for doubt in report.findings.doubts(Notes()):
        lines = ", ".join(f"{example['line']:,}" for example in doubt["examples"])
        command.stderr.write(f"{doubt['count']:,} × {doubt['title']}. {doubt['consequence']} (lines {lines})")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LENGTH else f"{line[:LENGTH]}…"
