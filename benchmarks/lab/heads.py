"""Uncertainty by an ensemble of heads on one body, as in ActPRM (Duan et al. 2025, arXiv 2504.10559).

Each head is a logistic regression, right or negative, of a trained PRM's hidden states, fitted to its own resample of
the labels. Where the heads differ, the labels don't settle the matter.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from prm_training.prm import loading
from prm_training.prm import model as models
from prm_training.prm.score import ScoreConfig, score_solutions
from prm_training.prm.trees.data import LabelledTree, Solution

HEADS = 3  # as many as a reward model has classes: one pass reads them all
FITTING_STEPS = 300
WEIGHT_DECAY = 1e-3


def disagreement(model: Path, labelled: Sequence[LabelledTree], asked: Iterable[Solution], seed: int) -> list[float]:
    """Of each solution: the largest standard deviation between the heads' log-odds of a step."""
    network = loading.load_reward_model(model)
    states, is_right = _states(network, labelled)
    heads = _fitted(states, is_right, seed)
    with torch.no_grad():
        network.head.weight.copy_(heads.weight)
        network.head.bias.copy_(heads.bias)
    # A softmax over the heads takes the same from each of them: their deviation stays.
    return [_largest(score.log_probabilities) for score in score_solutions(network, asked)]


def _states(network: models.StepClassifier, labelled: Sequence[LabelledTree]) -> tuple[Tensor, Tensor]:
    """(steps, hidden) states at the labelled steps' ends, and (steps,) whether each is not negative."""
    read: list[Tensor] = []
    watching = network.head.register_forward_pre_hook(lambda head, given: read.append(given[0]))
    paths = [[step.completions[0] for step in tree.steps] for tree in labelled]
    solutions = (
        Solution(str(number), tree.problem, tuple(each.text for each in path))
        for number, (tree, path) in enumerate(zip(labelled, paths, strict=True))
    )
    list(score_solutions(network, solutions, ScoreConfig(window=1)))  # one at a time: the steps come in order
    watching.remove()
    return torch.cat(read), torch.tensor([float(each.rating != -1) for path in paths for each in path])


def _fitted(states: Tensor, is_right: Tensor, seed: int) -> nn.Linear:
    """A column for each head."""
    generator = torch.Generator().manual_seed(seed)
    times_drawn = torch.poisson(torch.ones(len(states), HEADS), generator=generator)  # a bootstrap
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        heads = nn.Linear(states.shape[1], HEADS)
    optimizer = torch.optim.AdamW(heads.parameters(), lr=0.01, weight_decay=WEIGHT_DECAY)
    target = is_right[:, None].expand(-1, HEADS)
    for _ in range(FITTING_STEPS):
        optimizer.zero_grad()
        binary_cross_entropy_with_logits(heads(states), target, times_drawn).backward()
        optimizer.step()
    return heads


def _largest(steps: Sequence[Sequence[float]]) -> float:
    return max((float(torch.tensor(step).std()) for step in steps), default=0.0)
