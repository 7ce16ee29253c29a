"""Experiment 2 with a frozen selector, on a few problems: cells, budgets, pairs and time."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.lab import __main__ as lab
from benchmarks.lab import reports
from benchmarks.lab.frozen.selector import ARMS, QUICK, START, Frozen, at_times, measure, summary
from benchmarks.lab.measured import Work

SMALL = replace(
    QUICK, train_problems=22, base_problems=22, base_steps=3, test_problems=6, samples=4, budgets=(20, 40, 60)
)


@pytest.fixture(scope="module")
def work(tmp_path_factory, work_with_base) -> Work:
    return work_with_base(tmp_path_factory.mktemp("lab"), SMALL)


@pytest.fixture(scope="module")
def measured(work):
    return measure(1, SMALL, work)


def test_each_arm_has_a_cell_for_each_training(measured):
    assert measured.keys() == {START, *ARMS}
    assert {len(cells) for cells in measured.values()} == {SMALL.trainings}
    for arm in ARMS:
        for cell in measured[arm]:
            spent = [row["labels"] for row in cell["budgets"]]
            assert all(budget <= labels < budget + 13 for labels, budget in zip(spent, SMALL.budgets[1:], strict=True))


def test_trainings_differ_in_the_order_of_their_labels_alone(measured):
    for cells in measured.values():
        one, other = ([(row["labels"], row["wrong"]) for row in cell["budgets"]] for cell in cells)
        assert one == other


def test_a_stopped_run_goes_on_with_the_next_cell(measured, work):
    said: list[str] = []
    (work.figures / "frozen-seed-1-ActPRM-1.json").unlink()
    assert measure(1, SMALL, replace(work, say=said.append))["ActPRM"][1]["budgets"] == measured["ActPRM"][1]["budgets"]
    assert said == ["seed 1: ActPRM, training 2"]


def test_arms_select_by_their_policies(work):
    frozen = Frozen(1, SMALL, work)
    scores, unsure = frozen.said
    batch = {arm: frozen._spend(frozen.start, policy, 60, scores, unsure) for arm, policy in ARMS.items()}
    assert {one.number for one in batch["ActPRM"]} <= unsure
    wrong = {arm: np.mean([not one.solution.is_right for one in picks]) for arm, picks in batch.items()}
    for arm in ("whole pool", "within problem", "as many wrong, at random"):
        assert wrong[arm] == pytest.approx(0.8, abs=0.1)
    means = {arm: np.mean([scores[one.number] for one in picks]) for arm, picks in batch.items()}
    assert means["whole pool"] >= means["within problem"] > means["as many wrong, at random"]
    problems = [one.problem.id for one in batch["within problem"]]
    assert len(set(problems)) == len(problems)


def test_time_is_read_between_budgets():
    cube = np.array([[[0.2, 0.4, 0.6]]])
    found = at_times(cube, np.array([[100.0, 200.0, 400.0]]), np.array([100.0, 200.0 * 2**0.5, 400.0]))
    assert found[0, 0].tolist() == pytest.approx([0.2, 0.5, 0.6])


def test_seeds_are_summarised_with_tables_and_plots(measured, tmp_path):
    page = tmp_path / "README.md"
    page.write_text("<!-- frozen-selector -->\n<!-- end -->\n")
    found = {"seeds": 2} | summary([measured, measured], SMALL)
    assert found["by labels"]["best of N"]["uniform"]["above uniform"]["mean"] == [0.0] * 3
    lab.write(reports.FROZEN_SELECTOR, found, tmp_path, page)
    assert page.read_text().count("| as many wrong, at random | ") == 4
