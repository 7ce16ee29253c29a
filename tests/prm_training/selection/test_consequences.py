"""Selections' ranking scores, unfinished solutions, quotas and random arms, on rows."""

import hashlib
from collections import Counter

import pytest

from prm_training.models import Policy
from prm_training.selection import picking


def picked(selection):
    return [item.solution for item in selection.items.picked().select_related("solution__problem")]


# The score that ranks


@pytest.fixture
def long_and_short(make, reward_model):
    """Ten problems, each with a short wrong answer of one doubtful step and a long one of many good steps."""
    for _ in range(10):
        problem = make.problem()
        make.score(reward_model, make.solution(problem, steps=["Short."]), None, [-0.5])
        make.score(reward_model, make.solution(problem, steps=["Long."] * 9), None, [-0.1] * 8 + [-0.6])
        make.score(reward_model, make.solution(problem, steps=["Right."] * 3, verdict="right"), None, [-0.05] * 3)


@pytest.mark.every_case
@pytest.mark.parametrize(("rank_by", "steps"), [("product", 1), ("mean", 9), ("minimum", 1)])
def test_the_score_that_ranks_is_chosen(make, phase, reward_model, long_and_short, report, rank_by, steps):
    chosen = {"wrong_share": 1.0, "random_share": 0, "rank_by": rank_by}
    selection = make.selection(phase=phase, reward_model=reward_model, policy="convincing", size=10, **chosen)
    picking.select(selection, report)
    assert {len(each.steps) for each in picked(selection)} == {steps}


@pytest.mark.any_database
def test_what_each_score_means_is_shown_before_anything_is_published(make, phase, reward_model, long_and_short, report):
    selection = make.selection(phase=phase, reward_model=reward_model, policy="convincing", size=10, wrong_share=1.0)
    picking.select(selection, report)
    found = {row["by"]: row for row in report.all[-1]["summary"]["rankings"]}
    assert {by: (row["picks"] or {}).get("steps") for by, row in found.items() if by in {"product", "mean"}} == {
        "product": 1,
        "mean": 9,
    }
    assert found["product"]["auc"] == 1.0
    assert found["product"]["with_length"] < -0.4
    assert (found["mean"]["solutions"], found["mean"]["problems"]) == (30, 10)
    alone = found.get("shortest") or found["longest"]
    assert (alone["auc"], alone["picks"]) == (0.5, None), "between a shorter and a longer wrong one"


@pytest.mark.any_database
@pytest.mark.parametrize("rates_all_steps", [True, False])
def test_where_all_steps_are_rated_a_mistake_spares_no_label(
    make, phase, reward_model, long_and_short, report, rates_all_steps
):
    phase.rates_all_steps = rates_all_steps
    phase.save()
    chosen = {"policy": "convincing", "wrong_share": 1.0, "rank_by": "mean", "random_share": 0}
    picking.select(make.selection(phase=phase, reward_model=reward_model, size=10, **chosen), report)
    found = report.all[-1]["summary"]["groups"]["picked"]
    assert found["steps"] == 9
    assert (found["labels"] == 9) == rates_all_steps


# Solutions without an answer


def test_unfinished_solutions_are_set_aside_and_counted(make, phase, reward_model, scored, report):
    without = make.solution(answer="", steps=["I"], grader_version="1")
    proof = make.solution(make.problem(reference_answer=""), answer="")
    for solution in (without, proof):
        make.score(reward_model, solution, -0.01)
    for takes, expected in [(False, {proof}), (True, {proof, without})]:
        selection = make.selection(
            phase=phase, reward_model=reward_model, policy="convincing", size=8, random_share=0, takes_unfinished=takes
        )
        picking.select(selection, report)
        assert {proof, without} & set(picked(selection)) == expected
        assert report.all[-1]["summary"]["unfinished"] == 2 - len(expected)


@pytest.mark.any_database
def test_a_file_that_names_no_answers_has_nothing_unfinished(make, phase, reward_model, report):
    one, other = make.problem(), make.problem()
    said = {"answer": "", "grader_version": "given", "verdict": "wrong"}
    unnamed, cut_off = make.solution(one, **said), make.solution(other, **said)
    for solution in (unnamed, cut_off, make.solution(other, verdict="right")):
        make.score(reward_model, solution, -0.01)
    selection = make.selection(
        phase=phase, reward_model=reward_model, policy="convincing", size=8, random_share=0, wrong_share=1
    )
    picking.select(selection, report)
    assert (unnamed in picked(selection), cut_off in picked(selection)) == (True, False)
    assert report.all[-1]["summary"]["unfinished"] == 1


# Quotas


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("quotas", "expected"),
    [
        ({}, {"Algebra": 4, "Counting": 4, "Geometry": 4}),
        ({"Algebra": 0.75}, {"Algebra": 9, "Counting": None, "Geometry": None}),
        ({"Algebra": 0.25, "Geometry": 0.75}, {"Algebra": 3, "Geometry": 9}),
    ],
)
def test_quotas(make, phase, reward_model, report, quotas, expected):
    for number in range(60):
        subject = ["Algebra", "Geometry", "Counting"][number % 3]
        make.score(reward_model, make.solution(make.problem(subject=subject)), -float(number))
    chosen = {"size": 12, "random_share": 0, "quota_by": "subject", "quotas": quotas}
    for policy in Policy:
        selection = make.selection(phase=phase, reward_model=reward_model, policy=policy, **chosen)
        picking.select(selection, report)
        found = Counter(each.problem.subject for each in picked(selection))
        assert sum(found.values()) == 12
        assert {name: found[name] for name, number in expected.items() if number} == (
            {name: number for name, number in expected.items() if number}
        )
        assert set(found) <= set(expected)


def test_an_unfilled_quota_is_not_filled_from_others(make, phase, reward_model, report):
    for number in range(20):
        subject = "Algebra" if number else "Geometry"
        make.score(reward_model, make.solution(make.problem(subject=subject)), -float(number))
    chosen = {"size": 10, "random_share": 0, "quota_by": "subject"}
    selection = make.selection(phase=phase, reward_model=reward_model, policy="convincing", **chosen)
    picking.select(selection, report)
    assert Counter(each.problem.subject for each in picked(selection)) == {"Algebra": 5, "Geometry": 1}


# The random arm


@pytest.fixture
def rich(make, reward_model):
    """A hundred problems with two solutions each; every tenth has no answer."""
    for number in range(100):
        problem = make.problem()
        for place in range(2):
            answer, verdict = ("", "unsure") if number % 10 == 0 else (str(place), ["right", "wrong"][place])
            text_hash = hashlib.sha256(f"{number}, {place}".encode()).hexdigest()
            solution = make.solution(problem, answer=answer, verdict=verdict, text_hash=text_hash)
            make.score(reward_model, solution, -float(number + place))


@pytest.mark.any_database  # test_picking.py shows that the database orders as the rule does
def test_a_share_is_drawn_from_everything_and_marked(make, phase, reward_model, rich, report):
    drawn = Counter()
    chosen = {"policy": "convincing", "size": 40, "random_share": 0.25}
    for seed in range(10):
        selection = make.selection(phase=phase, reward_model=reward_model, seed=seed, **chosen)
        picking.select(selection, report)
        arm = selection.items.picked().filter(is_random=True).values_list("solution__verdict", flat=True)
        assert (len(arm), selection.items.picked().count()) == (10, 40)
        assert report.all[-1]["summary"]["random"] == 10
        drawn.update(arm)
    assert drawn["unsure"] > 0, "also what the policy would never pick"
    assert 25 <= drawn["right"] <= 65, "of 100 draws, 45 % are right"
    assert 25 <= drawn["wrong"] <= 65


def test_the_random_arm_comes_first_whatever_the_policy(make, phase, reward_model, rich, report):
    """Drawn first, the random arm includes the policy's favourites with the same chance as others."""
    arms = []
    for policy in ("convincing", "whole_pool", "uncertainty", "random_wrong"):
        selection = make.selection(phase=phase, reward_model=reward_model, policy=policy, size=40, seed=3)
        picking.select(selection, report)
        arms.append(set(selection.items.filter(is_random=True).values_list("solution", flat=True)))
    assert len(arms[0]) == 4, "a tenth, unless another share is set"
    assert all(arm == arms[0] for arm in arms)


@pytest.mark.parametrize(("share", "number"), [(0.0, 0), (0.25, 10), (1.0, 40)])
def test_the_random_share_is_a_setting(make, phase, reward_model, rich, report, share, number):
    selection = make.selection(phase=phase, reward_model=reward_model, policy="convincing", size=40, random_share=share)
    picking.select(selection, report)
    assert selection.items.filter(is_random=True).count() == number
    assert len(picked(selection)) == 40


@pytest.mark.parametrize(("per_problem", "is_random"), [(None, True), (1, False)])
def test_a_uniform_round_is_a_random_arm_unless_problems_are_capped(make, phase, rich, report, per_problem, is_random):
    selection = make.selection(phase=phase, policy="uniform", size=40, per_problem=per_problem)
    picking.select(selection, report)
    assert set(selection.items.values_list("is_random", flat=True)) == {is_random}
    assert report.all[-1]["summary"]["unfinished"] == 0
