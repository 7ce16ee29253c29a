"""/api/imports/: a file of every format."""

import json

import pytest

from labeling.data.formats.labels.losses import WHOLE
from labeling.data.inspecting.inspection import UNREAD
from labeling.jobs import lifecycle
from labeling.models import Solution
from labeling.rules.words import FileFormat
from prm_training.models import Import
from prm_training.pool import importing
from prm_training.prm.trees.readers import read_solutions
from tests.labeling.data.formats.traces.records import RECORDS as TRACES

CHAT = [{"role": "user", "content": "1 + 1?"}, {"role": "assistant", "content": "3"}]
COMPLETION = {"text": "2", "rating": 1, "flagged": False}
RECORDS = {
    "solutions": {"problem": "1 + 1?", "steps": ["2"], "generator": "g"},
    "gsm8k": {"question": "1 + 1?", "ground_truth": "A: 2", "g": {"solution": "2", "is_correct": True}},
    "problems": {"problem": "1 + 1?", "answer": "2"},
    "prm800k": {"question": {"problem": "1 + 1?"}, "label": {"steps": [{"completions": [COMPLETION]}]}},
    "parquet": {
        "problem": "1 + 1?",
        "phase_kind": "solutions",
        "solution_steps": ["2"],
        "completions": [{"step": 0, "number": 0, "text": "2", "rating": 1}],
    },
    "trl": {"prompt": "1 + 1?", "completions": ["2"], "labels": [True]},
    "math_shepherd": {"input": "1 + 1? Step 1: 2 ки", "label": "1 + 1? Step 1: 2 +", "task": "GSM8K"},
    "openrlhf": {"input": "1 + 1? Step 1: 2 ки", "value": ["+"]},
    "prmbench": {"question": "1 + 1?", "modified_process": ["2"], "error_steps": []},
    "processbench": {"problem": "1 + 1?", "steps": ["2"], "label": -1, "generator": "g"},
    "processbench_labels": {"problem": "1 + 1?", "steps": ["2"], "label": -1, "generator": "g"},
    **TRACES,
    "who_and_when": {
        "question": "1 + 1?",
        "history": [{"role": "human", "content": "1 + 1?"}, {"role": "Adder", "content": "3"}],
        "mistake_agent": "Adder",
        "mistake_step": "1",
    },
    "agent_process_bench": {"messages": CHAT, "step_labels": {"1": -1}, "final_label": -1},
    "labelled_traces": {**TRACES["messages"], "stepmark": [{"labelling": "l", "step_labels": {"2": 1, "4": -1}}]},
    "codetracebench": {"traj_id": "t", "incorrect_stages": [], "messages": CHAT},
    "rlhflow": {
        "conversations": [{"role": "user", "content": "1 + 1? Step 1: 2"}, {"role": "assistant", "content": "+"}]
    },
}

CHOSEN = {FileFormat.PROCESSBENCH_LABELS}  # by a person: records don't tell their format
REFERRING = {FileFormat.AGENTRX}  # its solutions are in another file
COUNTED = {"gold": "golds"}

pytestmark = pytest.mark.django_db


def carried_out(run):
    lifecycle.carry_out(run.pk, importing.import_file, worker="w")
    run.refresh_from_db()
    return run


@pytest.mark.parametrize("file_format", sorted({*FileFormat} - REFERRING))
def test_a_file_of_each_format_is_guessed_and_imported(upload, broker, file_format, django_capture_on_commit_callbacks):
    record = RECORDS[file_format]
    with django_capture_on_commit_callbacks(execute=True):
        answer = upload(json.dumps(record).encode(), file_format=file_format.value if file_format in CHOSEN else "")
    run = carried_out(Import.objects.get(pk=answer.json()["id"]))
    assert (run.file_format, run.status, run.counts["errors"]) == (file_format, "done", 0)
    becomes = file_format.traits.becomes
    assert run.counts[COUNTED.get(becomes, becomes)] == 1
    assert bool(run.counts["labellings"]) == (becomes == "labellings")


@pytest.mark.parametrize("file_format", sorted({*RECORDS} - {"problems"}))
def test_a_reward_model_reads_the_solutions_of_each_format(tmp_path, file_format):
    (tmp_path / "x.jsonl").write_text(json.dumps(RECORDS[file_format]))
    (solution,) = read_solutions(tmp_path / "x.jsonl")
    assert solution.problem and solution.steps


@pytest.mark.parametrize("file_format", sorted({*TRACES, "who_and_when", "agent_process_bench", "labelled_traces"}))
def test_traces_are_shown_before_an_import_as_after_it(upload, admin_client, file_format):
    run = upload(json.dumps(RECORDS[file_format]).encode(), file_format=file_format).json()["id"]
    (shown,) = admin_client.get(f"/api/imports/{run}/").json()["preview"]["records"]
    carried_out(Import.objects.get(pk=run))
    stored = admin_client.get(f"/api/pool/solutions/{Solution.objects.get().pk}/").json()
    assert shown["turns"]
    assert [(name, shown[name]) for name in ("turns", "conversation")] == [
        (name, stored[name]) for name in ("turns", "conversation")
    ]


def test_every_format_keeps_whole_records_or_lists_unread_keys():
    """A format keeps whole records, or says which keys it doesn't read."""
    assert {*UNREAD, *WHOLE} == {*FileFormat}
