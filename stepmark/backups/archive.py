"""The archive: a zip file whose manifest names every other entry with its size and hash.

A zip entry may have any length, known only once it is written, so a file that changes meanwhile spoils nothing but
itself. The directory stands at the end: an archive that was cut off has none, and can't be opened.
"""

import hashlib
import stat
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

import msgspec

from labeling.errors import DomainError

FORMAT = 1
MANIFEST, KEY = "manifest.json", "secret_key"
DATABASES = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
FOLDERS = ("models", "files")
CHUNK = 1 << 20
# Errors that `zipfile` raises for a damaged archive, depending on the byte.
UNREADABLE = (BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError)

Told = Callable[[str, int, int], None]  # the stage; how much is done, and of how much


class BadArchive(DomainError, code="bad_archive"):
    """The file is not a backup, or is damaged."""


class Entry(msgspec.Struct, frozen=True):
    name: str
    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """`rows`: the number in each table. `entries`: all files of the archive but this one. `lost`: files that rows name
    but that were missing before the backup.
    """

    format: int
    stepmark: str
    engine: str
    made_at: datetime
    migrations: list[str]
    rows: dict[str, int]
    has_files: bool
    lost: list[str]
    entries: list[Entry]

    @property
    def files(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.name.startswith(tuple(f"{name}/" for name in FOLDERS))]

    @property
    def database(self) -> str:
        return DATABASES[self.engine]


class _Format(msgspec.Struct):
    format: int


class Writer:
    """Writes entries and hashes them on the way."""

    def __init__(self, file: IO[bytes]) -> None:
        # Weights hardly shrink, rows do to a fifth, also with the fastest level.
        self._zip = ZipFile(file, "w", ZIP_DEFLATED, compresslevel=1)
        self.entries: dict[str, Entry] = {}

    def add(self, name: str, source: IO[bytes]) -> None:
        digest, size = hashlib.sha256(), 0
        with self._zip.open(name, "w", force_zip64=True) as entry:
            while chunk := source.read(CHUNK):
                entry.write(chunk)
                digest.update(chunk)
                size += len(chunk)
        self.entries[name] = Entry(name, size, digest.hexdigest())

    def add_manifest(self, manifest: Manifest) -> None:
        self._zip.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))

    def close(self) -> None:
        """Writes the directory."""
        self._zip.close()


@contextmanager
def opened(path: Path) -> Iterator[tuple[ZipFile, Manifest]]:
    """Yields the open archive and its manifest. Raises BadArchive unless the manifest and names are in order."""
    with _complaining(path.name):
        file = ZipFile(path)
    with file:
        with _complaining(path.name):
            manifest = _manifest_of(file)
            _check_names(file, manifest)
        yield file, manifest


def verify(file: ZipFile, manifest: Manifest, told: Told) -> None:
    """Raises BadArchive unless every entry has its size and hash."""
    for number, entry in enumerate(manifest.entries):
        told("checking", number, len(manifest.entries))
        with _complaining(entry.name), file.open(entry.name) as source:
            digest, size = hashlib.sha256(), 0
            while size <= entry.size and (chunk := source.read(CHUNK)):
                digest.update(chunk)
                size += len(chunk)
        if (size, digest.hexdigest()) != (entry.size, entry.sha256):
            raise BadArchive(f"The archive is damaged: “{entry.name}” is not as it was written.")


def _manifest_of(file: ZipFile) -> Manifest:
    if MANIFEST not in file.namelist():
        raise BadArchive("The file is not a backup of Stepmark: it has no manifest.")
    written = file.read(MANIFEST)
    if (found := msgspec.json.decode(written, type=_Format).format) != FORMAT:
        raise BadArchive(f"The backup has format {found}; this version of Stepmark reads format {FORMAT}.")
    return msgspec.json.decode(written, type=Manifest)


def _check_names(file: ZipFile, manifest: Manifest) -> None:
    """Raises BadArchive for missing or unlisted entries, duplicates, links, and names that lead elsewhere."""
    if manifest.engine not in DATABASES:
        raise BadArchive(f"The archive is of a database that Stepmark doesn't know: “{manifest.engine}”.")
    names = sorted([MANIFEST, *(entry.name for entry in manifest.entries)])
    is_whole = len(set(names)) == len(names) and {KEY, manifest.database} <= set(names)
    if names != sorted(file.namelist()) or not is_whole:
        raise BadArchive("The archive is damaged: it does not hold what its manifest lists, once each.")
    for name in set(names) - {MANIFEST, KEY, manifest.database}:
        is_file = stat.S_IFMT(file.getinfo(name).external_attr >> 16) in {0, stat.S_IFREG}
        parts = name.split("/")
        is_plain = len(parts) > 1 and parts[0] in FOLDERS and not {"", ".", ".."} & set(parts)
        if not (is_file and is_plain) or "\\" in name:
            raise BadArchive(f"The archive is refused: “{name}” is a link, or would be written outside of the data.")


@contextmanager
def _complaining(name: str) -> Iterator[None]:
    try:
        yield
    except UNREADABLE as error:
        raise BadArchive(f"{name} can't be read as a backup: {error}") from error
