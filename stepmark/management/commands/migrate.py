from typing import Any

from django.core.management.commands import migrate

from stepmark import tables


class Command(migrate.Command):
    help = "Make the tables, or bring them up to date. Of several that start at once, one does it."

    def handle(self, *args: Any, **options: Any) -> None:
        with tables.locked():
            super().handle(*args, **options)
