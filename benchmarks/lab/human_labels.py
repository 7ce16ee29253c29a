"""People's labels as pools for a replay: alternatives of PRM800K's phase 1, solutions of ProcessBench."""

import gzip
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Literal
from uuid import UUID

import msgspec

from prm_training.prm.trees.data import Completion, Label, LabelledTree, Rating, Solution, Split, Step, counted_labels
from prm_training.prm.trees.readers import read_labels
from prm_training.selection.rules import Candidate
from prm_training.work.labelled import Pickable

SUBSETS = ("gsm8k", "math")
HELD_OUT = 0.25  # of ProcessBench's problems


@dataclass(frozen=True)
class Sizes:
    """Number of `trajectories` of phase 1, or `solutions` of ProcessBench, that each seed draws for the pool; the
    test set is always the same.
    """

    trajectories: int = 100
    solutions: int = 500
    test_trajectories: int = 60
    test_solutions: int = 150


class Judged(msgspec.Struct):
    """A record of ProcessBench; `label` is the first error, -1 for none."""

    problem: str
    generator: str
    steps: tuple[str, ...]
    label: int
    final_answer_correct: bool

    @property
    def ratings(self) -> list[Rating]:
        """Returns the ratings up to the first error."""
        return [1] * len(self.steps) if self.label == -1 else [*[1] * self.label, -1]  # type: ignore[list-item]


@dataclass(frozen=True)
class Pool:
    """Labels to choose from, by seed; how they are scored; the most of one problem in a batch; held-out labels."""

    members: Callable[[int, Sizes, Path], Iterable[Pickable]]
    aggregate: Literal["product", "last"]
    per_problem: int
    held_out: Callable[[Sizes, Path], Iterable[tuple[str, Label]]]


@cache
def trajectories(data: Path, split: Split) -> list[LabelledTree]:
    """Reads the split's trajectories, dropping duplicates."""
    trees = read_labels(data / "prm800k" / f"phase1_{split}.jsonl.gz", split=split)
    return list({(tree.problem, tree.steps): tree for tree in trees}.values())


@cache
def judged(data: Path) -> list[Judged]:
    """Reads ProcessBench's solutions, except those to problems of `phase1_test`."""
    files = [gzip.decompress((data / "processbench" / f"{subset}.json.gz").read_bytes()) for subset in SUBSETS]
    taken = {tree.problem for tree in trajectories(data, "test")}
    records = (each for file in files for each in msgspec.json.decode(file, type=list[Judged]))
    return [each for each in records if each.problem not in taken]


def judged_of(data: Path, *, is_held_out: bool) -> list[Judged]:
    """Returns ProcessBench's held-out solutions (a fixed quarter of the problems), or the others."""
    return [each for each in judged(data) if (Random(each.problem).random() < HELD_OUT) == is_held_out]


def alternatives(seed: int, sizes: Sizes, data: Path) -> Iterator[Pickable]:
    """Yields each rated alternative once, with its label. As it has no final answer yet, none counts as wrong: the most
    convincing are those with the highest scores.
    """
    drawn = Random(seed).sample(trajectories(data, "train"), sizes.trajectories)
    ratings = {(tree.problem, label.steps): label.rating for tree in drawn for label in counted_labels(tree)}
    for number, ((problem, steps), rating) in enumerate(ratings.items()):
        yield _member(number, problem, steps, [*[None] * (len(steps) - 1), rating], "right")


def solutions(seed: int, sizes: Sizes, data: Path) -> Iterator[Pickable]:
    for number, each in enumerate(Random(seed).sample(judged_of(data, is_held_out=False), sizes.solutions)):
        verdict = "right" if each.final_answer_correct else "wrong"
        yield _member(number, each.problem, each.steps, each.ratings, verdict)


def _member(
    number: int, problem: str, steps: tuple[str, ...], ratings: Sequence[Rating | None], verdict: str
) -> Pickable:
    pk, text_hash = UUID(int=number), hashlib.sha256("\n".join((problem, *steps)).encode()).hexdigest()
    group = UUID(int=Random(problem).getrandbits(128))
    candidate = Candidate(pk, group, verdict, None, text_hash=text_hash, problem_hash=group.hex)
    rated = tuple(Step((Completion(*each),), 0) for each in zip(steps, ratings, strict=False))
    tree = LabelledTree(str(number), problem, "train", problem, rated)
    return Pickable(tree, candidate, Solution(str(pk), problem, steps), sum(1 for _ in counted_labels(tree)))


def held_out_alternatives(sizes: Sizes, data: Path) -> Iterator[tuple[str, Label]]:
    for tree in trajectories(data, "test")[: sizes.test_trajectories]:
        yield from ((tree.problem, label) for label in counted_labels(tree))


def held_out_solutions(sizes: Sizes, data: Path) -> list[Judged]:
    return Random(0).sample(judged_of(data, is_held_out=True), sizes.test_solutions)


def held_out_steps(sizes: Sizes, data: Path) -> Iterator[tuple[str, Label]]:
    for each in held_out_solutions(sizes, data):
        for place, rating in enumerate(each.ratings, start=1):
            yield each.problem, Label(each.steps[:place], rating)


ALTERNATIVES = Pool(alternatives, "last", 10, held_out_alternatives)
SOLUTIONS = Pool(solutions, "product", 1, held_out_steps)


def written(data: Path) -> list[tuple[str, tuple[str, ...]]]:
    """Returns problems and solutions of both pools, without their labels."""
    chosen = [(tree.problem, _chosen(tree)) for tree in trajectories(data, "train")]
    return chosen + [(each.problem, each.steps) for each in judged_of(data, is_held_out=False)]


def _chosen(tree: LabelledTree) -> tuple[str, ...]:
    return tuple(step.completions[step.chosen or 0].text for step in tree.steps if step.completions)
