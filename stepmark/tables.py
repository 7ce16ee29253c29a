"""Checks that a database has this version's tables, and holds the lock of whoever changes them."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager

from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from labeling.errors import DomainError

LOCK = 0x53_74_65_70  # of PostgreSQL's advisory locks: “Step”
NAMED = 3  # differences in a message
COLUMNS = {
    "postgresql": """
        SELECT table_name, column_name, is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO'
        FROM information_schema.columns WHERE table_schema = ANY(current_schemas(false))""",
    "sqlite": """
        SELECT t.name, c.name, c."notnull" AND c.dflt_value IS NULL
        FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'""",
}


class NotMigrated(DomainError, code="not_migrated"):
    """The database does not answer, lacks migrations, or has tables of another version."""


def check() -> None:
    """Raises NotMigrated unless this version can serve the database. The database may be newer: columns
    that this version doesn't know are no obstacle if rows can be added without them.
    """
    try:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
        found = [] if missing else list(differences())
    except DatabaseError as error:
        raise NotMigrated(f"The database does not answer: {str(error).splitlines()[0]}") from error
    finally:
        if not connection.in_atomic_block:  # as in tests
            connection.close()
    if missing:
        number = "1 migration" if len(missing) == 1 else f"{len(missing)} migrations"
        raise NotMigrated(f"The database lacks {number}: run `stepmark migrate` first.")
    if found:
        more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
        raise NotMigrated(
            f"The database was made by another version of Stepmark: {', '.join(found[:NAMED])}{more}. "
            "Start the version that made it, or name another database with DATABASE_URL."
        )


def differences() -> Iterator[str]:
    """Yields tables and columns that the models need and the database lacks, and the other way round."""
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS[connection.vendor])
        rows = cursor.fetchall()
    tables: dict[str, dict[str, bool]] = {}  # by column, whether a row needs a value
    for table, column, is_needed in rows:
        tables.setdefault(table, {})[column] = bool(is_needed)
    for model in apps.get_models(include_auto_created=True):
        name = model._meta.db_table
        if name not in tables:
            yield f"there is no table {name}"
            continue
        wanted = {str(field.column) for field in model._meta.local_concrete_fields}
        yield from (f"{name} has no column {column}" for column in sorted(wanted - tables[name].keys()))
        for column in sorted(tables[name].keys() - wanted):
            if tables[name][column]:
                yield f"{name} needs a column {column}, which is not known here"


@contextmanager
def locked() -> Iterator[None]:
    """Lets one process at a time change the tables, on any machine; others wait."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
            try:
                yield
            finally:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
    else:
        with (settings.DATA_DIR / "migrate.lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # ends with the process
            yield
