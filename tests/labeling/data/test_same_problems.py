"""A problem that comes in another spelling is the problem that is there."""

import json
import os
from pathlib import Path

import pytest

from labeling.data import importing
from labeling.models import Problem

DATA = Path(os.environ.get("STEPMARK_DATA", Path(__file__).parents[3] / ".." / "shared" / "data"))

pytestmark = pytest.mark.django_db


def write(tmp_path, *records):
    path = tmp_path / "solutions.jsonl"
    path.write_text("\n".join(map(json.dumps, records)))
    return path


def written(problem, **fields):
    return {"problem": problem, "generator": "g", "reference_answer": "3", "steps": ["A: 3"]} | fields


def test_spellings_of_a_problem_are_one_and_the_first_is_stored(tmp_path):
    first, *others = ["What\u00a0is 1  + 2?", "What is 1 + 2 ?", "What is 1+2?\r\n", "\ufeffWhat is 1 + 2?"]
    importing.import_solutions(write(tmp_path, written(first)))
    report = importing.import_solutions(write(tmp_path, *map(written, others)))
    assert (report.problems, Problem.objects.get().statement) == (0, first)


def test_six_rows_of_two_problems():
    path = DATA / "cases" / "i29_same_problem.jsonl"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    assert importing.import_solutions(path).problems == 2
