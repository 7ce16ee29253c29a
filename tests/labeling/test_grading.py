from __future__ import annotations

import gzip
import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from labeling import grading
from labeling.answers import extract_answer
from labeling.steps import strip_calculator_notes

DATA = Path(os.environ.get("STEPMARK_DATA", Path(__file__).parents[2] / ".." / "shared" / "data"))


@pytest.fixture(autouse=True, scope="module")
def _stop_the_child() -> Iterator[None]:
    yield
    grading.stop()


@pytest.mark.parametrize(
    ("answer", "reference", "verdict"),
    [
        ("x^2+2x+1", "(x+1)^2", "right"),
        ("\\sqrt{8}", "2\\sqrt{2}", "right"),
        ("(1,2)", "(1, 2)", "right"),
        ("x=5", "5", "right"),
        ("x+1", "x+2", "wrong"),
        ("(3,4]", "[3,4]", "wrong"),
    ],
)
def test_mathematics_is_compared(answer, reference, verdict):
    assert grading.grade(answer, reference) == verdict


def test_a_hanging_comparison_is_killed_and_the_next_one_works(monkeypatch):
    monkeypatch.setattr(grading, "GRADE_SECONDS", 0.7)
    for answer in ("99999999!", "9^{9^{9^9}}"):
        started_at = time.monotonic()
        assert grading.grade(answer, "3") != "right"
        assert time.monotonic() - started_at < 30
    monkeypatch.undo()
    assert grading.grade("y + z", "z + y") == "right"


def test_python_is_never_run(tmp_path):
    marker = tmp_path / "ran"
    grading.grade(f"__import__('pathlib').Path('{marker}').touch()", "3")
    assert not marker.exists()


def test_a_killed_child_is_replaced():
    grading.grade("a + b", "b + a")
    process = grading._child._process
    assert process is not None
    process.kill()
    process.wait()
    assert grading.grade("a + 2b", "2b + a") == "right"


def test_verdicts_agree_with_gsm8k():
    path = DATA / "gsm8k" / "example_model_solutions.jsonl.gz"
    if not path.exists():
        pytest.skip("needs gsm8k/example_model_solutions.jsonl.gz (see STEPMARK_DATA)")
    verdicts = Counter[tuple[bool, str]]()
    with gzip.open(path) as lines:
        for line in lines:
            record = json.loads(line)
            reference = extract_answer(strip_calculator_notes(record["ground_truth"]))
            for part in record.values():
                if isinstance(part, dict):
                    answer = extract_answer(strip_calculator_notes(part["solution"]))
                    verdicts[part["is_correct"], grading.grade(answer, reference)] += 1
    assert verdicts.total() == 5276
    assert verdicts[False, "right"] == verdicts[True, "wrong"] == 0
    assert verdicts[False, "unsure"] + verdicts[True, "unsure"] < 30


def test_math_reference_solutions_are_right():
    path = DATA / "math500" / "test500.jsonl.gz"
    if not path.exists():
        pytest.skip("needs math500/test500.jsonl.gz (see STEPMARK_DATA)")
    with gzip.open(path) as lines:
        records = [json.loads(line) for line in lines]
    assert all(grading.grade(extract_answer(record["solution"]), record["answer"]) == "right" for record in records)
