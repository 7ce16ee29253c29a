"""prm_training.selection.arm_metrics: compares arms, on simulated labels whose truth is known."""

import random
from uuid import UUID

import pytest

from prm_training.selection import arm_metrics
from prm_training.selection.arm_metrics import FEWEST, HOUR, JudgedStep, Worked

ROUND, OTHER_ROUND = UUID(int=1), UUID(int=2)
MINUTE = HOUR // 60


def labelling(number, *, is_random=False, has_error=True, **columns):
    plain = {
        "round": ROUND,
        "policy": "convincing",
        "is_random": is_random,
        "problem": UUID(int=number),
        "generator": "6B",
        "samples": 1,
        "annotator": "ada",
        "labels": 4,
        "is_complete": True,
        "has_error": has_error,
        "ms": MINUTE,
    }
    return Worked(**plain | columns)


def arms(picked, drawn, number=200, seed=0):
    """Simulates a policy and a random arm that find errors in these shares of their picks."""
    rng = random.Random(seed)
    yield from (labelling(place, has_error=rng.random() < picked) for place in range(number))
    for place in range(number):
        yield labelling(1000 + place, is_random=True, has_error=rng.random() < drawn)


def test_a_policy_that_finds_more_errors_is_told_from_chance():
    (found,) = arm_metrics.of_policies(list(arms(0.9, 0.5)))
    assert (found["policy"], found["rounds"], found["is_enough"]) == ("convincing", 1, True)
    assert found["picked"]["errors_per_hour"]["value"] == pytest.approx(54, abs=4)
    assert found["random"]["errors_per_hour"]["value"] == pytest.approx(30, abs=5)
    low, high = found["more"]["errors_per_hour"]["interval"]
    assert 0 < low < found["more"]["errors_per_hour"]["value"] < high
    assert found["picked"]["labels_per_hour"]["value"] == pytest.approx(240)
    assert (found["picked"]["labellings"], found["picked"]["steps"], found["picked"]["problems"]) == (200, 800, 200)


def test_a_policy_that_is_no_better_is_not_told_from_chance():
    """In 19 of 20 simulations the interval contains 0."""
    gains = [
        arm_metrics.of_policies(list(arms(0.5, 0.5, 60, seed)))[0]["more"]["errors_per_hour"] for seed in range(60)
    ]
    assert sum(low <= 0 <= high for low, high in (gain["interval"] for gain in gains)) >= 53


def test_longer_solutions_that_take_longer_are_no_better():
    """Labels and errors are counted per hour, not per labelling."""
    picked = [labelling(place, labels=8, ms=2 * MINUTE) for place in range(40)]
    drawn = [labelling(100 + place, is_random=True) for place in range(40)]
    (found,) = arm_metrics.of_policies([*picked, *drawn])
    assert found["more"]["labels_per_hour"]["value"] == pytest.approx(0, abs=1e-9)
    assert found["more"]["errors_per_hour"]["value"] == pytest.approx(-30)


@pytest.mark.parametrize(("number", "is_enough"), [(FEWEST, True), (FEWEST - 1, False)])
def test_too_few_labellings_are_not_enough(number, is_enough):
    (found,) = arm_metrics.of_policies(list(arms(0.9, 0.5, number)))
    assert found["is_enough"] is is_enough


def test_rounds_with_one_arm_are_compared_with_nothing():
    """Their picks may be from another time or pool."""
    alone = [labelling(500 + place, round=OTHER_ROUND, ms=1) for place in range(50)]
    (found,) = arm_metrics.of_policies([*arms(0.9, 0.5), *alone])
    assert (found["rounds"], found["picked"]["labellings"]) == (1, 200)
    assert arm_metrics.of_policies(alone) == []


def test_labellings_without_a_time_are_left_out_of_paces_alone():
    rows = [labelling(place, is_random=True, ms=None) for place in range(4)]
    assert arm_metrics.of_policies(rows) == []
    assert arm_metrics.of_annotators(rows) == []
    assert arm_metrics.of_generators(rows)[0]["labellings"] == 4


def test_the_pools_share_of_errors_is_of_the_random_arm_alone():
    rows = [labelling(place) for place in range(50)]  # picked by the policy: all wrong
    rows += [labelling(100 + place, is_random=True, has_error=place < 20, generator="6B") for place in range(50)]
    rows += [labelling(200 + place, is_random=True, has_error=place < 40, generator="175B") for place in range(50)]
    rows += [labelling(300, is_random=True, is_complete=False, has_error=False)]  # given up
    found = {each["generator"]: each for each in arm_metrics.of_generators(rows)}
    assert {name: each["with_error"]["value"] for name, each in found.items()} == {None: 0.6, "6B": 0.4, "175B": 0.8}
    low, high = found[None]["with_error"]["interval"]
    assert low == pytest.approx(0.6 - 1.96 * 0.049, abs=0.01)
    assert high == pytest.approx(0.6 + 1.96 * 0.049, abs=0.01)


def test_a_text_that_was_drawn_thrice_counts_thrice():
    rows = [labelling(1, is_random=True, samples=3), labelling(2, is_random=True, has_error=False)]
    assert arm_metrics.of_generators(rows)[0]["with_error"]["value"] == 0.75


def test_labels_of_one_problem_are_not_independent():
    """Ten labellings of each of five problems are not fifty independent ones."""
    together = [labelling(place % 5, is_random=True, has_error=place % 5 < 2) for place in range(50)]
    apart = [labelling(place, is_random=True, has_error=place % 5 < 2) for place in range(50)]
    widths = []
    for rows in (together, apart):
        low, high = arm_metrics.of_generators(rows)[0]["with_error"]["interval"]
        widths.append(high - low)
    assert widths[0] > 2 * widths[1]


def test_more_problems_than_clusters_give_the_same_interval(monkeypatch):
    rows = [labelling(place, is_random=True, has_error=place % 5 < 2) for place in range(2000)]
    whole = arm_metrics.of_generators(rows)[0]["with_error"]
    monkeypatch.setattr(arm_metrics, "MOST_CLUSTERS", 200)
    bounded = arm_metrics.of_generators(rows)[0]["with_error"]
    assert bounded["value"] == whole["value"]
    assert bounded["interval"] == pytest.approx(whole["interval"], abs=0.01)


def test_annotators_are_compared_on_the_same_draw():
    rows = [labelling(place, is_random=True, annotator="ada", ms=MINUTE) for place in range(30)]
    rows += [labelling(place, is_random=True, annotator="ben", ms=2 * MINUTE, has_error=False) for place in range(30)]
    rows += [labelling(90, annotator="cleo")]
    found = {each["annotator"]: each for each in arm_metrics.of_annotators(rows)}
    paces = {name: each["labels_per_hour"]["value"] for name, each in found.items()}
    assert paces == {"ada": pytest.approx(240), "ben": pytest.approx(120)}
    assert {name: each["with_error"]["value"] for name, each in found.items()} == {"ada": 1, "ben": 0}


def judged(log_right, step, is_negative, problem):
    return JudgedStep("m", UUID(int=problem), step, log_right, is_negative)


def test_a_models_auc_comes_with_that_of_a_steps_place_alone():
    rng = random.Random(1)
    rows = [
        judged(rng.gauss(-1.0 if bad else 0.0, 1.0), step, bad, n)
        for n in range(300)
        for step, bad in [(n % 4, n % 3 == 0)]
    ]
    (found,) = arm_metrics.of_models(rows)
    assert (found["model"], found["steps"], found["negative"], found["problems"]) == ("m", 300, 100, 300)
    assert found["auc"]["value"] == pytest.approx(0.76, abs=0.05), "normal, one standard deviation apart"
    assert found["auc"]["interval"][0] > 0.6
    assert found["place_alone"]["value"] == pytest.approx(0.5, abs=0.06)
    by_place = [judged(0.0, step, step == 3, n) for n in range(30) for step in range(4)]
    assert arm_metrics.of_models(by_place)[0]["place_alone"]["value"] == 1.0


def test_without_both_kinds_of_steps_there_is_no_auc():
    (found,) = arm_metrics.of_models([judged(0.0, 0, False, 1)])
    assert (found["auc"], found["place_alone"], found["steps"]) == (None, None, 1)


def test_no_labellings_give_no_metrics():
    assert arm_metrics.of_policies([]) == arm_metrics.of_annotators([]) == arm_metrics.of_models([]) == []
    (pool,) = arm_metrics.of_generators([])
    assert (pool["generator"], pool["labellings"], pool["with_error"]) == (None, 0, None)
