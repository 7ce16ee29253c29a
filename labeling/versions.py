"""Tells whether the database is ahead of this process.

While an installation is upgraded, processes of two versions work on it, and the older ones may not know a word of what
the newer ones write.
"""

from functools import cache

from django.apps import apps
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


def is_behind() -> bool:
    """Returns whether the database has a migration that this process lacks; False if it can't be asked."""
    try:
        applied = MigrationRecorder(connection).applied_migrations()
    except DatabaseError:
        return False
    ours = {app.label for app in apps.get_app_configs()}  # an app that was removed may still have migrations applied
    return any(app in ours for app, _ in applied.keys() - _known())


@cache
def _known() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).disk_migrations)
