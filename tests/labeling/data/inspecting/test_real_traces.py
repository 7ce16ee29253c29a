"""Real files of agents' traces are guessed, inspected and imported whole; fields not kept are listed."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.utils import timezone

from labeling.data.inspecting import files
from labeling.data.inspecting.files import Options
from labeling.models import Solution
from tests.real_data import DATA

FOLDER = DATA / "agents"
GUESSED = {
    "tau_bench_airline_gpt4o.jsonl.gz": ("messages", 100),
    "agentrx_tau.jsonl.gz": ("messages", 19),
    "agentrx_magentic.jsonl.gz": ("multi_agent", 29),
    "who_and_when_algorithm_generated.jsonl.gz": ("who_and_when", 63),
    "who_and_when_hand_crafted.jsonl.gz": ("who_and_when", 29),
    "atif/airline_0.json.gz": ("atif", 1),
    "swe_agent/pydicom_thought_action.traj.gz": ("swe_agent", 1),
    "swe_agent/function_calling_simple.traj.gz": ("swe_agent", 1),
    "inspect/browser.json.gz": ("inspect", 1),
    "inspect/popularity.eval": ("inspect", 10),
}
LISTED = {
    "messages": "“trial” is not imported",
    "multi_agent": "",
    "who_and_when": "",
    "atif": "“final_metrics” is not imported",
    "swe_agent": "",
    "inspect": "“events” is not imported",
}
pytestmark = [
    pytest.mark.skipif(not FOLDER.is_dir(), reason=f"there is no {FOLDER}"),
    pytest.mark.django_db,
]


@pytest.mark.parametrize("name", GUESSED)
def test_a_file_comes_in_whole_as_it_was_shown(name: str) -> None:
    path: Path = FOLDER / name
    file_format, records = GUESSED[name]
    head = files.head(path)
    options = Options(files.guessed_format(head), "real")
    assert options.file_format == file_format
    assert files.preview_file(head, options)["bad_lines"] == []
    dry = files.go_through(path, options, now=timezone.now(), is_dry=True)
    real = files.go_through(path, options, now=timezone.now())
    assert (real.counts(), real.found()["doubts"]) == (dry.counts(), dry.found()["doubts"])
    assert (real.error_count, real.findings.records, real.duplicates) == (0, records, 0)
    assert real.golds == (records if file_format == "who_and_when" else 0)
    assert not Solution.objects.filter(turns=None).exists()
    titles = {doubt["title"] for doubt in real.found()["doubts"]}
    assert not LISTED[file_format] or LISTED[file_format] in titles
