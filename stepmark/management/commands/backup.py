"""`stepmark backup FILE`: everything that an installation has, in one archive, while it runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.template.defaultfilters import filesizeformat
from rich.console import Console
from rich.progress import Progress

from labeling.errors import DomainError
from stepmark.backups import making
from stepmark.backups.archive import Told

KEEP_IT = "It has everybody's password hashes and the secret key: only you may read it (mode 0600), so keep it so."


class Command(BaseCommand):
    help = "Write rows, files and the secret key to one archive, while Stepmark runs."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the archive to write")
        parser.add_argument("--force", action="store_true", help="replace a file of this name")
        parser.add_argument(
            "--without-files", action="store_true", help="rows and key only, where models and uploads have a backup"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        file = options["file"]
        with told_on_terminal() as told:
            made = making.make(file, with_files=not options["without_files"], replaces=options["force"], told=told)
        for name in made.lost:
            self.stderr.write(f"A row names “{name}”, which was not there before the backup.")
        files = f"{len(made.files):,} files" if made.has_files else "no files"
        counts = f"{sum(made.rows.values()):,} rows of {len(made.rows)} tables, {files}"
        size = filesizeformat(file.stat().st_size).replace("\xa0", " ")
        self.stdout.write(f"Wrote {file} ({size}): {counts}, and the secret key.\n{KEEP_IT}")


@contextmanager
def told_on_terminal() -> Iterator[Told]:
    """Yields a function that shows progress, on a terminal only. Turns errors into CommandError."""
    console = Console(stderr=True)
    try:
        with Progress(console=console, disable=not console.is_terminal, transient=True) as bar:
            task = bar.add_task("starting", total=None)
            yield lambda stage, done, total: bar.update(task, description=stage, completed=done, total=total or None)
    except (OSError, DomainError) as error:
        raise CommandError(str(error)) from error
    except DatabaseError as error:  # such as tables of another version
        raise CommandError(f"The database does not answer this version: {str(error).splitlines()[0]}.") from error
