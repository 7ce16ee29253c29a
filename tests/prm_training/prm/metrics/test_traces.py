"""Metrics of traces: worked out by hand on small ones, and perfect for a model that knows the labels."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prm_training.prm.metrics.traces import JudgedTrace, of_traces

FAILED = JudgedTrace("p1", [0.9, 0.2, 0.8], [1, -1, 1], [10, 50, 20], ["A", "B", "A"], blamed=1, is_right=False)
FINE = JudgedTrace("p2", [0.9, 0.4], [1, 1], [10, 10], ["A", "A"], is_right=True)
ACCURACIES = ("step_accuracy", "first_error_accuracy", "mistake_accuracy", "agent_accuracy", "result_accuracy")


def found(*traces: JudgedTrace, threshold: float = 0.5) -> list[Any]:
    metrics = of_traces(traces, threshold)
    return [metrics.get(name) for name in ACCURACIES]


def test_each_metric_by_hand() -> None:
    assert found(FAILED) == [1, 1, 1, 1, 1]
    assert found(FINE) == [0.5, 0, None, None, 0]
    assert found(FAILED, FINE) == [pytest.approx(4 / 5), 0.5, 1, 1, 0.5]
    assert found(FINE, threshold=0.3) == [1, 1, None, None, 1]


def test_wrong_steps_are_ranked_below_others() -> None:
    assert of_traces([FAILED, FINE])["step_auc"] == 1
    assert of_traces([FAILED, replace(FINE, row=[0.9, 0.1])])["step_auc"] == pytest.approx(3 / 4)
    assert of_traces([FAILED, replace(FINE, row=[0.9])])["baselines"]["constant"]["step_auc"] == 0.5
    assert "step_auc" not in of_traces([FINE])


def test_an_unread_step_is_no_hit() -> None:
    assert found(replace(FAILED, row=[0.9]))[:2] == [pytest.approx(1 / 3), 0]
    assert found(replace(FINE, row=[0.9]))[-1] == 0


def test_unlabelled_steps_are_not_counted() -> None:
    assert found(replace(FAILED, ratings=[1, -1, None]))[0] == 1
    assert found(replace(FAILED, ratings=[None] * 3, blamed=None, is_right=None)) == [None] * 5


def test_tied_steps_share_the_hit() -> None:
    assert found(replace(FAILED, row=[0.2, 0.2, 0.8]))[2:4] == [0.5, 0.5]


def test_baselines_are_measured_too() -> None:
    baselines = of_traces([FAILED, FINE])["baselines"]
    assert baselines["length"]["mistake_accuracy"] == 1  # the longest step is the blamed one
    assert baselines["position"]["mistake_accuracy"] == 0
    assert baselines["constant"]["mistake_accuracy"] == pytest.approx(1 / 3)
    assert baselines["constant"]["step_accuracy"] == pytest.approx(4 / 5)


LABELS = st.lists(st.sampled_from([1, 0, -1]), min_size=1, max_size=6)


@settings(max_examples=15)
@given(st.lists(LABELS, min_size=1, max_size=5))
def test_a_model_that_knows_the_labels_is_always_right(labels: list[list[int]]) -> None:
    traces = []
    for number, ratings in enumerate(labels):
        row = [0.1 if rating == -1 else 0.9 for rating in ratings]
        sizes = [1] * len(row)
        traces.append(JudgedTrace(str(number), row, ratings, sizes, ["A"] * len(row), is_right=-1 not in ratings))
    assert found(*traces)[0:2] == [1, 1]
    assert found(*traces)[4] == 1
