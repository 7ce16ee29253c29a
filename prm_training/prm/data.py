"""Labelled trees and solutions, and the files that hold them: our own, PRM800K's, outcomes, ProcessBench's.

A labelled tree is one labelling of one problem: at each step one or several completions with their ratings, and the
one that was chosen to go on from. A step that a person wrote is a chosen completion without a rating.
"""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import IO, Any, TypeVar, cast

RATINGS = (-1, 0, 1)
CLASS_NAMES = ("negative", "neutral", "positive")  # the class of a rating is rating + 1
SPLITS = ("train", "test")
NOT_FOR_TRAINING = ("give_up", "bad_problem")  # PRM800K's finish reasons

T = TypeVar("T")


class PrmError(Exception):
    """Anything that this package refuses or cannot do."""


class BadLine(PrmError):
    """A line of a file is not what it should be; the message gives file, line number and reason."""


@dataclass(frozen=True)
class Completion:
    """One candidate text for a step; `rating` is -1, 0, 1, or None where nobody rated it."""

    text: str
    rating: int | None = None

    def __post_init__(self) -> None:
        # `false` of a file would pass for 0, which is neutral
        if self.rating is not None and (type(self.rating) is not int or self.rating not in RATINGS):
            raise ValueError(f"a rating is -1, 0, 1 or null, not {self.rating!r}")


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
    """One labelling. `group` names the problem, so that a problem never lies on both sides of a split."""

    id: str
    group: str
    split: str
    problem: str
    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        if self.split not in SPLITS:
            raise ValueError(f"split is one of {', '.join(SPLITS)}, not {self.split!r}")


@dataclass(frozen=True)
class Label:
    """One human rating in its context: `steps` is the chosen prefix followed by the rated text."""

    steps: tuple[str, ...]
    rating: int


@dataclass(frozen=True)
class Solution:
    """What is scored. Consecutive solutions of the same problem share their common steps."""

    id: str
    problem: str
    steps: tuple[str, ...]


def counted_labels(tree: LabelledTree) -> Iterator[Label]:
    """Every rating that enters the loss, once: all alternatives of each step up to and including the first
    step whose chosen completion is negative, each hanging from the chosen prefix and from nothing else."""
    prefix: tuple[str, ...] = ()
    for step in tree.steps:
        for completion in step.completions:
            if completion.rating is not None:
                yield Label((*prefix, completion.text), completion.rating)
        if step.chosen is None or step.completions[step.chosen].rating == -1:
            return
        prefix = (*prefix, step.completions[step.chosen].text)


def read_labels(path: str | Path, *, split: str) -> Iterator[LabelledTree]:
    """Our own labelled trees, PRM800K's records, or solutions with `correct`, whichever the first line is; the last
    two all belong to `split`. Like every reader here: streams JSONL, `.gz` or plain; raises `BadLine`."""
    first = next(_read(path, dict), {})
    if "question" in first:
        return read_prm800k(path, split=split)
    return read_outcomes(path, split=split) if "correct" in first else read_trees(path)


def read_trees(path: str | Path) -> Iterator[LabelledTree]:
    return _read(path, _tree)


def read_solutions(path: str | Path) -> Iterator[Solution]:
    """`{"id", "problem", "steps": [text, ...]}` lines."""
    return _read(path, _solution)


def read_outcomes(path: str | Path, *, split: str) -> Iterator[LabelledTree]:
    """Solutions with their verdict: `{"id", "problem", "steps", "correct"}` lines."""
    return _read(path, lambda record: outcome_tree(_solution(record), is_right=record["correct"], split=split))


def outcome_tree(solution: Solution, *, is_right: bool, split: str = "train") -> LabelledTree:
    """One label on the last step, right or wrong: what an outcome reward model (ORM) learns from."""
    if not solution.steps or not isinstance(is_right, bool):
        raise ValueError("an outcome is true or false and stands on a last step")
    ratings = [None] * (len(solution.steps) - 1) + [1 if is_right else -1]
    steps = (Step((Completion(*each),), 0) for each in zip(solution.steps, ratings, strict=True))
    return LabelledTree(solution.id, solution.problem, split, solution.problem, tuple(steps))


def read_prm800k(
    path: str | Path, *, split: str = "train", left_out: Counter[str] | None = None
) -> Iterator[LabelledTree]:
    """The records of either phase. Screening, quality control, given-up and bad-problem records are no training data;
    they are counted by reason in `left_out`. A step that the labeler wrote is chosen and has no rating."""
    numbers, reasons = count(1), Counter[str]() if left_out is None else left_out

    def parse(record: dict[str, Any]) -> LabelledTree | None:
        identity = f"{Path(path).name}:{next(numbers)}"
        if reason := _reason_to_leave_out(record):
            reasons[reason] += 1
            return None
        problem, steps = record["question"]["problem"], tuple(map(_prm800k_step, record["label"]["steps"]))
        return LabelledTree(identity, problem, split, problem, steps)

    return (tree for tree in _read(path, parse) if tree is not None)


def read_processbench(path: str | Path) -> Iterator[tuple[Solution, int]]:
    """Solutions with the index of their first wrong step, -1 for none. The file is one JSON document."""
    with _open(Path(path)) as file:
        try:
            for record in json.load(file):
                yield _solution(record), int(record["label"])
        except (KeyError, TypeError, ValueError) as error:
            raise PrmError(f"{path} is no ProcessBench document ({error!r})") from error


def _open(path: Path) -> IO[str]:
    opener: Any = gzip.open if path.suffix == ".gz" else Path.open
    return cast(IO[str], opener(path, "rt", encoding="utf-8"))


def _read(path: str | Path, parse: Callable[[dict[str, Any]], T]) -> Iterator[T]:
    """What `parse` makes of each JSON object of a JSONL file, blank lines aside."""
    with _open(Path(path)) as lines:
        for number, line in enumerate(lines, start=1):
            try:
                if line.strip():
                    yield parse(json.loads(line))
            except json.JSONDecodeError as error:
                raise BadLine(f"{path}, line {number}: not JSON ({error})") from error
            except KeyError as error:
                raise BadLine(f"{path}, line {number}: {error} is missing") from error
            except (TypeError, ValueError, AttributeError) as error:
                raise BadLine(f"{path}, line {number}: {error}") from error


def _tree(record: dict[str, Any]) -> LabelledTree:
    identity, group, problem = (_text(record[name]) for name in ("id", "group", "problem"))
    return LabelledTree(identity, group, record["split"], problem, tuple(map(_step, record["steps"])))


def _step(record: dict[str, Any]) -> Step:
    completions = tuple(Completion(_text(c["text"]), c.get("rating")) for c in record["completions"])
    return Step(completions, record.get("chosen"))


def _solution(record: dict[str, Any]) -> Solution:
    return Solution(_text(record["id"]), _text(record["problem"]), tuple(map(_text, record["steps"])))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected text, found {type(value).__name__}")
    return value


def _reason_to_leave_out(record: dict[str, Any]) -> str | None:
    if record.get("is_initial_screening_question"):
        return "screening"
    if record.get("is_quality_control_question"):
        return "quality_control"
    finish: str | None = record["label"].get("finish_reason")
    return finish if finish in NOT_FOR_TRAINING else None


def _prm800k_step(step: dict[str, Any]) -> Step:
    completions = [Completion(each["text"], each["rating"]) for each in step["completions"] or []]
    chosen = step.get("chosen_completion")
    if step.get("human_completion") is not None:
        completions.append(Completion(step["human_completion"]["text"]))
        chosen = len(completions) - 1 if chosen is None else chosen
    return Step(tuple(completions), chosen)
