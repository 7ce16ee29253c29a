"""Shows an import on a terminal: a progress bar, then what was imported and what was not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser, OutputWrapper
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from labeling.data.importing.marking import Shown
from labeling.data.importing.pool import ProblemOptions
from labeling.data.importing.reading import ImportReport
from labeling.errors import DomainError
from labeling.models import Markup, Split
from labeling.rules.profiles import Profile
from labeling.rules.texts.cutting import MARK, Cutting, UnusedMark, rule_of
from labeling.rules.words import Grader, StepRule


@contextmanager
def progress(path: Path) -> Iterator[Callable[[int], None]]:
    """A bar over the bytes of the file, on a terminal only. Turns errors of the file into CommandError."""
    columns = (TextColumn(path.name), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    try:
        with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
            task = bar.add_task("reading", total=path.stat().st_size)
            yield lambda done: bar.update(task, completed=done)
    except (OSError, DomainError) as error:
        raise CommandError(str(error)) from error


def add_markup(parser: CommandParser) -> None:
    for name, what in {"--markup": "steps", "--statement-markup": "problems"}.items():
        told = f"how {what} are shown (default: as the first ones look)"
        parser.add_argument(name, choices=Markup.values, default="", help=told)


def shown(options: dict[str, Any]) -> Shown:
    """Reads the options of `add_markup`."""
    return Shown(options["statement_markup"], options["markup"])


def add_cutting(parser: CommandParser) -> None:
    rules = "; ".join(f"{rule.value}: {rule.help}" for rule in StepRule)
    told = f"the rule that cuts texts into steps (default: mark with --mark, else usual). {rules}"
    parser.add_argument("--split-by", choices=StepRule.values, metavar="RULE", help=told)
    parser.add_argument("--mark", default="", help=f"what stands between steps (default: {MARK})")


def cutting(options: dict[str, Any]) -> Cutting:
    """Reads the options of `add_cutting`. Raises CommandError for a mark with another rule."""
    try:
        rule = rule_of(options["split_by"] or "", options["mark"])
    except UnusedMark as error:
        raise CommandError(str(error)) from None
    return Cutting(rule, options["mark"], settings.SPLITTER_MODEL if rule == StepRule.MODEL else "")


def add_problem_options(parser: CommandParser) -> None:
    where = "where the file doesn't say it (default: train for new ones; ProcessBench: test)"
    parser.add_argument("--split", choices=Split.values, default="", help=f"of the problems, {where}")
    graders = "; ".join(f"{grader.value}: {grader.help}" for grader in Grader)
    told = f"what compares answers with reference answers (default: the profile's). {graders}"
    parser.add_argument("--graded-by", choices=Grader.values, metavar="GRADER", help=told)
    usual = Profile.MATHEMATICS.value
    told = f"the domain, which says what grades answers unless --graded-by does (default: {usual})"
    parser.add_argument("--profile", choices=Profile.values, default=usual, metavar="PROFILE", help=told)
    parser.add_argument("--benchmark", metavar="NAME", default="", help="register the problems: never to be trained on")


def problem_options(options: dict[str, Any]) -> ProblemOptions:
    graded_by = options["graded_by"] or Profile(options["profile"]).traits.grader
    return ProblemOptions(options["split"], options["benchmark"], Grader(graded_by))


def print_errors(report: ImportReport, stderr: OutputWrapper) -> None:
    """Print the bad lines that the report holds, and how many more there are."""
    for error in report.errors:
        stderr.write(str(error))
    if report.error_count > len(report.errors):
        stderr.write(f"... and {report.error_count - len(report.errors):,} more")


def print_report(report: ImportReport, stdout: OutputWrapper, stderr: OutputWrapper) -> None:
    """Print the counts and every bad line; exit with status 1 where there is one."""
    print_errors(report, stderr)
    if said := str(report.notes):
        stderr.write(said)
    counts = {
        "problem": report.problems,
        "solution": report.solutions,
        "draw": report.draws if report.draws != report.solutions else 0,
        "labelling": report.labellings,
        "rating": report.ratings,
        "gold label": report.golds,
    }
    parts = [f"{count:,} {name}{'s' * (count != 1)}" for name, count in counts.items() if count]
    if report.shared:
        parts.append(f"{report.shared:,} known before, now also in this source")
    imported = ", ".join(parts) or "nothing"
    stdout.write(f"Imported {imported}. Duplicates: {report.duplicates:,}. Bad lines: {report.error_count:,}.")
    if report.shown.steps:
        stdout.write(str(report.shown))
    if report.held_out:
        stdout.write(f"Known problems held out from now on, as the file says: {report.held_out:,}.")
    if report.is_empty:
        raise CommandError(report.why_nothing())
    if report.error_count:
        raise SystemExit(1)
