"""The GPUs that the workers of one machine share: a training has all of them, any other run its worker's own.

The lock on a file says who has them, exclusively or with others: the kernel frees what a dead process held. With fewer
than two GPUs, or without accelerate, which trains on several, nothing is locked.
"""

import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from socket import gethostname
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from labeling import clock
from labeling.jobs import queueing
from labeling.models import Run, Status
from labeling.rules.words import RunKind

DEVICES = Path("/dev")
OF_NVIDIA = re.compile(r"nvidia\d+")
TRAININGS = [kind for kind in RunKind if kind.traits.fills_device]
# A verification takes a moment, and a training answers it between two of its steps.
OTHERS = [kind for kind in RunKind if kind.traits.queue == "gpu" and kind not in {*TRAININGS, RunKind.VERIFY}]
WAITS = "waiting for the GPUs"  # begins the stage of a queued run that found them taken


def count() -> int:
    """Returns how many GPUs this machine's workers share, without importing torch, which costs seconds and memory."""
    if settings.STEPMARK_GPUS is not None:
        return int(settings.STEPMARK_GPUS)
    if shutil.which("nvidia-smi") is None:
        return 0
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is not None:
        return 0 if visible in {"", "-1"} else len(visible.split(","))
    # Under WSL there is a GPU without a file of this name.
    return max(1, sum(bool(OF_NVIDIA.fullmatch(path.name)) for path in DEVICES.iterdir()))


def own() -> str:
    """Returns the number of this worker's own GPU; empty if it has none, as with one GPU for all."""
    return os.environ.get("STEPMARK_GPU", "")


def one_trains_on_all() -> bool:
    """Returns whether a training takes several GPUs, all that this machine's workers share."""
    return count() > 1 and find_spec("accelerate") is not None


def slot() -> str:
    """Returns the name of what one training fills: the machine, or this worker's own GPU if it trains on that alone."""
    machine: str = settings.DEVICE_SLOT
    return machine if one_trains_on_all() or not own() else f"{machine}:{own()}"


@contextmanager
def held_for(run_id: UUID) -> Iterator[bool]:
    """Holds the GPUs that the run needs until the block ends. Yields whether it may begin; if not, its stage says why.

    No run begins before an older training: a stream of them would keep it waiting for ever.
    """
    run = Run.objects.filter(pk=run_id).first()
    if run is None or run.kind not in {*TRAININGS, *OTHERS} or not one_trains_on_all():
        yield True
        return
    if not without_overtaking(Run.objects.filter(pk=run_id)).exists():
        _say(run, "an older training is next")
        yield False
        return
    with held(exclusively=run.kind in TRAININGS) as are_free:
        if are_free:
            Run.objects.filter(pk=run_id, stage__startswith=WAITS).update(stage="")
        else:
            _say(run, "others use them" if run.kind in TRAININGS else "a training uses all of them")
        yield are_free


@contextmanager
def held(*, exclusively: bool = False) -> Iterator[bool]:
    """Holds this worker's GPU, or all of the machine's, until the block ends. Yields whether they were free; runs that
    found them taken are enqueued once they are free again.
    """
    if not one_trains_on_all():
        yield True
        return
    are_free = False
    try:
        with _lock(exclusively=exclusively) as are_free:
            yield are_free
    finally:
        if are_free:
            for run in Run.objects.filter(_wait_for_gpus()).order_by("created_at"):
                queueing.enqueue(run)


def are_all_taken() -> bool:
    """Returns whether a training has all GPUs at this moment."""
    if not one_trains_on_all():
        return False
    with _lock() as is_shared:
        return not is_shared


def without_overtaking(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Leaves out runs that must wait for an older training."""
    if not one_trains_on_all():
        return runs
    trainings = Run.objects.filter(status=Status.QUEUED, kind__in=TRAININGS, created_at__lt=OuterRef("created_at"))
    before = trainings.exclude(next_try_at__gt=clock.now())
    return runs.exclude(Q(kind__in=OTHERS) & Exists(before))


def keeping_a_training_out() -> QuerySet[Run]:
    """Selects the running runs that keep a training from starting: one that fills the device, or this machine's GPU
    runs.
    """
    in_the_way = Q(device_slot=slot())
    if one_trains_on_all():
        in_the_way |= Q(kind__in=OTHERS, worker__startswith=f"{gethostname()}-")
    return Run.objects.filter(in_the_way, status=Status.RUNNING)


def _wait_for_gpus() -> Q:
    # Verifications have no such stage: whoever has a moment answers all that wait.
    return Q(status=Status.QUEUED) & (Q(stage__startswith=WAITS) | Q(kind=RunKind.VERIFY))


def _say(run: Run, why: str) -> None:
    stage = f"{WAITS}: {why}"
    Run.objects.filter(pk=run.pk, status=Status.QUEUED).exclude(stage=stage).update(stage=stage)


@contextmanager
def _lock(*, exclusively: bool = False) -> Iterator[bool]:
    # Several machines may share the data folder, and a machine's workers may each see only some of its GPUs.
    name = sha256(str(settings.DEVICE_SLOT).encode()).hexdigest()[:16]
    kind = fcntl.LOCK_EX if exclusively else fcntl.LOCK_SH
    with (settings.DATA_DIR / f"gpus-{name}.lock").open("ab") as file:
        os.set_inheritable(file.fileno(), True)  # by processes that go on training if this one is killed
        yield _has_locked(file, kind)


def _has_locked(file: Any, kind: int) -> bool:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
