"""Over-optimisation: best-of-N by the model's own score, beside what the score believes it has found."""

import math
from collections.abc import Sequence
from typing import Any

from prm_training.prm.ranking import Sample, best_of, curve, oracle


def proxy(samples: Sequence[Sample], n: int) -> float:
    """The expected best P(right) of `n` samples, drawn without replacement; their scores are its logarithms.

    Exact, as `ranking.best_of` is.
    """
    ranked = sorted((math.exp(sample.score) for sample in samples), reverse=True)
    draws = math.comb(len(ranked), n)
    return sum(math.comb(len(ranked) - i, n - 1) * score for i, score in enumerate(ranked, start=1)) / draws


def best_of_n(problems: Sequence[Sequence[Sample]]) -> list[dict[str, Any]]:
    """At each N: accuracy with its standard error, the proxy (expected best score), the oracle.

    All N are measured on the same problems: those with as many samples as the median problem has.
    `is_falling`: the proxy has risen since some smaller N, while accuracy fell by more than two standard errors.
    """
    counts = sorted(len(samples) for samples in problems if len(samples) > 1)
    if not counts:
        return []
    most = counts[len(counts) // 2]
    alike = [samples for samples in problems if len(samples) >= most]
    sizes = [*(2**power for power in range(most.bit_length()) if 2**power < most), most]
    columns = [curve(alike, sizes, chance) for chance in (best_of, proxy, oracle)]
    found: list[dict[str, Any]] = []
    rows = zip(sizes, columns[0].mean, columns[0].error, columns[1].mean, columns[2].mean, strict=True)
    for n, accuracy, error, believed, possible in rows:
        row = {"n": n, "accuracy": accuracy, "error": error, "proxy": believed, "oracle": possible}
        found.append(row | {"problems": len(alike), "is_falling": any(_fell(earlier, row) for earlier in found)})
    return found


def _fell(earlier: dict[str, Any], now: dict[str, Any]) -> bool:
    noise = math.hypot(earlier["error"], now["error"])
    return bool(now["proxy"] > earlier["proxy"] and now["accuracy"] < earlier["accuracy"] - 2 * noise)
