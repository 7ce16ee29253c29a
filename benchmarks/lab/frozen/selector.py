"""Experiment 2 with a frozen selector: do convincing wrong answers teach more, or any wrong answers?

As in section 4.2 of the paper, one PRM trained on few labels selects for every arm and is never retrained. Each arm
adds the same budgets of labels to those. The arms differ only in what they select; their models are trained alike. Each
cell (seed, arm, training) is stored when it ends, and a stopped run resumes with the next.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from functools import cache, cached_property, partial
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.lab import figures, label_efficiency
from benchmarks.lab.best_of_n import scored, tree
from benchmarks.lab.label_efficiency import Lab, Pooled, labels_of, rated
from benchmarks.lab.measured import Found, Work, rounded
from labeling.rules.words import Policy
from prm_training.prm import train as training
from prm_training.selection.rules import Rule, is_uncertain, pick_for

Array = NDArray[np.float64]
UNIFORM, START = "uniform", "start"
ARMS = {
    UNIFORM: "uniform",
    "whole pool": "whole_pool",
    "within problem": "convincing",
    "as many wrong, at random": "random_wrong",
    "ActPRM": "actprm",
}
POINTS = 4  # at which arms are compared by time


@dataclass(frozen=True)
class Settings(label_efficiency.Settings):
    """Each model is trained `trainings` times. The selector has an ensemble of `heads`. A labelling takes
    `task_seconds` to read the problem and `step_seconds` for each step that is rated: assumed, not measured.
    """

    train_problems: int = 300
    pooled: int = 64
    budgets: tuple[int, ...] = (100, 200, 400, 800)
    trainings: int = 3
    heads: int = 8
    task_seconds: float = 20.0
    step_seconds: float = 12.0


QUICK = Settings(**vars(label_efficiency.QUICK) | {"pooled": 8, "budgets": (60, 120, 240)}, trainings=2, heads=2)


class Frozen(Lab):
    """One seed, with its selector's scores of the whole pool."""

    settings: Settings

    @cached_property
    def candidates(self) -> list[Pooled]:
        return [Pooled(number, *pair, rated(pair[1], 0.0, number)) for number, pair in enumerate(self.exact)]

    @cached_property
    def start(self) -> list[Pooled]:
        """Returns the uniform batch that the selector learns from."""
        return self._spend([], UNIFORM, self.settings.budgets[0], [0.0] * len(self.candidates), set())

    @cached_property
    def said(self) -> tuple[list[float], set[int]]:
        """Returns the selector's score of each candidate, and the indices of those that its ensemble is unsure of."""
        with TemporaryDirectory() as folder:
            model = self._trained(self.start, Path(folder), 0, heads=self.settings.heads)
            scores = [each for row in scored(model, self.train, self.pool) for each in row]
        pairs = zip(self.candidates, (each.certainty for each in scores), strict=True)
        unsure = {one.number for one, sure in pairs if sure is None or is_uncertain(*astuple(sure))}
        return [each.score or 0.0 for each in scores], unsure

    def cell(self, arm: str, number: int) -> Found:
        """Measures one training of an arm at each budget above the start's; START only at its own."""
        if arm == START:
            return {"budgets": [self._measure(self.start, number)]}
        scores, unsure = self.said
        labelled, rows = self.start, []
        for budget in self.settings.budgets[1:]:
            labelled = [*labelled, *self._spend(labelled, ARMS[arm], budget, scores, unsure)]
            rows.append(self._measure(labelled, number))
        return {"unsure": len(unsure) / len(self.candidates), "budgets": rows}

    def _spend(
        self, labelled: Sequence[Pooled], policy: str, budget: int, scores: Sequence[float], unsure: set[int]
    ) -> list[Pooled]:
        """Picks, by the product's own rule, the smallest batch that brings the labels up to the budget."""
        known, asks = {each.number for each in labelled}, Policy(policy).traits.asks_ensemble
        left = [
            one.candidate(score)
            for one, score in zip(self.candidates, scores, strict=True)
            if one.number not in known and (one.number in unsure or not asks)
        ]
        rule = Rule(policy, 1, 1 if Policy(policy).traits.by_problem else None, seed=self.seed)
        found = self.candidates
        picks = pick_for(
            budget - labels_of(labelled), left, rule, lambda each: len(found[each.solution_id.int].ratings)
        )
        return [found[each.solution_id.int] for each in picks]

    def _measure(self, labelled: Sequence[Pooled], number: int) -> Found:
        labels, settings = labels_of(labelled), self.settings
        with TemporaryDirectory() as folder:
            measured = self._measured(self._trained(labelled, Path(folder), number))
        return {
            "labels": labels,
            "seconds": len(labelled) * settings.task_seconds + labels * settings.step_seconds,
            "wrong": fmean(not one.solution.is_right for one in labelled),
            **measured,
        }

    def _trained(self, labelled: Sequence[Pooled], folder: Path, number: int, heads: int = 0) -> Path:
        trees = [tree(one.problem, one.solution, one.ratings) for one in labelled]
        config = replace(self.settings.training(self.seed + 1000 * number), heads=heads)
        return training.train(trees, self.base, folder, config).model_dir


def measure(seed: int, settings: Settings, work: Work) -> Found:
    """Returns the cells of each arm, measuring each on first use."""
    lab = cache(lambda: Frozen(seed, settings, work))

    def cell(arm: str, number: int) -> Found:
        work.say(f"seed {seed}: {arm}, training {number + 1}")
        return lab().cell(arm, number)

    return {
        arm: [
            work.once(f"frozen-seed-{seed}-{arm}-{number}", settings, partial(cell, arm, number))
            for number in range(settings.trainings)
        ]
        for arm in (START, *ARMS)
    }


def summary(measured: Sequence[Found], settings: Settings) -> Found:
    """Returns each arm by labels and by time, and its lead over the uniform choice, paired by seed and problem."""
    by_labels = {measure: {arm: _cube(measured, arm, measure) for arm in ARMS} for measure in ("best of N", "f1")}
    seconds = {arm: _cube(measured, arm, "seconds")[:, 0] for arm in ARMS}  # (seeds, budgets)
    low, high = (pick(each[:, at] for each in seconds.values()) for pick, at in ((_most, 0), (_least, -1)))
    points = np.geomspace(low, high, POINTS)
    by_time = {
        measure: {arm: at_times(cube, seconds[arm], points) for arm, cube in cubes.items()}
        for measure, cubes in by_labels.items()
    }
    return {
        "N": settings.samples,
        "seconds": sum(cell["seconds"] for each in measured for cells in each.values() for cell in cells),
        "labels": {arm: _cube(measured, arm, "labels").mean(axis=(0, 1)).tolist() for arm in ARMS},
        "wrong": {arm: _cube(measured, arm, "wrong").mean(axis=(0, 1)).tolist() for arm in ARMS},
        "unsure": fmean(cell["unsure"] for each in measured for cell in each["ActPRM"]),
        "minutes": (points / 60).tolist(),
        "between trainings": {arm: _spread(measured, arm) for arm in ARMS},
        "by labels": {measure: _estimated(cubes) for measure, cubes in by_labels.items()},
        "by time": {measure: _estimated(cubes) for measure, cubes in by_time.items()},
    }


def at_times(cube: Array, seconds: Array, points: Array) -> Array:
    """Interpolates (seeds, problems, budgets) figures at (seeds, budgets) seconds -> (seeds, problems, points), linear
    in the logarithm of time.
    """
    return np.array(
        [
            [np.interp(np.log(points), np.log(times), row) for row in rows]
            for rows, times in zip(cube, seconds, strict=True)
        ]
    )


def _cube(measured: Sequence[Found], arm: str, what: str) -> Array:
    """Returns (seeds, problems, budgets), averaged over trainings; a figure without problems has one row."""
    return np.array([np.mean([_rows(each, arm, number, what) for number in _of(each)], axis=0) for each in measured])


def _rows(of_seed: Found, arm: str, number: int, what: str) -> Array:
    """Returns (problems, budgets) of one training, beginning with the start's."""
    rows = [*of_seed[START][number]["budgets"], *of_seed[arm][number]["budgets"]]
    return np.array([np.atleast_1d(row[what]) for row in rows]).T


def _of(of_seed: Found) -> range:
    return range(len(of_seed[START]))


def _spread(measured: Sequence[Found], arm: str) -> float:
    """Returns the standard deviation of best-of-N at the largest budget between trainings on the same labels."""
    last = [[_rows(each, arm, number, "best of N")[:, -1].mean() for number in _of(each)] for each in measured]
    return float(np.sqrt(np.mean(np.var(last, axis=1, ddof=1))))


def _estimated(cubes: dict[str, Array]) -> dict[str, Any]:
    return {
        arm: {
            "each": rounded(figures.estimate(cube)),
            "above uniform": rounded(figures.estimate(cube - cubes[UNIFORM])),
        }
        for arm, cube in cubes.items()
    }


def _most(arrays: Any) -> float:
    return float(max(each.max() for each in arrays))


def _least(arrays: Any) -> float:
    return float(min(each.min() for each in arrays))
