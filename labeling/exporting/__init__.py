"""The act of writing labels to a file, in one of FORMATS, with a manifest beside it that says what is in it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from labeling.exporting import files, rows
from labeling.exporting.choosing import LabelFilter
from labeling.formats import math_shepherd, parquet, prm800k, processbench, trl
from labeling.formats.labelled import Labelled

__all__ = ["FORMATS", "LabelFilter", "export_labels", "records"]

FORMATS: dict[str, Callable[[Labelled], Iterator[dict[str, Any]]]] = {
    "prm800k": prm800k.write,
    "trl": trl.write,
    "processbench": processbench.write,
    "math_shepherd": math_shepherd.write,
    "parquet": parquet.write,
}
MIX = {1: "positive", 0: "neutral", -1: "negative", None: "no rating"}


def export_labels(label_filter: LabelFilter, *, file_format: str, output: Path, now: datetime) -> dict[str, Any]:
    """Writes the file (gzipped where its name ends with .gz) and OUTPUT.manifest.json; returns the manifest.

    What was at the path stays there until all is written. Raises ParquetIsMissing, OSError.
    """
    counts = Counter[str]()
    written = records(label_filter, file_format, counts)
    with files.whole(output) as file:
        if file_format == "parquet":
            files.write_parquet(file, written)
        else:
            files.write_lines(file, written, is_gzipped=output.suffix == ".gz")
    manifest = {
        "file": output.name,
        "sha256": files.sha256(output),
        "format": file_format,
        "exported_at": now.isoformat(),
        "filter": label_filter.as_json(),
        "counts": dict(counts) | {"left_out": label_filter.left_out()},
        "versions": {"stepmark": version("stepmark")},
    }
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    output.with_name(f"{output.name}.manifest.json").write_text(text)
    return manifest


def records(label_filter: LabelFilter, file_format: str, counts: Counter[str]) -> Iterator[dict[str, Any]]:
    """The records of the chosen labellings; ``counts`` counts them, the labellings and their ratings on the way."""
    write = FORMATS[file_format]
    for labelled in rows.stream(label_filter.chosen()):
        counts["labellings"] += 1
        counts.update(MIX[item.rating] for item in labelled.completions)
        for record in write(labelled):
            counts["records"] += 1
            yield record
