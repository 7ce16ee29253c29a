"""`stepmark worker`: workers alone, on any machine that reaches the database, the broker and the files."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from stepmark import supervisor
from stepmark.management.commands import run


class Command(BaseCommand):
    help = "Run one worker alone, in this process; with several GPUs one on each, supervised."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--queues", default=supervisor.usual_queues(), help="cpu, gpu, or cpu,gpu (default: %(default)s)"
        )
        usual = "they share jobs and processors (default: 1, or one for each GPU unless the queues are cpu)"
        parser.add_argument("--workers", type=int, help=usual)

    def handle(self, *args: Any, **options: Any) -> None:
        run.ready()
        first, *others = supervisor.workers_for(options["queues"], options["workers"])
        if others:
            supervisor.supervise([first, *others])
        else:
            first.become()
