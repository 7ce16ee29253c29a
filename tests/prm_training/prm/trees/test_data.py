"""Labelled trees and the files that hold them: which ratings count, what is left out, what a bad line says."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from prm_training.prm.trees.data import (
    BadLine,
    Completion,
    Label,
    LabelledTree,
    OutcomeLabel,
    PrmError,
    Solution,
    Step,
    counted_labels,
    read_labels,
    read_prm800k,
    read_processbench,
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
        ("{", "truncated"),
        ("[]", "Expected `object`"),
        (json.dumps({**GOOD, "split": "dev"}), "'dev' - at `$.split`"),
        (json.dumps({key: GOOD[key] for key in GOOD if key != "group"}), "missing required field `group`"),
        (json.dumps({**GOOD, "problem": 3}), "Expected `str`, got `int` - at `$.problem`"),
        (
            json.dumps({**GOOD, "steps": [{"completions": [{"text": "a", "rating": 2}]}]}),
            "value 2 - at `$.steps[0].completions[0].rating`",
        ),
        (json.dumps({**GOOD, "steps": [{"completions": [{"text": "a", "rating": False}]}]}), "got `bool`"),
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
    assert reason in str(caught.value)


def test_solutions_are_read(tmp_path: Path) -> None:
    path = tmp_path / "solutions.jsonl"
    path.write_text('{"id": "s", "problem": "P", "steps": ["a", "b"], "more": 1}\n')
    assert list(read_solutions(path)) == [Solution("s", "P", ("a", "b"))]


def record(**changes: Any) -> dict[str, Any]:
    label = {
        "finish_reason": changes.pop("finish_reason", "solution"),
        "steps": [
            {"completions": [{"text": "a", "rating": 1}, {"text": "b", "rating": None}], "chosen_completion": 0},
            {
                "completions": [{"text": "c", "rating": -1}],
                "human_completion": {"text": "d"},
                "chosen_completion": None,
            },
            {"completions": [{"text": "e", "rating": 0}], "human_completion": None, "chosen_completion": 0},
        ],
    }
    return {"question": {"problem": "p"}, "label": label} | changes


def write(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in records))
    return path


def test_a_written_step_goes_on_and_is_no_label(tmp_path: Path) -> None:
    (tree,) = read_prm800k(write(tmp_path / "one.jsonl", record()), split="test")
    assert (tree.id, tree.split, tree.problem) == ("one.jsonl:1", "test", "p")
    assert [(label.steps, label.rating) for label in counted_labels(tree)] == [
        (("a",), 1),
        (("a", "c"), -1),
        (("a", "d", "e"), 0),
    ]


def test_what_is_no_training_data_is_counted(tmp_path: Path) -> None:
    rows = [
        record(finish_reason="give_up"),
        record(finish_reason="bad_problem"),
        record(finish_reason=None),
        record(is_quality_control_question=True),
        record(is_initial_screening_question=True),
    ]
    left_out = Counter[str]()
    assert len(list(read_prm800k(write(tmp_path / "some.jsonl", *rows), left_out=left_out))) == 1
    assert left_out == {"give_up": 1, "bad_problem": 1, "quality_control": 1, "screening": 1}


@pytest.mark.parametrize(
    "bad", [{}, [], {"label": {}}, record() | {"question": None}, record() | {"label": {"steps": 3}}]
)
def test_a_bad_record_is_named_by_its_line(tmp_path: Path, bad: object) -> None:
    with pytest.raises(BadLine, match="line 2"):
        list(read_prm800k(write(tmp_path / "bad.jsonl", record(), bad)))


def test_processbench_is_one_document(tmp_path: Path) -> None:
    path = tmp_path / "some.json.gz"
    row = {"id": "x-1", "problem": "p", "steps": ["a", "b"], "label": 1}
    with gzip.open(path, "wt") as file:
        json.dump([row], file)
    assert list(read_processbench(path)) == [(Solution("x-1", "p", ("a", "b")), 1)]


@pytest.mark.parametrize(("is_right", "rating"), [(True, 1), (False, -1)])
def test_an_outcome_is_one_label_on_the_last_step(is_right: bool, rating: int) -> None:
    tree = OutcomeLabel("s", "p", ("a", "b"), is_right).tree("train")
    assert [(label.steps, label.rating) for label in counted_labels(tree)] == [(("a", "b"), rating)]


def test_the_kind_of_a_file_is_seen_from_its_first_line(tmp_path: Path) -> None:
    own = {"id": "t", "group": "g", "split": "test", "problem": "p", "steps": []}
    outcome = {"id": "s", "problem": "p", "steps": ["a"], "correct": False}
    found = [list(read_labels(write(tmp_path / "x.jsonl", row), split="train")) for row in (own, outcome, record())]
    assert [(tree.id, tree.split) for (tree,) in found] == [("t", "test"), ("s", "train"), ("x.jsonl:1", "train")]
    assert list(read_labels(write(tmp_path / "x.jsonl"), split="train")) == []


@pytest.mark.parametrize("changes", [{"correct": "yes"}, {"steps": []}, {"problem": None}])
def test_a_bad_outcome_is_named_by_its_line(tmp_path: Path, changes: dict[str, Any]) -> None:
    row = {"id": "s", "problem": "p", "steps": ["a"], "correct": True}
    with pytest.raises(BadLine, match="line 2"):
        list(read_labels(write(tmp_path / "x.jsonl", row, row | changes), split="train"))


@pytest.mark.parametrize("text", ["{", "[{}]", "3"])
def test_what_is_no_processbench_document_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(PrmError, match=r"x\.json is not a ProcessBench"):
        list(read_processbench(tmp_path / "x.json"))
