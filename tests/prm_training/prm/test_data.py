"""Labelled trees: which ratings count, and what a file may hold."""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict
from pathlib import Path

import pytest

from prm_training.prm.data import (
    BadLine,
    Completion,
    Label,
    LabelledTree,
    Solution,
    Step,
    counted_labels,
    read_solutions,
    read_trees,
)


def tree(*steps: Step) -> LabelledTree:
    return LabelledTree("t", "g", "train", "P?", steps)


def one(text: str, rating: int | None) -> Step:
    return Step((Completion(text, rating),), 0)


def test_every_step_of_a_right_solution_counts_once() -> None:
    labels = list(counted_labels(tree(one("a", 1), one("b", 0), one("c", 1))))
    assert labels == [Label(("a",), 1), Label(("a", "b"), 0), Label(("a", "b", "c"), 1)]


def test_labels_after_the_first_negative_do_not_count() -> None:
    labels = list(counted_labels(tree(one("a", 1), one("b", -1), one("c", 1), one("d", -1))))
    assert [label.rating for label in labels] == [1, -1]


def test_alternatives_hang_from_the_chosen_prefix_only() -> None:
    first = Step((Completion("x", -1), Completion("a", 1), Completion("y", 0)), 1)
    second = Step((Completion("b", -1), Completion("z", 1)), None)
    assert [(label.steps, label.rating) for label in counted_labels(tree(first, second, one("never", 1)))] == [
        (("x",), -1),
        (("a",), 1),
        (("y",), 0),
        (("a", "b"), -1),
        (("a", "z"), 1),
    ]


def test_a_step_that_a_person_wrote_is_context_without_a_label() -> None:
    labels = list(counted_labels(tree(one("a", 1), one("by hand", None), one("c", 1))))
    assert labels == [Label(("a",), 1), Label(("a", "by hand", "c"), 1)]


def test_null_is_not_neutral() -> None:
    assert list(counted_labels(tree(Step((Completion("a", None), Completion("b", 0)), None)))) == [Label(("b",), 0)]


@pytest.mark.parametrize("name", ["trees.jsonl", "trees.jsonl.gz"])
def test_trees_come_back_from_a_file(tmp_path: Path, name: str) -> None:
    written = [tree(one("é", 1), Step((Completion("b"), Completion("c", -1)), None)), tree()]
    text = "".join(json.dumps(asdict(each)) + "\n" for each in written)
    data = gzip.compress(text.encode()) if name.endswith(".gz") else text.encode()
    (tmp_path / name).write_bytes(data)
    assert list(read_trees(tmp_path / name)) == written


GOOD = {"id": "t", "group": "g", "split": "train", "problem": "P", "steps": []}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("[]", "indices"),
        (json.dumps({**GOOD, "split": "dev"}), "split is one of train, test"),
        (json.dumps({key: GOOD[key] for key in GOOD if key != "group"}), "'group' is missing"),
        (json.dumps({**GOOD, "problem": 3}), "expected text, found int"),
        (json.dumps({**GOOD, "steps": [{"completions": [{"text": "a", "rating": 2}]}]}), "not 2"),
        (json.dumps({**GOOD, "steps": [{"completions": [], "chosen": 0}]}), "has 0 completions"),
    ],
)
def test_a_bad_line_is_named_by_number_and_reason(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "trees.jsonl"
    path.write_text(json.dumps(GOOD) + "\n\n" + line + "\n")
    lines = read_trees(path)
    assert next(lines).id == "t"
    with pytest.raises(BadLine, match=r"line 3: ") as caught:
        next(lines)
    assert caught.value.line == 3
    assert reason in caught.value.reason


def test_solutions_are_read(tmp_path: Path) -> None:
    path = tmp_path / "solutions.jsonl"
    path.write_text('{"id": "s", "problem": "P", "steps": ["a", "b"], "more": 1}\n')
    assert list(read_solutions(path)) == [Solution("s", "P", ("a", "b"))]
