"""The act of freezing labels: the exact file a reward model is trained on, with its hash and its counts."""

import gzip
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from tempfile import SpooledTemporaryFile
from typing import Any, cast
from uuid import UUID

from django.core.files import File
from django.db import transaction
from django.db.models import Count, Prefetch, QuerySet

from labeling.errors import DomainError
from labeling.models import Labelling, RatedCompletion, Snapshot, Split

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
    everything = Labelling.objects.current()
    if phase_ids:
        everything = everything.filter(task__round__phase__in=phase_ids)
    chosen = everything.for_training()
    with SpooledTemporaryFile(max_size=1 << 24) as buffer:
        counts, labels_hash, labelling_ids = _write(chosen, cast(Any, buffer))
        if not counts["labels"]:
            raise NothingToFreeze("There are no labels to train on yet.")
        counts["left_out"] = _left_out(everything)
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
    rows = Snapshot.labellings.through
    links = (rows(snapshot_id=snapshot.pk, labelling_id=pk) for pk in labelling_ids)
    rows.objects.bulk_create(links, batch_size=CHUNK)
    return snapshot


def _write(chosen: QuerySet[Labelling], buffer: Any) -> tuple[dict[str, Any], str, list[UUID]]:
    digest, ratings, splits, labelling_ids = hashlib.sha256(), Counter[str](), Counter[str](), list[UUID]()
    by_hash = not chosen.filter(task__solution__problem__split=Split.TEST).exists()
    with gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0) as file:
        for labelling in _rows(chosen):
            tree = _tree(labelling, by_hash)
            line = json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            digest.update(line)
            file.write(line)
            labelling_ids.append(labelling.pk)
            splits[tree["split"]] += 1
            ratings.update(str(item.rating) for item in labelling.completions.all())
    mix = {
        "positive": ratings["1"],
        "neutral": ratings["0"],
        "negative": ratings["-1"],
        "unsure": ratings["None"],
    }
    labels = mix["positive"] + mix["neutral"] + mix["negative"]
    counts = {"labellings": len(labelling_ids), "labels": labels, **mix, "split": dict(splits)}
    return counts, digest.hexdigest(), labelling_ids


def _rows(chosen: QuerySet[Labelling]) -> Iterator[Labelling]:
    completions = Prefetch("completions", RatedCompletion.objects.order_by("step", "completion"))
    rows = chosen.select_related("task__solution__problem").prefetch_related(completions)
    return rows.order_by("pk").iterator(chunk_size=CHUNK)


def _tree(labelling: Labelling, by_hash: bool) -> dict[str, Any]:
    problem = labelling.task.solution.problem
    split: str = problem.split
    if by_hash and zlib.crc32(problem.text_hash.encode()) % HELD_OUT_ONE_IN == 0:
        split = Split.TEST
    return {
        "id": str(labelling.pk),
        "group": str(problem.pk),
        "split": str(split),
        "problem": problem.statement,
        "steps": list(_steps(labelling.completions.all())),
    }


def _steps(completions: Iterable[RatedCompletion]) -> Iterator[dict[str, Any]]:
    for _, group in groupby(completions, key=lambda item: item.step):
        alternatives = list(group)
        chosen = [index for index, item in enumerate(alternatives) if item.is_chosen]
        yield {
            "completions": [{"text": item.text, "rating": item.rating} for item in alternatives],
            "chosen": chosen[0] if chosen else None,
        }


def _left_out(everything: QuerySet[Labelling]) -> dict[str, int]:
    """Why labellings are not in the training set, counted."""
    screening = everything.filter(task__round__number__lt=0).count()
    ended = everything.filter(task__round__number__gte=0, finish_reason__in=["bad_problem", "give_up"])
    reasons = ended.values_list("finish_reason").annotate(n=Count("pk")).order_by("finish_reason")
    return {"screening": screening, **dict(reasons)}
