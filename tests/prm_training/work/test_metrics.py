"""Evaluation metrics, on lists small enough to check by hand."""

import math
import random

import pytest

from prm_training.prm.metrics.evaluate import ScoredSample
from prm_training.prm.trees.data import Completion, LabelledTree, Step
from prm_training.work import evaluation, metrics


def tree(*ratings, chosen=0):
    steps = tuple(Step((Completion(f"step {n}", rating),), chosen) for n, rating in enumerate(ratings))
    return LabelledTree("1", "p", "test", "What is 2 + 3?", steps)


def test_wrong_answers_vote_together_however_they_are_spelled():
    """Three wrong solutions agree, in three spellings; those without an answer don't count."""
    scored = [(-1.0, answer, False) for answer in ("1/2", "0.5", "\\frac12", "", " ", "7")]
    samples = evaluation._voting([*scored, (-2.0, "3", True), (-3.0, "3.0", True)])
    assert [sample.vote for sample in samples] == ["1/2"] * 3 + ["", "", "7", True, True]
    assert [sample.score for sample in samples] == [-1.0] * 6 + [-2.0, -3.0]


def test_steps():
    rows = [tuple(map(math.log, row)) for row in ((0.8, 0.1, 0.1), (0.1, 0.1, 0.8), (0.05, 0.05, 0.9))]
    found = metrics.of_steps(rows, [0, 2, 1])
    assert found["held_out"]["step_auc"] == 1.0
    assert [(each["count"], each["frequency"]) for each in found["calibration"]] == [(1, 0.0), (2, 1.0)]
    assert found["calibration"][1]["interval"] == pytest.approx((0.3424, 1), abs=1e-4), "two steps prove little"


@pytest.mark.parametrize(
    ("path", "found"),
    [
        (tree(1, 0, 1), (("step 0", "step 1", "step 2"), -1)),
        (tree(1, -1, None), (("step 0", "step 1"), 1)),
        (tree(1, None, 1), None),
        (tree(1, chosen=None), None),
        (tree(), None),
    ],
)
def test_the_chosen_path(path, found):
    assert metrics.chosen_path(path) == found


def test_each_fold_is_judged_by_the_other_folds_threshold():
    rows, actual = [[0.9, 0.2], [0.9, 0.8], [0.9, 0.3], [0.9, 0.7]], [1, -1, 1, -1]
    found = metrics.of_first_errors(rows, actual, [0, 0, 1, 1])
    assert found["thresholds"] == [0.7, 0.8]
    assert (found["erroneous"], found["correct"], found["f1"]) == (1.0, 0.5, pytest.approx(2 / 3))
    assert (found["solutions_erroneous"], found["solutions_correct"]) == (2, 2)
    assert metrics.of_first_errors([], [], []) == {}


@pytest.mark.parametrize("actual", [[-1, -1], [1, 1]])
def test_of_right_solutions_alone_and_of_wrong_ones_there_is_no_f1(actual):
    found = metrics.of_first_errors([[0.9, 0.2], [0.9, 0.8]], actual, [0, 1])
    assert "f1" not in found
    assert found["solutions_correct"] == actual.count(-1)


def test_choosing_among_samples():
    right_first = [ScoredSample(0.9, "5", True), ScoredSample(0.1, "6", False)]
    wrong_first = [ScoredSample(0.1, "5", True), ScoredSample(0.9, "6", False)]
    found = metrics.of_choosing([right_first, wrong_first, right_first, [ScoredSample(1.0, "5", True)]])
    assert (found["problems"], found["sizes"]) == (3, [1, 2])
    assert found["curves"]["prm"]["values"] == pytest.approx([0.5, 2 / 3])
    assert found["curves"]["oracle"]["values"] == pytest.approx([0.5, 1.0])
    assert sum(part["problems"] for part in found["quintiles"]) == 3


def test_two_models_choose_on_the_same_problems():
    """The third problem is left out: the other model could score too few of its samples."""
    good = [ScoredSample(0.9, "5", True), ScoredSample(0.1, "6", False)]
    bad = [ScoredSample(0.1, "5", True), ScoredSample(0.9, "6", False)]
    found = metrics.of_choosing([good, good, good], name="orm", others={"prm": [bad, bad, bad[:1]]})
    assert (found["problems"], found["curves"]["orm"]["values"], found["curves"]["prm"]["values"]) == (
        2,
        [0.5, 1],
        [0.5, 0],
    )


def problem(*right, scores=None):
    scores = scores or [number / len(right) for number in range(1, len(right) + 1)]
    return [ScoredSample(math.log(score), "", is_right) for score, is_right in zip(scores, right, strict=True)]


def test_the_proxy_is_the_expected_best_score():
    samples = problem(True, True, True, scores=[0.1, 0.5, 0.9])
    assert [metrics.proxy(samples, n) for n in (1, 2, 3)] == pytest.approx([0.5, (0.5 + 0.9 + 0.9) / 3, 0.9])


def test_a_good_score_climbs_and_nothing_is_flagged():
    found = metrics.of_choosing([problem(*[False] * 6, True, True)] * 30)
    assert found["curves"]["prm"]["values"][0] == pytest.approx(0.25)
    assert (found["curves"]["prm"]["values"][-1], found["falls_at"]) == (1.0, None)


def test_a_score_that_is_fooled_is_flagged():
    """The highest score is always a wrong answer's; below it right ones come first."""
    found = metrics.of_choosing([problem(False, False, True, True, True, True, True, False)] * 30)
    assert found["curves"]["prm"]["values"][-1] == 0
    assert found["curves"]["proxy"]["values"] == sorted(found["curves"]["proxy"]["values"])
    assert (found["sizes"], found["falls_at"]) == ([1, 2, 4, 8], 4)


def test_noise_is_not_flagged():
    rng = random.Random(3)
    problems = [problem(*(rng.random() < 0.5 for _ in range(8))) for _ in range(40)]
    assert metrics.of_choosing(problems)["falls_at"] is None


def test_nothing_to_choose_among():
    assert metrics.of_choosing([]) == metrics.of_choosing([[ScoredSample(1.0, "5", True)]]) == {}
