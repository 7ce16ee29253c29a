"""Public files as labelled trees and solutions: PRM800K (both phases), ProcessBench, and outcomes for an ORM."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from prm_training.prm.data import BadLine, Completion, LabelledTree, Solution, Step, open_text, parsed_lines, read_trees

NOT_FOR_TRAINING = ("give_up", "bad_problem")


def read_prm800k(
    path: str | Path, *, split: str = "train", left_out: Counter[str] | None = None
) -> Iterator[LabelledTree]:
    """Stream the records of either phase (`.gz` or plain). Raises `BadLine`.

    Screening, quality control, given-up and bad-problem records are no training data; they are counted by reason in
    `left_out`. A step that the labeler wrote is chosen and has no rating.
    """
    for number, record in parsed_lines(Path(path)):
        try:
            reason = _reason_to_leave_out(record)
            if reason is None:
                yield _prm800k_tree(record, f"{Path(path).name}:{number}", split)
            elif left_out is not None:
                left_out[reason] += 1
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadLine(Path(path), number, f"no PRM800K record ({error!r})") from error


def read_labels(path: str | Path, *, split: str) -> Iterator[LabelledTree]:
    """Our own labelled trees, or PRM800K records, which all belong to `split`. Raises `BadLine`."""
    first = next(parsed_lines(Path(path)), (0, {}))[1]
    return read_prm800k(path, split=split) if "question" in first else read_trees(path)


def read_processbench(path: str | Path) -> Iterator[tuple[Solution, int]]:
    """Solutions with the index of their first wrong step, -1 for none. The file is one JSON document."""
    with open_text(Path(path)) as file:
        for record in json.load(file):
            yield Solution(record["id"], record["problem"], tuple(record["steps"])), int(record["label"])


def outcome_tree(solution: Solution, *, is_right: bool, split: str = "train") -> LabelledTree:
    """One label on the last step, right or wrong: what an outcome reward model (ORM) learns from."""
    *path, last = solution.steps
    steps = [Step((Completion(text),), 0) for text in path]
    steps.append(Step((Completion(last, 1 if is_right else -1),), 0))
    return LabelledTree(solution.id, solution.problem, split, solution.problem, tuple(steps))


def _reason_to_leave_out(record: dict[str, Any]) -> str | None:
    if record.get("is_initial_screening_question"):
        return "screening"
    if record.get("is_quality_control_question"):
        return "quality_control"
    finish: str | None = record["label"].get("finish_reason")
    return finish if finish in NOT_FOR_TRAINING else None


def _prm800k_tree(record: dict[str, Any], identity: str, split: str) -> LabelledTree:
    problem = record["question"]["problem"]
    steps = tuple(_prm800k_step(step) for step in record["label"]["steps"])
    return LabelledTree(identity, problem, split, problem, steps)


def _prm800k_step(step: dict[str, Any]) -> Step:
    completions = [Completion(each["text"], each["rating"]) for each in step["completions"] or []]
    chosen = step.get("chosen_completion")
    if step.get("human_completion") is not None:
        completions.append(Completion(step["human_completion"]["text"]))
        chosen = len(completions) - 1 if chosen is None else chosen
    return Step(tuple(completions), chosen)
