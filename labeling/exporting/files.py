"""Files that are there whole or not at all: JSON Lines, plain or gzipped, or Parquet; hashed as they are written."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, Any, cast

from labeling.formats import parquet

ROWS = 1000


@contextmanager
def whole(path: Path) -> Iterator[IO[bytes]]:
    """A file beside the path, which takes its place when all is written."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_lines(file: IO[bytes], records: Iterable[dict[str, Any]], *, is_gzipped: bool) -> None:
    stream = cast(IO[bytes], gzip.GzipFile(fileobj=file, mode="wb", mtime=0)) if is_gzipped else file
    for record in records:
        stream.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")
    if is_gzipped:
        stream.close()


def write_parquet(file: IO[bytes], records: Iterable[dict[str, Any]]) -> None:
    """Raises ParquetIsMissing."""
    schema = parquet.schema()
    from pyarrow import RecordBatch  # noqa: PLC0415  large, and an extra
    from pyarrow.parquet import ParquetWriter  # noqa: PLC0415

    rows = iter(records)
    with ParquetWriter(file, schema, compression="zstd") as writer:
        while batch := list(islice(rows, ROWS)):
            writer.write_batch(RecordBatch.from_pylist(batch, schema=schema))


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
