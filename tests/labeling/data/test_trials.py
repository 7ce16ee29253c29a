"""Trials of one task, worded differently, are on one side of every split."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from labeling.data.exporting import LabelFilter, standing
from labeling.data.importing import ProblemOptions, import_solutions
from labeling.data.problems import splits
from labeling.models import Problem, Solution, Split, User
from tests.labeling.data.formats.traces.records import RECORDS

pytestmark = pytest.mark.django_db


def trial(task: Any, asked: str) -> dict[str, Any]:
    system, _, *others = RECORDS["messages"]["messages"]
    return {**RECORDS["messages"], "task_id": task, "messages": [system, {"role": "user", "content": asked}, *others]}


def bring(tmp_path: Path, *trials: dict[str, Any], split: str = "", source: str = "tau") -> None:
    path = tmp_path / "trials.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in trials))
    import_solutions(path, source=source, file_format="messages", of_problems=ProblemOptions(split))


def sides() -> dict[str, str]:
    return dict(Problem.objects.values_list("statement", "split"))


def test_a_later_trial_of_a_task_that_is_held_out_is_held_out(tmp_path: Path) -> None:
    bring(tmp_path, trial(7, "Two seats."), split="test")
    bring(tmp_path, trial(7, "A pair of seats."), trial(8, "One seat."))
    bring(tmp_path, trial(7, "Another set's task."), source="other")
    assert sides() == {
        "Two seats.": "test",
        "A pair of seats.": "test",
        "One seat.": "train",
        "Another set's task.": "train",
    }


def test_earlier_trials_are_held_out_with_a_new_one(tmp_path: Path) -> None:
    bring(tmp_path, trial(7, "Two seats."), trial(8, "One seat."))
    bring(tmp_path, trial(7, "A pair of seats."), split="test")
    assert sides() == {"Two seats.": "test", "A pair of seats.": "test", "One seat.": "train"}


def test_trials_of_a_problem_trained_on_are_not_held_out(tmp_path: Path) -> None:
    bring(tmp_path, trial(7, "Two seats."), trial(7, "A pair of seats."))
    Problem.objects.filter(statement="Two seats.").update(trained_on_at=timezone.now())
    assert splits.hold_out(Problem.objects.filter(statement="A pair of seats.").values_list("pk", flat=True)) == 0
    assert set(sides().values()) == {"train"}


def test_staff_move_a_task_as_a_whole(tmp_path: Path, admin: User) -> None:
    bring(tmp_path, trial(7, "Two seats."), trial(7, "A pair of seats."), trial("", "No task."))
    one = Problem.objects.filter(statement="Two seats.").values_list("pk", flat=True)
    assert splits.change_split(one, Split.TEST, on="tau", by=admin).problems == 2
    assert sides() == {"Two seats.": "test", "A pair of seats.": "test", "No task.": "train"}


def test_trials_of_a_task_are_drawn_together(tmp_path: Path, make: Any) -> None:
    bring(tmp_path, trial(7, "Two seats."), trial(7, "A pair of seats."), trial("", "No task."))
    phase = make.phase()
    for solution in Solution.objects.all():
        make.labelling(make.task(phase, solution=solution), 1, -1)
    found = {each.problem: each.drawn_by for each in standing.stream(LabelFilter())}
    assert found == {each.statement: each.drawn_by for each in Problem.objects.all()}
    assert found["Two seats."] == found["A pair of seats."] == "tau 7"
    assert found["No task."] == Problem.objects.get(statement="No task.").text_hash
