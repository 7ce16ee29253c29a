"""`stepmark restore FILE`: restores a backup into an empty installation."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from labeling.errors import DomainError
from stepmark import tables
from stepmark.backups import restoring
from stepmark.management.commands.backup import told_on_terminal

OTHER_KEY = "SECRET_KEY in the environment differs from the backup's: everybody has to sign in again."
NO_FILES = "The backup has no files: put models and uploads back from where they are kept."


class Command(BaseCommand):
    help = "Restore a backup into an empty installation. Only backups that you trust: a database can run code."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the archive that `stepmark backup` wrote")

    def handle(self, *args: Any, **options: Any) -> None:
        with told_on_terminal() as told:
            found = restoring.restore(options["file"], told=told)
        rows, at = sum(found.rows.values()), found.made_at
        self.stdout.write(f"Restored {rows:,} rows and {len(found.files):,} files of {at:%Y-%m-%d %H:%M} UTC.")
        for name in found.lost:
            self.stderr.write(f"A row names “{name}”, which was lost before the backup.")
        if restoring.other_key():
            self.stderr.write(OTHER_KEY)
        if not found.has_files:
            self.stderr.write(NO_FILES)
        self.stdout.write(f"Next: {_next()}")


def _next() -> str:
    try:
        tables.check()
    except DomainError as error:
        return str(error)
    return "start it with `stepmark run`."
