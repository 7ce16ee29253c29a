"""labeling.rules.intervals: confidence intervals."""

import numpy as np
import pytest

from labeling.rules import intervals


@pytest.mark.parametrize(
    ("hits", "tries", "low", "high"),
    [(0, 0, 0, 1), (0, 10, 0, 0.2775), (10, 10, 0.7225, 1), (8, 10, 0.4902, 0.9433), (80, 100, 0.7112, 0.8666)],
)
def test_wilsons_interval(hits, tries, low, high):
    """Expected values are from published tables of Wilson's formula."""
    assert intervals.wilson(hits, tries) == pytest.approx((low, high), abs=5e-5)


def mean(values):
    drawn = intervals.weights(len(values))
    return intervals.ratio(drawn @ np.array(values, float), drawn.sum(1))


def test_the_first_row_is_the_sample_and_the_draws_are_the_same_each_time():
    drawn = intervals.weights(5)
    assert drawn.shape == (1 + intervals.RESAMPLES, 5)
    assert drawn[0].tolist() == [1] * 5
    assert drawn[1:].mean() == pytest.approx(1, abs=0.05)
    assert (drawn == intervals.weights(5)).all()


def test_the_standard_error_of_a_mean():
    """Expects the textbook's ± 1.96 s / √n."""
    values = np.random.default_rng(1).normal(0.5, 0.1, 400)
    low, high = intervals.around(mean(values))
    assert (high - low) / 2 == pytest.approx(1.96 * values.std(ddof=1) / 20, rel=0.08)
    assert (high + low) / 2 == pytest.approx(values.mean())


def test_nineteen_in_twenty_intervals_hold_the_truth():
    rng = np.random.default_rng(2)
    found = [intervals.around(mean(rng.random(60) < 0.7)) for _ in range(300)]
    assert 0.9 < np.mean([low <= 0.7 <= high for low, high in found]) < 0.99


def test_clusters_that_agree_count_once():
    """Ten equal labels of each of twenty problems say no more than twenty labels."""
    truth, problem = np.arange(20) % 2, np.repeat(np.arange(20), 10)
    drawn = intervals.weights(20)
    sums = intervals.per_cluster(truth[problem].astype(float), problem, 20)
    of_labels = intervals.ratio(drawn @ sums, drawn @ intervals.per_cluster(np.ones(200), problem, 20))
    assert intervals.around(of_labels) == pytest.approx(intervals.around(mean(truth)))


def test_an_interval_stays_within_the_range():
    low, high = intervals.around(mean([0.0] + [1.0] * 9))
    assert low < 0.9 < high == 1


@pytest.mark.parametrize("values", [[np.nan, 0.1, 0.2], [0.1, np.nan, np.nan, 0.2], [1.0, 1.0, 1.0]])
def test_unknown_values_have_no_interval(values):
    assert intervals.around(np.array(values)) is None
