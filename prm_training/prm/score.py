"""Step probabilities and solution scores, streamed: a window of solutions at a time, whatever their number."""

import hashlib
import math
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice
from operator import itemgetter
from pathlib import Path
from statistics import fmean
from typing import Literal

import torch
from torch import Tensor
from torch.nn.functional import log_softmax, logsigmoid

from prm_training.prm import model as models
from prm_training.prm import parallel
from prm_training.prm.acts import OnProgress, Progress, check, ignore
from prm_training.prm.data import Solution
from prm_training.prm.encoding import Encoded, Ids, Segments
from prm_training.prm.evaluate import LogProbabilities
from prm_training.prm.model import RewardModel
from prm_training.prm.packing import Trie, batches

AGGREGATES: dict[str, Callable[[Sequence[float]], float]] = {
    "product": sum,
    "minimum": min,
    "mean": fmean,
    "last": itemgetter(-1),
}


@dataclass(frozen=True)
class ScoreConfig:
    """A step is right with P(positive), plus P(neutral) where `neutral_is_positive`; the solution's score is the
    product over its steps, their minimum, their geometric mean or the last one. `tokens_per_pass` bounds memory,
    `window` the solutions in flight."""

    aggregate: Literal["product", "minimum", "mean", "last"] = "product"
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

    @property
    def probabilities(self) -> list[float]:
        """P(right) of each step that was read."""
        return [math.exp(step) for step in self.steps]


class ScoreCache:
    """Logits that were computed before, in a file: a pool is scored once per model, however often it is asked for.

    Safe to share between processes. Raises sqlite3.Error for a file that is no database.
    """

    def __init__(self, path: str | Path) -> None:
        self._database = sqlite3.connect(path, timeout=60)
        self._database.execute("CREATE TABLE IF NOT EXISTS logits (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID")

    def find(self, model: bytes, paths: Iterable[Segments]) -> dict[Segments, Tensor]:
        """(steps, 3) fp32 of each path that is there; `model` is a fingerprint."""
        sought = "SELECT value FROM logits WHERE key = ?"
        rows = ((path, self._database.execute(sought, (_key(model, path),)).fetchone()) for path in paths)
        return {path: torch.frombuffer(bytearray(row[0]), dtype=torch.float32).view(-1, 3) for path, row in rows if row}

    def keep(self, model: bytes, found: Mapping[Segments, Tensor]) -> None:
        """Add (steps, 3) fp32 logits."""
        rows = [(_key(model, path), logits.numpy().tobytes()) for path, logits in found.items() if len(logits)]
        with self._database:
            self._database.executemany("INSERT OR IGNORE INTO logits VALUES (?, ?)", rows)


def fingerprint(model: RewardModel) -> bytes:
    """Equal for equal weights, architecture and precision, wherever the model lies."""
    found = hashlib.sha256(f"{model.precision} {model.network.config.to_json_string()}".encode())
    for name, tensor in sorted(model.network.state_dict().items()):
        found.update(name.encode())
        found.update(tensor.cpu().flatten().view(torch.uint8).numpy())
    return found.digest()


def _key(model: bytes, path: Segments) -> bytes:
    """The token ids say what the text is and how it was encoded."""
    return hashlib.sha256(model + repr(path).encode()).digest()


def score_solutions(  # noqa: PLR0913
    model: RewardModel | str | Path,
    solutions: Iterable[Solution],
    config: ScoreConfig | None = None,
    on_progress: OnProgress = ignore,
    *,
    total: int = 0,
    cache: ScoreCache | None = None,
) -> Iterator[SolutionScore]:
    """Score `solutions` in the order they come; `total`, if known, is only passed on to `on_progress`.

    Solutions of one problem share their common prefixes when they come close together. Scores do not depend on what
    else is scored. What `cache` holds is not computed again. Raises whatever `on_progress` raises.
    """
    config = config or ScoreConfig()
    model = model if isinstance(model, RewardModel) else models.load(model)
    key = fingerprint(model) if cache else b""
    remaining, done = iter(solutions), 0
    while window := list(islice(remaining, config.window * parallel.state().num_processes)):
        encoded = [model.encoder.encode(each.problem, each.steps) for each in window]
        paths = {each.segments: None for each in encoded}  # each once, in order
        known = _known_to_all(cache.find(key, paths) if cache else {}, paths)
        missing = [path for path in paths if path not in known]
        lengths = [len(path) - 1 for path in missing]
        tell = _telling(on_progress, done, total, share=len(window) / max(1, sum(lengths)))
        rows = _read(model, missing, config.tokens_per_pass, tell)  # (steps of all, 3)
        new = dict(zip(missing, rows.split(lengths), strict=True))
        if cache and parallel.state().is_main_process:
            cache.keep(key, new)
        done += len(window)
        logits = known | new
        for solution, path in zip(window, encoded, strict=True):
            yield _score(solution.id, path, logits[path.segments], config)
        parallel.tell(on_progress, Progress("scoring", done, total))


def _known_to_all(known: dict[Segments, Tensor], paths: Iterable[Segments]) -> dict[Segments, Tensor]:
    """What every process found: some may have looked a moment earlier, and all must compute the same."""
    if parallel.state().num_processes == 1:
        return known
    finders = parallel.total([path in known for path in paths])
    each = zip(paths, finders, strict=True)
    return {path: known[path] for path, found in each if found == parallel.state().num_processes}


def _telling(on_progress: OnProgress, done: int, total: int, *, share: float) -> Callable[[int], None]:
    """From steps of a window to solutions of all: a step is so large a `share` of one."""
    return lambda steps: parallel.tell(on_progress, Progress("scoring", done + int(steps * share), total))


def _read(model: RewardModel, paths: list[Segments], tokens: int, tell: Callable[[int], None]) -> Tensor:
    """(steps, 3) logits of all steps, path by path."""
    tries: defaultdict[Ids, Trie[int]] = defaultdict(Trie)  # one for each problem, marked with the steps' places
    places = count()
    for path in paths:
        for node in tries[path[0]].add(path)[1:]:
            node.marks.append(next(places))
    limit = max(tokens, model.encoder.max_length)
    pieces = (piece for trie in tries.values() for piece in trie.pieces(limit) if piece.marks)
    passes = list(batches(pieces, tokens))
    rows = torch.empty(next(places), 3)
    rows[[place for each in passes for place in each.marks]] = models.read(model, passes, tell)
    return rows


def log_right(logits: Tensor, *, neutral_is_positive: bool = True) -> Tensor:
    """(steps, 3) logits -> (steps,) log P(right), exact where P(right) is near 1 and near 0 alike."""
    negative, neutral, positive = logits.float().unbind(-1)
    if neutral_is_positive:
        return logsigmoid(torch.logaddexp(neutral, positive) - negative)
    return logsigmoid(positive - torch.logaddexp(negative, neutral))


def _score(identity: str, path: Encoded, logits: Tensor, config: ScoreConfig) -> SolutionScore:
    """From the (steps, 3) logits of a solution's path."""
    steps = log_right(logits, neutral_is_positive=config.neutral_is_positive).tolist()
    return SolutionScore(
        id=identity,
        score=AGGREGATES[config.aggregate](steps) if steps else None,
        steps=tuple(steps),
        log_probabilities=tuple(tuple(row) for row in log_softmax(logits, dim=-1).tolist()),
        steps_left_out=path.steps_left_out,
        is_truncated=path.problem_shortened or path.steps_left_out > 0,
    )
