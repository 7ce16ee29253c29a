"""Copies of the database as it is at one moment: SQLite's backup API, or pg_dump on an exported snapshot."""

import os
import re
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.db import connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.postgresql.client import DatabaseClient
from django.db.migrations.recorder import MigrationRecorder

from labeling.errors import DomainError
from stepmark.backups import files

COPY = "copy"


class ClientMissing(DomainError, code="client_missing"):
    """PostgreSQL's programs are missing, or older than the server."""


class ClientFailed(DomainError, code="client_failed"):
    """pg_dump or pg_restore ended with an error."""


@dataclass(frozen=True)
class Contents:
    """The number of rows in each table, the applied migrations, and the files that rows need."""

    rows: dict[str, int]
    migrations: list[str]
    needed: set[str]


def copy(path: Path) -> Contents:
    """Copies the database, while in use, to the file. Returns its contents. Raises ClientMissing, ClientFailed."""
    path.unlink(missing_ok=True)
    if connection.vendor == "sqlite":
        return _copy_sqlite(path)
    check_client("pg_dump")
    # What is counted here is what pg_dump sees: both read the same snapshot.
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        (snapshot,) = cursor.fetchone()
        # Not compressed here: the archive is.
        _run("pg_dump", "--format=custom", "--compress=0", f"--snapshot={snapshot}", f"--file={path}")
        return _contents(connection)


def load(path: Path) -> None:
    """Puts the copy in place of the empty database."""
    if connection.vendor == "sqlite":
        connection.close()
        place = Path(connection.settings_dict["NAME"])
        for ending in ("-wal", "-shm"):
            place.with_name(place.name + ending).unlink(missing_ok=True)
        path.replace(place)
    else:
        check_client("pg_restore")
        _run("pg_restore", "--exit-on-error", "--single-transaction", str(path))


def beside() -> Path | None:
    """The folder of an SQLite database, where a file can be renamed into its place; None for PostgreSQL."""
    return Path(connection.settings_dict["NAME"]).parent if connection.vendor == "sqlite" else None


def check_client(program: str) -> str:
    """The version of PostgreSQL's program. Raises ClientMissing."""
    connection.ensure_connection()
    server = connection.pg_version // 10_000  # type: ignore[attr-defined]
    install = f"install PostgreSQL {server}'s client programs (Debian: postgresql-client-{server})."
    try:
        told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        raise ClientMissing(f"{program} is not there: {install}") from error
    version = re.search(r"\) (\d+)", told)
    if version is None or int(version[1]) < server:
        raise ClientMissing(f"{told} is older than the server, which is {server}: {install}")
    return told


def _copy_sqlite(path: Path) -> Contents:
    connection.ensure_connection()
    with closing(sqlite3.connect(path)) as target:
        # All pages in one step: readers don't stop writers, and a copy in several would begin again at every write.
        connection.connection.backup(target)
    with _opened_copy(path) as copied:
        return _contents(copied)


@contextmanager
def _opened_copy(path: Path) -> Iterator[BaseDatabaseWrapper]:
    """Opens the copy as Django's database COPY."""
    copied = connection.copy(COPY)
    copied.settings_dict["NAME"] = str(path)
    connections[COPY] = copied
    try:
        yield copied
    finally:
        copied.close()
        del connections[COPY]


def _contents(database: BaseDatabaseWrapper) -> Contents:
    migrations = [f"{app}.{name}" for app, name in sorted(MigrationRecorder(database).applied_migrations())]
    with database.cursor() as cursor:
        rows = {}
        for table in sorted(database.introspection.table_names(cursor)):
            cursor.execute(f"SELECT COUNT(*) FROM {database.ops.quote_name(table)}")
            rows[table] = cursor.fetchone()[0]
    return Contents(rows, migrations, files.needed(database.alias) if rows else set())


def _run(program: str, *options: str) -> None:
    """Runs the program on the settings' database, whose name Django puts last. Raises ClientFailed."""
    given = ["--no-password", "--no-owner", "--no-privileges", *options, "--dbname"]
    (_, *arguments), environment = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, given)
    done = subprocess.run(
        [program, *arguments], env=os.environ | (environment or {}), capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["it said nothing"])[0]
        raise ClientFailed(f"{program} failed: {said.removeprefix(f'{program}: ')}")
