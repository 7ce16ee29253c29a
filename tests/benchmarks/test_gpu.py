"""`make bench-gpu`: the parts that run without a GPU."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from benchmarks.reward_model import gpu
from benchmarks.targets import tell

CAPTURE = pytest.CaptureFixture[str]


@pytest.mark.long("measures every side of the benchmark")
@pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing` is deprecated")  # peft asks transformers for it
def test_its_small_form_measures_every_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CAPTURE) -> None:
    monkeypatch.setattr(gpu, "SMALL", {"LoRA": replace(gpu.SMALL["tiny, LoRA"], seconds=0.01)})
    monkeypatch.setattr(gpu, "STEPS", 6)
    monkeypatch.setattr(gpu, "WORDS", 8)
    gpu.main(["--small", "--result", str(tmp_path / "result.json")])
    shapes = json.loads((tmp_path / "result.json").read_text())["shapes"]
    assert list(shapes) == ["LoRA, fp32", "LoRA, bf16"]
    for name, tolerance in (("LoRA, fp32", 1e-5), ("LoRA, bf16", 0.02)):
        scoring, learning = shapes[name]["scoring"], shapes[name]["training"]
        assert scoring["difference_rows"] < tolerance
        for part in (scoring, learning):
            assert min(part["tokens_a_second"], part["times_rows"], part["peak_memory_mb"]) > 0
    shown = capsys.readouterr().out
    assert "scoring: times rows" in shown
    assert "training: tokens a second" in shown


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (0.41, "0.41 (at least 0.4): met"),
        (0.39, "0.39 (at least 0.4): missed"),
        (None, "not measured (at least 0.4): missed"),
    ],
)
def test_each_target_is_met_or_missed(found: float | None, said: str, capsys: CAPTURE) -> None:
    shapes = {"7B": {"failed": "exit status 1"} if found is None else {"scoring": {"utilisation": found}}}
    assert tell(gpu.targets({"shapes": shapes, "minutes": 8.5})) == int(said.endswith("missed"))
    assert capsys.readouterr().out.splitlines() == [
        f"7B: utilisation in scoring: {said}",
        "minutes: 8.5 (at most 9): met",
    ]


def test_without_a_gpu_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(SystemExit, match="no CUDA device"):
        gpu.main([])
