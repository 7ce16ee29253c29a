"""Experiment 3 on a few problems: the large PRM's ratings, and their agreement with the judge."""

from dataclasses import replace
from math import log

import pytest

from benchmarks.lab import label_efficiency, reports
from benchmarks.lab.best_of_n import QUICK, labelled, split
from benchmarks.lab.label_efficiency import RATED_BY_PRM
from benchmarks.lab.large_prm import agreement, measure, rating

FEW = {"train_problems": 22, "base_problems": 22, "base_steps": 3, "labelled": 22, "test_problems": 6, "samples": 4}
SMALL = replace(QUICK, **FEW)


@pytest.fixture(scope="module")
def work(tmp_path_factory, work_with_base):
    return work_with_base(tmp_path_factory.mktemp("lab"), SMALL)


@pytest.mark.parametrize(
    ("probabilities", "expected"),
    [((0.21, 0.0799, 0.7101), -1), ((0.19, 0.3, 0.51), 1), ((0.19, 0.51, 0.3), 0), ((0.9, 0.05, 0.05), -1)],
)
def test_a_step_is_negative_above_a_fifth(probabilities, expected):
    negative, neutral, positive = map(log, probabilities)
    assert rating((negative, neutral, positive)) == expected


def test_agreement_counts_steps_up_to_the_judges_first_mistake():
    ((problem, one),) = labelled(split(1, SMALL)[1][:1], replace(SMALL, labelled=1))
    exact = replace(one, ratings=(1, 1, -1, 1))
    same = replace(one, ratings=(1, 1, -1, -1))
    later = replace(one, ratings=(1, 1, 1, -1))
    assert set(agreement([(problem, exact)], [(problem, same)]).values()) == {1.0}
    found = agreement([(problem, exact)], [(problem, later)])
    assert found == {"same rating": 2 / 3, "same first mistake": 0.0, "both a mistake or none": 1.0}


def test_small_models_learn_from_its_ratings(tmp_path, work_with_base):
    """Uses a high learning rate: else a PRM on the tiny base calls each first step negative."""
    found = measure(1, replace(SMALL, learning_rate=3e-2), work_with_base(tmp_path, SMALL))
    assert 0 <= found["world"]["same first mistake"] <= found["world"]["both a mistake or none"] <= 1
    assert found["models"]["PRM, product"]["labels"] > found["models"]["ORM by judge"]["labels"] == SMALL.labelled
    table = reports.choice_table({"seeds": 1} | reports.of_choices([found], SMALL))
    assert "| ORM by judge | " in table


def test_the_large_prm_changes_nothing_but_the_ratings(work):
    lab = label_efficiency.Lab(1, replace(label_efficiency.QUICK, **FEW), work)
    exact, rated = lab.exact, lab.rated_by_prm
    assert [(problem, replace(one, ratings=())) for problem, one in rated] == [
        (problem, replace(one, ratings=())) for problem, one in exact
    ]
    assert all(len(one.ratings) == len(one.steps) for _, one in rated)
    assert [one.ratings for _, one in rated] != [one.ratings for _, one in exact]


def test_policies_begin_with_the_same_solutions_whoever_rates(work):
    settings = replace(label_efficiency.QUICK, **FEW, budgets=(20, 50))
    found = label_efficiency.measure(RATED_BY_PRM, 1, settings, work)
    assert list(found) == list(RATED_BY_PRM)
    rated = [found[name]["budgets"][0] for name in RATED_BY_PRM if "PRM" in name]
    assert rated[0] == rated[1]
    assert reports.uniform_of(list(found)) == {
        "uniform": "uniform",
        "convincing, per problem": "uniform",
        "uniform, rated by a PRM": "uniform, rated by a PRM",
        "convincing, per problem, rated by a PRM": "uniform, rated by a PRM",
    }
    table = reports.policy_table({"seeds": 1} | reports.of_policies([found], settings))
    assert "| convincing, per problem, rated by a PRM | " in table
