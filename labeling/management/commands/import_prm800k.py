from pathlib import Path

from django.core.management.base import CommandParser

from labeling.management.commands import import_labels


class Command(import_labels.Command):
    help = "Import PRM800K labels (either phase)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.set_defaults(format="prm800k")
        parser.add_argument("file", type=Path)
        self.add_options(parser)
