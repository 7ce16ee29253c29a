from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from labeling.data.formats import columns
from labeling.data.importing import terminal
from labeling.data.inspecting import asking, files
from labeling.data.inspecting.files import Options
from labeling.errors import DomainError
from labeling.rules.words import FileFormat
from prm_training.pool import importing


class Command(BaseCommand):
    help = "Import problems, solutions, labels or gold from a file: JSON Lines, JSON, CSV, Parquet or .eval."
    requires_system_checks = ()  # they import the code of all pages, half of the start-up time

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="in any format below, compressed or not")
        parser.add_argument(
            "--format",
            metavar="FORMAT",
            choices=FileFormat.values,
            default="",
            help=f"of {', '.join(FileFormat.values)} (default: as the first record looks)",
        )
        parser.add_argument(
            "--source",
            "--phase",
            "--gold-set",
            dest="target",
            metavar="NAME",
            default="",
            help="what to find solutions or gold by, or the closed phase of labels (default: that of the format)",
        )
        terminal.add_problem_options(parser)
        parser.add_argument(
            "--map",
            action="append",
            default=[],
            metavar="COLUMN=FIELD",
            help="read a column as a field, such as question=problem; may be repeated",
        )
        parser.add_argument("--generator", default="", help="of solutions that name none")
        parser.add_argument("--licence", default="", help="under which the file may be passed on, such as MIT")
        parser.add_argument("--provenance", default="", help="where the file comes from: an address, a paper")
        terminal.add_cutting(parser)
        terminal.add_markup(parser)
        asking.add_options(parser)
        parser.add_argument("--atomic", "--strict", action="store_true", help="import nothing when any line is bad")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            told = columns.told(options["map"])
            has_solutions = bool(told or options["generator"])
            file_format = options["format"] or files.guessed_format(
                files.head(options["file"]), has_solutions=has_solutions
            )
        except (OSError, DomainError) as error:
            raise CommandError(str(error)) from error
        if not options["format"]:
            self.stdout.write(f"Read as {FileFormat(file_format).label}; --format names another.")
        what = Options(
            file_format=file_format,
            target=options["target"],
            of_problems=terminal.problem_options(options),
            columns=told,
            generator=options["generator"],
            cutting=terminal.cutting(options),
        )
        stated = {name: options[name] for name in ("licence", "provenance")}
        asking.carry_out(self, what, options, partial(importing.kept, options["file"], what, **stated))
