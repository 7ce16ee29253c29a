"""Held-out metrics on resampled problems, compared with the plain ones and by hand."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from labeling.rules import intervals
from labeling.rules.intervals import weights
from prm_training.prm.metrics import evaluate, uncertainty
from prm_training.prm.metrics.uncertainty import HeldOut
from prm_training.work import metrics


def row(right):
    """Returns the log-probabilities of negative, neutral, positive."""
    return tuple(math.log(each) for each in (1 - right, right / 4, right * 3 / 4))


def words(problems=60, skill=1.0, seed=0):
    """Draws two five-step solutions of each problem, some harder; more skill means less noise."""
    world, noise = random.Random(7), random.Random(seed)
    rows, classes, of_label, paths, first_errors, of_path = [], [], [], [], [], []
    for problem in range(problems):
        hard = world.random()
        for _ in range(2):
            error = world.choice([-1, 0, 2, 3])
            rights = []
            for step in range(5 if error < 0 else error + 1):
                truth = 0.3 if step == error else 0.7
                rights.append(min(0.99, max(0.01, truth + noise.gauss(0, hard / 2 / skill))))
                classes.append(0 if step == error else world.choice([1, 2, 2]))
            rows += map(row, rights)
            of_label += [problem] * len(rights)
            paths.append([round(right, 2) for right in rights])
            first_errors.append(error)
            of_path.append(problem)
    return HeldOut(rows, classes, of_label, paths, first_errors, [at % 2 for at in of_path], of_path)


def test_the_sample_itself_comes_first():
    held = words()
    found = uncertainty.resampled(held, 60)
    (plain,) = metrics.of_held_out([held], problems=60)
    expected = plain["held_out"] | plain["first_error"]
    assert set(found) == {
        "step_auc",
        "accuracy",
        "loss",
        "calibration_error",
        "erroneous",
        "correct",
        "f1",
        "f1_at_half",
    }
    assert {name: values[0] for name, values in found.items()} == pytest.approx(
        {name: expected[name] for name in found}
    )


def test_a_resample_is_measured_as_if_its_problems_were_that_many():
    """Compares with the plain functions on each drawn problem's labels, repeated as often as it was drawn."""
    held = words(12)
    found, drawn = uncertainty.resampled(held, 12), weights(12).astype(int)
    for number in (1, 2, 3):
        labels = [at for at, problem in enumerate(held.of_label) for _ in range(drawn[number][problem])]
        steps = evaluate.step_metrics([held.rows[at] for at in labels], [held.classes[at] for at in labels])
        for name in ("step_auc", "accuracy", "loss", "calibration_error"):
            assert found[name][number] == pytest.approx(steps[name])


def test_ties_count_half():
    drawn = np.array([[1.0, 1.0], [2.0, 1.0]])
    right, problems = np.array([True, False, False]), np.array([0, 0, 1])

    def of(*scores):
        return intervals.auc(np.array(scores), right, problems, drawn).tolist()

    assert of(1.0, 1.0, 1.0) == [0.5, 0.5]
    assert of(2.0, 2.0, 1.0) == pytest.approx([3 / 4, (2 * 2 * 0.5 + 2) / 6])


def test_many_labels_are_read_in_parts(monkeypatch):
    held = words(20)
    whole = uncertainty.resampled(held, 20)["step_auc"]
    monkeypatch.setattr(intervals, "AT_ONCE", 5000)
    assert uncertainty.resampled(held, 20)["step_auc"] == pytest.approx(whole)


def test_the_intervals_contain_the_metrics():
    (found,) = metrics.of_held_out([words()], problems=60)
    told = found["held_out"] | found["first_error"]
    for name, (low, high) in found["intervals"].items():
        assert low < told[name] < high, name
        assert name == "loss" or 0 <= low < high <= 1
    assert found["problems"] == 60


def test_a_difference_is_paired():
    """Both find the same problems hard, so their difference has a narrower interval than either."""
    old, new = words(skill=1.0, seed=1), words(skill=1.2, seed=1)
    before, after = metrics.of_held_out([old, new], problems=60)
    assert "differences" not in before
    auc, (low, high) = after["differences"]["step_auc"], after["intervals"]["step_auc"]
    assert auc["value"] == pytest.approx(after["held_out"]["step_auc"] - before["held_out"]["step_auc"])
    assert auc["value"] > 0
    assert auc["high"] - auc["low"] < (high - low) / 2


def test_equal_predictions_have_no_difference():
    (_, after) = metrics.of_held_out([words(), words()], problems=60)
    assert after["differences"]["f1"] == {"value": 0.0}


def test_missing_metrics_have_no_intervals():
    held = replace(words(), first_errors=[-1] * 120)
    (found,) = metrics.of_held_out([held], problems=60)
    assert "f1" not in found["intervals"]
    (nothing,) = metrics.of_held_out([HeldOut([], [], [], [], [], [], [])], problems=0)
    assert nothing["intervals"] == {}
    assert uncertainty.differences({"a": np.array([1.0, 2.0])}, {"b": np.array([1.0])}) == {}


def test_one_problem_gives_no_intervals():
    (found,) = metrics.of_held_out([words(1)], problems=1)
    assert found["intervals"] == {}


def test_the_auc_comes_with_that_of_a_steps_place_alone():
    """Every last step is negative: an uninformed model is no better than chance, the step's place alone is perfect."""
    classes = [2, 2, 0] * 30
    labels = [place // 3 for place in range(90)]
    held = HeldOut([row(0.5)] * 90, classes, labels, [], [], [], [], places=[0, 1, 2] * 30)
    one, other = metrics.of_held_out([held, held], problems=30)
    assert one["held_out"]["step_auc"] == 0.5
    assert one["held_out"]["step_auc_by_place"] == 1.0
    early = replace(held, classes=[0, 2, 2] * 30)
    assert metrics.of_held_out([early], problems=30)[0]["held_out"]["step_auc_by_place"] == 1.0, "early ones first"
    assert "step_auc_by_place" not in other["differences"]
