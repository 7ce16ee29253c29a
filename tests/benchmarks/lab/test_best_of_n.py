"""Experiment 1 on a few problems: properties that hold whichever method wins."""

import json
from argparse import Namespace
from dataclasses import replace

import pytest

from benchmarks.lab import __main__ as lab
from benchmarks.lab import best_of_n, reports
from benchmarks.lab.best_of_n import QUICK, labelled, measure, split, supervisions

SMALL = replace(
    QUICK, train_problems=22, base_problems=22, base_steps=3, labelled=22, test_problems=4, samples=4, draws=50
)


@pytest.fixture(scope="module")
def work(tmp_path_factory, work_with_base):
    return work_with_base(tmp_path_factory.mktemp("lab"), SMALL)


@pytest.fixture(scope="module")
def measured(work):
    return measure(1, SMALL, work)


def test_a_measured_seed_is_not_measured_again(measured, work):
    said = []
    telling = replace(work, say=said.append)
    assert json.dumps(measure(1, SMALL, telling)) == json.dumps(measured)
    assert said == []
    measure(1, replace(SMALL, draws=10), telling)
    assert said
    measure(1, SMALL, work)


@pytest.mark.long("measures a seed beside those that other processes measure")
def test_seeds_side_by_side_give_the_same_curves_as_alone(measured, work, work_with_base, tmp_path):
    beside = work_with_base(tmp_path, SMALL)
    options = Namespace(quick=True, seeds=2, processes=2, work=tmp_path, data=tmp_path)
    ((_, found),) = lab.run([replace(reports.BEST_OF_N, quick=SMALL)], options)
    alone = [reports.measured("best-of-n", SMALL, work, seed) for seed in (1, 2)]
    kept = measure(1, SMALL, beside)
    assert kept["curves"] == measured["curves"]
    assert found["seeds"] == 2
    assert found["best of N"] == reports.of_choices(alone, SMALL)["best of N"]


def test_a_value_that_a_seed_lacks_is_left_out_of_the_mean():
    assert reports.averaged([{"right": 0.25, "wrong": None}, {"right": None, "wrong": None}]) == {
        "right": 0.25,
        "wrong": None,
    }


def test_one_sample_leaves_no_choice_and_none_beats_the_oracle(measured):
    curves = measured["curves"]
    assert len(curves) == 10
    for name, rows in curves.items():
        for row, best in zip(rows, curves["oracle"], strict=True):
            is_drawn = "vote" in name  # by as many draws as `draws` says
            assert row[0] == pytest.approx(best[0], abs=0.25 if is_drawn else 1e-9), name
            assert all(one <= most + 1e-9 for one, most in zip(row[1:], best[1:], strict=True)), name


def test_no_problem_is_trained_and_tested_on():
    test, train = split(1, replace(SMALL, test_problems=200, train_problems=900))
    assert not {each.statement for each in test} & {each.statement for each in train}


def test_the_prm_on_as_many_labels_has_fewer_solutions():
    _, train = split(1, SMALL)
    chosen = labelled(train, SMALL)
    trees = supervisions(chosen)
    assert len(chosen) == len(trees["PRM"]) == len(trees["ORM by judge"]) == SMALL.labelled
    labels = sum(len(tree.steps) for tree in trees["PRM on as many labels"])
    assert SMALL.labelled <= labels < SMALL.labelled + 10


def test_results_are_tables_and_plots(measured, tmp_path):
    page = tmp_path / "README.md"
    page.write_text("Before.\n<!-- best-of-n -->\nold\n<!-- end -->\nAfter.\n")
    found = {"seeds": 2} | reports.of_choices([measured, measured], SMALL)
    lab.write(reports.BEST_OF_N, found, tmp_path, page)
    assert "Seeds measured: 2." in page.read_text()
    assert "| majority vote | " in page.read_text()
    assert "old" not in page.read_text()
    assert page.read_text().endswith("After.\n")
    drawn = (tmp_path / "best-of-n.svg").read_bytes()
    lab.write(reports.BEST_OF_N, found, tmp_path, page)
    assert (tmp_path / "best-of-n.svg").read_bytes() == drawn


def test_a_weighted_vote_counts_scores():
    drawn = [
        best_of_n.ScoredSample(0.9, "4", True),
        best_of_n.ScoredSample(0.3, "5", False),
        best_of_n.ScoredSample(0.4, "5", False),
    ]
    assert best_of_n._elected(drawn)
    assert not best_of_n._elected(drawn[1:])
    spelled = [best_of_n.ScoredSample(0.4, answer, True) for answer in ("4", "4.0")]
    assert best_of_n._elected([*spelled, *drawn[1:]])
