"""The optimiser of pre-training and training: AdamW, its schedule, and clipping."""

from collections.abc import Iterable
from typing import Any

import torch
from torch import nn

from prm_training.prm import parallel


class Optimising:
    """AdamW with linear warm-up over a share of `total` steps to the `peak` rate, then linear decay to zero. Gradients
    are clipped by their global norm; only matrices have weight decay.
    """

    def __init__(  # noqa: PLR0913
        self,
        parameters: Iterable[nn.Parameter],
        *,
        peak: float,
        total: int,
        weight_decay: float,
        warmup: float = 0.1,
        clip: float = 1.0,
    ) -> None:
        self._parameters = [parameter for parameter in parameters if parameter.requires_grad]
        # Biases and the scales of norms have no weight decay: it would pull them to zero, which is no neutral value for
        # a scale.
        matrices = [parameter for parameter in self._parameters if parameter.ndim > 1]
        vectors = [parameter for parameter in self._parameters if parameter.ndim <= 1]
        groups: list[dict[str, Any]] = [{"params": matrices}, {"params": vectors, "weight_decay": 0.0}]
        self._adam = torch.optim.AdamW(groups, lr=peak, betas=(0.9, 0.95), weight_decay=weight_decay)
        rising = max(1, round(warmup * total))
        self._peak, self._total, self._rising, self._clip = peak, total, rising, clip
        self.done = 0

    @property
    def learning_rate(self) -> float:
        """The learning rate of the next step."""
        # Of 100 steps with a warm-up of 0.1, the first has a tenth of the peak rate, the tenth all of it, the last
        # 1/91.
        falling = (self._total - self.done) / max(1, self._total - self._rising + 1)
        return self._peak * max(0.0, min(1.0, (self.done + 1) / self._rising, falling))

    def step(self) -> float:
        """Apply the gradients and drop them; returns their norm before clipping."""
        # Summed before they are clipped: all processes clip by the same norm, and take the same step.
        parallel.sum_gradients(self._parameters)
        for group in self._adam.param_groups:
            group["lr"] = self.learning_rate
        norm = nn.utils.clip_grad_norm_(self._parameters, self._clip)
        self._adam.step()
        self._adam.zero_grad(set_to_none=True)
        self.done += 1
        return norm.item()

    def state_dict(self) -> dict[str, Any]:
        return {"adam": self._adam.state_dict(), "done": self.done}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self._adam.load_state_dict(state["adam"])
        self.done = state["done"]
