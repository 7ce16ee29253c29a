"""Files that are whole or absent: JSON Lines, plain or gzipped, or Parquet; hashed while they are written."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import RawIOBase
from itertools import islice
from pathlib import Path
from typing import IO, Any

import msgspec

from labeling.data.formats.labels import parquet

ROWS = 1000


@contextmanager
def whole(path: Path) -> Iterator[IO[bytes]]:
    """Yields a temporary file, which is moved to the path once everything is written."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def encoded(records: Iterable[dict[str, Any]], *, is_parquet: bool) -> Iterator[bytes]:
    """Returns the file's bytes in pieces. Raises ParquetIsMissing before the first record is read."""
    if is_parquet:
        return _parquet(records, parquet.schema())
    return (msgspec.json.encode(record) + b"\n" for record in records)


def _parquet(records: Iterable[dict[str, Any]], schema: Any) -> Iterator[bytes]:
    from pyarrow import RecordBatch  # noqa: PLC0415  large, and an extra
    from pyarrow.parquet import ParquetWriter  # noqa: PLC0415

    rows, pieces = iter(records), Pieces()
    with ParquetWriter(pieces, schema, compression="zstd") as writer:
        while batch := list(islice(rows, ROWS)):
            writer.write_batch(RecordBatch.from_pylist(batch, schema=schema))
            yield pieces.take()
    yield pieces.take()


class Pieces(RawIOBase):
    """A file whose bytes are taken while it is written."""

    def __init__(self) -> None:
        self._pieces = list[bytes]()
        self._size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._pieces.append(bytes(data))
        self._size += len(data)
        return len(data)

    def tell(self) -> int:
        return self._size

    def close(self) -> None:
        """Ends the file; the bytes written can still be taken."""

    def take(self) -> bytes:
        """Returns the bytes written since the last call."""
        taken = b"".join(self._pieces)
        self._pieces.clear()
        return taken


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
