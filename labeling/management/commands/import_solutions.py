from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from labeling.data import importing
from labeling.data.formats import columns
from labeling.data.importing import ImportReport, terminal


class Command(BaseCommand):
    help = "Import model-written solutions, or problems alone, from a file (JSON Lines, JSON, CSV, Parquet)."
    requires_system_checks = ()  # which read the code of all pages: half of the start

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--format", choices=sorted([*importing.FORMATS, "problems", "processbench"]), default="solutions"
        )
        parser.add_argument("--source", default="", help="a name to find these by; ProcessBench: gold set")
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
        parser.add_argument("--atomic", "--strict", action="store_true", help="import nothing when any line is bad")

    def handle(self, *args: Any, **options: Any) -> None:
        with terminal.progress(options["file"]) as on_bytes:
            report = ImportReport(shown=terminal.shown(options))
            shared = {"atomic": options["atomic"], "on_bytes": on_bytes, "report": report}
            shared["of_problems"] = terminal.problem_options(options)
            if options["format"] == "processbench":
                gold_set = options["source"] or "processbench"
                importing.import_processbench(options["file"], gold_set=gold_set, **shared)
            elif options["format"] == "problems":
                importing.import_problems(options["file"], source=options["source"], **shared)
            else:
                importing.import_solutions(
                    options["file"],
                    source=options["source"],
                    file_format=options["format"],
                    columns=columns.told(options["map"]),
                    generator=options["generator"],
                    **shared,
                )
        terminal.close(report, self.stdout, self.stderr)
