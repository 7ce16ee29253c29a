"""Several processes: what they train, score and measure together is what one does alone."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from prm_training.prm import launch, parallel
from prm_training.prm.__main__ import main
from prm_training.prm.launch import LaunchFailed
from prm_training.prm.pretrain import WrittenSolution
from prm_training.prm.progress import Progress
from prm_training.prm.train import CheckpointMismatch, TrainConfig, TrainStart
from prm_training.prm.trees.data import LabelledTree

FOUR_STEPS = TrainConfig(epochs=2, batch_tokens=1000, learning_rate=1e-3, max_length=256, checkpoint_every=2)


class Killed(Exception):
    pass


def quiet(_start: TrainStart) -> None:
    pass


def told_at_two(progress: Progress) -> None:
    if (progress.stage, progress.done) == ("training", 2):
        raise Killed


def test_a_training_takes_all_devices_stops_when_told_and_goes_on(
    base: Path, trees: list[LabelledTree], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = launch.train(trees, str(base), tmp_path / "one", FOUR_STEPS, lambda _: None, on_start=quiet)
    monkeypatch.setattr(launch, "devices", lambda: 2)
    with pytest.raises(Killed):
        launch.train(trees, str(base), tmp_path / "two", FOUR_STEPS, told_at_two, on_start=quiet)
    starts: list[TrainStart] = []
    told: list[Progress] = []
    report = launch.train(trees, str(base), tmp_path / "two", FOUR_STEPS, told.append, on_start=starts.append)
    assert (starts[0].device, len(starts[0].losses)) == ("cpu × 2", 2)
    assert [each.done for each in told if each.stage == "training"] == [3, 4]
    assert report.losses == pytest.approx(alone.losses, abs=1e-4)
    assert report.metrics["step_auc"] == pytest.approx(alone.metrics["step_auc"], abs=1e-3)
    # One process is enough to show that its error comes back.
    monkeypatch.setattr(launch, "_command", lambda job: [sys.executable, "-m", launch.__name__, str(job)])
    with pytest.raises(CheckpointMismatch):
        launch.train(trees[1:], str(base), tmp_path / "two", FOUR_STEPS, told.append, on_start=quiet)


def test_processes_that_die_without_a_word_are_told_of(
    base: Path, trees: list[LabelledTree], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "devices", lambda: 2)
    monkeypatch.setattr(launch, "_command", lambda _job: [sys.executable, "-c", "raise SystemExit(1)"])
    with pytest.raises(LaunchFailed, match="died"):
        launch.train(trees, str(base), tmp_path, FOUR_STEPS, lambda _: None, on_start=quiet)


def records(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("command", ["score", "evaluate"])
def test_two_processes_score_and_measure_as_one(
    saved_model: Path,
    trees: list[LabelledTree],
    texts: list[WrittenSolution],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    command: str,
) -> None:
    given = tmp_path / "given.jsonl"
    lines: list[dict[str, Any]] = [asdict(tree) for tree in trees]
    if command == "score":
        lines = [{"id": str(number), "problem": each[0], "steps": each[1]} for number, each in enumerate(texts)]
    given.write_text("".join(json.dumps(line) + "\n" for line in lines))
    arguments = [command, str(saved_model), str(given), "--tokens-per-pass", "300", "--window", "5"]
    main(arguments)
    alone = records(capfd.readouterr().out)
    two = ["-m", "accelerate.commands.launch", "--multi_gpu", "--num_processes=2", "--num_machines=1"]
    two += ["--mixed_precision=no", "--dynamo_backend=no", "--main_process_port=0", "-m", "prm_training.prm"]
    subprocess.run([sys.executable, *two, *arguments], check=True)
    captured = capfd.readouterr()
    found = records(captured.out)
    assert len(found) == len(alone)
    for one, other in zip(alone, found, strict=True):
        assert one.keys() == other.keys()
        if command == "score":
            assert (one["id"], one["steps"]) == (other["id"], pytest.approx(other["steps"], abs=1e-5))
        else:
            assert one["metrics"] == pytest.approx(other["metrics"], abs=1e-5)


def several(processes: int, others: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    """As if there were others, which bring these sums."""
    state = parallel.state()
    monkeypatch.setattr(parallel, "state", lambda: type("State", (), vars(state) | {"num_processes": processes}))
    monkeypatch.setattr(parallel, "total", lambda values: [a + b for a, b in zip(values, others, strict=True)])


def test_where_one_is_told_to_stop_all_do(monkeypatch: pytest.MonkeyPatch) -> None:
    progress = Progress("training", 2, 4)
    several(2, [0.0], monkeypatch)
    parallel.tell(lambda _: None, progress)
    with pytest.raises(Killed):
        parallel.tell(told_at_two, progress)
    several(2, [1.0], monkeypatch)
    with pytest.raises(parallel.Stopped):
        parallel.tell(lambda _: None, progress)
