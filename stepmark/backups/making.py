"""Makes a backup while the product runs."""

import os
from contextlib import closing
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.db import connection
from django.utils import timezone

from labeling.errors import DomainError
from labeling.jobs import provenance
from stepmark.backups import archive, database, files
from stepmark.backups.archive import Manifest, Told, Writer


class BackupExists(DomainError, code="backup_exists"):
    """There is a file of this name."""


def make(target: Path, *, with_files: bool = True, replaces: bool = False, told: Told) -> Manifest:
    """Writes the archive, readable by its owner only, and names it once it is whole and on the disk. Raises
    BackupExists, ClientMissing, ClientFailed.
    """
    _check_free(target, replaces)
    with TemporaryDirectory(prefix=".stepmark-backup-", dir=target.parent) as folder:
        partial = Path(folder) / "archive"
        partial.touch(mode=0o600)
        with partial.open("wb") as file:
            with closing(Writer(file)) as writer:
                manifest = _write(writer, Path(folder) / "database", with_files=with_files, told=told)
            file.flush()
            os.fsync(file.fileno())
        _check_free(target, replaces)
        partial.replace(target)
    _sync(target.parent)
    return manifest


def _write(writer: Writer, copy: Path, *, with_files: bool, told: Told) -> Manifest:
    """Writes the rows, then the files, then the rows again if they name a file that was gone by then.

    Files are written before the rows that name them, and never changed: whatever a copied row names was there when it
    was copied. But an upload that was imported or forgotten is deleted, maybe before it is archived here; a
    newer copy no longer names it. Files that a second copy still misses were lost before the backup.
    """
    missing, before = {"not looked yet"}, set[str]()
    while missing not in (set(), before):
        before = missing
        told("copying the database", 0, 0)
        contents = database.copy(copy)
        if with_files:
            _add_files(writer, told)
        missing = contents.needed - set(writer.entries) if with_files else set()
    told("archiving the database", 0, 0)
    with copy.open("rb") as source:
        writer.add(archive.DATABASES[connection.vendor], source)
    writer.add(archive.KEY, BytesIO(settings.SECRET_KEY.encode()))
    manifest = Manifest(
        format=archive.FORMAT,
        stepmark=provenance.of_code()["stepmark"],
        engine=connection.vendor,
        made_at=timezone.now(),
        migrations=contents.migrations,
        rows=contents.rows,
        has_files=with_files,
        lost=sorted(missing),
        entries=list(writer.entries.values()),
    )
    writer.add_manifest(manifest)
    return manifest


def _add_files(writer: Writer, told: Told) -> None:
    names = [name for name in files.present() if name not in writer.entries]
    for number, name in enumerate(names):
        told("archiving files", number, len(names))
        try:
            source = files.opened(name)
        except FileNotFoundError:  # it was deleted since it was listed
            continue
        with source:
            writer.add(name, source)


def _check_free(target: Path, replaces: bool) -> None:
    if target.exists() and not replaces:
        raise BackupExists(f"{target} exists already: choose another name, or --force.")


def _sync(folder: Path) -> None:
    """Makes a rename in the folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
