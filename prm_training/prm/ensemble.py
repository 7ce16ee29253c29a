"""An ensemble of small heads beside the plain one, trained with it on one backbone: how sure the model is of a step.

ActPRM (Duan et al. 2025, arXiv 2504.10559) asks for labels only where this ensemble is unsure: where its mean is
neither near 0 nor near 1 (the step is doubtful in itself), or where its heads differ (the labels don't settle it).
"""

from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

FILE = "ensemble.safetensors"
WIDTH = 128
PULL = 0.5  # towards each head's initial weights: without it, all heads would come to agree


class Ensemble(nn.Module):
    """`size` heads with two hidden layers each: from hidden states to log-odds that a step is right."""

    def __init__(self, inputs: int, size: int, seed: int = 0) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        widths = [(inputs, WIDTH), (WIDTH, WIDTH), (WIDTH, 1)]
        self.weights = nn.ParameterList(
            nn.init.trunc_normal_(torch.empty(size, rows, columns), std=0.5 / rows**0.5, generator=generator)
            for rows, columns in widths
        )
        self.biases = nn.ParameterList(torch.zeros(size, 1, columns) for _, columns in widths)
        self.drawn = [weight.detach().clone() for weight in self.parameters()]

    @property
    def size(self) -> int:
        return len(self.weights[0])

    def forward(self, hidden: Tensor) -> Tensor:
        """(marks, hidden) fp32 -> (marks, size)."""
        states = hidden.expand(self.size, -1, -1)  # (size, marks, hidden)
        for number, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            states = torch.baddbmm(bias, states if number == 0 else states.relu(), weight)
        return states[..., 0].T

    def loss(self, hidden: Tensor, classes: Tensor) -> Tensor:
        """The cross-entropy of right against wrong, summed over marks, averaged over heads; neutral steps are right."""
        target = (classes > 0).float()[:, None].expand(-1, self.size)
        return binary_cross_entropy_with_logits(self(hidden), target, reduction="sum") / self.size

    def distance(self) -> Tensor:
        """The mean squared distance of all weights from their initial values."""
        pairs = zip(self.parameters(), self.drawn, strict=True)
        moved = [(weight - drawn.to(weight.device)).flatten() for weight, drawn in pairs]
        return torch.cat(moved).square().mean()

    def save_pretrained(self, directory: Path) -> None:
        """Saves the heads beside the model's own weights, which plain transformers reads without them."""
        save_file(
            {name: weight.detach().cpu().contiguous() for name, weight in self.named_parameters()}, directory / FILE
        )


def load(directory: Path) -> Ensemble | None:
    """The ensemble saved with a model, or None."""
    if not (directory / FILE).is_file():
        return None
    saved = load_file(directory / FILE)
    size, inputs, _ = saved["weights.0"].shape
    ensemble = Ensemble(inputs, size)
    ensemble.load_state_dict(saved)
    return ensemble


@dataclass(frozen=True)
class Certainty:
    """The ensemble's certainty over the steps up to the first predicted error: the least confidence that a step is
    right or wrong, and the greatest standard deviation between heads.
    """

    confidence: float
    deviation: float


def certainty(logits: Tensor) -> Certainty | None:
    """The certainty of a solution, from the (steps, size) log-odds of its steps; None without any step."""
    if not len(logits):
        return None
    chances = logits.sigmoid()
    means, deviations = chances.mean(1), chances.std(1)  # (steps,)
    wrong = (means < 0.5).nonzero()[:1, 0].tolist()
    upto = wrong[0] + 1 if wrong else len(means)
    sure = torch.maximum(means, 1 - means)[:upto]
    return Certainty(float(sure.min()), float(deviations[:upto].max()))
