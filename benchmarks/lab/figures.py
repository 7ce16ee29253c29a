"""Means with bootstrap intervals, and the plot of what they say."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

DRAWS = 2000
PERCENTILES = (2.5, 97.5)
STYLES = {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "svg.hashsalt": "stepmark"}


class Estimate(TypedDict):
    """At each N: the mean, and its 95 % interval."""

    mean: list[float]
    low: list[float]
    high: list[float]


def estimate(figures: NDArray[np.float64]) -> Estimate:
    """From (seeds, problems, N) figures, by a bootstrap over the seeds and over the problems of each."""
    seeds, problems, _ = figures.shape
    rng = np.random.default_rng(0)

    def draw() -> NDArray[np.float64]:
        chosen = rng.integers(seeds, size=seeds)
        return np.mean([figures[seed][rng.integers(problems, size=problems)].mean(axis=0) for seed in chosen], axis=0)

    low, high = np.percentile([draw() for _ in range(DRAWS)], PERCENTILES, axis=0)
    return {"mean": figures.mean(axis=(0, 1)).tolist(), "low": low.tolist(), "high": high.tolist()}


def plot(path: Path, numbers: Sequence[int], curves: Mapping[str, Estimate], label: str) -> None:
    """A line for each curve over N, in a band for its interval. The same figures give the same file."""
    with mpl.rc_context(STYLES):
        figure = Figure(figsize=(7, 4.2), layout="constrained")
        axes = figure.add_subplot()
        for title, each in curves.items():
            (line,) = axes.plot(numbers, each["mean"], marker=".", label=title)
            axes.fill_between(numbers, each["low"], each["high"], color=line.get_color(), alpha=0.15, linewidth=0)
        axes.set_xscale("log", base=2)
        axes.set_xticks(numbers, [str(number) for number in numbers])
        axes.set_xlabel("N: solutions sampled for each problem")
        axes.set_ylabel(label)
        axes.grid(alpha=0.2)
        figure.legend(loc="outside right upper", frameon=False)
        figure.savefig(path, metadata={"Date": None})
