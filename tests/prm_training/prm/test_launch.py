"""Several processes together train, score and measure the same as one alone."""

from __future__ import annotations

import json
import os
import pickle
import shlex
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from prm_training.prm import launch, parallel
from prm_training.prm import train as training
from prm_training.prm.__main__ import main
from prm_training.prm.launch import LaunchFailed
from prm_training.prm.pretrain import WrittenSolution
from prm_training.prm.progress import Progress
from prm_training.prm.train import CheckpointMismatch, TrainConfig, TrainReport, TrainStart
from prm_training.prm.trees.data import LabelledTree
from tests.running import libraries

FOUR_STEPS = TrainConfig(epochs=2, batch_tokens=1000, learning_rate=1e-3, max_length=256, checkpoint_every=2)


class Killed(Exception):
    pass


def quiet(_start: TrainStart) -> None:
    pass


def told_at_two(progress: Progress) -> None:
    if (progress.stage, progress.done) == ("training", 2):
        raise Killed


@pytest.fixture(scope="module")
def alone(base: Path, trees: list[LabelledTree], tmp_path_factory: pytest.TempPathFactory) -> TrainReport:
    return training.train(trees, base, tmp_path_factory.mktemp("alone"), FOUR_STEPS)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which the processes of a launch have torch loaded when they start."""
    python = tmp_path_factory.mktemp("python") / "python"
    python.write_text(f'#!/bin/sh\nshift  # -u\nexec {shlex.join(libraries.python("prm"))} "$@"\n')
    python.chmod(0o700)
    return {"PYTHON_EXEC": str(python)}


@pytest.fixture(scope="module")
def stopped(
    base: Path, trees: list[LabelledTree], loaded: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The folder of a training on all devices that was told to stop at its second step."""
    output, starts = tmp_path_factory.mktemp("stopped"), list[TrainStart]()
    with pytest.MonkeyPatch.context() as patch, pytest.raises(Killed):
        command = launch._command
        patch.setattr(launch, "devices", lambda: 2)
        patch.setattr(launch, "_command", lambda job: [*libraries.python("prm"), *command(job)[1:]])
        patch.setenv("PYTHON_EXEC", loaded["PYTHON_EXEC"])
        launch.train(trees, str(base), output, FOUR_STEPS, told_at_two, on_start=starts.append)
    assert [start.device for start in starts] == ["cpu × 2"]
    return output


def test_an_error_comes_back(
    base: Path, trees: list[LabelledTree], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, alone: TrainReport
) -> None:
    """Works in this process, as another takes seconds to load torch; another process only prints the output."""

    def output_of_the_work(job: Path) -> list[str]:
        output = tmp_path / "output"
        with output.open("wb") as events, pytest.raises(SystemExit, match="1"):
            launch._train(job, events)
        return ["cat", str(output)]

    monkeypatch.setattr(launch, "devices", lambda: 2)
    monkeypatch.setattr(launch, "_command", output_of_the_work)
    with pytest.raises(CheckpointMismatch):
        launch.train(trees[1:], str(base), alone.model_dir.parent, FOUR_STEPS, lambda _: None, on_start=quiet)


def test_one_device_trains_in_this_process(
    base: Path, trees: list[LabelledTree], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, alone: TrainReport
) -> None:
    monkeypatch.setattr(launch, "devices", lambda: 1)
    monkeypatch.setattr(launch, "_command", lambda _job: pytest.fail("no process is needed"))
    report = launch.train(trees, str(base), tmp_path, FOUR_STEPS, lambda _: None, on_start=quiet)
    assert report.losses == alone.losses


def test_the_processes_share_a_lock_on_the_gpus(
    base: Path, trees: list[LabelledTree], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock holds until the processes are gone, even if their worker is killed."""
    with (tmp_path / "lock").open("ab") as lock:
        os.set_inheritable(lock.fileno(), True)
        write = f"import os; os.write({lock.fileno()}, b'shared')"
        monkeypatch.setattr(launch, "devices", lambda: 2)
        monkeypatch.setattr(launch, "_command", lambda _job: [sys.executable, "-I", "-S", "-c", write])
        with pytest.raises(LaunchFailed):
            launch.train(trees, str(base), tmp_path, FOUR_STEPS, lambda _: None, on_start=quiet)
    assert (tmp_path / "lock").read_bytes() == b"shared"


@pytest.mark.parametrize(("setting", "used"), [(None, 4), ("2", 2), ("8", 4)])
def test_no_more_devices_are_used_than_there_are_and_than_is_set(
    monkeypatch: pytest.MonkeyPatch, setting: str | None, used: int
) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 4)
    monkeypatch.delenv("STEPMARK_GPUS", raising=False)
    if setting:
        monkeypatch.setenv("STEPMARK_GPUS", setting)
    assert launch.devices() == used


@pytest.mark.parametrize(("own", "device"), [(None, "cuda:0"), ("1", "cuda:1")])
def test_a_process_computes_on_its_workers_own_gpu(
    monkeypatch: pytest.MonkeyPatch, own: str | None, device: str
) -> None:
    """Checks only which GPU is made current, since there may be none here."""
    current = list[torch.device]()
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "set_device", current.append)
    monkeypatch.setattr(torch, "set_float32_matmul_precision", lambda _: None)
    monkeypatch.delenv("STEPMARK_GPU", raising=False)
    if own:
        monkeypatch.setenv("STEPMARK_GPU", own)
    found = parallel.state.__wrapped__().device
    assert [found, *current] == [torch.device(device)] * 2


def test_processes_that_die_silently_are_reported(
    base: Path, trees: list[LabelledTree], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "devices", lambda: 2)
    monkeypatch.setattr(launch, "_command", lambda _job: [sys.executable, "-c", "raise SystemExit(1)"])
    with pytest.raises(LaunchFailed, match="died"):
        launch.train(trees, str(base), tmp_path, FOUR_STEPS, lambda _: None, on_start=quiet)


def records(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


COMMANDS = """
import json, sys
from pathlib import Path
from labeling.data.paused_gc import kept_for_good
with kept_for_good():
    from prm_training.prm import launch
    from prm_training.prm.__main__ import main
_, job, events, commands = sys.argv
launch._train(Path(job), open(events, "ab"))
for command in json.loads(commands):
    main(command)
"""


def test_two_processes_resume_train_score_and_measure_as_one(
    base: Path,
    saved_model: Path,
    stopped: Path,
    loaded: dict[str, str],
    alone: TrainReport,
    trees: list[LabelledTree],
    texts: list[WrittenSolution],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Uses one pair of processes for all, since their start is slow: they resume the training that was stopped, and
    train another from the base that they make.
    """
    solutions = [{"id": str(number), "problem": each[0], "steps": each[1]} for number, each in enumerate(texts)]
    given = {"trees": [asdict(tree) for tree in trees], "solutions": solutions}
    files = {name: str(tmp_path / f"{name}.jsonl") for name in given}
    for name, rows in given.items():
        Path(files[name]).write_text("".join(json.dumps(row) + "\n" for row in rows))
    small = ["--pretraining-vocabulary", "300", "--pretraining-hidden", "32", "--pretraining-steps", "4"]
    train = ["train", files["trees"], "--texts", files["solutions"], "--epochs", "1", *small]
    passes = ["--tokens-per-pass", "300", "--window", "5"]
    others = [["score", str(saved_model), files["solutions"], *passes]]
    others.append(["evaluate", str(saved_model), files["trees"], *passes])
    by_one = []
    for command in ([*train, str(tmp_path / "one")], *others):
        main(command)
        by_one.append(records(capfd.readouterr().out))
    job, events, script = (tmp_path / name for name in ("job", "events", "commands.py"))
    job.write_bytes(pickle.dumps((trees, str(base), stopped, FOUR_STEPS)))
    script.write_text(COMMANDS)
    starting = ["-m", "accelerate.commands.launch", "--multi_gpu", "--num_processes=2", "--num_machines=1"]
    starting += ["--mixed_precision=no", "--dynamo_backend=no", "--main_process_port=0"]
    commands = json.dumps([[*train, str(tmp_path / "two")], *others])
    given_to = [str(script), str(job), str(events), commands]
    subprocess.run(
        [*libraries.python("prm"), *starting, *given_to], check=True, env=os.environ | {"OMP_NUM_THREADS": "1"} | loaded
    )
    goes_on_as(alone, events)
    found = records(capfd.readouterr().out)
    assert [one.keys() for rows in by_one for one in rows] == [other.keys() for other in found]
    assert len(by_one[0]) == 1
    one, two = (load_file(tmp_path / name / "model" / "model.safetensors") for name in ("one", "two"))
    assert all(torch.allclose(one[name], two[name], atol=1e-4) for name in one)
    _, *scores, measured = found
    assert [row["id"] for row in scores] == [str(number) for number in range(len(texts))]
    for row, other in zip(by_one[1], scores, strict=True):
        assert (row["id"], row["steps"]) == (other["id"], pytest.approx(other["steps"], abs=1e-5))
    assert by_one[2][0]["metrics"] == pytest.approx(measured["metrics"], abs=1e-5)


def goes_on_as(alone: TrainReport, events: Path) -> None:
    """Checks the events of a training that two processes resumed against one that was never stopped."""
    starts, told = list[TrainStart](), list[Progress]()
    with events.open("rb") as written:
        report = launch._hear(written, told.append, starts.append)
    assert [start.device for start in starts] == ["cpu × 2"]
    taken = len(starts[0].losses)  # two, or all if they finished before they were told to stop
    assert taken in {2, 4}
    assert [each.done for each in told if each.stage == "training"] == [*range(taken + 1, 5)]
    assert report.losses == pytest.approx(alone.losses, abs=1e-4)
    assert report.metrics["step_auc"] == pytest.approx(alone.metrics["step_auc"], abs=1e-3)


def several(processes: int, others: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretends that there are other processes, which contribute these sums."""
    state = parallel.state()
    monkeypatch.setattr(parallel, "state", lambda: type("State", (), vars(state) | {"num_processes": processes}))
    monkeypatch.setattr(parallel, "total", lambda values: [a + b for a, b in zip(values, others, strict=True)])


def test_all_processes_stop_if_one_is_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    progress = Progress("training", 2, 4)
    several(2, [0.0], monkeypatch)
    parallel.tell(lambda _: None, progress)
    with pytest.raises(Killed):
        parallel.tell(told_at_two, progress)
    several(2, [1.0], monkeypatch)
    with pytest.raises(parallel.Stopped):
        parallel.tell(lambda _: None, progress)
