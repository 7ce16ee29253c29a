"""The act of freezing labels: the exact file a reward model is trained on, with its hash and its counts."""

import gzip
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Sequence
from tempfile import SpooledTemporaryFile
from typing import Any, cast
from uuid import UUID

from django.core.files import File
from django.db import transaction
from django.db.models import QuerySet

from labeling.errors import DomainError
from labeling.exporting import LabelFilter, rows
from labeling.formats.labelled import Completion, Labelled
from labeling.models import Labelling, Snapshot, Split
from labeling.querysets import LEFT_OUT_REASONS

CHUNK = 500
HELD_OUT_ONE_IN = 10


class NothingToFreeze(DomainError):
    code = "nothing_to_freeze"


def freeze(*, phase_ids: Sequence[UUID] = ()) -> Snapshot:
    """Freezes the current labellings of the phases (none: of all) that say something about steps.

    One labelled tree a line, in labelling order; equal labels give the same snapshot row. Problems of split
    `test` are held out; where no label is on such a problem, one problem in ten is.
    Raises NothingToFreeze when there is no label.
    """
    label_filter = LabelFilter(phase_ids=tuple(phase_ids), without=LEFT_OUT_REASONS)
    with SpooledTemporaryFile(max_size=1 << 24) as buffer:
        counts, labels_hash, labelling_ids = _write(label_filter.chosen(), cast(Any, buffer))
        if not counts["labels"]:
            raise NothingToFreeze("There are no labels to train on yet.")
        counts["left_out"] = label_filter.left_out()
        return _store(labels_hash, counts, labelling_ids, cast(Any, buffer))


@transaction.atomic
def _store(labels_hash: str, counts: dict[str, Any], labelling_ids: list[UUID], buffer: Any) -> Snapshot:
    existing = Snapshot.objects.filter(labels_hash=labels_hash).first()
    if existing is not None:
        return existing
    snapshot = Snapshot(labels_hash=labels_hash, counts=counts)
    buffer.seek(0)
    snapshot.file.save(f"{labels_hash[:16]}.jsonl.gz", File(buffer), save=False)
    snapshot.save()
    linked = Snapshot.labellings.through
    links = (linked(snapshot_id=snapshot.pk, labelling_id=pk) for pk in labelling_ids)
    linked.objects.bulk_create(links, batch_size=CHUNK)
    return snapshot


def _write(chosen: QuerySet[Labelling], buffer: Any) -> tuple[dict[str, Any], str, list[UUID]]:
    digest, ratings, splits, labelling_ids = hashlib.sha256(), Counter[str](), Counter[str](), list[UUID]()
    by_hash = not chosen.filter(task__solution__problem__split=Split.TEST).exists()
    with gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0) as file:
        for labelled in rows.stream(chosen):
            tree = _tree(labelled, by_hash)
            line = json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            digest.update(line)
            file.write(line)
            labelling_ids.append(UUID(labelled.id))
            splits[tree["split"]] += 1
            ratings.update(str(item.rating) for item in labelled.completions)
    mix = {
        "positive": ratings["1"],
        "neutral": ratings["0"],
        "negative": ratings["-1"],
        "unsure": ratings["None"],
    }
    labels = mix["positive"] + mix["neutral"] + mix["negative"]
    counts = {"labellings": len(labelling_ids), "labels": labels, **mix, "split": dict(splits)}
    return counts, digest.hexdigest(), labelling_ids


def _tree(labelled: Labelled, by_hash: bool) -> dict[str, Any]:
    is_held_out = by_hash and zlib.crc32(labelled.problem_hash.encode()) % HELD_OUT_ONE_IN == 0
    return {
        "id": labelled.id,
        "group": labelled.problem_id,
        "split": str(Split.TEST) if is_held_out else labelled.split,
        "problem": labelled.problem,
        "steps": [_step(list(group)) for _, group in labelled.steps],
    }


def _step(alternatives: Sequence[Completion]) -> dict[str, Any]:
    chosen = [index for index, item in enumerate(alternatives) if item.is_chosen]
    return {
        "completions": [{"text": item.text, "rating": item.rating} for item in alternatives],
        "chosen": chosen[0] if chosen else None,
    }
