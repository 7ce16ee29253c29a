"""Labelled trees and solutions, and the files that hold them.

A labelled tree is one labelling of one problem: at each step one or several completions with their ratings, and the
one that was chosen to go on from. A step that a person wrote is a chosen completion without a rating.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeVar, cast

RATINGS = (-1, 0, 1)
CLASS_NAMES = ("negative", "neutral", "positive")  # the class of a rating is rating + 1
SPLITS = ("train", "test")

T = TypeVar("T")


class PrmError(Exception):
    """Anything that this package refuses or cannot do."""


class BadLine(PrmError):
    """A line of a file is not what it should be; the message gives file, line number and reason."""

    def __init__(self, path: Path, line: int, reason: str) -> None:
        super().__init__(f"{path}, line {line}: {reason}")
        self.path, self.line, self.reason = path, line, reason


@dataclass(frozen=True)
class Completion:
    """One candidate text for a step; `rating` is -1, 0, 1, or None where nobody rated it."""

    text: str
    rating: int | None = None

    def __post_init__(self) -> None:
        if self.rating is not None and self.rating not in RATINGS:
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


def read_trees(path: str | Path) -> Iterator[LabelledTree]:
    """Stream the trees of a JSONL file (`.gz` or plain). Raises `BadLine`."""
    return read_lines(Path(path), _tree)


def read_solutions(path: str | Path) -> Iterator[Solution]:
    """Stream `{"id", "problem", "steps": [text, ...]}` lines (`.gz` or plain). Raises `BadLine`."""
    return read_lines(Path(path), solution_of)


def open_text(path: Path, mode: str = "rt") -> IO[str]:
    """Open a text file, through gzip where its name ends in .gz."""
    if path.suffix == ".gz":
        return cast(IO[str], gzip.open(path, mode, encoding="utf-8"))
    return cast(IO[str], path.open(mode, encoding="utf-8"))


def read_lines(path: Path, parse: Callable[[dict[str, Any]], T]) -> Iterator[T]:
    """What `parse` makes of each JSON object of a JSONL file, blank lines aside. Raises `BadLine`."""
    with open_text(path) as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                try:
                    yield parse(json.loads(line))
                except json.JSONDecodeError as error:
                    raise BadLine(path, number, f"not JSON ({error})") from error
                except KeyError as error:
                    raise BadLine(path, number, f"{error} is missing") from error
                except (TypeError, ValueError, AttributeError) as error:
                    raise BadLine(path, number, str(error)) from error


def _tree(record: dict[str, Any]) -> LabelledTree:
    identity, group, problem = (_text(record[name]) for name in ("id", "group", "problem"))
    return LabelledTree(identity, group, record["split"], problem, tuple(map(_step, record["steps"])))


def _step(record: dict[str, Any]) -> Step:
    completions = tuple(Completion(_text(c["text"]), c.get("rating")) for c in record["completions"])
    return Step(completions, record.get("chosen"))


def solution_of(record: dict[str, Any]) -> Solution:
    """Raises KeyError or TypeError where the record is no solution."""
    return Solution(_text(record["id"]), _text(record["problem"]), tuple(map(_text, record["steps"])))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected text, found {type(value).__name__}")
    return value
