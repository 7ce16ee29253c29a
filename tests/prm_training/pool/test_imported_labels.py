"""/api/imports/: labels in every format."""

import json

import pytest

from labeling.data.formats import guess
from labeling.data.importing import gold
from labeling.jobs import lifecycle
from prm_training.models import Import
from prm_training.pool import importing

COMPLETION = {"text": "2", "rating": 1, "flagged": False}
LABELS = {
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
    "rlhflow": {
        "conversations": [{"role": "user", "content": "1 + 1? Step 1: 2"}, {"role": "assistant", "content": "+"}]
    },
}

pytestmark = pytest.mark.django_db


def carried_out(run):
    lifecycle.carry_out(run.pk, importing.import_file, worker="w")
    run.refresh_from_db()
    return run


@pytest.mark.parametrize("file_format", sorted(guess.LABELS))
def test_labels_of_each_format_are_guessed_and_imported(
    upload, broker, file_format, django_capture_on_commit_callbacks
):
    record = LABELS[file_format]
    with django_capture_on_commit_callbacks(execute=True):
        answer = upload(json.dumps(record).encode(), file_format="")
    run = carried_out(Import.objects.get(pk=answer.json()["id"]))
    assert (run.file_format, run.status, run.counts["errors"]) == (file_format, "done", 0)
    assert run.counts["golds" if file_format in gold.FORMATS else "labellings"] == 1


def test_processbench_may_become_labels(stored):
    run = carried_out(stored(json.dumps(LABELS["processbench"]).encode(), file_format="processbench_labels"))
    assert (run.counts["labellings"], run.counts["golds"]) == (1, 0)
