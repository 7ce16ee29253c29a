"""Readers of labels and solutions: the records read, those left out and counted, and messages on bad lines."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from prm_training.prm.trees.data import Completion, LabelledTree, PrmError, Solution, Step, counted_labels
from prm_training.prm.trees.readers import (
    BadLine,
    Reading,
    read_first_errors,
    read_labels,
    read_solutions,
    read_trees,
)


def tree(*steps: Step) -> LabelledTree:
    return LabelledTree("t", "g", "train", "P?", steps)


def one(text: str, rating: int | None) -> Step:
    return Step((Completion(text, rating),), 0)


@pytest.mark.parametrize("name", ["trees.jsonl", "trees.jsonl.gz"])
def test_trees_are_read_as_written(tmp_path: Path, name: str) -> None:
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
        ("[]", "not a JSON object"),
        (json.dumps({**GOOD, "split": "dev"}), "split: Invalid enum value 'dev'"),
        (json.dumps({key: GOOD[key] for key in GOOD if key != "group"}), "missing required field `group`"),
        (json.dumps({**GOOD, "problem": 3}), "problem: Expected `str`, got `int`"),
        (
            json.dumps({**GOOD, "steps": [{"completions": [{"text": "a", "rating": 2}]}]}),
            "steps[0].completions[0].rating: Invalid enum value 2",
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


def test_a_step_written_by_a_person_is_context_without_a_label(tmp_path: Path) -> None:
    (tree,) = read_labels(write(tmp_path / "one.jsonl", record()), split="test")
    assert (tree.id, tree.split, tree.problem) == ("one.jsonl:1", "test", "p")
    assert [(label.steps, label.rating) for label in counted_labels(tree)] == [
        (("a",), 1),
        (("a", "c"), -1),
        (("a", "d", "e"), 0),
    ]


def test_records_that_are_no_training_data_are_counted(tmp_path: Path) -> None:
    rows = [
        record(finish_reason="give_up"),
        record(finish_reason="bad_problem"),
        record(finish_reason=None),
        record(is_quality_control_question=True),
        record(is_initial_screening_question=True),
    ]
    reading = Reading()
    assert len(list(read_labels(write(tmp_path / "some.jsonl", *rows), split="train", reading=reading))) == 1
    assert reading.left_out == {"give_up": 1, "bad_problem": 1, "quality_control": 1, "screening": 1}


@pytest.mark.parametrize(
    "bad", [{}, [], {"label": {}}, record() | {"question": None}, record() | {"label": {"steps": 3}}]
)
def test_a_bad_record_is_named_by_its_line(tmp_path: Path, bad: object) -> None:
    with pytest.raises(BadLine, match="line 2"):
        list(read_labels(write(tmp_path / "bad.jsonl", record(), bad), split="train"))


BENCH = {"id": "x-1", "generator": "g", "problem": "p", "steps": ["a", "b"], "label": 1}


def test_first_errors_are_read_from_documents_and_lines(tmp_path: Path) -> None:
    """ProcessBench's own files are JSON arrays, our exports are JSON Lines."""
    rows = [BENCH, BENCH | {"id": 7, "label": -1}]
    expected = [(Solution("x-1", "p", ("a", "b")), 1), (Solution("7", "p", ("a", "b")), -1)]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    for content in (json.dumps(rows), json.dumps({"data": rows}), json.dumps(rows, indent=1), lines):
        for path, data in ((tmp_path / "x", content.encode()), (tmp_path / "y", gzip.compress(content.encode()))):
            path.write_bytes(data)
            assert list(read_first_errors(path)) == expected


def test_other_labels_say_where_the_first_error_is(tmp_path: Path) -> None:
    prmbench = {"question": "p", "modified_process": ["a", "x", "c"], "error_steps": [2], "idx": "r_1"}
    trl = {"prompt": "p", "completions": ["a", "b"], "labels": [True, True]}
    unsure = {"prompt": "p", "completions": ["a", "b"], "labels": [True, None]}
    reading = Reading()
    found = list(read_first_errors(write(tmp_path / "x.jsonl", prmbench, trl, unsure), reading=reading))
    assert found == [(Solution("r_1", "p", ("a", "x", "c")), 1), (Solution("x.jsonl:2", "p", ("a", "b")), -1)]
    assert reading.left_out == {"not_judged": 1}


LABELS = {
    "prm800k": {
        "question": {"problem": "p"},
        "label": {
            "steps": [
                {"completions": [{"text": "a", "rating": 1}], "chosen_completion": 0},
                {"completions": [{"text": "b", "rating": -1}], "chosen_completion": None},
            ]
        },
    },
    "trl": {"prompt": "p", "completions": ["a", "b"], "labels": [True, False]},
    "math_shepherd": {"input": "p Step 1: a ки\nStep 2: b ки", "label": "p Step 1: a +\nStep 2: b -"},
    "rlhflow": {
        "conversations": [
            {"role": "user", "content": "p Step 1: a"},
            {"role": "assistant", "content": "+"},
            {"role": "user", "content": "Step 2: b"},
            {"role": "assistant", "content": "-"},
        ]
    },
    "processbench": {"id": 1, "problem": "p", "steps": ["a", "b"], "label": 1},
    "prmbench": {"question": "p", "original_process": ["a", "c"], "modified_process": ["a", "b"], "error_steps": [2]},
}


@pytest.mark.parametrize("name", LABELS)
def test_labels_of_every_format_are_read(tmp_path: Path, name: str) -> None:
    (found,) = read_labels(write(tmp_path / "x", LABELS[name]), split="test")
    assert found.split == "test"
    assert [
        (label.steps[-1].removeprefix("Step 1: ").removeprefix("Step 2: "), label.rating)
        for label in counted_labels(found)
    ] == [("a", 1), ("b", -1)]
    (solution,) = read_solutions(tmp_path / "x")
    assert (solution.problem, solution.steps[0][-1]) == ("p", "a")


SOLUTIONS = [
    {"id": 5, "problem": "p", "steps": ["a", "b", ""]},
    {"question": "p", "response": "a\n\nb", "model": "m", "id": 5.0},
    {"messages": [{"role": "user", "content": "p"}, {"role": "assistant", "content": "a\n\nb"}], "id": "5"},
    {"problem": "p", "steps": [{"text": "a"}, {"text": "b"}], "id": "5", "level": float("nan")},
]


@pytest.mark.parametrize("row", SOLUTIONS)
def test_solutions_are_read_as_the_import_reads_them(tmp_path: Path, row: dict[str, Any]) -> None:
    assert list(read_solutions(write(tmp_path / "x", row))) == [Solution("5", "p", ("a", "b"))]


def test_outcomes_may_stand_in_a_table(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text('problem,steps,correct\np,"[\'a\', \'b\']",1.0\nq,"[""c""]",False\nr,c,\n')
    reading = Reading(is_strict=False)
    found = list(read_labels(tmp_path / "x.csv", split="train", reading=reading))
    assert [(tree.problem, [label.rating for label in counted_labels(tree)]) for tree in found] == [
        ("p", [1]),
        ("q", [-1]),
    ]
    assert reading.left_out == {"bad_line": 1}


def test_a_file_of_solutions_alone_has_no_labels(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("problem,generator,text\np,g,a\nq,g,b\n")
    with pytest.raises(PrmError, match=r"x\.csv: there are solutions in it, but no labels"):
        list(read_labels(tmp_path / "x.csv", split="train", reading=Reading(is_strict=False)))


def test_every_generator_of_gsm8k_is_a_solution(tmp_path: Path) -> None:
    row = {"question": "p", "ground_truth": "A: 2", "6b": {"is_correct": False, "solution": "a\nA: 3"}}
    assert list(read_solutions(write(tmp_path / "x", row))) == [Solution("x:1:6b", "p", ("a", "A: 3"))]
    (found,) = read_labels(tmp_path / "x", split="train")
    assert [label.rating for label in counted_labels(found)] == [-1]


def test_bad_lines_are_left_out_named_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    good = json.dumps({"id": "1", "problem": "p", "steps": ["a"]})
    bad = [{"id": "2", "problem": "p", "steps": []}, {"problem": "p", "steps": [""]}, {"problem": "", "steps": ["a"]}]
    path.write_text("\n".join([good, "{bad", *map(json.dumps, bad), "[]", good]))
    said = list[str]()
    reading = Reading(is_strict=False, tell=said.append)
    assert [each.id for each in read_solutions(path, reading=reading)] == ["1", "1"]
    assert reading.left_out == Counter(bad_line=5)
    assert [sentence.split(": ")[0] for sentence in said[:5]] == [f"{path}, line {line}" for line in range(2, 7)]
    assert said[5:] == [f"{path}: left out: bad_line 5"]


def test_an_outcome_without_a_verdict_is_left_out(tmp_path: Path) -> None:
    row = {"id": "s", "problem": "p", "steps": ["a"]}
    reading = Reading()
    path = write(tmp_path / "x.jsonl", row | {"correct": True}, row | {"correct": None}, row)
    assert len(list(read_labels(path, split="train", reading=reading))) == 1
    assert reading.left_out == {"no_verdict": 2}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"version https://git-lfs.github.com/spec/v1\n", "run git lfs pull"),
        (b"<!doctype html>", "a web page"),
        (b"no JSON at all\n", "nothing in it can be read. .*line 1: not JSON"),
        (b"{\n" * 2000, "nothing in it can be read"),
    ],
)
@pytest.mark.parametrize("read", [read_labels, read_solutions, read_first_errors])
def test_a_file_of_which_nothing_can_be_read_is_named(tmp_path: Path, content: bytes, said: str, read: Any) -> None:
    (tmp_path / "x.jsonl").write_bytes(content)
    more = {"split": "train"} if read is read_labels else {}
    with pytest.raises(PrmError, match=f"x.jsonl: .*{said}"):
        list(read(tmp_path / "x.jsonl", reading=Reading(is_strict=False), **more))


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
