"""Runs the web server and some workers side by side, and starts again whichever dies.

They are forked: what the command has loaded takes each of them no time and no memory of its own.
"""

import ctypes
import multiprocessing
import os
import runpy
import signal
import socket
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import monotonic

from django.conf import settings
from django.db import connections

from labeling.errors import DomainError
from labeling.jobs import gpus
from labeling.jobs.flags import Flag

LOOK_EVERY_SECONDS = 0.5
STOP_WITHIN_SECONDS = 40  # as the units in deploy/: more than gunicorn gives the requests under way
# A child that ends by itself as soon as it starts is restarted after growing pauses, not in a loop that takes a whole
# processor. One that was killed, by a person or for its memory, may do well the next time.
FIRST_PAUSE_SECONDS = 2
LONGEST_PAUSE_SECONDS = 60
# By default, glibc returns large freed buffers at once, and every layer of a model faults them in again.
KEEP_FREED_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(32 << 20), "MALLOC_TRIM_THRESHOLD_": str(64 << 20)}
IN_MALLOC_H = {"MALLOC_MMAP_THRESHOLD_": -3, "MALLOC_TRIM_THRESHOLD_": -1}
SIGNALS = (signal.SIGTERM, signal.SIGINT)
COMM = Path("/proc/self/comm")  # on Linux: the process's name, which `top` shows
# Elsewhere than on Linux, the system's own libraries may not survive a fork.
PROCESSES = multiprocessing.get_context("fork") if sys.platform == "linux" else multiprocessing.get_context("spawn")


class PortInUse(DomainError, code="port_in_use"):
    """Another program listens on the port."""


@dataclass
class Child:
    """A process that should be alive: a Python program, by its module and arguments."""

    name: str
    command: list[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    process: BaseProcess | None = None
    started_at: float = field(default=0.0)
    pause_seconds: float = FIRST_PAUSE_SECONDS

    def start(self) -> None:
        self.started_at = monotonic()
        connections.close_all()  # two processes must not share one
        self.process = PROCESSES.Process(target=self.become, name=self.name)
        # A signal to the child waits until the child's own handlers stand, not these.
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)

    def become(self) -> None:
        """Runs the program in this process, and ends with it."""
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        os.environ.update(self.environment)
        _heed(self.environment)
        if COMM.exists():
            COMM.write_text(f"stepmark {self.name}")
        sys.argv = list(self.command)
        runpy.run_module(self.command[0], run_name="__main__", alter_sys=True)

    def is_dead(self) -> bool:
        return self.process is None or not self.process.is_alive()

    def may_restart(self) -> bool:
        return monotonic() - self.started_at > self.pause_seconds

    def start_again(self) -> None:
        """Restarts the child. The next pause is twice as long, unless it was alive for a while or was killed."""
        was_alive = monotonic() - self.started_at > 2 * LONGEST_PAUSE_SECONDS
        was_killed = self.process is not None and self.process.exitcode == -signal.SIGKILL
        if was_alive or was_killed:
            self.pause_seconds = FIRST_PAUSE_SECONDS
        else:
            self.pause_seconds = min(2 * self.pause_seconds, LONGEST_PAUSE_SECONDS)
        print(f"{self.name} ended; starting it again.", file=sys.stderr, flush=True)  # noqa: T201
        self.start()


def _heed(environment: Mapping[str, str]) -> None:
    """Applies the variables that are otherwise read only when a process starts."""
    settings.WORKER_QUEUES = environment.get("WORKER_QUEUES", settings.WORKER_QUEUES)
    if set_option := getattr(ctypes.CDLL(None), "mallopt", None):
        for name in IN_MALLOC_H.keys() & environment.keys():
            set_option(IN_MALLOC_H[name], int(environment[name]))


def web(host: str, port: int) -> Child:
    """gunicorn with threads; its number of processes comes from WEB_CONCURRENCY (default 2)."""
    processes = os.environ.get("WEB_CONCURRENCY", "2")
    options = ["--config", "python:stepmark.web.server", "--workers", processes]
    options += ["--threads", "4", "--timeout", "60", "--preload"]
    bind = ["--bind", f"{host}:{port}", "--log-level", "warning"]
    return Child("web", ["gunicorn", "stepmark.wsgi", *options, *bind])


def worker(queues: str, **environment: str) -> Child:
    """One Celery worker for the queues. Pool `solo`: fork and torch don't mix, once it is loaded."""
    # Who is alive and what waits are rows in the database: Celery's own gossip would only load the broker.
    quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    level = ["--loglevel", os.environ.get("LOG_LEVEL", "WARNING")]
    options = ["--pool", "solo", "--queues", queues, *quiet, *level]
    # Django's checks load the code of all pages: the command that starts the workers has made them.
    own = {"WORKER_QUEUES": queues, "CELERY_SKIP_CHECKS": "1"}
    command = ["celery", "--quiet", "-A", "stepmark", "worker", *options]
    return Child("worker", command, KEEP_FREED_MEMORY | own | environment)


def usual_number() -> int:
    """Returns how many workers share this machine unless somebody chooses: one for each GPU, and one more."""
    return max(1, gpus.count()) + 1


def workers(number: int) -> list[Child]:
    """The worker processes of a whole product.

    Each GPU goes to one worker alone: two that train and score on it at once may run out of memory. WORKER_QUEUES, if
    set, gives the queues that each serves.
    """
    is_shared = "WORKER_QUEUES" in os.environ or not gpus.count()
    alone = number if is_shared else gpus.count()
    return side_by_side([usual_queues() if place < alone else "cpu" for place in range(number)])


def workers_for(queues: str, number: int | None) -> list[Child]:
    """The worker processes for these queues; without a number, one for each GPU if they need any.

    A single worker whose GPU is given by STEPMARK_GPU has that one alone.
    """
    usual = gpus.count() if "gpu" in queues.split(",") and not gpus.own() else 1
    several = number or usual
    return side_by_side([queues] * several) if several > 1 else [worker(queues)]


def side_by_side(queues: Sequence[str]) -> list[Child]:
    """A worker for each of these queues, sharing the processors: if each had a thread for every one, they would wait
    for one another. OMP_NUM_THREADS, if set, gives the threads of each.

    Of several GPUs, each has one of its own.
    """
    shared = max(1, len(os.sched_getaffinity(0)) // max(1, len(queues)))
    threads, several = os.environ.get("OMP_NUM_THREADS", str(shared)), gpus.count() > 1 and not gpus.own()
    return [
        worker(each, OMP_NUM_THREADS=threads, **({"STEPMARK_GPU": str(place % gpus.count())} if several else {}))
        for place, each in enumerate(queues)
    ]


def usual_queues() -> str:
    """Returns the queues of a worker for which none are chosen: without PyTorch, `cpu` alone."""
    queues: str = settings.WORKER_QUEUES
    return queues if "WORKER_QUEUES" in os.environ or has_torch() else "cpu"


def has_torch() -> bool:
    """Returns whether models can be trained and read here: `pip install stepmark` alone has no PyTorch."""
    return find_spec("torch") is not None


def check_port(host: str, port: int) -> None:
    """Raises PortInUse when something listens there already."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            message = f"{host}:{port} can't be used: {error.strerror}. Choose another with --port."
            raise PortInUse(message) from error


def supervise(children: Sequence[Child]) -> None:
    """Keeps the children alive until SIGTERM or SIGINT; then stops them and returns.

    Stops them, too, when one can't be started: without their parent they would go on, and keep the port.
    """
    stopping = Flag()
    for number in SIGNALS:
        signal.signal(number, lambda *_: stopping.set())
    try:
        for child in children:
            child.start()
        while not stopping.wait(LOOK_EVERY_SECONDS):
            for child in children:
                if child.is_dead() and child.may_restart():
                    child.start_again()
    finally:
        stop(children)


def pause(seconds: float) -> None:
    """Lets time pass between two looks at a row that a worker writes."""
    threading.Event().wait(seconds)


def stop(children: Sequence[Child]) -> None:
    """Asks every child to end, and ends those that don't."""
    alive = [child.process for child in children if child.process is not None and not child.is_dead()]
    for process in alive:
        process.terminate()
    # One deadline for all: they end side by side, each run going back to the queue at its next report.
    deadline = monotonic() + STOP_WITHIN_SECONDS
    for process in alive:
        process.join(max(0.1, deadline - monotonic()))
        process.kill()
        process.join()
