"""labeling.jobs.gpus: a training uses all GPUs of a machine, other runs their worker's own."""

import os
import subprocess
import sys
from contextlib import contextmanager, suppress
from datetime import timedelta

import pytest
from django.utils import timezone

from labeling.jobs import batches, gpus, lifecycle
from labeling.models import Run
from labeling.rules.words import RunKind

pytestmark = pytest.mark.django_db
# A program for another process, which holds the GPUs until its input ends.
HOLD = """
import fcntl, sys
file = open(sys.argv[1], "ab")
fcntl.flock(file, getattr(fcntl, sys.argv[2]))
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def two_gpus(settings, tmp_path):
    settings.STEPMARK_GPUS, settings.DATA_DIR = 2, tmp_path
    with gpus.held():  # creates the lock file
        pass


@contextmanager
def another(kind, tmp_path):
    (path,) = tmp_path.glob("gpus-*.lock")
    command = [sys.executable, "-I", "-S", "-c", HOLD, str(path), kind]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def training(tmp_path):
    return another("LOCK_EX", tmp_path)


def scoring(tmp_path):
    return another("LOCK_SH", tmp_path)


def may_begin(run):
    with gpus.held_for(run.pk) as are_free:
        return are_free


def stage(run):
    return Run.objects.get(pk=run.pk).stage


@pytest.mark.parametrize(
    ("files", "environment", "found"),
    [
        ([], {}, 0),
        (["nvidia-smi"], {}, 1),
        (["nvidia-smi", "nvidia0", "nvidiactl", "nvidia-uvm"], {}, 1),
        (["nvidia-smi", "nvidia0", "nvidia7", "nvidia10"], {}, 3),
        (["nvidia-smi", "nvidia0", "nvidia1", "nvidia2"], {"CUDA_VISIBLE_DEVICES": "1,2"}, 2),
        (["nvidia-smi", "nvidia0", "nvidia1"], {"CUDA_VISIBLE_DEVICES": ""}, 0),
        (["nvidia-smi", "nvidia0", "nvidia1"], {"CUDA_VISIBLE_DEVICES": "-1"}, 0),
    ],
)
def test_gpus_are_counted(settings, monkeypatch, tmp_path, files, environment, found):
    settings.STEPMARK_GPUS = None
    for name in files:
        (tmp_path / name).touch(mode=0o755)
    monkeypatch.setattr(gpus, "DEVICES", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert gpus.count() == found


def test_a_number_that_is_set_is_not_counted(settings):
    settings.STEPMARK_GPUS = 8
    assert gpus.count() == 8


def test_runs_that_use_one_gpu_go_on_side_by_side(make, tmp_path):
    with scoring(tmp_path):
        assert may_begin(make.scoring_run())


def test_a_training_waits_for_the_others(make, tmp_path):
    run = make.training_run()
    with scoring(tmp_path):
        assert not may_begin(run)
        assert stage(run) == "waiting for the GPUs: others use them"
    assert may_begin(run)
    assert stage(run) == ""


def test_others_wait_for_a_training(make, tmp_path):
    run = make.scoring_run()
    with training(tmp_path):
        assert not may_begin(run)
        assert stage(run) == "waiting for the GPUs: a training uses all of them"
        assert gpus.are_all_taken()
    assert may_begin(run)


def test_runs_without_a_gpu_do_not_wait(make, tmp_path):
    with training(tmp_path):
        assert may_begin(make.selection())


def test_a_worker_that_is_killed_holds_nothing(make, tmp_path):
    run = make.scoring_run()
    with training(tmp_path) as worker:
        worker.kill()
        worker.wait()
        assert may_begin(run)


def test_processes_that_train_hold_the_gpus_until_they_are_gone():
    """Their worker, which took the lock, may be killed before."""
    with gpus.held(exclusively=True):
        command = [sys.executable, "-I", "-S", "-c", "import sys; sys.stdin.read()"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, close_fds=False)
    assert gpus.are_all_taken()
    process.communicate()
    assert not gpus.are_all_taken()


def test_nothing_overtakes_a_training_that_waits(make, now):
    older, waiting, younger = make.scoring_run(), make.training_run(), make.scoring_run()
    assert [may_begin(run) for run in (older, waiting, younger)] == [True, True, False]
    assert stage(younger) == "waiting for the GPUs: an older training is next"
    lifecycle.cancel(waiting, now=now)
    assert may_begin(younger)


def test_a_training_that_waits_for_room_on_the_disk_lets_others_begin(make):
    make.training_run(next_try_at=timezone.now() + timedelta(days=1))
    assert may_begin(make.scoring_run())


def test_runs_that_wait_are_enqueued_when_another_ends(make, broker, tmp_path):
    held, waiting, _never_tried = make.scoring_run(), make.training_run(), make.training_run()
    with scoring(tmp_path):
        assert not may_begin(waiting)
    assert broker() == []
    assert may_begin(held)
    assert broker() == [("prm_training.run", "train", str(waiting.pk))]


def test_runs_that_wait_are_enqueued_when_another_fails(make, broker, tmp_path):
    failing, waiting = make.scoring_run(), make.training_run()
    with scoring(tmp_path):
        assert not may_begin(waiting)
    with suppress(ValueError), gpus.held_for(failing.pk):
        raise ValueError
    assert not gpus.are_all_taken()
    assert broker() == [("prm_training.run", "train", str(waiting.pk))]


@pytest.mark.parametrize("alone", ["one GPU", "no accelerate"])
def test_nobody_waits_with_one_gpu_or_if_each_training_uses_one(make, settings, monkeypatch, tmp_path, alone):
    if alone == "one GPU":
        settings.STEPMARK_GPUS = 1
    else:
        monkeypatch.setattr(gpus, "find_spec", lambda name: None)
    first, scored = make.training_run(), make.scoring_run()
    with training(tmp_path):
        assert [may_begin(run) for run in (first, scored)] == [True, True]
        assert not gpus.are_all_taken()


def test_a_training_fills_the_machine_or_its_workers_own_gpu(settings, monkeypatch):
    settings.DEVICE_SLOT = "here:all"
    monkeypatch.setenv("STEPMARK_GPU", "1")
    assert gpus.slot() == "here:all"
    monkeypatch.setattr(gpus, "find_spec", lambda name: None)
    assert gpus.slot() == "here:all:1"


@pytest.mark.parametrize(("owner", "leaves"), [(os.uname().nodename, False), ("elsewhere", True)])
def test_a_helper_leaves_for_a_training_that_could_begin_here(make, settings, now, owner, leaves):
    """It stays if a worker of this machine owns the run it helps with: the training waits for that run."""
    settings.WORKER_QUEUES = "gpu"
    lifecycle.begin(make.scoring_run().pk, worker=f"{owner}-gpu0-1-abc", now=now)
    make.training_run()
    make.scoring_run()
    assert batches.something_else_waits() is leaves


def test_every_kind_that_uses_a_gpu_is_a_training_or_another():
    others = {RunKind.EVALUATE, RunKind.SCORE, RunKind.GENERATE}
    assert (set(gpus.TRAININGS), set(gpus.OTHERS)) == ({RunKind.TRAIN, RunKind.REPLAY}, others)
