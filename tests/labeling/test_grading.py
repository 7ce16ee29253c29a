from __future__ import annotations

import gzip
import json

import pytest

from benchmarks.grading import DATA, HOSTILE, agreement
from labeling import grading
from labeling.answers import extract_answer


@pytest.mark.parametrize(
    ("answer", "reference", "verdict"),
    [
        ("x^2+2x+1", "(x+1)^2", "right"),
        ("\\sqrt{8}", "2\\sqrt{2}", "right"),
        ("(1,2)", "(1, 2)", "right"),
        ("x=5", "5", "right"),
        ("3\\pm\\sqrt2", "3-\\sqrt2, 3+\\sqrt2", "right"),
        ("\\cot x", "\\frac{\\cos x}{\\sin x}", "right"),
        ("\\begin{pmatrix} 1/3 \\\\ 2 \\end{pmatrix}", "\\begin{pmatrix}\\frac{1}{3}\\\\2\\end{pmatrix}", "right"),
        ("x+1", "x+2", "wrong"),
        ("(3,4]", "[3,4]", "wrong"),
        ("(1,2)", "(2,1)", "wrong"),
        ("1 + i", "1 - i", "wrong"),
        ("\\pi/2^{99}", "\\pi/2^{98}", "unsure"),  # equal by math-verify, not by value
        ("\\sqrt{x^2}", "x", "unsure"),  # equal by value, where letters are positive
        ("1.41", "\\sqrt{2}", "unsure"),
        ("½", "0.25", "unsure"),
        ("three", "3", "unsure"),
        ("52_8", "52", "unsure"),
        ("((((", "3", "unsure"),
        ("exec('x')", "3", "unsure"),
    ],
)
def test_the_verdict_is_the_same_both_ways(answer, reference, verdict):
    assert (grading.grade(answer, reference), grading.grade(reference, answer)) == (verdict, verdict)


@pytest.mark.parametrize("answer", HOSTILE)
def test_no_hostile_answer_hangs_or_is_right(answer):
    grading.grade("a + b", "b + 2a")
    grading._grade.cache_clear()
    child = grading._child._process
    assert grading.grade(answer, "3") != "right"
    assert grading._child._process is child, "its own limit ended the work: nobody had to kill it"


def test_a_worker_that_was_killed_is_followed_by_another():
    assert grading.grade("(a+b+c+d+e+f)^{61}", "x+1") == "unsure"
    child = grading._child._process
    assert grading.grade("y + z", "z + y") == "right"
    assert grading._child._process is child, "the child itself lives on"


def test_a_repeated_question_asks_nobody(monkeypatch):
    assert grading.grade("x + 7", "7 + x") == "right"
    monkeypatch.setattr(grading, "_child", None)
    assert grading.grade("7 + x", "x + 7") == "right"


def test_python_is_never_run(tmp_path):
    marker = tmp_path / "ran"
    program = f"__import__('pathlib').Path('{marker}').touch()"
    grading.grade(program, "3")
    grading._child.compare(program, "3")
    assert not marker.exists()


def test_a_killed_child_is_replaced():
    grading.grade("a + b", "b + a")
    process = grading._child._process
    assert process is not None
    process.kill()
    process.wait()
    assert grading.grade("a + 2b", "2b + a") == "right"


def test_verdicts_agree_with_gsm8k():
    if not (DATA / "gsm8k" / "example_model_solutions.jsonl.gz").exists():
        pytest.skip("needs gsm8k/example_model_solutions.jsonl.gz (see STEPMARK_DATA)")
    found = agreement()
    assert (found["agrees"] + found["unsure"], found.get("contradicts")) == (5276, None)
    assert found["share"] >= 0.995


def test_math_reference_solutions_are_right():
    path = DATA / "math500" / "test500.jsonl.gz"
    if not path.exists():
        pytest.skip("needs math500/test500.jsonl.gz (see STEPMARK_DATA)")
    with gzip.open(path) as lines:
        records = [json.loads(line) for line in lines]
    assert all(grading.grade(extract_answer(record["solution"]), record["answer"]) == "right" for record in records)
