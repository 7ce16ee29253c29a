"""Trains on all devices of this machine, one process each, by `accelerate launch`.

The main process reports back in pickles over its standard output.
"""

import os
import pickle
import sys
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from subprocess import PIPE, Popen
from tempfile import TemporaryDirectory
from typing import IO

import torch

from prm_training.prm import parallel
from prm_training.prm import train as training
from prm_training.prm.progress import OnProgress, Progress
from prm_training.prm.train import TrainConfig, TrainReport, TrainStart
from prm_training.prm.trees.data import LabelledTree, PrmError


class LaunchFailed(PrmError):
    """The processes ended without a result."""


def devices() -> int:
    """Returns how many processes train on this machine: one per GPU, or STEPMARK_GPUS if that is fewer, if accelerate
    is installed; else one.
    """
    found = torch.cuda.device_count()
    return min(found, int(os.environ.get("STEPMARK_GPUS", found))) if find_spec("accelerate") else 1


def train(  # noqa: PLR0913
    trees: Iterable[LabelledTree],
    base: str | Path,
    output_dir: Path,
    config: TrainConfig,
    on_progress: OnProgress,
    *,
    on_start: Callable[[TrainStart], None],
) -> TrainReport:
    """Trains as `train.train` does, on all devices. Calls it directly if there is one device.

    An exception raised by a listener ends all processes. Raises LaunchFailed if they end without a result.
    """
    if devices() <= 1:
        return training.train(trees, base, output_dir, config, on_progress, on_start=on_start)
    with TemporaryDirectory(prefix="stepmark-") as folder:
        job = Path(folder) / "job"
        job.write_bytes(pickle.dumps((list(trees), base, output_dir, config)))
        # The processes find the same packages as this one, however it was started.
        paths = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        # They share a lock that this process holds on the GPUs (its file is inheritable), and keep it if this one dies.
        with Popen(_command(job), stdout=PIPE, env=os.environ | paths, close_fds=False) as processes:
            try:
                assert processes.stdout is not None
                return _hear(processes.stdout, on_progress, on_start)
            except BaseException:
                # A listener raised, or this worker must stop: without their parent the processes would go on, and keep
                # the GPUs.
                processes.terminate()
                raise


def _command(job: Path) -> list[str]:
    launch = [sys.executable, "-m", "accelerate.commands.launch", "--num_machines=1", f"--num_processes={devices()}"]
    settled = [
        "--main_process_port=0",
        "--mixed_precision=no",
        "--dynamo_backend=no",
    ]  # not left to accelerate's config file
    return [*launch, "--multi_gpu", *settled, "-m", __spec__.name, str(job)]


def _hear(events: IO[bytes], on_progress: OnProgress, on_start: Callable[[TrainStart], None]) -> TrainReport:
    """Passes events on until the report comes, which it returns; re-raises an error."""
    while True:
        try:
            event = pickle.load(events)
        except EOFError as error:
            raise LaunchFailed("the training processes died; the worker's output says why") from error
        if isinstance(event, TrainReport):
            return event
        if isinstance(event, Exception):
            raise event
        if isinstance(event, TrainStart):
            on_start(event)
        else:
            on_progress(event)


def _work(job: Path) -> None:
    """Trains in one of the launched processes."""
    events = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # standard output is for events: prints go to standard error
    try:
        _train(job, events)
    except BrokenPipeError:
        sys.exit("the process that started the training is gone")


def _train(job: Path, events: IO[bytes]) -> None:
    """Trains, and writes the events, the last of which is the report or an error."""

    def send(event: Progress | TrainStart | TrainReport | Exception) -> None:
        if parallel.state().is_main_process:
            pickle.dump(event, events)
            events.flush()

    trees, base, output_dir, config = pickle.loads(job.read_bytes())
    try:
        send(training.train(trees, base, output_dir, config, send, on_start=send))
    except BrokenPipeError:
        raise
    except Exception as error:
        send(error)
        sys.exit(1)


if __name__ == "__main__":
    _work(Path(sys.argv[1]))
