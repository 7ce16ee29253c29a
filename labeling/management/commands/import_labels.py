from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from labeling.data.importing import terminal
from labeling.data.inspecting import asking
from labeling.data.inspecting.files import Options
from labeling.rules.words import FileFormat

OF_LABELS = [each.value for each in FileFormat if each.traits.becomes == "labellings"]


class Command(BaseCommand):
    help = "Import labels, with their solutions, as a closed phase."
    requires_system_checks = ()  # which read the code of all pages: half of the start

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--format", choices=sorted(OF_LABELS), required=True)
        self.add_options(parser)

    def add_options(self, parser: CommandParser) -> None:
        parser.add_argument("--phase", default="", help="name of the phase (default: named after the format)")
        terminal.add_problem_options(parser)
        terminal.add_markup(parser)
        asking.add_options(parser)
        parser.add_argument("--atomic", "--strict", action="store_true", help="import nothing when any line is bad")

    def handle(self, *args: Any, **options: Any) -> None:
        of_problems = terminal.problem_options(options)
        asking.carry_out(self, Options(options["format"], options["phase"], of_problems), options)
