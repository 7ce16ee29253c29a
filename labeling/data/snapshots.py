"""Freezing labels: the exact file that a reward model is trained on, with its hash and its counts."""

import gzip
import hashlib
import json
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from tempfile import SpooledTemporaryFile
from typing import Any, cast
from uuid import UUID

from django.core.files import File
from django.db import transaction

from labeling import clock
from labeling.data.exporting import LabelFilter, rows, standing
from labeling.data.exporting.standing import LabelCounts
from labeling.data.problems import splits as problem_splits
from labeling.errors import DomainError
from labeling.models import Phase, Snapshot, Solution, Split, Verdict
from labeling.rules.labelled import Labelled, LabelledCompletion

CHUNK = 500
HELD_OUT_ONE_IN = 10
MOST_OUTCOMES = 20_000
EVERYTHING = LabelFilter()


class NothingToFreeze(DomainError, code="nothing_to_freeze"):
    """There would be nothing to train on."""


def freeze(label_filter: LabelFilter = EVERYTHING) -> Snapshot:
    """Freezes the labels as they stand, one labelled tree a line, in the order of `standing.stream`; equal labels give
    the same snapshot row. Problems of split `test` are held out; if there is no label on such a problem, one problem in
    ten is drawn, and stays held out in later snapshots.

    A snapshot includes the labellings behind its rulings and consensuses. Raises UnknownChoice, and NothingToFreeze if
    there are no labels.
    """
    label_filter.check()
    # Counted before the first line is written: whether any label is on a test problem decides how each line is split.
    _, problems = standing.count_labels(label_filter)
    by_hash, tally, behind = is_by_hash(problems), LabelCounts(), list[UUID]()
    with SpooledTemporaryFile(max_size=1 << 24) as buffer:
        trees = _trees(label_filter, by_hash, tally, behind)
        splits, labels_hash, groups = _write_trees(trees, cast(Any, buffer))
        counts = {**tally.as_json(), "split": splits}
        if not counts["labels"]:
            raise NothingToFreeze("There are no labels to train on yet.")
        counts |= {"left_out": standing.left_out(label_filter), "overlap": standing.overlaps(label_filter)}
        return _store_snapshot(labels_hash, counts, behind, groups, cast(Any, buffer))


def preview_snapshot(label_filter: LabelFilter = EVERYTHING) -> dict[str, Any]:
    """Counts, by query, what `freeze` would give, and lists the annotators to choose from. Raises UnknownChoice."""
    label_filter.check()
    tally, problems = standing.count_labels(label_filter)
    by_hash, splits = is_by_hash(problems), Counter[str]()
    for (split, drawn_by), number in problems.items():
        splits[split_of(split, drawn_by, by_hash)] += number
    people = standing.people(label_filter).items()
    return {
        **tally.as_json(),
        "split": dict(splits),
        "left_out": standing.left_out(label_filter),
        "overlap": standing.overlaps(label_filter),
        "annotators": [{"username": name, "labellings": number} for name, number in people],
    }


def freeze_outcomes(*phases: Phase) -> Snapshot:
    """Freezes the verdicts of the pool's graded solutions for an outcome model: one label each, on the last step.

    Takes solutions of the phases' sources, or of the whole pool if none is given: at most MOST_OUTCOMES, drawn by the
    hash of their text. Problems are held out as in `freeze`; those on a benchmark or near one are left out. Raises
    NothingToFreeze if no solution in the pool was graded right or wrong.
    """
    graded = Solution.objects.in_pool().drawn_by(*phases).filter(verdict__in=[Verdict.RIGHT, Verdict.WRONG])
    graded = graded.filter(problem__overlap="")
    drawn = graded.select_related("problem").order_by("text_hash", "pk")[:MOST_OUTCOMES]
    by_hash = not graded.filter(problem__split=Split.TEST).exists()
    with SpooledTemporaryFile(max_size=1 << 24) as buffer:
        tally = LabelCounts()
        trees = (_outcome_tree(row, by_hash, tally) for row in drawn.iterator())
        splits, labels_hash, groups = _write_trees(trees, cast(Any, buffer))
        if not splits:
            raise NothingToFreeze("No solution of the pool was graded right or wrong yet.")
        return _store_snapshot(labels_hash, {**tally.as_json(), "split": splits}, [], groups, cast(Any, buffer))


def _outcome_tree(solution: Solution, by_hash: bool, tally: LabelCounts) -> dict[str, Any]:
    """Makes a tree whose last step alone is rated, by the verdict. The others count as neither labels nor unsure."""
    rating = 1 if solution.verdict == Verdict.RIGHT else -1
    tally.ratings[rating] += 1
    ratings = [None] * (len(solution.steps) - 1) + [rating]
    return {
        "id": str(solution.pk),
        "group": str(solution.problem_id),
        "split": split_of(
            rows.DRAWN if solution.problem.is_drawn else solution.problem.split, solution.problem.drawn_by, by_hash
        ),
        "problem": solution.problem.text_read,
        "steps": _with_contexts(
            [
                {"completions": [{"text": text, "rating": rating}], "chosen": 0}
                for text, rating in zip(solution.steps, ratings, strict=True)
            ],
            solution.contexts,
        ),
    }


@transaction.atomic
def _store_snapshot(
    labels_hash: str, counts: dict[str, Any], labelling_ids: list[UUID], groups: dict[str, set[str]], buffer: Any
) -> Snapshot:
    problem_splits.remember(trained_on=groups[Split.TRAIN], held_out=groups[Split.TEST], now=clock.now())
    existing = Snapshot.objects.filter(labels_hash=labels_hash).first()
    if existing is not None:
        return existing
    # Two workers may both write the file. The unique hash decides whose row it becomes, and the other's file goes.
    written = Snapshot()
    buffer.seek(0)
    written.file.save(f"{labels_hash[:16]}.jsonl.gz", File(buffer), save=False)
    stored = {"counts": counts, "file": written.file.name}
    snapshot, is_new = Snapshot.objects.get_or_create(labels_hash=labels_hash, defaults=stored)
    if not is_new:  # frozen by another worker meanwhile
        written.file.delete(save=False)
        return snapshot
    linked = Snapshot.labellings.through
    links = (linked(snapshot_id=snapshot.pk, labelling_id=pk) for pk in labelling_ids)
    linked.objects.bulk_create(links, batch_size=CHUNK)
    return snapshot


def _trees(
    label_filter: LabelFilter, by_hash: bool, tally: LabelCounts, behind: list[UUID]
) -> Iterator[dict[str, Any]]:
    """Yields the labelled trees; adds their labels to the tally, and the labellings behind them to `behind`."""
    for labelled in standing.stream(label_filter):
        tally.add(labelled.method, (item.rating for item in labelled.completions))
        behind.extend(map(UUID, labelled.behind or [labelled.id]))
        yield _tree(labelled, by_hash)


def _write_trees(trees: Iterator[dict[str, Any]], buffer: Any) -> tuple[dict[str, int], str, dict[str, set[str]]]:
    """Writes one tree per line. Returns the number of trees by split, the lines' hash, and the problems by split."""
    digest, splits, groups = hashlib.sha256(), Counter[str](), defaultdict[str, set[str]](set)
    # No time in the archive's header: equal labels give equal files, byte by byte.
    with gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0) as file:
        for tree in trees:
            line = json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            digest.update(line)
            file.write(line)
            splits[tree["split"]] += 1
            groups[tree["split"]].add(tree["group"])
    return dict(splits), digest.hexdigest(), groups


def is_by_hash(problems: Iterable[tuple[str, str]]) -> bool:
    return all(split != Split.TEST for split, _ in problems)


def split_of(split: str, drawn_by: str, by_hash: bool) -> str:
    # By the checksum of the problem, or of a trace's task, alone: the same one in ten in every snapshot, so that later
    # models can be measured on problems that no earlier one has learned from.
    is_drawn = by_hash and zlib.crc32(drawn_by.encode()) % HELD_OUT_ONE_IN == 0
    return str(Split.TEST) if is_drawn or split == rows.DRAWN else split


def _tree(labelled: Labelled, by_hash: bool) -> dict[str, Any]:
    # Written only if true, so that equal labels of other phases keep their hash.
    protocol = {"rates_all_steps": True} if labelled.rates_all_steps else {}
    return protocol | {
        "id": labelled.id,
        "group": labelled.problem_id,
        "split": split_of(labelled.split, labelled.drawn_by, by_hash),
        "problem": labelled.problem_text,
        "steps": _with_contexts([_step(list(group)) for _, group in labelled.steps], labelled.contexts),
    }


def _with_contexts(steps: list[dict[str, Any]], contexts: Sequence[str]) -> list[dict[str, Any]]:
    """The steps, each with the context between it and the next one, if there is any."""
    after = [*contexts[: len(steps)], *[""] * (len(steps) - len(contexts))]
    return [step | ({"context": context} if context else {}) for step, context in zip(steps, after, strict=True)]


def _step(alternatives: Sequence[LabelledCompletion]) -> dict[str, Any]:
    chosen = [index for index, item in enumerate(alternatives) if item.is_chosen]
    return {
        "completions": [{"text": item.text, "rating": item.rating} for item in alternatives],
        "chosen": chosen[0] if chosen else None,
    }
