"""Means with bootstrap intervals, and their plots."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypedDict

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from labeling.rules.intervals import Z

DRAWS = 2000
PERCENTILES = (2.5, 97.5)
EQUAL_QUALITY, SLOPES = EFFICIENCIES = ("labels, at equal quality", "slopes")
SMALLEST_SLOPE = 1e-3
STYLES: Any = {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "svg.hashsalt": "stepmark"}


class Estimate(TypedDict):
    """The mean at each N, with its 95 % interval."""

    mean: list[float]
    low: list[float]
    high: list[float]


def estimate(figures: NDArray[np.float64]) -> Estimate:
    """Averages (seeds, problems, points) figures over seeds and problems."""
    return bootstrapped([figures], lambda each: each)


def efficiency(
    policy: NDArray[np.float64],
    uniform: NDArray[np.float64],
    labels: Sequence[float],
    uniform_labels: Sequence[float],
    how: str,
) -> Estimate:
    """Returns how many uniform labels one of the policy's is worth, from (seeds, problems, budgets) figures."""
    logs, uniform_logs = np.log2(labels), np.log2(uniform_labels)

    def slopes(own: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
        slope, least = np.polyfit(logs, own, 1)[0], np.polyfit(uniform_logs, others, 1)[0]
        return np.array([slope / max(least, SMALLEST_SLOPE)])

    def equal_quality(own: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
        """Compares at the best quality that both reached, on non-decreasing curves, to smooth out one budget's luck."""
        rising, uniform_rising = never_falling(own), never_falling(others)
        level = min(rising[-1], uniform_rising[-1])
        return np.array([2 ** (reached(level, uniform_rising, uniform_logs) - reached(level, rising, logs))])

    return bootstrapped([policy, uniform], {EQUAL_QUALITY: equal_quality, SLOPES: slopes}[how])


def reached(level: float, rising: NDArray[np.float64], logs: NDArray[np.float64]) -> float:
    """Returns where the curve, interpolated linearly, first reaches the level."""
    at = int(np.searchsorted(rising, level))
    return float(logs[0] if at == 0 else np.interp(level, rising[at - 1 : at + 1], logs[at - 1 : at + 1]))


def never_falling(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the closest non-decreasing sequence by least squares (pool adjacent violators)."""
    blocks: list[list[float]] = []
    for value in values:
        blocks.append([value])
        while len(blocks) > 1 and np.mean(blocks[-2]) > np.mean(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    return np.concatenate([np.full(len(block), np.mean(block)) for block in blocks])


def bootstrapped(figures: Sequence[NDArray[np.float64]], of: Callable[..., NDArray[np.float64]]) -> Estimate:
    """Applies `of` to the means of (seeds, problems, points) figures, with a 95 % interval by drawing seeds, and the
    problems of each, with replacement; the same for all figures.
    """
    seeds, problems, points = figures[0].shape
    weights = _weights(seeds, problems)
    drawn = [weights @ each.reshape(seeds * problems, points) for each in figures]  # (draws, points) each
    low, high = np.percentile([of(*means) for means in zip(*drawn, strict=True)], PERCENTILES, axis=0)
    mean = of(*(each.mean(axis=(0, 1)) for each in figures))
    return {"mean": mean.tolist(), "low": low.tolist(), "high": high.tolist()}


@lru_cache(maxsize=1)  # all estimates of an experiment ask for the same draws
def _weights(seeds: int, problems: int) -> NDArray[np.float64]:
    """Returns how much each problem of each seed counts in each draw: (draws, seeds * problems)."""
    rng = np.random.default_rng(0)
    found = np.zeros((DRAWS, seeds, problems))
    for draw in found:
        for seed in rng.choice(np.arange(seeds), size=seeds):
            draw[seed] += np.bincount(rng.integers(problems, size=problems), minlength=problems)
    return found.reshape(DRAWS, -1) / (seeds * problems)


def of_resamples(figures: NDArray[np.float64]) -> Estimate:
    """Returns means ± 1.96 standard errors of (seeds, 1 + resamples, points) figures: each seed's own, then those of
    its resamples, which all seeds share. Seeds, too, are drawn with replacement in each resample.

    No percentiles: an F1 that chooses its threshold anew on each resample is lower there than in the sample.
    """
    seeds, draws, _ = figures.shape
    rng = np.random.default_rng(0)
    again = [figures[rng.integers(seeds, size=seeds), draw].mean(axis=0) for draw in range(1, draws)]
    mean, reach = figures[:, 0].mean(axis=0), Z * np.std(again, axis=0, ddof=1)
    return {"mean": mean.tolist(), "low": (mean - reach).tolist(), "high": (mean + reach).tolist()}


Curves = Mapping[str, tuple[Sequence[float], Estimate]]


def plot(path: Path, panels: Mapping[str, Curves], x: str, ticks: Sequence[int], *, has_bands: bool = True) -> None:
    """Plots each measure in a panel, with a line for each curve and, if it `has_bands`, a band for its interval.
    The same figures give the same file.
    """
    with mpl.rc_context(STYLES):
        figure = Figure(figsize=(4 + 4 * len(panels), 4), layout="constrained")
        for axes, (y, curves) in zip(np.ravel(figure.subplots(1, len(panels))), panels.items(), strict=True):
            for title, (places, each) in curves.items():
                (line,) = axes.plot(places, each["mean"], marker=".", label=title)
                if has_bands:
                    axes.fill_between(
                        places, each["low"], each["high"], color=line.get_color(), alpha=0.15, linewidth=0
                    )
            axes.set_xscale("log", base=2)
            axes.set_xticks(ticks, [f"{number:,}" for number in ticks])
            axes.set_xlabel(x)
            axes.set_ylabel(y)
            axes.grid(alpha=0.2)
        figure.legend(*axes.get_legend_handles_labels(), loc="outside right upper", frameon=False)
        figure.savefig(path, metadata={"Date": None})
