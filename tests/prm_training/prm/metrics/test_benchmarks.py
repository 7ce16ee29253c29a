"""The benchmarks' numbers against their definitions, and their intervals."""

from __future__ import annotations

import random

import pytest

from prm_training.prm.metrics import benchmarks
from prm_training.prm.metrics.benchmarks import Subset
from prm_training.prm.metrics.evaluate import first_error, processbench_f1


def drawn(seed: int, size: int = 60) -> Subset:
    """Draws solutions, three of each problem, most of them judged rightly."""
    rng, subset = random.Random(seed), Subset()
    for number in range(size):
        wrong = [rng.randrange(4)] if rng.random() < 0.6 else []
        row = [rng.uniform(0, 0.7) if step in wrong else rng.uniform(0.3, 1) for step in range(4)]
        subset.add(f"{seed}: problem {number // 3}", row, wrong)
    return subset


def test_a_subset_is_measured_whole() -> None:
    subset = drawn(1)
    found, average = benchmarks.processbench([subset], 0.6)
    by_hand = processbench_f1([first_error(row, 0.6) for row in subset.rows], subset.first_errors)
    assert {name: found[name] for name in by_hand} == pytest.approx(by_hand)
    assert (found["solutions"], found["problems"], found["threshold"]) == (60, 20, 0.6)
    low, high = found["intervals"]["f1"]
    assert low < found["f1"] < high
    assert average["f1"] == found["f1"]


def test_the_average_has_a_narrower_interval_than_its_parts() -> None:
    *parts, average = benchmarks.processbench([drawn(seed) for seed in range(4)])
    assert average["f1"] == pytest.approx(sum(part["f1"] for part in parts) / 4)
    widths = [high - low for low, high in (each["intervals"]["f1"] for each in (*parts, average))]
    assert widths[-1] < min(widths[:-1])


def test_a_problem_that_two_subsets_share_is_drawn_in_both() -> None:
    same, other = drawn(1), drawn(2)
    *_, twice = benchmarks.processbench([same, same])
    (once, *_), (*_, two) = benchmarks.processbench([same]), benchmarks.processbench([same, other])
    assert twice["intervals"]["f1"] == pytest.approx(once["intervals"]["f1"])
    assert twice["intervals"]["f1"] != pytest.approx(two["intervals"]["f1"])


def test_without_wrong_solutions_there_is_no_f1() -> None:
    subset = Subset(["p", "q"], [[0.9], [0.2]], [[], []])
    found, average = benchmarks.processbench([subset])
    assert (found["correct"], "f1" in found, "f1" in average) == (0.5, False, False)


def test_prmbench_counts_every_step() -> None:
    kinds = {
        "circular": Subset(["p"], [[0.9, 0.2, 0.8, 0.1]], [[1, 2]]),
        "multi_solutions": Subset(["q"], [[0.9, 0.3]], [[]]),
    }
    found = benchmarks.prmbench(kinds)
    # Right steps: 0.9, 0.1 | 0.9, 0.3, of which two are taken for right; wrong ones: 0.2, 0.8, one taken for wrong.
    f1, negative = 2 * 2 / (2 * 2 + 2 + 1), 2 * 1 / (2 * 1 + 2 + 1)
    assert (found["f1"], found["negative_f1"]) == (pytest.approx(f1), pytest.approx(negative))
    assert found["score"] == pytest.approx((f1 + negative) / 2)
    assert found["steps"] == 6
    assert found["kinds"]["multi_solutions"]["f1"] == pytest.approx(2 / 3)
