"""stepmark.supervisor: the processes that `manage.py run` starts."""

import os
import signal
from pathlib import Path

import pytest
from django.core.management import call_command

from labeling.jobs import gpus
from stepmark import owner_only, supervisor, tables
from stepmark.supervisor import Child

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def started(monkeypatch):
    """Returns the children that would run, by name."""
    children = []
    monkeypatch.setattr(supervisor, "supervise", children.extend)
    monkeypatch.setattr(supervisor, "check_port", lambda *_: None)
    monkeypatch.setattr(tables, "check", lambda: None)
    monkeypatch.setattr(owner_only, "close_all", lambda *_: None)

    def act(*options):
        children.clear()
        call_command("run", *options)
        return [child.name for child in children]

    return act


def test_it_starts_the_web_and_two_workers(started):
    assert started() == ["web", "worker", "worker"]


@pytest.mark.parametrize(("option", "workers"), [("--workers=3", 3), ("--workers=1", 1), ("--no-worker", 0)])
def test_another_number_of_workers(started, option, workers):
    assert started(option) == ["web", *["worker"] * workers]


@pytest.mark.parametrize(("workers", "threads"), [(1, "8"), (2, "4"), (3, "2"), (9, "1")])
def test_workers_share_the_processors(monkeypatch, workers, threads):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    found = [child.environment["OMP_NUM_THREADS"] for child in supervisor.workers(workers)]
    assert found == [threads] * workers


def test_workers_keep_freed_memory():
    (worker,) = supervisor.workers(1)
    assert worker.environment["MALLOC_MMAP_THRESHOLD_"] == "33554432"


def test_a_chosen_number_of_threads_stays(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert [child.environment["OMP_NUM_THREADS"] for child in supervisor.workers(2)] == ["3", "3"]


BOTH = "cpu,gpu"


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """Pretends that the machine has so many GPUs."""

    def act(number, **environment):
        for name in ("WORKER_QUEUES", "CUDA_VISIBLE_DEVICES", "STEPMARK_GPU"):
            monkeypatch.delenv(name, raising=False)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        for name in ["nvidia-smi", *(f"nvidia{each}" for each in range(number))] if number else []:
            (tmp_path / name).touch(mode=0o755)
        monkeypatch.setattr(gpus, "DEVICES", tmp_path)
        monkeypatch.setenv("PATH", str(tmp_path))

    return act


@pytest.mark.parametrize(
    ("number", "environment", "served"),
    [
        (0, {}, [BOTH, BOTH, BOTH]),
        (1, {}, [BOTH, "cpu", "cpu"]),
        (2, {"CUDA_VISIBLE_DEVICES": "1"}, [BOTH, "cpu", "cpu"]),
        (1, {"CUDA_VISIBLE_DEVICES": ""}, [BOTH, BOTH, BOTH]),
        (1, {"CUDA_VISIBLE_DEVICES": "-1"}, [BOTH, BOTH, BOTH]),
        (1, {"WORKER_QUEUES": BOTH}, [BOTH, BOTH, BOTH]),
        (2, {}, [BOTH, BOTH, "cpu"]),
    ],
)
def test_one_worker_has_each_gpu(machine, number, environment, served):
    machine(number, **environment)
    for several in range(4):
        found = supervisor.workers(several)
        assert [child.environment["WORKER_QUEUES"] for child in found] == served[:several]
        assert [child.command[child.command.index("--queues") + 1] for child in found] == served[:several]


def own_gpus(children):
    return [child.environment.get("STEPMARK_GPU") for child in children]


@pytest.mark.parametrize(
    ("number", "workers", "own"), [(0, 2, [None] * 2), (1, 2, [None] * 2), (3, 4, ["0", "1", "2", "0"])]
)
def test_by_default_there_is_a_worker_for_each_gpu_and_one_more(machine, started, number, workers, own):
    machine(number)
    assert started() == ["web", *["worker"] * workers]
    assert own_gpus(supervisor.workers(workers)) == own


@pytest.mark.parametrize(
    ("environment", "queues", "chosen", "own"),
    [
        ({}, BOTH, None, ["0", "1"]),
        ({}, "gpu", None, ["0", "1"]),
        ({}, "gpu", 3, ["0", "1", "0"]),
        ({}, "gpu", 1, [None]),
        ({}, "cpu", None, [None]),
        ({"STEPMARK_GPU": "1"}, "gpu", None, [None]),
        ({"CUDA_VISIBLE_DEVICES": "1"}, "gpu", None, [None]),
    ],
)
def test_workers_alone_are_one_for_each_gpu(machine, environment, queues, chosen, own):
    machine(2, **environment)
    found = supervisor.workers_for(queues, chosen)
    assert own_gpus(found) == own
    assert {child.environment["WORKER_QUEUES"] for child in found} == {queues}


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Makes a program: a module of this name and code."""
    monkeypatch.syspath_prepend(tmp_path)

    def act(name, code):
        (tmp_path / f"{name}.py").write_text(code)
        return [name]

    return act


def test_a_child_has_its_own_environment_beside_the_common_one(program, tmp_path, monkeypatch):
    monkeypatch.setenv("COMMON", "everybody's")
    say = "import os, pathlib; from django.conf import settings; own = os.environ['OMP_NUM_THREADS']\n"
    say += "pathlib.Path('said').write_text(' '.join([os.environ['COMMON'], own, settings.WORKER_QUEUES]))"
    monkeypatch.chdir(tmp_path)
    child = supervisor.Child("x", program("saying", say), {"OMP_NUM_THREADS": "2", "WORKER_QUEUES": "cpu"})
    child.start()
    child.process.join(60)
    assert (tmp_path / "said").read_text() == "everybody's 2 cpu"
    assert child.process.exitcode == 0


def test_a_signal_ends_a_child_that_has_just_started(program):
    """The child no longer has the supervisor's handler."""
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    child = supervisor.Child("x", program("staying", "import signal; signal.pause()"))
    child.start()
    signal.signal(signal.SIGTERM, before)
    child.process.terminate()
    child.process.join(60)
    assert child.process.exitcode == -signal.SIGTERM


def test_a_child_that_dies_at_once_is_restarted_ever_later(program, monkeypatch):
    child, time = Child("x", program("dying", "")), [0.0]
    monkeypatch.setattr(supervisor, "monotonic", lambda: time[0])
    child.start()
    pauses = []
    for lived in (1, 1, 1, 1, 1, 1, 3600, 1):
        child.process.join(60)
        time[0] += lived
        child.start_again()
        pauses.append(child.pause_seconds)
    child.process.join(60)
    assert pauses == [4, 8, 16, 32, 60, 60, 2, 4]


def test_a_child_that_is_killed_repeatedly_is_restarted_soon(program):
    child = supervisor.Child("x", program("killed", "import signal; signal.pause()"))
    child.start()
    for _ in range(4):
        child.process.kill()
        child.process.join(60)
        child.start_again()
    supervisor.stop([child])
    assert child.pause_seconds == supervisor.FIRST_PAUSE_SECONDS


def test_all_children_end_if_one_cannot_start(program, monkeypatch):
    """For example, no more processes can be created."""
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    web = Child("web", program("waiting", "import signal; signal.pause()"))
    fork, forks = os.fork, []

    def fork_once():
        forks.append("one")
        if len(forks) > 1:
            raise BlockingIOError
        return fork()

    monkeypatch.setattr(os, "fork", fork_once)
    with pytest.raises(BlockingIOError):
        supervisor.supervise([web, Child("worker", program("other", ""))])
    assert web.is_dead()
