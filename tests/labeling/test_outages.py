"""labeling.outages: tells outages, after which a run is tried again, from permanent errors."""

import errno
import sqlite3
import sys

import psycopg
import pytest
from django.db import DataError, IntegrityError, InterfaceError, OperationalError, ProgrammingError

from labeling.outages import Outage, outage_of

pytestmark = pytest.mark.any_database


def caused_by(cause, wrapper=OperationalError):
    """Returns the error that Django raises for one of the database driver."""
    error = wrapper(*cause.args)
    error.__cause__ = cause
    return error


def of_sqlite(statement, *before):
    with sqlite3.connect(":memory:") as connection:
        for each in before:
            connection.execute(each)
        with pytest.raises(sqlite3.Error) as raised:
            connection.execute(statement)
    return caused_by(raised.value)


def test_a_server_that_does_not_answer_is_an_outage():
    with pytest.raises(psycopg.OperationalError) as raised:
        psycopg.connect("postgres://127.0.0.1:1/none", connect_timeout=5)
    assert outage_of(caused_by(raised.value)) == Outage.DATABASE


@pytest.mark.parametrize(
    "name",
    ["AdminShutdown", "CannotConnectNow", "ConnectionFailure", "TooManyConnections", "DeadlockDetected", "IoError"],
)
def test_temporary_postgresql_errors_are_an_outage(name):
    assert outage_of(caused_by(getattr(psycopg.errors, name)())) == Outage.DATABASE


def test_a_connection_that_was_lost_is_an_outage():
    assert outage_of(caused_by(psycopg.OperationalError("the connection is closed"))) == Outage.DATABASE
    assert outage_of(InterfaceError("connection already closed")) == Outage.DATABASE


def test_a_full_disk_is_recognised_from_any_error():
    assert outage_of(OSError(errno.ENOSPC, "No space left on device")) == Outage.DISK
    assert outage_of(caused_by(psycopg.errors.DiskFull())) == Outage.DISK
    rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) INSERT INTO t SELECT i, i FROM n"
    assert outage_of(of_sqlite(rows, "CREATE TABLE t (a, b)", "PRAGMA max_page_count=3")) == Outage.DISK


def test_a_full_disk_is_recognised_from_messages_of_rust_libraries():
    told = "Error while serializing: I/O error: No space left on device (os error 28)"
    assert outage_of(Exception(told)) == Outage.DISK
    assert outage_of(Exception("No such file or directory (os error 2)")) is None


class OfBotocore:
    """A stand-in for botocore.exceptions, as botocore is an optional dependency."""

    BotoCoreError = type("BotoCoreError", (Exception,), {})
    EndpointConnectionError = type("EndpointConnectionError", (BotoCoreError,), {})
    ParamValidationError = type("ParamValidationError", (BotoCoreError,), {})

    class ClientError(Exception):
        def __init__(self, status, code):
            super().__init__(code)
            self.response = {"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": status}}


@pytest.mark.parametrize(
    ("error", "is_away"),
    [
        (OfBotocore.EndpointConnectionError("refused"), True),
        (OfBotocore.ClientError(503, "SlowDown"), True),
        (OfBotocore.ClientError(403, "AccessDenied"), True),
        (OfBotocore.ClientError(400, "ExpiredToken"), True),
        (OfBotocore.ClientError(404, "NoSuchBucket"), True),
        (OfBotocore.ClientError(404, "NoSuchKey"), False),
        (OfBotocore.ParamValidationError("a bug"), False),
    ],
    ids=str,
)
def test_an_unavailable_bucket_is_an_outage(error, is_away, monkeypatch):
    monkeypatch.setitem(sys.modules, "botocore.exceptions", OfBotocore)
    assert outage_of(error) == (Outage.BUCKET if is_away else None)


def test_a_stale_file_handle_is_an_outage():
    assert outage_of(OSError(errno.ESTALE, "Stale file handle")) == Outage.DISK


def test_an_outage_is_found_as_a_cause():
    error = RuntimeError("the training failed")
    error.__cause__ = OSError(errno.ENOSPC, "No space left on device")
    assert outage_of(error) == Outage.DISK


@pytest.mark.parametrize(
    "error",
    [
        ValueError("wrong"),
        FileNotFoundError(errno.ENOENT, "nothing there"),
        ConnectionRefusedError(errno.ECONNREFUSED, "a generator"),
        caused_by(psycopg.errors.UniqueViolation(), IntegrityError),
        caused_by(psycopg.errors.StringDataRightTruncation(), DataError),
        caused_by(psycopg.errors.UndefinedTable(), ProgrammingError),
        caused_by(psycopg.errors.ProgramLimitExceeded()),
        of_sqlite("SELECT * FROM nothing"),
    ],
    ids=lambda error: f"{type(error).__name__} {type(error.__cause__).__name__}",
)
def test_permanent_errors_are_no_outage(error):
    assert outage_of(error) is None
