"""The metrics of an evaluation, from a reward model's scores: pure functions on plain lists."""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, median, stdev
from typing import Any

import numpy as np

from labeling.rules.intervals import wilson
from prm_training.prm.metrics.evaluate import (
    LogProbabilities,
    ScoredSample,
    best_of,
    calibration,
    difficulty_quintiles,
    first_error,
    majority,
    oracle,
    processbench_f1,
    share_decided_at_the_end,
    step_metrics,
    thresholds_by_fold,
)
from prm_training.prm.metrics.uncertainty import HeldOut, differences, intervals, resampled
from prm_training.prm.trees.data import LabelledTree

Problems = Sequence[Sequence[ScoredSample]]
Chance = Callable[[Sequence[ScoredSample], int], float]  # that the sample chosen out of n is right


def of_held_out(held: Sequence[HeldOut], *, problems: int, labels_left_out: int = 0) -> list[dict[str, Any]]:
    """Each model's metrics on the same labels: `of_steps`, `first_error`, and 95 % `intervals`.

    The last model also has its `differences` from the first, paired by problem. `labels_left_out`: how many labels one
    of them could not read to the end.
    """
    drawn = [resampled(each, problems) for each in held]
    found = []
    for each, again in zip(held, drawn, strict=True):
        metrics = of_steps(each.rows, each.classes)
        metrics["first_error"] = of_first_errors(each.paths, each.first_errors, each.folds)
        metrics["held_out"] |= {
            name: metrics["first_error"][name] for name in ("f1",) if name in metrics["first_error"]
        }
        if "step_auc_by_place" in again and np.isfinite(again["step_auc_by_place"][0]):
            metrics["held_out"]["step_auc_by_place"] = float(again["step_auc_by_place"][0])
        metrics |= {"problems": problems, "labels_left_out": labels_left_out, "intervals": intervals(again)}
        found.append(metrics)
    if len(held) > 1:
        found[-1]["differences"] = differences(drawn[-1], drawn[0])
    return found


def of_steps(rows: Sequence[LogProbabilities], classes: Sequence[int]) -> dict[str, Any]:
    """`held_out` (see `step_metrics`), and `calibration` of P(right), neutral counted as right, with the 95 % interval
    of each bin's frequency."""
    bins = calibration([-math.expm1(row[0]) for row in rows], [actual > 0 for actual in classes])
    shown = [asdict(each) | {"interval": wilson(each.frequency * each.count, each.count)} for each in bins]
    return {"held_out": step_metrics(rows, classes), "calibration": shown}


def chosen_path(tree: LabelledTree) -> tuple[tuple[str, ...], int] | None:
    """The chosen steps, up to the first error, and the place of that (-1: none); None if a rating is missing."""
    steps: list[str] = []
    for step in tree.steps:
        if step.chosen is None:
            return None
        chosen = step.completions[step.chosen]
        steps.append(chosen.text)
        if chosen.rating == -1:
            return tuple(steps), len(steps) - 1
        if chosen.rating is None:
            return None
    return (tuple(steps), -1) if steps else None


def of_first_errors(rows: Sequence[Sequence[float]], actual: Sequence[int], folds: Sequence[int]) -> dict[str, Any]:
    """ProcessBench's metrics. Each of two folds is read with the threshold that is best on the other.

    If all solutions are right, or all wrong, there is no F1: its 0 would let any model pass as equally good.
    """
    if not rows:
        return {}
    thresholds = thresholds_by_fold(rows, actual, folds)
    predicted = [first_error(row, thresholds[fold]) for row, fold in zip(rows, folds, strict=True)]
    at_half = processbench_f1([first_error(row, 0.5) for row in rows], actual)
    erroneous = sum(truth != -1 for truth in actual)
    found = processbench_f1(predicted, actual)
    # F1 is a mean of the accuracies on erroneous and on correct solutions: without one kind there is none.
    if not 0 < erroneous < len(actual):
        del found["f1"], at_half["f1"]
    return {
        **found,
        **({"f1_at_half": at_half["f1"]} if "f1" in at_half else {}),
        "thresholds": list(thresholds),
        "solutions_erroneous": erroneous,
        "solutions_correct": len(actual) - erroneous,
        "decided_at_the_end": share_decided_at_the_end(rows),
    }


def proxy(samples: Sequence[ScoredSample], n: int) -> float:
    """The expected best P(right) of `n` samples, drawn without replacement; their scores are its logarithms.

    Exact, like `evaluate.best_of`.
    """
    ranked = sorted((math.exp(sample.score) for sample in samples), reverse=True)
    draws = math.comb(len(ranked), n)
    return sum(math.comb(len(ranked) - i, n - 1) * score for i, score in enumerate(ranked, start=1)) / draws


def of_choosing(
    problems: Problems, *, name: str = "prm", others: Mapping[str, Problems] | None = None
) -> dict[str, Any]:
    """Best-of-N curves with 95 % intervals over problems, all from the same problems, and by difficulty.

    `problems` are scored by the model being measured, a PRM or an ORM by its `name`; `others`, by name, are the same
    problems with other scores. `proxy` is the accuracy that the scores promise; `falls_at` the first N at which the
    score is being gamed, or None.
    """
    sizes = _sizes(problems)
    if len(sizes) < 2:
        return {}
    most = sizes[-1]
    scored = [problems, *(others or {}).values()]
    enough = [number for number, each in enumerate(zip(*scored, strict=True)) if min(map(len, each)) >= most]
    shared = [problems[number] for number in enough]
    rng = random.Random(0)
    ways: dict[str, Chance] = {
        name: best_of,
        "majority": lambda samples, n: majority(samples, n, rng),
        "oracle": oracle,
    }
    quintiles = [_of_quintile(part, most, ways) for part in difficulty_quintiles(shared) if part]
    drawn = {each: curve(shared, sizes, way) for each, way in (ways | {"proxy": proxy}).items()}
    falls_at = _falls_at(sizes, drawn[name], drawn["proxy"])
    for other, samples in (others or {}).items():
        drawn[other] = curve([samples[number] for number in enough], sizes, best_of)
    number = len(shared)
    curves = {
        way: {"values": found.mean, "intervals": [wilson(min(1.0, mean) * number, number) for mean in found.mean]}
        for way, found in drawn.items()
    }
    return {"problems": len(shared), "sizes": sizes, "curves": curves, "quintiles": quintiles, "falls_at": falls_at}


def _of_quintile(problems: Problems, n: int, ways: Mapping[str, Chance]) -> dict[str, float]:
    """The share of right samples, and how often each way of choosing one of `n` finds a right one."""
    return {
        "problems": len(problems),
        "solved": fmean(sample.is_right for samples in problems for sample in samples),
        **{name: fmean(way(samples, n) for samples in problems) for name, way in ways.items()},
    }


@dataclass(frozen=True)
class Curve:
    """Mean over problems at each size, with the standard error of that mean."""

    mean: list[float]
    error: list[float]


def curve(problems: Problems, sizes: Sequence[int], chance: Chance) -> Curve:
    """`chance(samples, n)` averaged over the problems, each of which has n samples or more."""
    columns = [[chance(samples, n) for samples in problems] for n in sizes]
    errors = [stdev(column) / math.sqrt(len(column)) if len(column) > 1 else 0.0 for column in columns]
    return Curve([fmean(column) if column else 0.0 for column in columns], errors)


def _falls_at(sizes: Sequence[int], accuracy: Curve, believed: Curve) -> int | None:
    """The first N where, since a smaller N, the proxy rose and accuracy fell by over two standard errors; or None."""
    for later, n in enumerate(sizes):
        for earlier in range(later):
            noise = math.hypot(accuracy.error[earlier], accuracy.error[later])
            has_fallen = accuracy.mean[later] < accuracy.mean[earlier] - 2 * noise
            if has_fallen and believed.mean[later] > believed.mean[earlier]:
                return n
    return None


def _sizes(problems: Problems) -> list[int]:
    """The powers of two up to the median number of samples per problem."""
    typical = int(median(map(len, problems))) if problems else 0
    return [1 << power for power in range(typical.bit_length())]
