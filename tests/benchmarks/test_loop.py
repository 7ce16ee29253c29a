"""`make loop` on real data: annotators give the imported solutions the ratings that people gave."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.lab.human_labels import Judged, judged
from benchmarks.lab.world.judges import by_ratings
from benchmarks.loop import known_ratings, show, write_solutions
from labeling.data.formats import solutions
from tests.real_data import DATA

MADE = [
    Judged(" 2 + 2? ", "a", ("2 + 2 = 5.", "So 5."), 0, final_answer_correct=False),
    Judged("2 + 2?", "b", ("Add.", "So 4.\n"), -1, final_answer_correct=True),
]


def ratings_after_import(pool: list[Judged], path: Path) -> list[list[int]]:
    """Returns an annotator's ratings of each solution, as the import reads it."""
    write_solutions(pool, path)
    judge = by_ratings(known_ratings(pool))
    parsed = [solutions.parse(json.loads(line)) for line in path.read_text().splitlines()]
    return [
        judge({"problem": {"statement": one.problem.statement}, "solution": {"steps": one.steps}}) for one in parsed
    ]


TRAINED = {"snapshot": {"counts": {"labels": 5900}}, "metrics": {"train_loss": 0.5, "held_out": {"step_auc": 0.61}}}
SELECTED = {
    "picked": 200,
    "wrong": 160,
    "pool_wrong": 600,
    "candidates": 1200,
    "mean_score": 0.8,
    "pool_mean_score": 0.6,
}
CURVES = {name: {"values": [0.5, value]} for name, value in (("prm", 0.7), ("orm", 0.6), ("majority", 0.55))}


def played(number: int, chosen: dict[str, Any]) -> dict[str, Any]:
    row = {
        "round": number,
        "training": TRAINED,
        "is_current": number == 1,
        "selection": {"summary": SELECTED},
        "labelled": 200,
    }
    return row | {"chosen": chosen}


def test_a_round_without_several_solutions_of_a_problem_is_shown_too(capsys):
    """The API's `falls_at` is null then."""
    show([played(1, {"falls_at": None}), played(2, {"sizes": [1, 4], "curves": CURVES})], 60)
    said = capsys.readouterr().out
    assert "5,900" in said
    (line,) = [line for line in said.splitlines() if "best of 4" in line]
    assert "–" in line
    assert "0.700, 0.600, 0.550" in line


def test_errors_are_found_where_people_found_them(tmp_path):
    assert ratings_after_import(MADE, tmp_path / "pool.jsonl") == [[-1], [1, 1]]


def test_verdicts_are_those_of_the_final_answers(tmp_path):
    write_solutions(MADE, tmp_path / "pool.jsonl")
    lines = (tmp_path / "pool.jsonl").read_text().splitlines()
    assert [solutions.parse(json.loads(line)).is_correct for line in lines] == [False, True]


@pytest.mark.skipif(not DATA.is_dir(), reason=f"there is no real data at {DATA} (STEPMARK_DATA names another folder)")
def test_every_solution_of_processbench_is_known(tmp_path):
    pool = judged(DATA)
    found = ratings_after_import(pool, tmp_path / "pool.jsonl")
    assert [rating.index(-1) if -1 in rating else -1 for rating in found] == [each.label for each in pool]
