from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from labeling.data import importing
from labeling.data.formats import columns
from labeling.data.formats.labels import READERS
from labeling.data.importing import terminal
from labeling.data.inspecting import asking
from labeling.data.inspecting.files import Options


class Command(BaseCommand):
    help = (
        "Import model-written solutions, problems alone, gold or labels from a file (JSON Lines, JSON, CSV, Parquet)."
    )
    requires_system_checks = ()  # which read the code of all pages: half of the start

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--format", choices=sorted([*importing.FORMATS, "problems", *READERS]), default="solutions")
        parser.add_argument(
            "--source", default="", help="a name to find these by; of gold: its set; of labels: a phase"
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
        terminal.add_markup(parser)
        asking.add_options(parser)
        parser.add_argument("--atomic", "--strict", action="store_true", help="import nothing when any line is bad")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            told = columns.told(options["map"])
        except columns.UnknownColumn as error:
            raise CommandError(str(error)) from error
        what = Options(
            file_format=options["format"],
            target=options["source"],
            of_problems=terminal.problem_options(options),
            columns=told,
            generator=options["generator"],
        )
        asking.carry_out(self, what, options)
