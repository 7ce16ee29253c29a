"""`stepmark worker`: one worker alone, on any machine that reaches the database, the broker and the files."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from stepmark import supervisor
from stepmark.management.commands import run


class Command(BaseCommand):
    help = "Run one worker alone, in this process."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--queues", default=supervisor.usual_queues(), help="cpu, gpu, or cpu,gpu (default: %(default)s)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        run.ready()
        supervisor.worker(options["queues"]).become()
