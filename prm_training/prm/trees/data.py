"""Labelled trees and solutions, and the files that hold them: our own, PRM800K's, outcomes, ProcessBench's.

A labelled tree is one labelling of one problem: at each step one or several completions with their ratings, and the one
chosen to continue from. A step that a person wrote is a chosen completion without a rating.
"""

import gzip
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Literal, TypeVar

from msgspec import Struct, json

Rating = Literal[-1, 0, 1]
Split = Literal["train", "test"]
CLASS_NAMES = ("negative", "neutral", "positive")  # the class of a rating is rating + 1
NOT_FOR_TRAINING = ("give_up", "bad_problem")  # PRM800K's finish reasons

T = TypeVar("T")


class PrmError(Exception):
    """Anything that this package refuses or can't do."""


class BadLine(PrmError):
    """A line of a file is malformed; the message gives file, line number and reason."""


@dataclass(frozen=True)
class Completion:
    """One candidate text for a step; `rating` is None if nobody rated it."""

    text: str
    rating: Rating | None = None


@dataclass(frozen=True)
class Step:
    """The completions seen at one step and the index of the one that the next step follows."""

    completions: tuple[Completion, ...]
    chosen: int | None = None

    def __post_init__(self) -> None:
        if self.chosen is not None and not 0 <= self.chosen < len(self.completions):
            raise ValueError(f"chosen is {self.chosen}, but the step has {len(self.completions)} completions")


@dataclass(frozen=True)
class LabelledTree:
    """One labelling. `group` names the problem, so that no problem is on both sides of a split."""

    id: str
    group: str
    split: Split
    problem: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Label:
    """One human rating in its context: `steps` is the chosen prefix followed by the rated text."""

    steps: tuple[str, ...]
    rating: Rating


@dataclass(frozen=True)
class Solution:
    """What is scored. Consecutive solutions of the same problem share their common steps."""

    id: str
    problem: str
    steps: tuple[str, ...]


@dataclass(frozen=True)
class OutcomeLabel(Solution):
    """A solution and whether its final answer is right: what an outcome reward model (ORM) learns from."""

    correct: bool

    def __post_init__(self) -> None:
        if not self.steps:
            raise ValueError("an outcome is the label of the last step, and there are no steps")

    def tree(self, split: Split) -> LabelledTree:
        """One label, on the last step."""
        completions = [*map(Completion, self.steps[:-1]), Completion(self.steps[-1], 1 if self.correct else -1)]
        return LabelledTree(self.id, self.problem, split, self.problem, tuple(Step((each,), 0) for each in completions))


def counted_labels(tree: LabelledTree) -> Iterator[Label]:
    """Every rating that enters the loss, once: all alternatives of each step up to and including the first step whose
    chosen completion is negative, each after the chosen prefix and nothing else.
    """
    prefix: tuple[str, ...] = ()
    for step in tree.steps:
        for completion in step.completions:
            if completion.rating is not None:
                yield Label((*prefix, completion.text), completion.rating)
        if step.chosen is None or step.completions[step.chosen].rating == -1:
            return
        prefix = (*prefix, step.completions[step.chosen].text)


def read_labels(path: str | Path, *, split: Split, left_out: Counter[str] | None = None) -> Iterator[LabelledTree]:
    """Our own labelled trees, PRM800K's records, or solutions with `correct`, depending on the first line; the last two
    all belong to `split`. `left_out` is as in `read_prm800k`. Like every reader here, streams JSONL, `.gz` or plain,
    and raises `BadLine`.
    """
    first = next(_read(path, json.Decoder(dict[str, Any]).decode), {})
    if "question" in first:
        return read_prm800k(path, split=split, left_out=left_out)
    if "correct" in first:
        return (outcome.tree(split) for outcome in _read(path, json.Decoder(OutcomeLabel).decode))
    return read_trees(path)


def read_trees(path: str | Path) -> Iterator[LabelledTree]:
    return _read(path, json.Decoder(LabelledTree).decode)


def read_solutions(path: str | Path) -> Iterator[Solution]:
    """`{"id", "problem", "steps": [text, ...]}` lines."""
    return _read(path, json.Decoder(Solution).decode)


class _Prm800kStep(Struct):
    completions: tuple[Completion, ...] | None
    human_completion: Completion | None = None
    chosen_completion: int | None = None

    def step(self) -> Step:
        completions, chosen = self.completions or (), self.chosen_completion
        if self.human_completion is not None:
            chosen = len(completions) if chosen is None else chosen
            completions += (Completion(self.human_completion.text),)
        return Step(completions, chosen)


class _Prm800kQuestion(Struct):
    problem: str


class _Prm800kLabel(Struct):
    steps: list[_Prm800kStep]
    finish_reason: str | None = None


class _Prm800kRecord(Struct):
    question: _Prm800kQuestion
    label: _Prm800kLabel
    is_initial_screening_question: bool | None = None
    is_quality_control_question: bool | None = None

    def reason_to_leave_out(self) -> str | None:
        if self.is_initial_screening_question:
            return "screening"
        if self.is_quality_control_question:
            return "quality_control"
        return self.label.finish_reason if self.label.finish_reason in NOT_FOR_TRAINING else None


def read_prm800k(
    path: str | Path, *, split: Split = "train", left_out: Counter[str] | None = None
) -> Iterator[LabelledTree]:
    """The records of either phase. Screening, quality control, given-up and bad-problem records are not training data;
    they are counted by reason in `left_out`. A step that the labeler wrote is chosen and has no rating.
    """
    numbers, reasons = count(1), Counter[str]() if left_out is None else left_out
    decode = json.Decoder(_Prm800kRecord).decode

    def parse(line: bytes) -> LabelledTree | None:
        identity, record = f"{Path(path).name}:{next(numbers)}", decode(line)
        if reason := record.reason_to_leave_out():
            reasons[reason] += 1
            return None
        problem, steps = record.question.problem, tuple(step.step() for step in record.label.steps)
        return LabelledTree(identity, problem, split, problem, steps)

    return (tree for tree in _read(path, parse) if tree is not None)


@dataclass(frozen=True)
class _Judged(Solution):
    label: int


def read_processbench(path: str | Path) -> Iterator[tuple[Solution, int]]:
    """Solutions with the index of their first wrong step, -1 for none. The file is one JSON document."""
    with _open(path) as file:
        try:
            found = json.decode(file.read(), type=list[_Judged])
        except ValueError as error:
            raise PrmError(f"{path} is not a ProcessBench document: {error}") from error
    return ((Solution(each.id, each.problem, each.steps), each.label) for each in found)


def _open(path: str | Path) -> Any:
    return gzip.open(path) if Path(path).suffix == ".gz" else Path(path).open("rb")


def _read(path: str | Path, parse: Callable[[bytes], T]) -> Iterator[T]:
    """The result of `parse` for each line of a JSONL file, blank ones aside."""
    with _open(path) as lines:
        for number, line in enumerate(lines, start=1):
            try:
                if line.strip():
                    yield parse(line)
            except ValueError as error:
                raise BadLine(f"{path}, line {number}: {error}") from error
