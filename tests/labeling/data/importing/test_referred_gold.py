"""Imports gold for solutions of an earlier import, found by their ids."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from labeling.data.importing import ImportReport, import_gold, import_solutions
from labeling.data.inspecting import files
from labeling.data.inspecting.files import Options
from labeling.models import Gold, Solution
from tests.labeling.data.formats.traces.records import RECORDS

pytestmark = pytest.mark.django_db

NOBODY = "no solution has the id “8”: import the trajectories before their labels"


def write(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def judged(name: Any, *numbers: int) -> dict[str, Any]:
    failures = [{"failure_id": at, "step_number": number} for at, number in enumerate(numbers)]
    return {"trajectory_id": name, "failures": failures, "root_cause": {"failure_id": 0}}


@pytest.fixture
def trace(tmp_path: Path) -> Solution:
    """Returns a stored trace with the id 7, whose messages 3 and 5 (from 1) are the model's."""
    import_solutions(write(tmp_path / "traces.jsonl", RECORDS["messages"]), source="tau", file_format="messages")
    return Solution.objects.get()


def go_through(path: Path, *, target: str = "", is_dry: bool = False) -> ImportReport:
    return files.go_through(path, Options("agentrx", target), now=timezone.now(), is_dry=is_dry)


def test_turns_are_rated_up_to_the_first_failure(trace: Solution, tmp_path: Path) -> None:
    path = write(tmp_path / "labels.jsonl", judged(7, 5, 4))
    report = import_gold(path, file_format="agentrx")
    assert (report.golds, report.errors) == (1, [])
    gold = Gold.objects.get()
    assert (gold.solution, gold.ratings, gold.gold_set) == (trace, [1, -1], "agentrx")
    assert [(what, many) for what, many, _ in report.notes] == [("labels on what is no turn of a model, left out", 1)]
    again = import_gold(path, file_format="agentrx")
    assert (again.golds, again.duplicates, Gold.objects.count()) == (0, 1, 1)


def test_kinds_reasons_and_the_root_cause_are_kept(trace: Solution, tmp_path: Path, make: Any) -> None:
    make.phase(rates_all_steps=True, gold_set="hidden")
    record = judged(7, 3, 5)
    record["failures"][0] |= {"failure_category": "Instruction/Plan Adherence Failure", "step_reason": "Not asked for."}
    record["failures"][1] |= {"failure_category": "Boredom", "step_reason": "Idle."}
    import_gold(write(tmp_path / "labels.jsonl", record), file_format="agentrx", gold_set="hidden")
    gold = Gold.objects.get()
    assert gold.ratings == [-1, -1]
    assert gold.mistakes == [
        {"step": 0, "kind": "Instruction or plan adherence", "root_cause": 0},
        {"step": 1, "kind": "Boredom", "root_cause": 0},
    ]
    assert gold.rationale == "Step 1: Not asked for.\n\nStep 2: Idle."


def test_details_of_mistakes_that_gold_cannot_hold_are_counted(trace: Solution, tmp_path: Path) -> None:
    record = judged(7, 4, 5, 5)  # message 4 is no turn of the model
    record["failures"][1]["step_reason"] = "Too long. " * 1_100
    record["failures"][2]["step_reason"] = "Another."
    report = import_gold(write(tmp_path / "labels.jsonl", record), file_format="agentrx")
    assert {what: many for what, many, _ in report.notes} == {
        "labels on what is no turn of a model, left out": 1,
        "root causes that are no turn of a model, left out": 1,
        "categories and reasons of further failures of a message, left out": 1,
        "reasons of mistakes, cut after 10,000 characters": 1,
    }
    gold = Gold.objects.get()
    assert (gold.ratings, gold.mistakes) == ([1, -1], [])
    assert (len(gold.rationale), gold.rationale[:17], gold.rationale[-1]) == (10_000, "Step 2: Too long.", "…")


@pytest.mark.parametrize(("messages", "lost"), [([4], 1), ([4, 5], 1), ([3, 5], 0)])
def test_a_root_cause_is_lost_once_and_only_of_what_gold_keeps(
    trace: Solution, tmp_path: Path, messages: list[int], lost: int
) -> None:
    """The first failure is the root cause; message 4 is no turn of the model."""
    report = import_gold(write(tmp_path / "labels.jsonl", judged(7, *messages)), file_format="agentrx")
    counts = {what: many for what, many, _ in report.notes}
    assert counts.get("root causes that are no turn of a model, left out", 0) == lost


def test_nothing_is_kept_of_mistakes_after_the_end_of_gold(trace: Solution, tmp_path: Path) -> None:
    record = judged(7, 5, 3)
    record["failures"][0]["step_reason"] = "Later."
    import_gold(write(tmp_path / "labels.jsonl", record), file_format="agentrx")
    gold = Gold.objects.get()
    assert (gold.ratings, gold.mistakes, gold.rationale) == ([-1], [], "")


def test_all_ratings_are_kept_if_the_phase_rates_all_steps(trace: Solution, tmp_path: Path, make: Any) -> None:
    make.phase(rates_all_steps=True, gold_set="hidden")
    path = write(tmp_path / "labels.jsonl", judged(7, 3))
    import_gold(path, file_format="agentrx", gold_set="hidden")
    assert Gold.objects.get().ratings == [-1, 1]
    (look,) = files.preview_file(files.head(path), Options("agentrx", "hidden"))["records"]
    assert look["ratings"] == [-1, 1]


def test_labels_with_their_trace_are_kept_whole_if_the_phase_rates_all_steps(tmp_path: Path, make: Any) -> None:
    record = {**RECORDS["messages"], "step_labels": {"2": -1, "4": 1}, "final_label": -1}
    path = write(tmp_path / "labels.jsonl", record)
    make.phase(rates_all_steps=True, gold_set="hidden")
    import_gold(path, file_format="agent_process_bench", gold_set="hidden")
    assert Gold.objects.get().ratings == [-1, 1]
    Gold.objects.all().delete()
    import_gold(path, file_format="agent_process_bench", gold_set="other")
    assert Gold.objects.get().ratings == [-1]


def test_a_dry_run_and_a_preview_show_what_is_stored(trace: Solution, tmp_path: Path) -> None:
    path = write(tmp_path / "labels.jsonl", judged(7, 3), judged(8, 3), judged(7, 5))
    dry = go_through(path, is_dry=True)
    assert not Gold.objects.exists()
    real = go_through(path)
    assert dry.counts() == real.counts()
    assert (real.golds, real.duplicates, [error.reason for error in real.errors]) == (1, 1, [NOBODY])
    assert Gold.objects.get().ratings == [-1]
    shown = files.preview_file(files.head(path), Options("agentrx"))
    assert [record["ratings"] for record in shown["records"]] == [[-1], [1, -1]]
    assert shown["records"][0]["steps"] == trace.steps
    assert [line["reason"] for line in shown["bad_lines"]] == [NOBODY]


def test_images_of_a_stored_trace_are_shown_before_its_labels_are_taken(trace: Solution, tmp_path: Path) -> None:
    trace.turns[0]["parts"].append({"kind": "image", "text": "", "image": "0" * 64})
    trace.save()
    (look,) = files.preview_file(files.head(write(tmp_path / "labels.jsonl", judged(7, 3))), Options("agentrx"))[
        "records"
    ]
    assert look["turns"][0]["parts"][-1]["image"] == "0" * 64


def test_the_gold_sets_name_chooses_among_solutions_with_the_same_id(trace: Solution, tmp_path: Path) -> None:
    other = json.loads(json.dumps(RECORDS["messages"]).replace("Done.", "Finished."))
    import_solutions(write(tmp_path / "more.jsonl", other), source="more", file_format="messages")
    path = write(tmp_path / "labels.jsonl", judged(7, 3))
    (error,) = import_gold(path, file_format="agentrx").errors
    assert error.reason == (
        "2 solutions have the id “7” (source “more”, “tau”): name the gold set as the source that is meant"
    )
    assert import_gold(path, file_format="agentrx", gold_set="tau").golds == 1
    assert Gold.objects.get().solution == trace


def test_several_solutions_of_one_source_cannot_be_told_apart(trace: Solution, tmp_path: Path) -> None:
    other = json.loads(json.dumps(RECORDS["messages"]).replace("Done.", "Finished."))
    import_solutions(write(tmp_path / "more.jsonl", other), source="tau", file_format="messages")
    (error,) = import_gold(write(tmp_path / "labels.jsonl", judged(7, 3)), file_format="agentrx").errors
    assert error.reason == "2 solutions have the id “7” (source “tau”): they can't be told apart by it"


def test_code_traces_are_rated_in_the_pool_or_with_their_record(trace: Solution, tmp_path: Path) -> None:
    stages = [{"stage_id": 1, "incorrect_step_ids": [2], "unuseful_step_ids": [1]}]
    there = {"traj_id": "7", "incorrect_stages": stages}
    messages = [{"role": "user", "content": "1 + 1?"}, {"role": "assistant", "content": "3"}]
    here = {"traj_id": "9", "incorrect_stages": [], "messages": messages}
    report = import_gold(write(tmp_path / "labels.jsonl", there, here), file_format="codetracebench")
    assert (report.golds, report.solutions, report.errors) == (2, 1, [])
    assert Gold.objects.get(solution=trace).ratings == [0, -1]
