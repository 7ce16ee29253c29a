from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from labeling import exporting
from labeling.errors import DomainError
from labeling.exporting import LabelFilter
from labeling.models import Phase, Split
from labeling.querysets import LEFT_OUT_REASONS


class Command(BaseCommand):
    help = "Export labels to a file, with a manifest beside it."
    requires_system_checks = ()  # which read the code of all pages: half of the start

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--format", choices=sorted(exporting.FORMATS), required=True)
        parser.add_argument("--output", type=Path, required=True, help="gzipped where the name ends with .gz")
        parser.add_argument("--phase", action="append", default=[], help="name of a phase (default: all)")
        parser.add_argument("--split", choices=Split.values, default="", help="split of the problems")
        parser.add_argument("--without", choices=LEFT_OUT_REASONS, action="append", default=[], help="leave these out")
        parser.add_argument("--without-annotator", action="append", default=[], metavar="USERNAME")

    def handle(self, *args: Any, **options: Any) -> None:
        label_filter = LabelFilter(
            phase_ids=tuple(self._phase(name) for name in options["phase"]),
            split=options["split"],
            without=tuple(options["without"]),
            without_annotators=tuple(options["without_annotator"]),
        )
        try:
            manifest = exporting.export_labels(
                label_filter, file_format=options["format"], output=options["output"], now=timezone.now()
            )
        except (OSError, DomainError) as error:
            raise CommandError(str(error)) from error
        counts = {"records": 0, "labellings": 0} | manifest["counts"]
        self.stdout.write("Exported {records:,} records of {labellings:,} labellings.".format(**counts))

    def _phase(self, name: str) -> Any:
        try:
            return Phase.objects.get(name=name).pk
        except Phase.DoesNotExist:
            raise CommandError(f"There is no phase “{name}”.") from None
