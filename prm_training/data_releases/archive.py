"""The release job: writes the labels in each format and split, their card and checksums, into one archive."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, TypeVar
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import msgspec
from django.core.files import File
from django.db import transaction

from labeling import clock
from labeling.data import images, snapshots
from labeling.data.exporting import FORMATS, files, standing
from labeling.data.exporting.standing import LabelCounts
from labeling.data.formats.labels import parquet
from labeling.data.formats.labels.losses import Loss, losses
from labeling.data.paused_gc import paused_gc
from labeling.data.problems import splits as problem_splits
from labeling.jobs.lifecycle import ReportProgress
from labeling.models import Split
from labeling.rules.labelled import Labelled
from labeling.rules.traces.images import file_name
from prm_training.data_releases import card, facts
from prm_training.models import DataRelease

T = TypeVar("T")
REPORT_EVERY = 500
REPORT_EVERY_FILES = 20
NAMING_IMAGES = {"parquet"}  # formats that hold traces with their parts


def release(run: DataRelease, report: ReportProgress) -> None:
    """Freezes the labels as they stand. Raises UnknownChoice, NothingToFreeze, ParquetIsMissing."""
    with TemporaryDirectory(prefix="stepmark-release-") as parent:
        folder = Path(parent) / run.name
        folder.mkdir()
        written = _write_labels(run, folder, report)
        named = sorted(written.images) if NAMING_IMAGES & {*run.file_formats} else []
        copied = _copy_images(folder, named, report)
        report(stage="writing the card", done=written.number, total=written.number)
        held = _write_card(run, folder, written, copied)
        archive = _packed(folder, report)
        _keep(run, archive, held, written, report)


@dataclass
class _Written:
    """Counts of the labels written so far."""

    number: int = 0
    tally: LabelCounts = field(default_factory=LabelCounts)
    splits: Counter[str] = field(default_factory=Counter)
    groups: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    records: Counter[tuple[str, str]] = field(default_factory=Counter)
    lost: dict[tuple[str, str], Counter[Loss]] = field(default_factory=lambda: defaultdict(Counter))
    images: set[str] = field(default_factory=set)  # SHA-256 of the images that traces show

    def add(self, labelled: Labelled, split: str) -> None:
        self.number += 1
        self.splits[split] += 1
        self.groups[split].add(labelled.problem_id)
        self.tally.add(labelled.method, (item.rating for item in labelled.completions))
        self.images.update(part.image for part in labelled.parts if part.image)


def _write_labels(run: DataRelease, folder: Path, report: ReportProgress) -> _Written:
    """Writes the labels in every format, reading them once, so that all files hold the same."""
    label_filter, written = run.label_filter, _Written()
    label_filter.check()
    expected, problems = standing.count_labels(label_filter)
    by_hash, total = snapshots.is_by_hash(problems), expected.kinds.total()
    with ExitStack() as stack, paused_gc():
        streams = dict[tuple[str, str], IO[bytes]]()
        for labelled in standing.stream(label_filter):
            split = snapshots.split_of(labelled.split, labelled.drawn_by, by_hash)
            written.add(labelled, split)
            for file_format in run.file_formats:
                key = file_format, split
                if key not in streams:
                    streams[key] = stack.enter_context(_opened_file(folder, *key))
                _write_records(labelled, key, streams[key], written)
            if written.number % REPORT_EVERY == 0:
                report(stage="writing the labels", done=written.number, total=max(total, written.number))
    if not written.number:
        raise snapshots.NothingToFreeze("There are no labels to release.")
    return written


def _opened_file(folder: Path, file_format: str, split: str) -> IO[bytes]:
    (folder / file_format).mkdir(exist_ok=True)
    return (folder / file_format / f"{split}.jsonl").open("wb")


def _write_records(labelled: Labelled, key: tuple[str, str], stream: IO[bytes], written: _Written) -> None:
    for record in FORMATS[key[0]](labelled):
        stream.write(msgspec.json.encode(record) + b"\n")
        written.records[key] += 1
    written.lost[key].update(losses(labelled, key[0]))


def _reported(stage: str, items: Sequence[T], report: ReportProgress) -> Iterator[T]:
    """Yields the items, and reports how many are done."""
    for done, item in enumerate(items):
        if done % REPORT_EVERY_FILES == 0:
            report(stage=stage, done=done, total=len(items))
        yield item


def _copy_images(folder: Path, digests: list[str], report: ReportProgress) -> dict[str, int]:
    """Copies the stored images into the folder. Returns the numbers of copied and of missing ones."""
    copied = 0
    for digest, content in images.contents(_reported("copying the images", digests, report)):
        (path := folder / "images" / file_name(digest, content)).parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        copied += 1
    return {"copied": copied, "missing": len(digests) - copied} if digests else {}


def _write_card(run: DataRelease, folder: Path, written: _Written, copied: dict[str, int]) -> dict[str, Any]:
    """Writes the guidelines, the card and the checksums; returns the card."""
    held: dict[str, Any] = {
        "name": run.name,
        "notes": run.notes,
        "licence": run.licence,
        "frozen_at": clock.now().isoformat(),
        "filter": run.label_filter.as_json(),
        "counts": written.tally.as_json(),
        "splits": dict(written.splits),
        "files": _files(folder, run.file_formats, written),
        "images": copied,
        **facts.gather(run.label_filter),
        "versions": {"stepmark": version("stepmark")},
    }
    held["guidelines"] = list(_write_guidelines(held["phases"], folder))
    (folder / "README.md").write_text(card.readme(held))
    (folder / "card.json").write_text(json.dumps(held, indent=2, ensure_ascii=False) + "\n")
    sums = [f"{files.sha256(path)}  {path.relative_to(folder)}\n" for path in _all_files(folder)]
    (folder / "SHA256SUMS").write_text("".join(sums))
    return held


def _files(folder: Path, file_formats: list[str], written: _Written) -> list[dict[str, Any]]:
    """Returns the facts of each format's files, training first. A file without records, which nothing could read, is
    deleted and has no path, but counts what its format can't hold.
    """
    found = []
    for file_format in file_formats:
        for split in sorted(written.splits, reverse=True):
            key, path = (file_format, split), folder / file_format / f"{split}.jsonl"
            if not written.records[key]:
                path.unlink()
            elif file_format == "parquet":
                path = _as_parquet(path)
            name = str(path.relative_to(folder)) if written.records[key] else ""
            not_held = {loss.code: number for loss, number in written.lost[key].items()}
            of_file = {"path": name, "records": written.records[key], "not_held": not_held}
            found.append({"format": file_format, "split": split, **of_file})
    return found


def _as_parquet(lines: Path) -> Path:
    path = lines.with_suffix(".parquet")
    with lines.open("rb") as read, path.open("wb") as file:
        file.writelines(files.encoded(map(parquet.read_json, read), is_parquet=True))
    lines.unlink()
    return path


def _write_guidelines(phases: list[dict[str, Any]], folder: Path) -> Iterator[dict[str, str]]:
    for number, (phase, guidelines) in enumerate(facts.guidelines_of(phases), start=1):
        path = folder / "guidelines" / f"{number}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(guidelines.text)
        yield {"title": f"{phase}, version {guidelines.version}", "path": f"guidelines/{path.name}"}


def _all_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _packed(folder: Path, report: ReportProgress) -> Path:
    """Packs the folder into a ZIP archive beside it, without times, so that equal contents give equal bytes."""
    archive = folder.with_name("archive.zip")
    with ZipFile(archive, "w", ZIP_DEFLATED, compresslevel=6) as packed:
        for path in _reported("packing", _all_files(folder), report):
            entry = ZipInfo(str(path.relative_to(folder.parent)))
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o644 << 16
            with path.open("rb") as source, packed.open(entry, "w", force_zip64=True) as target:
                shutil.copyfileobj(source, target)
    return archive


def _keep(run: DataRelease, archive: Path, held: dict[str, Any], written: _Written, report: ReportProgress) -> None:
    """Stores the archive, and records it in the row once it is whole; problems that it holds out stay held out."""
    storage, name = run.file.storage, f"releases/{run.pk}.zip"
    storage.delete(name)  # left by an attempt that died before recording it
    with archive.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        stored = storage.save(name, File(file))
    columns = {"file": stored, "size": archive.stat().st_size, "sha256": digest, "card": held}
    try:
        with transaction.atomic():
            trained_on, held_out = written.groups[Split.TRAIN], written.groups[Split.TEST]
            problem_splits.remember(trained_on=trained_on, held_out=held_out, now=clock.now())
            report(stage="done", done=written.number, total=written.number, **columns)
    except BaseException:
        storage.delete(stored)
        raise
