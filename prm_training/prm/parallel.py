"""Several devices, each with a copy of the model and a part of every batch: `accelerate launch -m prm_training.prm`.

A process that was not launched so is alone, and nothing here does anything.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar

import torch
from torch import distributed, nn

T = TypeVar("T")


@cache
def _state() -> Any:
    """Accelerate's view of the processes; None for a single one."""
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        return None
    from accelerate import PartialState  # noqa: PLC0415  an extra, needed here alone

    return PartialState()


def device() -> torch.device:
    """This process's device: its own GPU where there are any."""
    if (state := _state()) is not None:
        return torch.device(state.device)
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def is_main() -> bool:
    """Whether this process is the one that writes files and tells of progress."""
    return _state() is None or bool(_state().is_main_process)


def wait_for_everyone() -> None:
    if (state := _state()) is not None:
        state.wait_for_everyone()


def own_share(items: Sequence[T]) -> Sequence[T]:
    """This process's part of a batch; the parts of all processes are the batch."""
    state = _state()
    return items if state is None else items[state.process_index :: state.num_processes]


def sum_gradients(parameters: Sequence[nn.Parameter]) -> None:
    """Make every process hold the gradients of the whole batch; what none has a gradient for stays without."""
    if _state() is None:
        return
    owners = torch.tensor([float(parameter.grad is not None) for parameter in parameters], device=device())
    distributed.all_reduce(owners)
    for parameter, count in zip(parameters, owners.tolist(), strict=True):
        if count:
            parameter.grad = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
            distributed.all_reduce(parameter.grad)


def total(value: float) -> float:
    """The sum over all processes."""
    summed = torch.tensor(value, dtype=torch.float64, device=device())
    if _state() is not None:
        distributed.all_reduce(summed)
    return summed.item()
