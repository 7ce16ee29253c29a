"""Public files as labelled trees and solutions: PRM800K (both phases), outcomes for an ORM, ProcessBench."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from prm_training.prm.data import (
    Completion,
    LabelledTree,
    PrmError,
    Solution,
    Step,
    open_text,
    read_lines,
    read_trees,
    solution_of,
)

NOT_FOR_TRAINING = ("give_up", "bad_problem")


def read_labels(path: str | Path, *, split: str) -> Iterator[LabelledTree]:
    """Our own labelled trees, PRM800K records, or solutions with `correct`; the last two all belong to `split`.
    Raises `BadLine`."""
    first = next(read_lines(Path(path), dict), {})
    if "question" in first:
        return read_prm800k(path, split=split)
    return read_outcomes(path, split=split) if "correct" in first else read_trees(path)


def read_prm800k(
    path: str | Path, *, split: str = "train", left_out: Counter[str] | None = None
) -> Iterator[LabelledTree]:
    """Stream the records of either phase (`.gz` or plain). Raises `BadLine`.

    Screening, quality control, given-up and bad-problem records are no training data; they are counted by reason in
    `left_out`. A step that the labeler wrote is chosen and has no rating.
    """
    numbers, reasons = count(1), Counter[str]() if left_out is None else left_out

    def parse(record: dict[str, Any]) -> LabelledTree | None:
        identity = f"{Path(path).name}:{next(numbers)}"
        if reason := _reason_to_leave_out(record):
            reasons[reason] += 1
            return None
        problem, steps = record["question"]["problem"], tuple(map(_prm800k_step, record["label"]["steps"]))
        return LabelledTree(identity, problem, split, problem, steps)

    return (tree for tree in read_lines(Path(path), parse) if tree is not None)


def read_outcomes(path: str | Path, *, split: str) -> Iterator[LabelledTree]:
    """Solutions with their verdict, `{"id", "problem", "steps", "correct"}`. Raises `BadLine`."""
    return read_lines(
        Path(path), lambda record: outcome_tree(solution_of(record), is_right=record["correct"], split=split)
    )


def outcome_tree(solution: Solution, *, is_right: bool, split: str = "train") -> LabelledTree:
    """One label on the last step, right or wrong: what an outcome reward model (ORM) learns from."""
    if not solution.steps or not isinstance(is_right, bool):
        raise ValueError("an outcome is true or false and stands on a last step")
    steps = [Step((Completion(text),), 0) for text in solution.steps[:-1]]
    steps.append(Step((Completion(solution.steps[-1], 1 if is_right else -1),), 0))
    return LabelledTree(solution.id, solution.problem, split, solution.problem, tuple(steps))


def read_processbench(path: str | Path) -> Iterator[tuple[Solution, int]]:
    """Solutions with the index of their first wrong step, -1 for none. The file is one JSON document."""
    with open_text(Path(path)) as file:
        try:
            for record in json.load(file):
                yield solution_of(record), int(record["label"])
        except (KeyError, TypeError, ValueError) as error:
            raise PrmError(f"{path} is no ProcessBench document ({error!r})") from error


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
