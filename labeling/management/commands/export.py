from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from labeling import clock
from labeling.data import exporting
from labeling.data.exporting import LabelFilter, beside
from labeling.data.exporting.choosing import INCLUDABLE, METHODS
from labeling.data.formats.labels.losses import Loss
from labeling.errors import DomainError
from labeling.models import Phase, Split

SEVERAL: dict[str, Any] = {"nargs": "+", "action": "extend", "default": []}


class Command(BaseCommand):
    help = "Export the labels as they stand to a file, with a manifest beside it."
    requires_system_checks = ()  # the checks read the code of all pages, which takes half of the start

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Returns a parser that refuses abbreviated options."""
        return super().create_parser(prog_name, subcommand, allow_abbrev=False, **kwargs)

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--format", choices=sorted(exporting.FORMATS), help="of the records")
        what.add_argument(
            "--into",
            type=Path,
            metavar="FILE",
            help="in place of records: a copy of this file, with the labels beside their text",
        )
        parser.add_argument("--output", type=Path, required=True, help="gzipped where the name ends with .gz")
        parser.add_argument("--phases", metavar="NAME", help="(default: all)", **SEVERAL)
        parser.add_argument("--rounds", metavar="ID", type=UUID, help="(default: all)", **SEVERAL)
        parser.add_argument("--split", choices=Split.values, default="", help="of the problems (default: all)")
        parser.add_argument("--annotators", metavar="USERNAME", help="only their labels", **SEVERAL)
        parser.add_argument("--without-annotators", metavar="USERNAME", help="not their labels", **SEVERAL)
        parser.add_argument("--include", metavar="REASON", help=f"of {', '.join(INCLUDABLE)}", **SEVERAL)
        parser.add_argument(
            "--consensus", choices=METHODS, default="", help="the consensus in place of each person's labels"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        chosen = {name: options[name] for name in LabelFilter.__dataclass_fields__}
        label_filter = LabelFilter(**chosen | {"phases": [self._phase(name) for name in options["phases"]]})
        if options["into"]:
            self._put_into(options["into"], options["output"], label_filter)
            return
        try:
            manifest = exporting.export_labels(
                label_filter, file_format=options["format"], output=options["output"], now=clock.now()
            )
        except (OSError, DomainError) as error:
            raise CommandError(str(error)) from error
        told = "Records: {records:,}. Labellings: {labellings:,}; rulings: {rulings:,}; consensuses: {consensuses:,}."
        self.stdout.write(told.format(**manifest["counts"]))
        not_held = manifest["counts"].get("not_held", {})
        for loss in Loss:
            if loss.code in not_held:
                self.stdout.write(f"{loss.title}: {not_held[loss.code]:,}.")

    def _put_into(self, source: Path, output: Path, label_filter: LabelFilter) -> None:
        try:
            counts = beside.write_beside(label_filter, source=source, output=output)
        except (OSError, DomainError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            "Solutions: {solutions:,}; with labels: {labelled:,}; labellings: {labellings:,}.".format(**counts)
        )

    def _phase(self, name: str) -> Any:
        try:
            return Phase.objects.get(name=name).pk
        except Phase.DoesNotExist:
            raise CommandError(f"There is no phase “{name}”.") from None
