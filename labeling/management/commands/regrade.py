from typing import Any

from django.core.management.base import BaseCommand
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TextColumn

from labeling.grading import regrading


class Command(BaseCommand):
    help = "Grade again what an older version of the grader graded. Verdicts of records and experts stay."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        console = Console(stderr=True)
        columns = (TextColumn("graded"), MofNCompleteColumn())
        with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
            task = progress.add_task("", total=None)
            changes = regrading.regrade(on_batch=lambda rows: progress.advance(task, rows))
        for (before, after), number in sorted(changes.items()):
            self.stdout.write(f"still {after}: {number:,}" if before == after else f"{before} -> {after}: {number:,}")
        if not changes:
            self.stdout.write("Nothing to grade again.")
