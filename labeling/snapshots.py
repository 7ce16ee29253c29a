"""The act of freezing labels: the exact file a reward model is trained on, with its hash and its counts."""

import gzip
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from tempfile import SpooledTemporaryFile
from typing import Any, cast
from uuid import UUID

from django.core.files import File
from django.db import transaction
from django.db.models import Count, QuerySet

from labeling.errors import DomainError
from labeling.exporting import LabelFilter, rows
from labeling.formats.labelled import Completion, Labelled
from labeling.models import Consensus, Labelling, Phase, Snapshot, Solution, Split, Verdict
from labeling.querysets import LEFT_OUT_REASONS

CHUNK = 500
HELD_OUT_ONE_IN = 10
MOST_OUTCOMES = 20_000


class NothingToFreeze(DomainError):
    code = "nothing_to_freeze"


def freeze(*, consensus: str = "", **chosen: Any) -> Snapshot:
    """Freezes the current labellings that say something about steps; ``chosen`` are fields of LabelFilter.

    One labelled tree a line, in labelling order; equal labels give the same snapshot row. Problems of split
    `test` are held out; where no label is on such a problem, one problem in ten is. ``consensus``, a method of
    Consensus, puts what people say together in the place of what each of them said.
    Raises NothingToFreeze when there is no label.
    """
    label_filter = LabelFilter(**chosen, without=LEFT_OUT_REASONS)
    with SpooledTemporaryFile(max_size=1 << 24) as buffer:
        counts, labels_hash, labelling_ids = _write(label_filter.chosen(), consensus, cast(Any, buffer))
        if not counts["labels"]:
            raise NothingToFreeze("There are no labels to train on yet.")
        counts["left_out"] = label_filter.left_out()
        return _store(labels_hash, counts, labelling_ids, cast(Any, buffer))


def preview(*, consensus: str = "", **chosen: Any) -> dict[str, Any]:
    """What freezing would hold: counts, what is left out and why, and who labelled how much of it."""
    label_filter = LabelFilter(**chosen, without=LEFT_OUT_REASONS)
    with SpooledTemporaryFile(max_size=1 << 24) as buffer:
        counts, labels_hash, _ = _write(label_filter.chosen(), consensus, cast(Any, buffer))
    everyone = replace(label_filter, annotators=()).chosen().values("annotator__username")
    named = everyone.annotate(labellings=Count("pk")).order_by("annotator__username")
    annotators = [
        {"username": row["annotator__username"], "labellings": row["labellings"]}
        for row in named
        if row["annotator__username"]
    ]
    return {**counts, "left_out": label_filter.left_out(), "annotators": annotators, "labels_hash": labels_hash}


def freeze_outcomes(*phases: Phase) -> Snapshot:
    """Freezes which graded solutions of the pool end right: one label each, on the last step, for an outcome model.

    Of what the phases draw from; of the whole pool, where none is given.

    At most MOST_OUTCOMES, drawn by the hash of their text. Problems are held out as in `freeze`.
    Raises NothingToFreeze when no solution of the pool was graded right or wrong.
    """
    graded = Solution.objects.in_pool().drawn_by(*phases).filter(verdict__in=[Verdict.RIGHT, Verdict.WRONG])
    drawn = graded.select_related("problem").order_by("text_hash", "pk")[:MOST_OUTCOMES]
    by_hash = not graded.filter(problem__split=Split.TEST).exists()
    with SpooledTemporaryFile(max_size=1 << 24) as buffer:
        trees = (_outcome_tree(row, by_hash) for row in drawn.iterator())
        counts, labels_hash, _ = _write_trees(trees, cast(Any, buffer))
        if not counts["labels"]:
            raise NothingToFreeze("No solution of the pool was graded right or wrong yet.")
        counts |= {"labellings": 0, "unsure": 0}  # nobody looked at the steps before the last
        return _store(labels_hash, counts, [], cast(Any, buffer))


def _outcome_tree(solution: Solution, by_hash: bool) -> dict[str, Any]:
    ratings = [None] * (len(solution.steps) - 1) + [1 if solution.verdict == Verdict.RIGHT else -1]
    return {
        "id": str(solution.pk),
        "group": str(solution.problem_id),
        "split": _split(solution.problem.split, solution.problem.text_hash, by_hash),
        "problem": solution.problem.statement,
        "steps": [
            {"completions": [{"text": text, "rating": rating}], "chosen": 0}
            for text, rating in zip(solution.steps, ratings, strict=True)
        ],
    }


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


def _write(chosen: QuerySet[Labelling], consensus: str, buffer: Any) -> tuple[dict[str, Any], str, list[UUID]]:
    by_hash = not chosen.filter(task__solution__problem__split=Split.TEST).exists()
    labellings = _agreed(chosen, consensus) if consensus else rows.stream(chosen)
    return _write_trees((_tree(labelled, by_hash) for labelled in labellings), buffer)


def _write_trees(trees: Iterator[dict[str, Any]], buffer: Any) -> tuple[dict[str, Any], str, list[UUID]]:
    """Writes one a line -> what they hold, the hash of the lines, the trees' ids."""
    digest, ratings, splits, ids = hashlib.sha256(), Counter[str](), Counter[str](), list[UUID]()
    with gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0) as file:
        for tree in trees:
            line = json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            digest.update(line)
            file.write(line)
            ids.append(UUID(tree["id"]))
            splits[tree["split"]] += 1
            ratings.update(str(item["rating"]) for step in tree["steps"] for item in step["completions"])
    mix = {
        "positive": ratings["1"],
        "neutral": ratings["0"],
        "negative": ratings["-1"],
        "unsure": ratings["None"],
    }
    labels = mix["positive"] + mix["neutral"] + mix["negative"]
    counts = {"labellings": len(ids), "labels": labels, **mix, "split": dict(splits)}
    return counts, digest.hexdigest(), ids


def _agreed(chosen: QuerySet[Labelling], method: str) -> Iterator[Labelled]:
    """One tree for each task that has a consensus; the others' labellings as they are."""
    found = Consensus.objects.filter(method=method, task__in=chosen.values("task"))
    ratings = dict(found.values_list("task", "ratings"))
    task_of = dict(chosen.filter(task__in=found.values("task")).values_list("pk", "task"))
    told = set[UUID]()
    for labelled in rows.stream(chosen):
        task = task_of.get(UUID(labelled.id))
        if task is None:
            yield labelled
        elif task not in told:
            told.add(task)
            said = zip(labelled.solution_steps, ratings[task], strict=False)
            steps = [Completion(step, 0, text, rating, False, True) for step, (text, rating) in enumerate(said)]
            yield replace(labelled, completions=steps)


def _split(split: str, problem_hash: str, by_hash: bool) -> str:
    is_held_out = by_hash and zlib.crc32(problem_hash.encode()) % HELD_OUT_ONE_IN == 0
    return str(Split.TEST) if is_held_out else split


def _tree(labelled: Labelled, by_hash: bool) -> dict[str, Any]:
    return {
        "id": labelled.id,
        "group": labelled.problem_id,
        "split": _split(labelled.split, labelled.problem_hash, by_hash),
        "problem": labelled.problem,
        "steps": [_step(list(group)) for _, group in labelled.steps],
    }


def _step(alternatives: Sequence[Completion]) -> dict[str, Any]:
    chosen = [index for index, item in enumerate(alternatives) if item.is_chosen]
    return {
        "completions": [{"text": item.text, "rating": item.rating} for item in alternatives],
        "chosen": chosen[0] if chosen else None,
    }
