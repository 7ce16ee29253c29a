"""Step probabilities and solution scores, streamed: a window of solutions at a time, whatever their number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from pathlib import Path
from statistics import fmean
from typing import Literal, Protocol

import torch
from torch import Tensor
from torch.nn.functional import log_softmax, logsigmoid

from prm_training.prm import model as models
from prm_training.prm.batching import batches
from prm_training.prm.encoding import Encoded
from prm_training.prm.evaluate import LogProbabilities
from prm_training.prm.model import Precision, RewardModel
from prm_training.prm.packing import Trie
from prm_training.prm.progress import OnProgress, Progress, ignore

AGGREGATES: dict[str, Callable[[Sequence[float]], float]] = {
    "product": sum, "minimum": min, "mean": fmean, "last": itemgetter(-1),
}  # fmt: skip
Place = tuple[int, int]  # (solution in the window, step)


class SolutionLike(Protocol):
    """What can be scored: rows, dataclasses, anything with these three."""

    @property
    def id(self) -> str: ...
    @property
    def problem(self) -> str: ...
    @property
    def steps(self) -> Sequence[str]: ...


@dataclass(frozen=True)
class ScoreConfig:
    """A step is right with P(positive), plus P(neutral) where `neutral_is_positive`; the solution's score is the
    product over its steps, their minimum, their geometric mean or the last one. `precision` is that of the body (see
    `RewardModel.computing_in`); `tokens_per_pass` bounds memory, `window` the solutions in flight."""

    aggregate: Literal["product", "minimum", "mean", "last"] = "product"
    neutral_is_positive: bool = True
    precision: Precision = "fp32"
    tokens_per_pass: int = 8192
    window: int = 256

    def __post_init__(self) -> None:
        if self.aggregate not in AGGREGATES:
            raise ValueError(f"aggregate is one of {', '.join(AGGREGATES)}, not {self.aggregate!r}")
        if self.tokens_per_pass < 1 or self.window < 1:
            raise ValueError("tokens_per_pass and window are at least 1")
        models.check_precision(self.precision)


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


def score_solutions(
    model: RewardModel | str | Path,
    solutions: Iterable[SolutionLike],
    config: ScoreConfig | None = None,
    on_progress: OnProgress = ignore,
    *,
    total: int = 0,
) -> Iterator[SolutionScore]:
    """Score `solutions` in the order they come; `total`, if known, is only passed on to `on_progress`.

    Solutions of one problem share their common prefixes when they come close together. Scores do not depend on what
    else is scored. Raises whatever `on_progress` raises.
    """
    config = config or ScoreConfig()
    loaded = model if isinstance(model, RewardModel) else models.load(model)
    remaining, done = iter(solutions), 0
    while window := list(islice(remaining, config.window)):
        for passed in _score_window(loaded, window, config):
            if isinstance(passed, SolutionScore):
                done += 1
                yield passed
            else:
                on_progress(Progress("scoring", done + passed, total))
        on_progress(Progress("scoring", done, total))


def log_right(logits: Tensor, *, neutral_is_positive: bool = True) -> Tensor:
    """(steps, 3) logits -> (steps,) log P(right), exact where P(right) is near 1 and near 0 alike."""
    negative, neutral, positive = logits.float().unbind(-1)
    if neutral_is_positive:
        return logsigmoid(torch.logaddexp(neutral, positive) - negative)
    return logsigmoid(positive - torch.logaddexp(negative, neutral))


def solution_score(steps: Sequence[float], aggregate: str = "product") -> float | None:
    """Log score of a solution from its steps' log P(right); None for no steps."""
    if not steps:
        return None
    return AGGREGATES[aggregate](steps)


def _score_window(
    model: RewardModel, window: Sequence[SolutionLike], config: ScoreConfig
) -> Iterator[SolutionScore | int]:
    """Yields the number of solutions passed so far after each forward pass, then the scores in order."""
    encoded = [model.encoder.encode(solution.problem, solution.steps) for solution in window]
    tries = _tries(encoded)
    limit = max(config.tokens_per_pass, model.encoder.max_length)
    pieces = [piece for trie in tries for piece in trie.pieces(limit)]
    logits: dict[Place, Tensor] = {}
    places = sum(len(each.step_ends) for each in encoded)
    for batch in batches(pieces, config.tokens_per_pass):
        with torch.inference_mode(), model.computing_in(config.precision):
            read = model.logits(batch).cpu()  # (marks, 3)
        logits.update(zip(batch.marks, read, strict=True))
        yield len(window) * len(logits) // max(1, places)
    for number, (solution, path) in enumerate(zip(window, encoded, strict=True)):
        rows = [logits[number, step] for step in range(len(path.step_ends))]
        yield _assemble(solution.id, path, rows, config)


def _tries(encoded: Sequence[Encoded]) -> list[Trie[Place]]:
    """One tree for each problem of the window, marked at every step."""
    tries: dict[tuple[int, ...], Trie[Place]] = {}
    for number, path in enumerate(encoded):
        trie = tries.setdefault(path.segments[0], Trie())
        for step, node in enumerate(trie.add(path.segments)[1:]):
            trie.mark(node, (number, step))
    return list(tries.values())


def _assemble(identity: str, path: Encoded, rows: list[Tensor], config: ScoreConfig) -> SolutionScore:
    logits = torch.stack(rows) if rows else torch.empty(0, 3)  # (steps, 3)
    steps = tuple(log_right(logits, neutral_is_positive=config.neutral_is_positive).tolist())
    return SolutionScore(
        id=identity,
        score=solution_score(steps, config.aggregate),
        steps=steps,
        log_probabilities=tuple(tuple(row) for row in log_softmax(logits, dim=-1).tolist()),
        steps_left_out=path.steps_left_out,
        is_truncated=path.problem_shortened or path.steps_left_out > 0,
    )
