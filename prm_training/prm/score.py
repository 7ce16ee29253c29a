"""Step probabilities and solution scores, streamed: a window of solutions at a time, however many there are."""

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
from prm_training.prm.progress import OnProgress, Progress, check, ignore
from prm_training.prm.trees.data import Solution
from prm_training.prm.trees.encoding import Encoded, Ids, Segments
from prm_training.prm.trees.packing import Trie, batches

AGGREGATES: dict[str, Callable[[Sequence[float]], float]] = {
    "product": sum,
    "minimum": min,
    "last": itemgetter(-1),
}


@dataclass(frozen=True)
class ScoreConfig:
    """A step is right with P(positive), plus P(neutral) where `neutral_is_positive`; the solution's score is the
    product over its steps, their minimum or the last one: None is the product for a PRM, the last for an ORM.
    `tokens_per_pass` bounds memory, `window` the solutions in flight."""

    aggregate: Literal["product", "minimum", "last"] | None = None
    neutral_is_positive: bool = True
    tokens_per_pass: int = 4096
    window: int = 256

    def __post_init__(self) -> None:
        check(self, tokens_per_pass=1, window=1)


@dataclass(frozen=True)
class SolutionScore:
    """Natural logarithms, computed in fp32. `score` is None where no step could be read.

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
    config = settled(config or ScoreConfig(), model)
    remaining, done = iter(solutions), 0
    while window := list(islice(remaining, config.window * parallel.state().num_processes)):
        # A window at a time: solutions of one problem that come close together share their prefixes, and memory stays
        # flat.
        encoded = [model.encoder.encode(each.problem, each.steps) for each in window]
        lengths = [len(each.segments) - 1 for each in encoded]
        tell = _telling(on_progress, done, total, share=len(window) / max(1, sum(lengths)))
        rows = _read(model, [each.segments for each in encoded], config.tokens_per_pass, tell)  # (steps of all, width)
        done += len(window)
        for solution, path, outputs in zip(window, encoded, rows.split(lengths), strict=True):
            yield _score(solution.id, path, outputs, config)
        parallel.tell(on_progress, Progress("scoring", done, total))


def settled(config: ScoreConfig, model: StepClassifier) -> ScoreConfig:
    """The config with the aggregate that suits the model. Raises `NotARewardModel`."""
    is_orm = model.supervision == "outcome"
    if is_orm and config.aggregate not in {None, "last"}:
        raise NotARewardModel("An outcome reward model judges whole solutions: at their last step, and at no other.")
    return replace(config, aggregate=config.aggregate or ("last" if is_orm else "product"))


def _telling(on_progress: OnProgress, done: int, total: int, *, share: float) -> Callable[[int], None]:
    """Turns steps of a window into solutions overall: one step is this `share` of a solution."""
    return lambda steps: parallel.tell(on_progress, Progress("scoring", done + int(steps * share), total))


def _read(model: StepClassifier, paths: list[Segments], tokens: int, tell: Callable[[int], None]) -> Tensor:
    """(steps, width) outputs for all steps, path by path."""
    tries: defaultdict[Ids, Trie[int]] = defaultdict(Trie)  # one per problem, marked with the steps' rows in the result
    places = count()
    for path in paths:
        for node in tries[path[0]].add(path)[1:]:
            node.marks.append(next(places))
    limit = max(tokens, model.encoder.max_length)  # no encoded path is too long for a piece
    pieces = (piece for trie in tries.values() for piece in trie.pieces(limit) if piece.marks)
    passes = list(batches(pieces, tokens))
    # Passes end where a budget of tokens does, not where solutions do: marks bring the logits back into order.
    rows = torch.empty(next(places), model.width)
    rows[[place for each in passes for place in each.marks]] = models.read(model, passes, tell)
    return rows


def log_right(logits: Tensor, *, neutral_is_positive: bool = True) -> Tensor:
    """(steps, 3) logits -> (steps,) log P(right), exact both near 1 and near 0."""
    negative, neutral, positive = logits.float().unbind(-1)
    # P(right) = (e^neutral + e^positive) / (e^negative + e^neutral + e^positive), which is sigmoid(log(e^neutral +
    # e^positive) - negative). Computed as 1 - P(negative), it would round to 0 or 1.
    if neutral_is_positive:
        return logsigmoid(torch.logaddexp(neutral, positive) - negative)
    return logsigmoid(positive - torch.logaddexp(negative, neutral))


def _score(identity: str, path: Encoded, outputs: Tensor, config: ScoreConfig) -> SolutionScore:
    """From the (steps, width) outputs for a solution's path."""
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
