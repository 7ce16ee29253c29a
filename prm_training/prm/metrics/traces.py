"""Computes how well a model judges agents' traces, as AgentProcessBench and Who&When define it, with 95 % intervals
over problems, beside what length, position and a constant give.

- `step_accuracy`: the share of labelled steps that are judged as people judged them, over all steps (micro).
- `step_auc`: the chance that a wrong step is less probable than another one, over all labelled steps that were read.
- `first_error_accuracy`: the share of traces whose first wrong step is found exactly, or in which none is found if
  there is none.
- `mistake_accuracy`: of failed traces, the share whose least probable step is the one that people blame; and
  `agent_accuracy`, the share in which it is the blamed agent's (Who&When's step and agent accuracy).
- `result_accuracy`: the share of traces with a verdict that agrees with whether every step is judged right.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labeling.rules.intervals import around, auc, per_cluster, ratio, weights
from prm_training.prm.metrics.evaluate import first_error

HALF = 0.5


@dataclass(frozen=True)
class JudgedTrace:
    """A trace as people judged it and a model reads it; `row` is P(right) of each step that was read.

    `ratings` are those of its steps: -1 wrong, else right, None without a label. `agents` and `lengths` (characters)
    are those of its steps. `blamed` is the step that people blame, from 0; None if there is none, or nobody said.
    """

    problem: str
    row: Sequence[float]
    ratings: Sequence[int | None]
    lengths: Sequence[int]
    agents: Sequence[str]
    blamed: int | None = None
    is_right: bool | None = None

    @property
    def first_error(self) -> int:
        return next((step for step, rating in enumerate(self.ratings) if rating == -1), -1)


Judge = Callable[[JudgedTrace], Sequence[float]]  # P(right) of each step
# Judges without a model: longer steps, or later ones, are less probable; or all are equally probable.
BASELINES: dict[str, Judge] = {
    "length": lambda trace: [1 / (1 + length) for length in trace.lengths],
    "position": lambda trace: [1 / (1 + step) for step in range(len(trace.lengths))],
    "constant": lambda trace: [1.0] * len(trace.lengths),
}


def of_traces(traces: Sequence[JudgedTrace], threshold: float = HALF) -> dict[str, Any]:
    """The metrics of the model and, by name, of each baseline; those that the sample lacks are left out.

    A baseline's threshold is its best one on these traces, so that the baseline is never underrated.
    """
    found = _metrics(traces, lambda trace: trace.row, threshold, has_auc=True)
    beside = {name: _best(traces, judge) for name, judge in BASELINES.items()}
    problems = len({trace.problem for trace in traces})
    steps = sum(rating is not None for trace in traces for rating in trace.ratings)
    size = {"traces": len(traces), "problems": problems, "steps": steps, "threshold": threshold}
    return found | size | {"baselines": beside}


def _best(traces: Sequence[JudgedTrace], judge: Judge) -> dict[str, Any]:
    values = np.unique([value for trace in traces for value in judge(trace)])
    candidates = [*np.quantile(values, np.linspace(0, 1, 21)), values.max() + 1]  # the last one finds all wrong
    scores = [_metrics(traces, judge, float(each)).get("step_accuracy", 0.0) for each in candidates]
    return _metrics(traces, judge, float(candidates[scores.index(max(scores))]), has_auc=True)


def _metrics(traces: Sequence[JudgedTrace], judge: Judge, threshold: float, *, has_auc: bool = False) -> dict[str, Any]:
    number = {problem: place for place, problem in enumerate(dict.fromkeys(trace.problem for trace in traces))}
    places = np.array([number[trace.problem] for trace in traces], int)
    times = weights(len(number))
    sums = {"step_auc": _step_auc(traces, judge, places, times)} if has_auc else {}
    for name in ("step", "first_error", "mistake", "agent", "result"):
        pairs = np.array([_hits(trace, judge(trace), threshold)[name] for trace in traces], float)  # hits, tries
        hits, tries = (times @ per_cluster(pairs[:, column], places, len(number)) for column in (0, 1))
        sums[f"{name}_accuracy"] = ratio(hits, tries)
    values = {name: float(each[0]) for name, each in sums.items() if np.isfinite(each[0])}
    return values | {"intervals": {name: ends for name, each in sums.items() if (ends := around(each))}}


def _step_auc(traces: Sequence[JudgedTrace], judge: Judge, places: NDArray[Any], times: NDArray[Any]) -> NDArray[Any]:
    labelled = [
        (right, rating != -1, place)
        for trace, place in zip(traces, places, strict=True)
        for right, rating in zip(judge(trace), trace.ratings, strict=False)
        if rating is not None
    ]
    columns = np.array(labelled, float).reshape(-1, 3)
    is_right, problem = columns[:, 1] == 1, columns[:, 2].astype(int)
    return auc(columns[:, 0], is_right, problem, times) if labelled else np.full(len(times), np.nan)


def _hits(trace: JudgedTrace, row: Sequence[float], threshold: float) -> dict[str, tuple[float, float]]:
    """Returns (hits, tries) by metric. A step beyond the length limit is judged neither right nor wrong."""
    judged = [
        (right >= threshold) == (rating != -1)
        for right, rating in zip(row, trace.ratings, strict=False)
        if rating is not None
    ]
    labelled = sum(rating is not None for rating in trace.ratings)
    has_blame = trace.blamed is not None and bool(row)
    suspects = _least(row) if has_blame else []
    blamed = trace.agents[trace.blamed] if trace.blamed is not None else ""
    by_agent = [trace.agents[step] == blamed for step in suspects]
    has_result = trace.is_right is not None
    all_right = len(row) == len(trace.lengths) and first_error(row, threshold) == -1
    return {
        "step": (sum(judged), labelled),
        "first_error": (first_error(row, threshold) == trace.first_error, labelled > 0),
        "mistake": (_share_of_hits(step == trace.blamed for step in suspects), has_blame),
        "agent": (_share_of_hits(by_agent) if blamed else 0, has_blame and bool(blamed)),
        "result": (has_result and all_right == trace.is_right, has_result),
    }


def _least(row: Sequence[float]) -> list[int]:
    """The least probable steps: several, if they are equally so."""
    return [step for step, right in enumerate(row) if right == min(row)]


def _share_of_hits(hits: Sequence[bool] | Iterator[bool]) -> float:
    """The share of hits, which is the chance that a random choice among equals hits."""
    found = list(hits)
    return sum(found) / len(found) if found else 0.0
