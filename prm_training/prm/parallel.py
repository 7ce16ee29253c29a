"""Runs on several devices, each with a copy of the model and a part of every batch: `accelerate launch -m
prm_training.prm`.

In a process that was started in any other way, nothing here has an effect.
"""

import atexit
import os
from collections.abc import Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any, TypeVar

import torch
from torch import Tensor, distributed, nn

from prm_training.prm.progress import OnProgress, Progress
from prm_training.prm.trees.data import PrmError

T = TypeVar("T")


class Stopped(PrmError):
    """Raised in the other processes when one was told to stop."""


@cache
def state() -> Any:
    """Accelerate's view of the processes: `device` (this one's own GPU, if there are any), `is_main_process` (the one
    that writes files and reports progress), `wait_for_everyone()`.
    """
    if torch.cuda.is_available():  # products of fp32 matrices may be TF32; torch.compile can't read the newer
        torch.set_float32_matmul_precision("high")  # `torch.backends.cuda.matmul.fp32_precision`, and fails on it
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        from accelerate import PartialState  # noqa: PLC0415  an extra, needed here alone

        launched = PartialState(cpu=not torch.cuda.is_available())
        atexit.register(launched.destroy_process_group)  # or its threads abort the process at exit
        return launched
    device = torch.device("cpu")
    if torch.cuda.is_available():
        device = torch.device("cuda", int(os.environ.get("STEPMARK_GPU", "0")))  # a worker's own, of several
        torch.cuda.set_device(device)  # for kernels that name no device
    alone = {"process_index": 0, "num_processes": 1, "is_main_process": True, "wait_for_everyone": lambda: None}
    return SimpleNamespace(device=device, **alone)


def device_name() -> str:
    """The device in words: `cpu`, or `cuda: NVIDIA H200`; with the number of processes if there are several."""
    device, processes = state().device, state().num_processes
    name = f"{device.type}: {torch.cuda.get_device_name(device)}" if device.type == "cuda" else device.type
    return f"{name} × {processes}" if processes > 1 else name


def own_share(items: Sequence[T]) -> Sequence[T]:
    """Returns this process's part of a batch; the parts of all processes make up the batch."""
    return items[state().process_index :: state().num_processes]


def total(values: Sequence[float]) -> list[float]:
    """Sums each value over all processes."""
    summed = torch.tensor(values, dtype=torch.float64, device=state().device)
    if state().num_processes > 1:
        distributed.all_reduce(summed)
    return summed.tolist()


def add_up(filled: Tensor) -> Tensor:
    """Returns, in every process, the sum of a tensor of which each has filled in its own places and left the rest 0."""
    if state().num_processes == 1:
        return filled
    everything = filled.to(state().device)
    distributed.all_reduce(everything)
    return everything.cpu()


def tell(on_progress: OnProgress, progress: Progress) -> None:
    """Reports progress to this process's listener. All processes call it at the same point of their work.

    If one listener raises, all stop: that process with its own exception, the others with `Stopped`.
    """
    # A process that left on its own would leave the others waiting in their next sum for good.
    raised: list[BaseException] = []
    try:
        on_progress(progress)
    except BaseException as error:
        if state().num_processes == 1:
            raise
        raised = [error]
    if state().num_processes > 1 and total([len(raised)]) > [0]:
        raise raised[0] if raised else Stopped("another process was told to stop")


def sum_gradients(parameters: Sequence[nn.Parameter]) -> None:
    """Gives every process the gradients of the whole batch; a parameter without a gradient in any process stays so."""
    if state().num_processes > 1:
        # All processes must sum the same tensors in the same order: a share without labels has no gradients yet.
        owners = total([parameter.grad is not None for parameter in parameters])
        for parameter in (parameter for parameter, count in zip(parameters, owners, strict=True) if count):
            parameter.grad = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
            distributed.all_reduce(parameter.grad)
