"""What pre-training and training share: AdamW, its schedule, and clipping."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from prm_training.prm import parallel


@dataclass(frozen=True)
class Schedule:
    """Linear warm-up over a share of `total` steps to the peak, then linear decay to zero; gradients are clipped by
    their global norm."""

    peak: float
    total: int
    weight_decay: float
    warmup: float = 0.1
    clip: float = 1.0

    def learning_rate(self, done: int) -> float:
        """The rate of the step that follows `done` steps."""
        warmup = max(1, round(self.warmup * self.total))
        rising = (done + 1) / warmup
        falling = (self.total - done) / max(1, self.total - warmup + 1)
        return self.peak * max(0.0, min(1.0, rising, falling))


class Optimising:
    """AdamW on a schedule. Weight decay falls on matrices only."""

    def __init__(self, parameters: Iterable[nn.Parameter], schedule: Schedule) -> None:
        self._parameters = [parameter for parameter in parameters if parameter.requires_grad]
        matrices = [parameter for parameter in self._parameters if parameter.ndim > 1]
        vectors = [parameter for parameter in self._parameters if parameter.ndim <= 1]
        groups = [{"params": matrices, "weight_decay": schedule.weight_decay}, {"params": vectors, "weight_decay": 0.0}]
        self._adam = torch.optim.AdamW(groups, lr=schedule.peak, betas=(0.9, 0.95))
        self._schedule = schedule
        self.done = 0

    @property
    def learning_rate(self) -> float:
        """The rate of the next step."""
        return self._schedule.learning_rate(self.done)

    def step(self) -> float:
        """Apply the gradients and drop them; returns their norm before clipping."""
        parallel.sum_gradients(self._parameters)
        for group in self._adam.param_groups:
            group["lr"] = self.learning_rate
        norm: Tensor = nn.utils.clip_grad_norm_(self._parameters, self._schedule.clip)
        self._adam.step()
        self._adam.zero_grad(set_to_none=True)
        self.done += 1
        return norm.item()

    def state(self) -> dict[str, Any]:
        return {"adam": self._adam.state_dict(), "done": self.done}

    def restore(self, state: dict[str, Any]) -> None:
        self._adam.load_state_dict(state["adam"])
        self.done = state["done"]
