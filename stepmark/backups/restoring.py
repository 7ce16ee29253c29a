"""Restores a backup into an empty installation."""

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils.version import get_version_tuple

from labeling.errors import DomainError
from labeling.jobs import provenance
from stepmark.backups import archive, database, files
from stepmark.backups.archive import Manifest, Told

NAMED = 3  # of the obstacles, in a message
PARTIAL = "stepmark-restore-"


class NotEmpty(DomainError, code="not_empty"):
    """The installation has rows or files."""


class DoesNotFit(DomainError, code="does_not_fit"):
    """The backup is of a newer Stepmark, or another kind of database, or larger than the disk."""


def restore(source: Path, *, told: Told) -> Manifest:
    """Restores rows, files and key, all or nothing. If killed, the next restore removes what it left. Raises
    BadArchive, DoesNotFit, NotEmpty, ClientFailed.
    """
    with archive.opened(source) as (file, manifest), _alone():
        _take_back()
        _check_fits(manifest)
        _check_empty(manifest)
        archive.verify(file, manifest, told)
        _unfinished().write_text(json.dumps([entry.name for entry in manifest.files]))
        try:
            _put_back(file, manifest, told)
        except BaseException:
            _take_back()
            raise
    os.sync()
    finish()
    return manifest


def finish() -> None:
    """Removes the note of an unfinished restore: its files are in use now, and no longer taken back."""
    _unfinished().unlink(missing_ok=True)


def other_key() -> bool:
    """True if SECRET_KEY in the environment overrides the backup's."""
    return _key_path().read_text() != settings.SECRET_KEY and bool(os.environ.get("SECRET_KEY"))


@contextmanager
def _alone() -> Iterator[None]:
    """Locks the data folder, after waiting for any other restore."""
    folder = os.open(settings.DATA_DIR, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _take_back() -> None:
    """Removes the files of an unfinished restore: all are the backup's, as the place was empty."""
    if not _unfinished().exists() or connection.introspection.table_names():
        return
    for name in json.loads(_unfinished().read_text()):
        with suppress(OSError):
            files.delete(name)
    if beside := database.beside():
        for folder in beside.glob(f"{PARTIAL}*"):
            shutil.rmtree(folder)
    finish()


def _unfinished() -> Path:
    """The file in which a restore notes the files that it puts back, until it is done."""
    path: Path = settings.DATA_DIR / "restoring.json"
    return path


def _put_back(file: ZipFile, manifest: Manifest, told: Told) -> None:
    """Puts the files back, then the database: without its tables, a half-restored installation can't be started."""
    for number, entry in enumerate(manifest.files):
        told("restoring files", number, len(manifest.files))
        with file.open(entry.name) as content:
            files.save(entry.name, content)
    told("restoring the database", 0, 0)
    with TemporaryDirectory(prefix=PARTIAL, dir=database.beside()) as folder:
        copy = Path(folder) / "database"
        _extract(file, manifest.database, copy)
        _extract(file, archive.KEY, _key_path())
        database.load(copy)


def _extract(file: ZipFile, name: str, path: Path) -> None:
    with file.open(name) as content, path.open("wb") as written:
        shutil.copyfileobj(content, written)


def _key_path() -> Path:
    path: Path = settings.DATA_DIR / "secret_key"
    return path


def _check_fits(manifest: Manifest) -> None:
    ours = provenance.of_code()["stepmark"]
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    unknown = sorted(set(manifest.migrations) - known)
    if get_version_tuple(manifest.stepmark) > get_version_tuple(ours) or unknown:
        why = f" It has the migration {unknown[0]}." if unknown else ""
        raise DoesNotFit(f"The backup is of Stepmark {manifest.stepmark}, newer than this one ({ours}).{why}")
    if manifest.engine != connection.vendor:
        raise DoesNotFit(
            f"The backup is of {manifest.engine}, this installation uses {connection.vendor}: DATABASE_URL says which."
        )
    size, free = sum(entry.size for entry in manifest.entries), shutil.disk_usage(settings.DATA_DIR).free
    if size > free:
        raise DoesNotFit(f"The backup needs {size / 1e9:.1f} GB, and {settings.DATA_DIR} has {free / 1e9:.1f} GB left.")


def _check_empty(manifest: Manifest) -> None:
    found = [f"the table {name}" for name in connection.introspection.table_names()]
    if manifest.has_files:
        found += islice(files.present(), NAMED + 1)
    if found:
        named = ", ".join(found[:NAMED]) + (" …" if len(found) > NAMED else ".")
        raise NotEmpty(f"A backup is restored into an empty installation only; here is {named}")
