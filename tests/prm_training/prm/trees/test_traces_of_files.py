"""Files of agents' traces, read by the reward model's own command line as the import reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from labeling.data.formats.notes import Notes
from labeling.data.formats.traces import READERS
from prm_training.prm.trees.data import PrmError
from prm_training.prm.trees.readers import read_first_errors, read_labels, read_solutions
from tests.labeling.data.formats.traces.records import RECORDS, SESSION

CHAT = RECORDS["messages"]["messages"]
LABELS: dict[str, dict[str, Any]] = {
    "agent_process_bench": {"messages": CHAT, "step_labels": {"2": 1, "4": -1}, "final_label": -1},
    "codetracebench": {
        "traj_id": "t",
        "incorrect_stages": [{"stage_id": 1, "incorrect_step_ids": [2]}],
        "messages": CHAT,
    },
    "labelled_traces": {**RECORDS["messages"], "stepmark": [{"labelling": "l", "step_labels": {"2": 1, "4": -1}}]},
    "who_and_when": {
        "question": "Two seats, please.",
        "history": [
            {"role": "human", "content": "Two seats, please."},
            {"role": "Planner", "content": "Book them."},
            {"role": "Clerk", "content": "No."},
        ],
        "mistake_agent": "Clerk",
        "mistake_step": "2",
    },
}


def write(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("file_format", RECORDS)
def test_a_trace_is_read_with_the_context_between_steps(tmp_path: Path, file_format: str) -> None:
    lines = SESSION if file_format == "sessions" else [RECORDS[file_format]]
    (solution,) = read_solutions(write(tmp_path / "traces.jsonl", *lines))
    parsed = READERS[file_format](RECORDS[file_format], Notes())[0]
    assert solution.steps == parsed.steps
    assert solution.problem.endswith("Two seats, please.")
    assert "booked" in solution.contexts[0]


@pytest.mark.parametrize("name", LABELS)
def test_labels_of_traces_say_where_the_first_error_is(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / "labels.jsonl", LABELS[name])
    ((_, first_error),) = read_first_errors(path)
    assert first_error == 1
    (tree,) = read_labels(path, split="train")
    assert [step.completions[0].rating for step in tree.steps] == [1, -1]


def test_labels_without_their_trajectory_are_reported(tmp_path: Path) -> None:
    path = write(tmp_path / "labels.jsonl", {"trajectory_id": "t", "failures": []})
    with pytest.raises(PrmError, match="a trajectory of another file"):
        list(read_solutions(path))
