from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from labeling import importing
from labeling.importing import terminal


class Command(BaseCommand):
    help = "Import model-written solutions from a JSONL file, plain or gzipped, and grade their answers."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--format", choices=sorted(importing.FORMATS), default="solutions")
        parser.add_argument("--source", default="", help="a name to find these solutions by")
        parser.add_argument("--atomic", action="store_true", help="import nothing when any line is bad")

    def handle(self, *args: Any, **options: Any) -> None:
        with terminal.progress(options["file"]) as on_bytes:
            report = importing.import_solutions(
                options["file"],
                source=options["source"],
                file_format=options["format"],
                atomic=options["atomic"],
                on_bytes=on_bytes,
            )
        terminal.close(report, self.stdout, self.stderr)
