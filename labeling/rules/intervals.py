"""Computes 95 % intervals: Wilson's for a share, the bootstrap over clusters for anything else (pure).

Items that belong together (all labels of a problem, all steps of a task) are right or wrong together, so they are
resampled together.
"""

from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

Interval = tuple[float, float]
RESAMPLES = 1000
AT_ONCE = 4_000_000  # weights of items in memory
Z = NormalDist().inv_cdf(0.975)


def wilson(hits: float, tries: int) -> Interval:
    """Wilson's 95 % interval of a share: centre ± margin (Wilson 1927). From 0 to 1 without any trials.

    It is conservative for a mean of shares, which varies less than all or nothing.
    """
    if tries == 0:
        return 0.0, 1.0
    share, scale = hits / tries, 1 + Z**2 / tries
    centre = (share + Z**2 / (2 * tries)) / scale
    margin = Z / scale * (share * (1 - share) / tries + Z**2 / (4 * tries**2)) ** 0.5
    return max(0.0, centre - margin), min(1.0, centre + margin)


def weights(clusters: int) -> NDArray[Any]:
    """Returns (1 + RESAMPLES, clusters): how often each cluster counts. The first row is the sample itself, each once;
    the others are Poisson draws (Hanley & MacGibbon 2006), the same on every call.
    """
    return _drawn(1 << max(0, clusters - 1).bit_length())[:, :clusters].astype(float)


@lru_cache(maxsize=4)
def _drawn(clusters: int) -> NDArray[Any]:
    """Returns `weights` of as many clusters, a power of two. Columns are independent, so the first ones are a draw for
    fewer clusters, and few sizes need to be kept.
    """
    again = np.random.default_rng(0).poisson(1, (RESAMPLES, clusters))
    return np.vstack([np.ones((1, clusters)), again]).astype(np.uint8)


def per_cluster(values: NDArray[Any], cluster: NDArray[Any], clusters: int) -> NDArray[Any]:
    """Sums the rows of `values` by cluster: (items, ...) -> (clusters, ...)."""
    sums = np.zeros((clusters, *values.shape[1:]))
    np.add.at(sums, cluster, values)
    return sums


def ratio(above: NDArray[Any], below: NDArray[Any]) -> NDArray[Any]:
    """Divides; NaN where the divisor is 0, as in a resample without such a value."""
    found: NDArray[Any] = np.divide(above, below, out=np.full(np.shape(below), np.nan), where=below != 0)
    return found


def auc(scores: NDArray[Any], outcomes: NDArray[Any], cluster: NDArray[Any], drawn: NDArray[Any]) -> NDArray[Any]:
    """Returns (1 + resamples,): the chance that a true outcome has a higher score than a false one, ties counting half.

    Each item counts as often as its cluster in the rows of `drawn`. NaN where one of the outcomes is missing.
    """
    order = np.argsort(scores, kind="stable")
    levels = np.flatnonzero(np.diff(scores[order], prepend=-np.inf))  # where equal scores begin
    is_true, cluster = outcomes[order], cluster[order]
    found = []
    # Some resamples at a time: a weight for each label in each of them would not fit into memory.
    for some in np.array_split(drawn, 1 + drawn.shape[0] * len(scores) // AT_ONCE):
        counts = some[:, cluster]  # (some resamples, items)
        trues = np.add.reduceat(counts * is_true, levels, axis=1)
        falses = np.add.reduceat(counts * ~is_true, levels, axis=1)
        # Level by level, from the lowest score: a true outcome wins against all false ones below it, and against half
        # of those at its own level.
        won = (trues * (falses.cumsum(1) - falses / 2)).sum(1)
        found.append(ratio(won, trues.sum(1) * falses.sum(1)))
    return np.concatenate(found)


def auc_either_way(
    scores: NDArray[Any], outcomes: NDArray[Any], cluster: NDArray[Any], drawn: NDArray[Any]
) -> NDArray[Any]:
    """The larger of `auc` by the scores and by their negatives: for a baseline such as length alone."""
    found = auc(scores, outcomes, cluster, drawn)
    return 1 - found if found[0] < 0.5 else found


def around(values: NDArray[Any], *, low: float = 0.0, high: float = 1.0) -> Interval | None:
    """The metric ± 1.96 standard errors, clipped to its range, from the value of the sample followed by those of its
    resamples.

    None if the sample or most resamples lack the metric, or if all are equal, which is no certainty. No percentiles:
    those of a calibration error, which noise only raises, may exclude the metric itself.
    """
    again = values[1:][np.isfinite(values[1:])]
    if not np.isfinite(values[0]) or len(again) <= len(values) / 2:
        return None
    reach = Z * float(again.std(ddof=1))
    if reach < 1e-9:
        return None
    return max(low, float(values[0]) - reach), min(high, float(values[0]) + reach)
