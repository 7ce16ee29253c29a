"""What a file looks like when it can't be read as what it was given for."""

from __future__ import annotations

from typing import Any

# By the keys that a record has; the first that fits: ProcessBench's have all that solutions need.
RECORDS = {
    "PRM800K labels": {"question", "label"},
    "GSM8K model solutions": {"question", "ground_truth"},
    "ProcessBench": {"problem", "steps", "label", "generator"},
    "Solutions JSONL": {"problem", "generator"},
    "TRL stepwise supervision, which can't be imported": {"prompt", "completions", "labels"},
    "Math-Shepherd, which can't be imported": {"input", "label"},
}
# By the first bytes.
FILES = {
    b"PK\x03\x04": "a ZIP archive",
    b"PAR1": "a Parquet file",
    b"BZh": "a bzip2 file",
    b"\xfd7zXZ": "an xz file",
    b"\x28\xb5\x2f\xfd": "a Zstandard file",
    b"SQLite format 3": "an SQLite database",
    b"%PDF": "a PDF document",
}


def format_of(record: dict[str, Any]) -> str:
    """The name of the format that the record is of; empty where it is like none."""
    return next((name for name, keys in RECORDS.items() if keys <= record.keys()), "")


def file_kind(start: bytes) -> str:
    """What a file with these first bytes is, where it is no text; else empty."""
    return next((name for magic, name in FILES.items() if start.startswith(magic)), "")
