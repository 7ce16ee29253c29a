"""`stepmark demo`: fills an installation with the demo, once, and runs it."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser
from rich.console import Console
from rich.progress import Progress

from labeling.errors import DomainError
from stepmark import supervisor
from stepmark.demo import installation
from stepmark.management.commands import run

WITHOUT_TORCH = "Without PyTorch (pip install 'stepmark[worker]') the demo has a round to label, but no model."


class Command(run.Command):
    help = "Make a demo (two labelled rounds, a reward model of each, a round to label) and run it."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--small", action="store_true", help="a first round to label alone; no model is trained")
        parser.add_argument("--only-make", action="store_true", help="make the demo; don't run it")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["only_make"]:
            self.check_port(options)
        call_command("migrate", verbosity=0)
        if not supervisor.has_torch():
            self.stdout.write(WITHOUT_TORCH)
        self._make(is_small=options["small"] or not supervisor.has_torch())
        self.stdout.write("Sign in with the password “" + installation.PASSWORD + "” as:")
        for username, role in installation.PEOPLE.items():
            self.stdout.write(f"  {username:8} {role.label}")
        self.stdout.write(f"  {installation.SUPERUSER:8} Superuser")
        if not options["only_make"]:
            super().handle(*args, **options)

    def _make(self, *, is_small: bool) -> None:
        if installation.is_ready(is_small=is_small):
            return
        try:
            self._show(is_small=is_small)
        except DomainError as error:
            raise CommandError(f"The demo is not complete: {error} Run it again to continue.") from error

    def _show(self, *, is_small: bool) -> None:
        console = Console(stderr=True)
        with Progress(console=console, transient=True) as progress:
            shown = progress.add_task("starting", total=None)
            last = ""
            for stage, done, total in installation.make(is_small=is_small):
                if stage != last and not console.is_terminal:
                    self.stdout.write(stage)
                    self.stdout.flush()
                last = stage
                progress.update(shown, description=stage, completed=done, total=total or None)
