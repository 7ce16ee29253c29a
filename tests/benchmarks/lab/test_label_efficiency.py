"""Experiment 2 on a few problems: budgets, batches and ratios."""

import re
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.lab import __main__ as lab
from benchmarks.lab import reports
from benchmarks.lab.figures import EQUAL_QUALITY, SLOPES, efficiency, estimate, never_falling, reached
from benchmarks.lab.label_efficiency import QUICK, TWO, measure, rated
from benchmarks.lab.measured import Work
from benchmarks.lab.world.sampling import make_problems, protocol, sample

SMALL = replace(QUICK, train_problems=22, base_problems=22, base_steps=3, test_problems=6, samples=4, budgets=(20, 50))


@pytest.fixture(scope="module")
def work(tmp_path_factory, work_with_base) -> Work:
    return work_with_base(tmp_path_factory.mktemp("lab"), SMALL)


@pytest.fixture
def measured(work):
    return measure(TWO, 1, SMALL, work)


def test_each_policy_spends_each_budget_from_the_same_first_batch(measured):
    for each in measured.values():
        for row, budget in zip(each["budgets"], SMALL.budgets, strict=True):
            assert budget <= row["labels"] < budget + 10
    firsts = [measured[name]["budgets"][0] for name in ("uniform", "convincing, per problem")]
    assert firsts[0] == firsts[1]


def test_convincing_wrong_answers_are_shorter_to_label(measured):
    spent = {name: each["budgets"][-1] for name, each in measured.items()}
    assert spent["convincing, per problem"]["solutions"] > spent["uniform"]["solutions"]


def test_what_was_measured_is_read_again(measured, work):
    said: list[str] = []
    assert measure(TWO, 1, SMALL, replace(work, say=said.append)) == measured
    assert said == []


def test_seeds_are_summarised_with_tables_and_plots(measured, tmp_path):
    page = tmp_path / "README.md"
    page.write_text("<!-- label-efficiency -->\n<!-- end -->\n")
    found = {"seeds": 2} | reports.of_policies([measured, measured], SMALL)
    lab.write(reports.LABEL_EFFICIENCY, found, tmp_path, page)
    assert "| convincing, per problem | " in page.read_text()
    assert re.search(r"\| convincing, per problem \| [\d.]+ \([\d.]+ to", page.read_text())
    lab.write(reports.LABEL_EFFICIENCY, found | {"seeds": 1}, tmp_path, page)
    assert " to " not in page.read_text()  # one seed says nothing of others
    assert "labels, at equal quality" in page.read_text()


def test_noise_is_an_annotators_and_stops_at_the_first_negative_given():
    (problem,) = make_problems(1, 1)
    (one,) = sample(problem, 1, 1)
    assert rated(one, 0.0, 7) == protocol(one.ratings)
    ratings = [rated(one, 0.3, number) for number in range(200)]
    assert len(set(ratings)) > 3
    assert all(-1 not in each[:-1] for each in ratings)


def test_half_the_labels_for_the_same_quality_is_twice_as_efficient():
    labels = [1000.0, 2000.0, 4000.0]
    uniform = np.tile([0.4, 0.5, 0.6], (2, 5, 1))
    policy = np.tile([0.4, 0.6, 0.7], (2, 5, 1))
    found = efficiency(policy, uniform, labels, labels, EQUAL_QUALITY)
    assert (found["low"][0], found["mean"][0], found["high"][0]) == pytest.approx((2, 2, 2))
    assert efficiency(policy, uniform, labels, labels, SLOPES)["mean"][0] == pytest.approx(1.5)
    assert efficiency(uniform, uniform, labels, labels, EQUAL_QUALITY)["mean"][0] == pytest.approx(1)


def test_a_policy_that_never_reaches_the_uniform_choice_is_worth_less():
    """Compared at the policy's best, which the uniform choice reaches with half the labels."""
    labels = [1000.0, 2000.0, 4000.0]
    behind, uniform = np.tile([0.4, 0.45, 0.5], (2, 5, 1)), np.tile([0.4, 0.5, 0.6], (2, 5, 1))
    assert efficiency(behind, uniform, labels, labels, EQUAL_QUALITY)["mean"][0] == pytest.approx(0.5)
    assert efficiency(uniform, behind, labels, labels, EQUAL_QUALITY)["mean"][0] == pytest.approx(2)


def test_a_level_counts_from_where_it_is_first_reached():
    rising, logs = np.array([0.4, 0.6, 0.6, 0.8]), np.array([1.0, 2.0, 3.0, 4.0])
    assert [reached(level, rising, logs) for level in (0.3, 0.4, 0.5, 0.6, 0.7)] == pytest.approx([1, 1, 1.5, 2, 3.5])


def test_one_lucky_budget_is_evened_out():
    assert never_falling(np.array([0.1, 0.4, 0.2, 0.5])).tolist() == pytest.approx([0.1, 0.3, 0.3, 0.5])
    assert never_falling(np.array([0.3, 0.2, 0.1])).tolist() == pytest.approx([0.2, 0.2, 0.2])


def test_the_interval_holds_the_mean():
    each = estimate(np.random.default_rng(1).random((3, 20, 2)))
    for low, mean, high in zip(each["low"], each["mean"], each["high"], strict=True):
        assert low < mean < high
