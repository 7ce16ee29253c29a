"""`manage.py demo`: fills an installation with the demo, once."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import Progress

from config.demo import installation
from labeling.errors import DomainError


class Command(BaseCommand):
    help = "Make the demo: a pool, two finished rounds, a reward model of each, a published third round."

    def handle(self, *args: Any, **options: Any) -> None:
        if not installation.is_ready():
            try:
                self._make()
            except DomainError as error:
                raise CommandError(f"The demo is not complete: {error} Run it again to continue.") from error
        self.stdout.write("Sign in with the password “" + installation.PASSWORD + "” as:")
        for username, role in installation.PEOPLE.items():
            self.stdout.write(f"  {username:8} {role.label}")
        self.stdout.write(f"  {installation.SUPERUSER:8} Superuser")

    def _make(self) -> None:
        console = Console(stderr=True)
        with Progress(console=console, transient=True) as progress:
            shown = progress.add_task("starting", total=None)
            last = ""
            for stage, done, total in installation.make():
                if stage != last and not console.is_terminal:
                    self.stdout.write(stage)
                    self.stdout.flush()
                last = stage
                progress.update(shown, description=stage, completed=done, total=total or None)
