"""Experiment 4, the replay of people's labels, on a few records: pools, budgets and reports."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.lab import __main__ as lab
from benchmarks.lab import human_labels, reports
from benchmarks.lab.figures import of_resamples
from benchmarks.lab.human_labels import ALTERNATIVES, SOLUTIONS, judged_of, trajectories
from benchmarks.lab.human_replay import POLICIES, QUICK, STEP_AUC, measure, missing
from benchmarks.lab.measured import Work
from prm_training.prm.trees.data import counted_labels
from tests.real_data import DATA

needs_data = pytest.mark.skipif(
    bool(missing(DATA, QUICK)), reason=f"there is no PRM800K or ProcessBench in {DATA} (STEPMARK_DATA names another)"
)
SMALL = replace(QUICK, trajectories=3, solutions=20, test_trajectories=8, test_solutions=24, base_steps=3)


@pytest.fixture(scope="module")
def work(tmp_path_factory, work_with_base) -> Work:
    return work_with_base(tmp_path_factory.mktemp("lab"), SMALL, data=DATA)


@pytest.fixture(params=[ALTERNATIVES, SOLUTIONS], ids=["alternatives", "solutions"])
def measured(request, work):
    return measure(request.param.members.__name__, request.param, 1, SMALL, work)


@needs_data
def test_each_policy_spends_each_budget_from_the_same_first_batch(measured):
    for policy in POLICIES:
        rows = measured[policy]["budgets"]
        assert rows[0] == measured["uniform"]["budgets"][0]
        for row, budget in zip(rows, SMALL.budgets, strict=True):
            assert budget <= row["labels"] < budget + 20
            assert 0 < row[STEP_AUC][0] < 1


@needs_data
def test_seeds_are_summarised_with_tables_and_plots(measured, tmp_path):
    page = tmp_path / "README.md"
    page.write_text("<!-- human-replay -->\n<!-- end -->\n")
    found = {"seeds": 2} | reports.of_replays([measured, measured], SMALL)
    assert lab.write(reports.HUMAN_REPLAY, found, tmp_path, page) == 0
    assert "| first-error F1 | convincing | " in page.read_text()
    at_first = found["above uniform"][STEP_AUC]["convincing"]
    assert (at_first["low"][0], at_first["mean"][0], at_first["high"][0]) == (0, 0, 0)


@needs_data
def test_an_alternative_is_one_label_after_the_chosen_steps():
    pool = list(human_labels.alternatives(1, SMALL, DATA))
    assert all(each.labels == 1 for each in pool)
    assert len({(each.solution.problem, each.solution.steps) for each in pool}) == len(pool) > 50
    for each in pool:
        (label,) = counted_labels(each.tree)
        assert label.steps == each.solution.steps


@needs_data
def test_a_solution_is_labelled_up_to_its_first_error():
    for each in human_labels.solutions(1, SMALL, DATA):
        ratings = [label.rating for label in counted_labels(each.tree)]
        assert -1 not in ratings[:-1]
        assert ratings[-1] == -1 or len(ratings) == len(each.solution.steps)


@needs_data
def test_no_problem_is_trained_and_tested_on():
    pool, held_out = ({each.problem for each in judged_of(DATA, is_held_out=side)} for side in (False, True))
    assert pool
    assert held_out
    assert not pool & held_out
    assert not (pool | held_out) & {each.problem for each in trajectories(DATA, "test")}


def test_what_is_missing_is_named(tmp_path):
    assert "phase1_train.jsonl.gz" in missing(tmp_path, QUICK)


def test_resamples_give_an_interval_and_seeds_widen_it():
    again = np.random.default_rng(1).normal(0.6, 0.02, (1, 401, 1))
    alike, different = np.concatenate([again, again]), np.concatenate([again - 0.1, again + 0.1])
    narrow, wide = of_resamples(alike), of_resamples(different)
    assert narrow["mean"] == pytest.approx(wide["mean"])
    assert narrow["low"][0] < narrow["mean"][0] < narrow["high"][0]
    assert wide["high"][0] - wide["low"][0] > 2 * (narrow["high"][0] - narrow["low"][0])
