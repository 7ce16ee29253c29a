"""Recognizes files without records by how they begin, and says what to do with each."""

from __future__ import annotations

import re
from typing import Any

from labeling.data.formats import guess
from labeling.data.formats.files.errors import Unreadable

READABLE = "JSON Lines, JSON documents, CSV and Parquet can be read, plain or compressed"
UNPACK = f"unpack it first: {READABLE}"
CONVERT = f"convert it first: {READABLE}"
BINARY = {
    b"PK\x03\x04": f"a ZIP archive; {UNPACK}",
    b"PAR1": f"a compressed Parquet file; {UNPACK}",
    b"\x04\x22\x4d\x18": f"an LZ4 file; {UNPACK}",
    b"7z\xbc\xaf": f"a 7-Zip archive; {UNPACK}",
    b"Rar!": f"a RAR archive; {UNPACK}",
    b"SQLite format 3": f"an SQLite database; {CONVERT}",
    b"%PDF": f"a PDF document; {CONVERT}",
    b"ARROW1": f"an Arrow file; {CONVERT}",
    b"\xff\xff\xff\xff": f"an Arrow stream; {CONVERT}",
    b"Obj\x01": f"an Avro file; {CONVERT}",
    b"ORC": f"an ORC file; {CONVERT}",
    b"\x89HDF": f"an HDF5 file; {CONVERT}",
    b"\x93NUMPY": f"a NumPy file; {CONVERT}",
    b"\xd0\xcf\x11\xe0": f"an old Office document; {CONVERT}",
    b"\x80": f"a pickle; {CONVERT}",
}
TEXT = {
    rb"version https://git-lfs": "a Git LFS pointer, not the file: run git lfs pull",
    rb"<!doctype html|<html": "a web page (HTML), not the file: download the file itself",
    rb"<\?xml|<[a-z]": f"XML; {CONVERT}",
    rb"---\s": f"YAML; {CONVERT}",
}
TAR = slice(257, 262)


def check_record(record: dict[str, Any]) -> None:
    """Raises Unreadable for a record from a program that has columns and labels of its own."""
    if name := guess.foreign_format_of(record):
        raise Unreadable(
            f"This is {name}, whose columns and labels are its own: write a line for each record, with “problem” and "
            "“steps” or “text”, or with labels in one of the formats that can be imported."
        )


def check_kind(start: bytes) -> None:
    """Raises Unreadable if the file is no text, or text without records. ``start``: its first kilobyte or so."""
    known = next((what for magic, what in BINARY.items() if start.startswith(magic)), "")
    if start[TAR] == b"ustar":
        known = f"a tar archive; {UNPACK}"
    text = start.lstrip()
    known = known or next((what for begin, what in TEXT.items() if re.match(begin, text, re.IGNORECASE)), "")
    if not known and b"\0" in text.split(b"\n")[0] and text[:1] not in b"{[":
        known = f"a binary file; {CONVERT}"
    if known:
        raise Unreadable(f"This is {known}.")
