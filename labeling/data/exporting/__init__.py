"""Writes labels to a file in one of FORMATS, with a manifest of its contents beside it."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import IO, Any, cast
from zipfile import ZIP_DEFLATED, ZipFile

from labeling.data.exporting import files, standing
from labeling.data.exporting.choosing import LabelFilter, UnknownChoice
from labeling.data.exporting.standing import LabelCounts
from labeling.data.formats.labels import WRITERS, parquet
from labeling.data.formats.labels.losses import Loss, losses
from labeling.data.paused_gc import paused_gc

__all__ = [
    "FORMATS",
    "LabelFilter",
    "UnknownChoice",
    "check_format",
    "export_labels",
    "preview_export",
    "stream_labels",
]

FORMATS = WRITERS
LOOKED_AT = 5000


def check_format(file_format: str) -> None:
    """Raises ParquetIsMissing if the format can't be written here."""
    if file_format == "parquet":
        parquet.schema()


def export_labels(label_filter: LabelFilter, *, file_format: str, output: Path, now: datetime) -> dict[str, Any]:
    """Writes the file (gzipped where its name ends with .gz) and OUTPUT.manifest.json; returns the manifest.

    A file already at the path stays until all is written. Raises UnknownChoice, ParquetIsMissing, OSError.
    """
    label_filter.check()
    export = _Export(label_filter, file_format, output.name)
    with files.whole(output) as file, paused_gc():
        is_gzipped = output.suffix == ".gz" and file_format != "parquet"
        stream = cast(IO[bytes], gzip.GzipFile(fileobj=file, mode="wb", mtime=0)) if is_gzipped else file
        stream.writelines(export.pieces())
        if is_gzipped:
            stream.close()
    manifest = export.manifest(now=now, sha256=files.sha256(output))
    output.with_name(f"{output.name}.manifest.json").write_text(_manifest_text(manifest))
    return manifest


def preview_export(label_filter: LabelFilter, *, file_format: str) -> dict[str, Any]:
    """Counts the records of the first LOOKED_AT labellings, rulings and consensuses, and what the format can't hold."""
    looked, records, lost = 0, 0, Counter[Loss]()
    for labelled in islice(standing.stream(label_filter), LOOKED_AT):
        looked += 1
        records += sum(1 for _ in FORMATS[file_format](labelled))
        lost.update(losses(labelled, file_format))
    not_held = [{"name": loss.code, "title": loss.title, "count": lost[loss]} for loss in Loss if loss in lost]
    return {"looked_at": looked, "is_all": looked < LOOKED_AT, "records": records, "not_held": not_held}


def stream_labels(label_filter: LabelFilter, *, file_format: str, now: datetime) -> Iterator[bytes]:
    """Yields a ZIP archive of the file and manifest.json, made while it is read. Raises ParquetIsMissing at once."""
    name = "labels.parquet" if file_format == "parquet" else "labels.jsonl"
    export = _Export(label_filter, file_format, name)
    return _zipped(export, export.pieces(), now)


def _zipped(export: _Export, pieces: Iterator[bytes], now: datetime) -> Iterator[bytes]:
    target, digest = files.Pieces(), hashlib.sha256()
    with ZipFile(cast(IO[bytes], target), "w", ZIP_DEFLATED, compresslevel=1) as archive:
        with archive.open(export.name, "w", force_zip64=True) as member:
            for piece in pieces:
                digest.update(piece)
                member.write(piece)
                if taken := target.take():
                    yield taken
        archive.writestr("manifest.json", _manifest_text(export.manifest(now=now, sha256=digest.hexdigest())))
    yield target.take()


@dataclass(frozen=True)
class _Export:
    label_filter: LabelFilter
    file_format: str
    name: str
    tally: LabelCounts = field(default_factory=LabelCounts)
    lost: Counter[Loss] = field(default_factory=Counter)
    records: Counter[str] = field(default_factory=Counter)

    def pieces(self) -> Iterator[bytes]:
        return files.encoded(self._records(), is_parquet=self.file_format == "parquet")

    def _records(self) -> Iterator[dict[str, Any]]:
        for labelled in standing.stream(self.label_filter):
            self.tally.add(labelled.method, (item.rating for item in labelled.completions))
            self.lost.update(losses(labelled, self.file_format))
            for record in FORMATS[self.file_format](labelled):
                self.records["records"] += 1
                yield record

    def manifest(self, *, now: datetime, sha256: str) -> dict[str, Any]:
        """The manifest of a written file: its contents, and anything that the format can't hold."""
        not_held = {"not_held": {loss.code: self.lost[loss] for loss in Loss if loss in self.lost}} if self.lost else {}
        return {
            "file": self.name,
            "sha256": sha256,
            "format": self.file_format,
            "exported_at": now.isoformat(),
            "filter": self.label_filter.as_json(),
            "counts": {
                "records": self.records["records"],
                **self.tally.as_json(),
                "left_out": standing.left_out(self.label_filter),
                "overlap": standing.overlaps(self.label_filter),
                **not_held,
            },
            "versions": {"stepmark": version("stepmark")},
        }


def _manifest_text(manifest: dict[str, Any]) -> str:
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
