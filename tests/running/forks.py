"""Starts processes as forks of one that has loaded torch and the reward model's code, which takes seconds.

That one has run nothing: no thread of torch's, and no device, is lost in a fork.
"""

import os
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from tests.running.servers import free_port

CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(["prm_training.prm.__main__", "prm_training.prm.launch"])


def begun(act: Callable[..., Any], *arguments: Any, **environment: str) -> ForkServerProcess:
    """Starts a process that acts, in an environment with these variables, too."""
    process = CONTEXT.Process(target=_act, args=(act, arguments, environment), daemon=True)
    process.start()
    return process


def two_begun(act: Callable[..., Any], *arguments: Any) -> list[ForkServerProcess]:
    """Starts two processes that act as one, as `accelerate launch` does."""
    shared = {"WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port())}
    return [begun(act, *arguments, **shared, RANK=rank, LOCAL_RANK=rank) for rank in ("0", "1")]


def _act(act: Callable[..., Any], arguments: tuple[Any, ...], environment: dict[str, str]) -> None:
    os.environ.update(environment)
    act(*arguments)


def write_to(path: Path, descriptor: int) -> None:
    """Makes the file, or the pipe, this process's standard output or standard error."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    os.dup2(file, descriptor)
    os.close(file)
