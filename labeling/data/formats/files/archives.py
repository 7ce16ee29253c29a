"""Inspect's `.eval` files: a ZIP archive with one JSON file for each sample. Nothing is unpacked to disk."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import BadZipFile, ZipFile, ZipInfo

from labeling.data.formats.files.errors import LineError, Unreadable
from labeling.data.formats.files.kinds import UNPACK

ZIP = b"PK\x03\x04"
SAMPLE = re.compile(r"samples/[^/]+\.json")


def samples(path: Path, limit: int, look: Callable[[float], None]) -> Iterator[tuple[int, bytes | None] | LineError]:
    """The samples as bytes, numbered from 1; None for one over the limit. `look` gets the share that has been read.

    Raises Unreadable for an archive without samples.
    """
    try:
        with ZipFile(path) as archive:
            found = [member for member in archive.infolist() if SAMPLE.fullmatch(member.filename)]
            if not found:
                raise Unreadable(f"This is a ZIP archive; {UNPACK}.")
            for number, member in enumerate(found, start=1):
                yield _sample(archive, member, number, limit)
                look(number / len(found))
    except BadZipFile:
        raise Unreadable(f"This is a ZIP archive; {UNPACK} (or download it again, if it is cut off).") from None


def _sample(archive: ZipFile, member: ZipInfo, number: int, limit: int) -> tuple[int, bytes | None] | LineError:
    # What the archive says of a member's size may be false: no more than the limit is ever unpacked.
    try:
        with archive.open(member) as file:
            content = file.read(limit + 1)
    except NotImplementedError:
        return LineError(number, "its compression can't be read here: convert the log (inspect log convert --to json)")
    except (BadZipFile, zlib.error, EOFError, RuntimeError) as error:
        return LineError(number, f"the sample is damaged ({error})")
    return number, content if len(content) <= limit else None
