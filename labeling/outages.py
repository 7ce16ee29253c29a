"""Tells outages from bugs and refusals: trying again makes sense while the database, the disk or the bucket is away, or
while processes of two versions are at work, of which the older one may not know a word of the newer one.
"""

import errno
import re
import sys
from collections.abc import Iterator
from enum import Enum

from django.db import InterfaceError, OperationalError

# Classes of SQLSTATE: no connection, rolled back (deadlock), no resources, not available now, stopped, system error.
SQLSTATES = ("08", "40", "53", "55", "57", "58", "25006")
SQLITE = ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY")
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.ESTALE}  # ESTALE: of a folder on the network
FULL_IN_DATABASE = {"53100", "SQLITE_FULL"}
OF_RUST = re.compile(r"\(os error (\d+)\)")  # safetensors and tokenizers raise errors of their own


class Outage(Enum):
    """A service that is away. The value: what people are told, and after how many seconds trying again makes sense."""

    DATABASE = ("The database is not available at the moment.", 5)
    DISK = ("The server's disk is full or can't be written to. An admin has to make room.", 30)
    BUCKET = ("The server's file storage is not available at the moment.", 10)
    UPGRADE = ("Stepmark is being upgraded, and a part of it is still the version before.", 10)

    @property
    def text(self) -> str:
        return self.value[0]

    @property
    def retry_after(self) -> int:
        return self.value[1]


def outage_of(error: BaseException) -> Outage | None:
    """Returns what was away when the error was raised; None if nothing was, and repeating would not help."""
    return next((found for each in _causes(error) if (found := _outage(each))), None)


def first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _outage(error: BaseException) -> Outage | None:
    if _number(error) in FULL:
        return Outage.DISK
    if _is_of_a_bucket(error):
        return Outage.BUCKET
    code = _code(error)
    if code in FULL_IN_DATABASE:
        return Outage.DISK
    is_lost = isinstance(error, OperationalError | InterfaceError) and not code and _is_of_postgres(error)
    return Outage.DATABASE if is_lost or code.startswith((*SQLSTATES, *SQLITE)) else None


def _number(error: BaseException) -> int | None:
    """Returns the operating system's number of the error, if it has one."""
    if isinstance(error, OSError):
        return error.errno
    found = OF_RUST.search(str(error))
    return int(found[1]) if found else None


def _code(error: BaseException) -> str:
    """Returns PostgreSQL's code of the error, or SQLite's; empty if it has none, as one without a connection."""
    return getattr(error, "sqlstate", "") or getattr(error, "sqlite_errorname", "") or ""


def _is_of_postgres(error: BaseException) -> bool:
    cause = error.__cause__
    return cause is None or (hasattr(cause, "sqlstate") and not _code(cause))


def _is_of_a_bucket(error: BaseException) -> bool:
    botocore = sys.modules.get("botocore.exceptions")  # an extra, loaded once a bucket is in use
    if botocore is None:
        return False
    if isinstance(error, botocore.ClientError):  # keys that have expired, a clock that is wrong, a bucket that is gone
        found = error.response
        is_missing = found.get("ResponseMetadata", {}).get("HTTPStatusCode") == 404  # a file, unless it is the bucket
        return not is_missing or found.get("Error", {}).get("Code") == "NoSuchBucket"
    return isinstance(error, botocore.BotoCoreError) and not isinstance(error, botocore.ParamValidationError)
