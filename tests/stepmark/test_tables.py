"""stepmark.tables: no process serves a database that it can't, and one at a time changes it."""

import fcntl
import os
import subprocess
from pathlib import Path

import psycopg
import pytest
from django.db import connection

from stepmark import tables
from tests.product.world import until
from tests.running import libraries

ROOT = Path(__file__).resolve().parents[2]


def run_on(database, tmp_path, command):
    """Runs a command on another database and data directory. Returns its exit status and message."""
    environment = os.environ | {"DATABASE_URL": database, "STEPMARK_DATA_DIR": str(tmp_path)}
    command = [*libraries.python("django"), "-m", "stepmark", *command.split()]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stderr.strip()


COMMANDS = pytest.mark.parametrize("command", ["run --port 0", "import pyproject.toml", "recount"])


@COMMANDS
def test_it_says_in_a_line_that_the_database_is_not_migrated(tmp_path, command):
    status, complaint = run_on(f"sqlite:///{tmp_path}/new.sqlite3", tmp_path, command)
    assert (status, len(complaint.splitlines())) == (1, 1)
    assert complaint.endswith("run `stepmark migrate` first.")


@COMMANDS
def test_it_says_in_a_line_that_the_database_does_not_answer(tmp_path, command):
    status, complaint = run_on("postgres://nobody@127.0.0.1:1/none", tmp_path, command)
    assert (status, len(complaint.splitlines())) == (1, 1)
    assert "The database does not answer" in complaint


def test_it_starts_on_a_migrated_database(db):
    tables.check()


CHANGES = {
    "no table": ("DROP TABLE labeling_critique", "there is no table labeling_critique"),
    "no column": ("ALTER TABLE labeling_batch DROP COLUMN size", "labeling_batch has no column size"),
    "renamed": ("ALTER TABLE labeling_batch RENAME size TO length", "labeling_batch has no column size"),
}


@pytest.mark.every_case
@pytest.mark.parametrize("change", CHANGES)
def test_tables_of_another_version_are_named(db, change):
    statement, said = CHANGES[change]
    with connection.cursor() as cursor:
        cursor.execute(statement)
    assert said in list(tables.differences())


def add_column(column):
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE labeling_critique ADD COLUMN {column}")


@pytest.mark.every_case
@pytest.mark.parametrize("column", ["later integer NULL", "later integer NOT NULL DEFAULT 1"])
def test_a_newer_database_with_which_rows_can_be_added_is_served(db, column):
    add_column(column)
    assert list(tables.differences()) == []


def test_a_database_that_requires_an_unknown_column_is_refused(db):
    with connection.cursor() as cursor:  # SQLite adds none without a default to a table that is there
        cursor.execute("DROP TABLE labeling_critique")
        cursor.execute("CREATE TABLE labeling_critique (id integer NOT NULL, later integer NOT NULL)")
    assert "labeling_critique needs a column later, which is not known here" in list(tables.differences())


# One app's tables are enough: the lock is the same.
MIGRATE = "from stepmark.__main__ import main; main(['stepmark', 'migrate', 'sessions', '--verbosity', '0'])"
WAITING = """
    SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted
"""


@pytest.mark.long("two processes make a table")
def test_one_of_two_hosts_that_start_at_once_makes_the_tables(tmp_path, db):
    """Both wait for the lock, which the test holds until they do; then one waits for the other."""
    if connection.vendor == "sqlite":
        pytest.skip("an embedded database has one host")
    name, address = f"migrate_{os.getpid()}", os.environ["DATABASE_URL"].rpartition("/")[0]
    environment = os.environ | {"DATABASE_URL": f"{address}/{name}", "STEPMARK_DATA_DIR": str(tmp_path)}
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    command = [*libraries.python("django"), "-c", MIGRATE]
    with psycopg.connect(f"{address}/postgres", autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}"')
        try:
            with psycopg.connect(f"{address}/{name}", autocommit=True) as holder:
                holder.execute("SELECT pg_advisory_lock(%s)", [tables.LOCK])
                hosts = [subprocess.Popen(command, cwd=ROOT, env=environment, **streams) for _ in range(2)]
                until(lambda: holder.execute(WAITING).fetchone() == (2,), "both hosts wait", within_seconds=120)
                assert holder.execute("SELECT to_regclass('django_session')").fetchone() == (None,)
            said = [each.communicate(timeout=120)[0] for each in hosts]
            assert [(each.returncode, text) for each, text in zip(hosts, said, strict=True)] == [(0, "")] * 2
        finally:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def test_one_process_at_a_time_changes_the_tables(db, settings):
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL has locks of its own")
    with tables.locked(), (settings.DATA_DIR / "migrate.lock").open("w") as other, pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
