"""Inspect's `.eval` files: a ZIP archive with one JSON file for each sample. Nothing is unpacked to disk.

Members are deflated or, by default since Inspect 0.3.206, compressed with Zstandard.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from os import SEEK_CUR
from pathlib import Path
from zipfile import BadZipFile, ZipFile, ZipInfo

from labeling.data.formats.files import opening
from labeling.data.formats.files.errors import LineError, Unreadable, is_of_the_disk
from labeling.data.formats.files.kinds import UNPACK
from labeling.data.formats.files.zstandard import ZstdFile

ZIP = b"PK\x03\x04"
SAMPLE = re.compile(r"samples/([^/]+|.+_epoch_\d+)\.json")  # a sample's id may have slashes
IN_PARTS = re.compile(r"samples/.+_epoch_\d+/sample\.json")
ZSTANDARD = 93  # PKWARE's APPNOTE 6.3.10, 4.4.5
TOLD = "its compression can't be read here: convert the log (inspect log convert --to json)"
TOLD_OF_PARTS = "this large sample is in several parts: convert the log (inspect log convert --to json)"
# Reading a false size or place ends in ValueError, and an encrypted member in RuntimeError.
DAMAGED = (*opening.DAMAGED, BadZipFile, ValueError, RuntimeError)
LOCAL_HEADER = struct.Struct("<26xHH")  # the lengths of the name and of the extra field, which the data follow


def samples(path: Path, limit: int, look: Callable[[float], None]) -> Iterator[tuple[int, bytes | None] | LineError]:
    """Yields the samples as bytes, numbered from 1; None for one over the limit. `look` gets the share read so far.

    Raises Unreadable for an archive without samples.
    """
    with opened(path) as archive:
        members = archive.infolist()
        found = [each for each in members if SAMPLE.fullmatch(each.filename) or IN_PARTS.fullmatch(each.filename)]
        if not found:
            raise Unreadable(f"This is a ZIP archive; {UNPACK}.")
        for number, member in enumerate(found, start=1):
            yield _sample(archive, member, number, limit)
            look(number / len(found))


def opened(path: Path) -> ZipFile:
    """Opens the archive. Raises Unreadable if it is damaged, OSError if the disk fails."""
    try:
        return ZipFile(path)
    except DAMAGED as error:
        if is_of_the_disk(error):
            raise
        raise Unreadable(f"This is a ZIP archive; {UNPACK} (or download it again, if it is cut off).") from None


def _sample(archive: ZipFile, member: ZipInfo, number: int, limit: int) -> tuple[int, bytes | None] | LineError:
    if IN_PARTS.fullmatch(member.filename):
        return LineError(number, TOLD_OF_PARTS)
    # What the archive says of a member's size may be false: no more than the limit is ever unpacked.
    try:
        content = unpacked(archive, member, limit)
    except Unreadable as error:
        return LineError(number, str(error))
    return number, content if len(content) <= limit else None


def unpacked(archive: ZipFile, member: ZipInfo, limit: int) -> bytes:
    """The member's content, or its first limit + 1 bytes. Raises Unreadable for a damaged member, or a compression that
    can't be read here; OSError for a disk that fails.
    """
    try:
        if member.compress_type == ZSTANDARD:
            return _of_zstandard(archive, member, limit)
        with archive.open(member) as file:
            return file.read(limit + 1)
    except NotImplementedError:
        raise Unreadable(TOLD) from None
    except DAMAGED as error:
        if is_of_the_disk(error):
            raise
        raise Unreadable(f"the sample is damaged ({error})") from None


def _of_zstandard(archive: ZipFile, member: ZipInfo, limit: int) -> bytes:
    file = archive.fp
    if file is None:
        raise BadZipFile("the archive is closed")
    file.seek(member.header_offset)
    header = file.read(LOCAL_HEADER.size)
    if not header.startswith(ZIP) or len(header) < LOCAL_HEADER.size:
        raise BadZipFile("a header is missing")
    file.seek(sum(LOCAL_HEADER.unpack(header)), SEEK_CUR)
    packed = BytesIO(file.read(member.compress_size))
    with ZstdFile(packed) as stream:
        content = stream.read(limit + 1)
    if len(content) <= limit and zlib.crc32(content) != member.CRC:
        raise BadZipFile("its checksum is wrong")
    return content
