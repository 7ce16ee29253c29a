"""Computes step probabilities and solution scores in a stream: a window of solutions at a time, however many
there are.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from operator import itemgetter
from pathlib import Path
from typing import Literal

import torch
from torch import Tensor
from torch.nn.functional import log_softmax, logsigmoid

from prm_training.prm import loading, parallel
from prm_training.prm import model as models
from prm_training.prm.ensemble import Certainty, certainty
from prm_training.prm.loading import NotARewardModel
from prm_training.prm.metrics.evaluate import LogProbabilities
from prm_training.prm.model import StepClassifier
from prm_training.prm.progress import OnProgress, Progress, check_settings, ignore
from prm_training.prm.trees.data import Solution
from prm_training.prm.trees.encoding import Encoded, Ids
from prm_training.prm.trees.packing import Piece, Trie, batches

AGGREGATES: dict[str, Callable[[Sequence[float]], float]] = {
    "product": sum,
    "minimum": min,
    "last": itemgetter(-1),
}
TOKENS_PER_PASS = {"cpu": 4096, "cuda": 32_768}


@dataclass(frozen=True)
class ScoreConfig:
    """Settings of scoring.

    A step is right with P(positive), plus P(neutral) where `neutral_is_positive`. `aggregate` makes the solution's
    score: the product over its steps, their minimum or the last one; None is the product for a PRM, the last for an
    ORM. `tokens_per_pass` bounds memory: None is 4,096, and on a GPU, which idles over short rows, 32,768. `window`
    bounds the solutions in flight.
    """

    aggregate: Literal["product", "minimum", "last"] | None = None
    neutral_is_positive: bool = True
    tokens_per_pass: int | None = None
    window: int = 256

    def __post_init__(self) -> None:
        check_settings(self, tokens_per_pass=1, window=1)

    @property
    def tokens(self) -> int:
        """Tokens a pass: the given number, or the one that suits this process's device."""
        return self.tokens_per_pass or TOKENS_PER_PASS[parallel.state().device.type]


@dataclass(frozen=True)
class SolutionScore:
    """A solution's scores as natural logarithms, computed in fp32. `score` is None if no step could be read.

    Steps beyond the length limit have no entry; `is_truncated` says that the problem or the steps were cut.
    """

    id: str
    score: float | None
    steps: tuple[float, ...]  # log P(right) of each step that was read
    log_probabilities: tuple[LogProbabilities, ...]  # negative, neutral, positive of each step that was read
    steps_left_out: int
    is_truncated: bool
    certainty: Certainty | None = None  # of a model with an ensemble

    @property
    def probabilities(self) -> list[float]:
        """P(right) of each step that was read."""
        return [math.exp(step) for step in self.steps]


def score_solutions(
    model: StepClassifier | str | Path,
    solutions: Iterable[Solution],
    config: ScoreConfig | None = None,
    on_progress: OnProgress = ignore,
    *,
    total: int = 0,
) -> Iterator[SolutionScore]:
    """Score `solutions` in the order they come; `total`, if known, is only passed on to `on_progress`.

    Solutions of one problem share their common prefixes when they come close together. Scores do not depend on what
    else is scored. Raises `NotARewardModel` if an ORM is asked for more than the last step, and whatever `on_progress`
    raises.
    """
    model = model if isinstance(model, StepClassifier) else loading.load_reward_model(model)
    config = settled_config(config or ScoreConfig(), model)
    # A window at a time: solutions of one problem that come close together share their prefixes, and memory stays flat.
    windows = (_window(model, some, config) for some in _batched(solutions, config.window))
    following, done = next(windows, None), 0
    while (window := following) is not None:
        tell = _telling(on_progress, done, total, share=len(window.solutions) / max(1, sum(window.lengths)))
        reading = models.begin_to_read(model, window.passes, tell)
        try:
            following = next(windows, None)  # encoded while a GPU is still busy with this one
        finally:  # an error while reading later solutions loses none before them
            done += len(window.solutions)
            yield from _scores(window, reading(), config)
            parallel.tell(on_progress, Progress("scoring", done, total))


def _batched(solutions: Iterable[Solution], size: int) -> Iterator[list[Solution]]:
    remaining = iter(solutions)
    while window := list(islice(remaining, size * parallel.state().num_processes)):
        yield window


def settled_config(config: ScoreConfig, model: StepClassifier) -> ScoreConfig:
    """The config with the aggregate that suits the model. Raises `NotARewardModel`."""
    is_orm = model.supervision == "outcome"
    if is_orm and config.aggregate not in {None, "last"}:
        raise NotARewardModel("An outcome reward model judges whole solutions: at their last step, and at no other.")
    return replace(config, aggregate=config.aggregate or ("last" if is_orm else "product"))


def _telling(on_progress: OnProgress, done: int, total: int, *, share: float) -> Callable[[int], None]:
    """Returns a listener that turns a window's steps into solutions done overall; `share`: solutions per step."""
    return lambda steps: parallel.tell(on_progress, Progress("scoring", done + int(steps * share), total))


@dataclass(frozen=True)
class _Window:
    """A window of solutions and the passes that read them; the passes' marks are places among their (steps, width)
    outputs.
    """

    solutions: list[Solution]
    paths: list[Encoded]
    passes: list[Piece[int]]

    @property
    def lengths(self) -> list[int]:
        """The number of each solution's steps that are read."""
        return [len(each.segments) - 1 for each in self.paths]


def _window(model: StepClassifier, solutions: list[Solution], config: ScoreConfig) -> _Window:
    paths = [model.encoder.encode(each.problem, each.steps, each.contexts) for each in solutions]
    tries: defaultdict[Ids, Trie[int]] = defaultdict(Trie)  # one per problem, marked with the steps' places
    places = count()
    for path in paths:
        for node in tries[path.segments[0]].add(path.segments)[1:]:
            node.marks.append(next(places))
    limit = max(config.tokens, model.encoder.max_length)  # no encoded path is too long for a piece
    pieces = (piece for trie in tries.values() for piece in trie.pieces(limit) if piece.marks)
    return _Window(solutions, paths, list(batches(pieces, config.tokens)))


def _scores(window: _Window, outputs: Tensor, config: ScoreConfig) -> Iterator[SolutionScore]:
    """Yields the scores of a window, from the (steps, width) outputs of all passes."""
    # Passes end where a budget of tokens does, not where solutions do: marks bring the outputs back into order.
    rows = torch.empty_like(outputs)
    rows[[place for each in window.passes for place in each.marks]] = outputs
    for solution, path, own in zip(window.solutions, window.paths, rows.split(window.lengths), strict=True):
        yield _score(solution.id, path, own, config)


def log_right(logits: Tensor, *, neutral_is_positive: bool = True) -> Tensor:
    """Log P(right) of each step: (steps, 3) logits -> (steps,). Exact both near 1 and near 0."""
    negative, neutral, positive = logits.float().unbind(-1)
    # P(right) = (e^neutral + e^positive) / (e^negative + e^neutral + e^positive), which is sigmoid(log(e^neutral +
    # e^positive) - negative). Computed as 1 - P(negative), it would round to 0 or 1.
    if neutral_is_positive:
        return logsigmoid(torch.logaddexp(neutral, positive) - negative)
    return logsigmoid(positive - torch.logaddexp(negative, neutral))


def _score(identity: str, path: Encoded, outputs: Tensor, config: ScoreConfig) -> SolutionScore:
    """The score of one solution, from the (steps, width) outputs for its path."""
    logits, heads = outputs[:, :3], outputs[:, 3:]
    steps = log_right(logits, neutral_is_positive=config.neutral_is_positive).tolist()
    return SolutionScore(
        id=identity,
        score=AGGREGATES[config.aggregate or "product"](steps) if steps else None,
        steps=tuple(steps),
        log_probabilities=tuple(tuple(row) for row in log_softmax(logits, dim=-1).tolist()),
        steps_left_out=path.steps_left_out,
        is_truncated=path.problem_shortened or path.steps_left_out > 0,
        certainty=certainty(heads) if heads.shape[1] > 1 else None,
    )
