"""`stepmark run`: the whole product on one machine."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from labeling.errors import DomainError
from stepmark import owner_only, supervisor, tables
from stepmark.backups import restoring


class Command(BaseCommand):
    help = "Run the web server and some workers, supervised, until Ctrl-C."

    def add_arguments(self, parser: CommandParser) -> None:
        self.add_address(parser)
        usual = "they share jobs and processors (default: 2, or with several GPUs one for each, and one more)"
        parser.add_argument("--workers", type=int, help=usual)
        parser.add_argument("--no-worker", dest="workers", action="store_const", const=0, help="web server only")

    def add_address(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, **options: Any) -> None:
        self.check_port(options)
        ready()
        host, port = options["host"], options["port"]
        self.stdout.write(f"Stepmark is at http://{host}:{port}/ (stop it with Ctrl-C)")
        self.stdout.flush()
        workers = options["workers"]
        number = supervisor.usual_number() if workers is None else workers
        supervisor.supervise([supervisor.web(host, port), *supervisor.workers(number)])

    def check_port(self, options: dict[str, Any]) -> None:
        try:
            supervisor.check_port(options["host"], options["port"])
        except DomainError as error:
            raise CommandError(str(error)) from error


def ready() -> None:
    """Raises CommandError unless the database can be served; closes the data folder to everybody else."""
    try:
        tables.check()
    except DomainError as error:
        raise CommandError(str(error)) from error
    restoring.finish()
    owner_only.close_all(settings.DATA_DIR)
