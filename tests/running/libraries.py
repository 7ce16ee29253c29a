"""A process that has loaded libraries, and forks a Python program for each request of tests/running/forked.py.

Stepmark's own code, its settings and Django's apps are not among them: each program loads those in its own environment.
"""

import atexit
import gc
import os
import runpy
import selectors
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from importlib import import_module
from json import loads
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from tests.running.forked import LONGEST

FORKED = Path(__file__).with_name("forked.py")
DJANGO = (
    "celery.bin.celery",
    "cryptography.fernet",
    "django.contrib.auth.hashers",
    "django.contrib.postgres.fields",
    "django.core.management",
    "django.db.backends.postgresql.psycopg_any",
    "django.db.backends.sqlite3.base",
    "django.test.client",
    "django.views.debug",
    "gunicorn.app.wsgiapp",
    "httpx",
    "jinja2",
    "markdown",
    "mpmath",
    "msgspec",
    "numpy",
    "prometheus_client",
    "psycopg",
    "requests",
)
# As workers have torch: `prm` has no Django, and reads nothing of the environment.
PRM = ("prm_training.prm.__main__",)
LIBRARIES = {"django": DJANGO, "prm": PRM, "torch": (*DJANGO, *PRM)}
LONGEST_PLACE = 60
END_WITHIN_SECONDS = 60
SHARED = "LIBRARIES_AT"  # the folder of addresses that the runner gives to all parts


def python(libraries: str) -> list[str]:
    """Returns the command that stands for `python`, with these libraries loaded."""
    return [sys.executable, "-I", "-S", str(FORKED), address(libraries)]


@cache
def address(libraries: str) -> str:
    """Returns where the process listens: one for all parts of `make test`, else one that ends with this process."""
    if folder := os.environ.get(SHARED):
        return f"{folder}/{libraries}"
    running = ExitStack()
    atexit.register(running.close)
    return f"{running.enter_context(loaded([libraries]))}/{libraries}"


@contextmanager
def loaded(names: Iterable[str], environment: Mapping[str, str] = os.environ) -> Iterator[str]:
    """Runs a process for each name until the block ends, without settings and in a folder of its own. Yields that
    folder, which has the addresses on which they already listen.
    """
    # In a short place: the address of a socket has 107 bytes at most.
    with TemporaryDirectory(
        prefix="stepmark-libraries-", dir="/tmp" if len(gettempdir()) > LONGEST_PLACE else None
    ) as folder:
        started = [_start(name, f"{folder}/{name}", environment) for name in names]
        try:
            yield folder
        finally:
            for process in started:
                _end(process)


def _start(libraries: str, place: str, environment: Mapping[str, str]) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", __name__, libraries, place]
    others = {name: value for name, value in environment.items() if not name.startswith(("DJANGO", "STEPMARK"))}
    own = {"OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "PASSIVE", "TOKENIZERS_PARALLELISM": "false"}
    own["PYTHONPATH"] = str(Path(__file__).resolve().parents[2])
    pipe = subprocess.PIPE
    folder = Path(place).parent
    process = subprocess.Popen(command, cwd=folder, env=others | own, stdin=pipe, stdout=pipe, text=True)
    assert process.stdout
    assert process.stdout.readline() == "listens\n"
    return process


def _end(process: "subprocess.Popen[str]") -> None:
    """Waits until the process and its programs, which are being stopped, have ended; else kills it."""
    try:
        process.communicate(timeout=END_WITHIN_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()


def serve(modules: Sequence[str], place: str) -> None:
    """Forks a program for each connection, until the input ends. Only a program returns before that."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening, selectors.DefaultSelector() as either:
        listening.bind(place)
        listening.listen()
        sys.stdout.write("listens\n")
        sys.stdout.flush()
        for name in modules:  # whoever connects meanwhile waits
            import_module(name)
        gc.collect()
        gc.freeze()
        either.register(listening, selectors.EVENT_READ)
        either.register(sys.stdin, selectors.EVENT_READ)
        while sys.stdin not in [key.fileobj for key, _ in either.select()]:
            connection, _ = listening.accept()
            if os.fork() == 0:
                break
            connection.close()
            reap(os.WNOHANG)
        else:
            reap(0)
            return
    become(connection)


def reap(options: int) -> None:
    """Waits for programs that have ended, so that their processor time counts as this process's."""
    try:
        while os.waitpid(-1, options)[0]:
            pass
    except ChildProcessError:
        return


def become(connection: socket.socket) -> None:
    """Reads a request and runs its program in a child. Sends the child's process id and exit status."""
    message, files, _, _ = socket.recv_fds(connection, LONGEST, 3)
    program = get_context("fork").Process(target=run, args=(files,), kwargs=loads(message))
    program.start()
    connection.send(str(program.pid).encode())
    program.join()
    with suppress(BrokenPipeError):  # whoever started it may be gone
        connection.send(str(program.exitcode).encode())
    os._exit(0)


def run(files: list[int], *, arguments: list[str], folder: str, environment: dict[str, str]) -> None:
    """Does what `python` does with the arguments."""
    for place, file in enumerate(files):
        os.dup2(file, place)
    os.closerange(3, max(files) + 1)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w", buffering=1), open(2, "w", buffering=1)  # noqa: SIM115
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:2] = ["", *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    match arguments:
        case ["-m", module, *rest]:
            sys.path[0], sys.argv = folder, [module, *rest]
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        case ["-c", code, *rest]:
            sys.argv = ["-c", *rest]
            exec(code, {"__name__": "__main__"})
        case [script, *rest]:
            sys.path[0], sys.argv = str(Path(script).resolve().parent), [script, *rest]
            runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    serve(LIBRARIES[sys.argv[1]], sys.argv[2])
