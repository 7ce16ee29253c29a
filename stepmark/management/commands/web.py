"""`stepmark web`: the web server alone, for a machine whose service manager starts it again."""

from typing import Any

from django.core.management.base import CommandParser

from stepmark import supervisor
from stepmark.management.commands import run


class Command(run.Command):
    help = "Run the web server alone, in this process."

    def add_arguments(self, parser: CommandParser) -> None:
        self.add_address(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        self.check_port(options)
        run.ready()
        supervisor.web(options["host"], options["port"]).become()
