"""labeling.grading.voting: equal answers get one name."""

from itertools import product

import pytest

from labeling.grading import grader, voting
from labeling.grading.voting import named


def groups(*answers: str) -> list[set[str]]:
    names = named(answers)
    return [{answer for answer in names if names[answer] == name} for name in dict.fromkeys(names.values())]


@pytest.mark.parametrize(
    "spellings",
    [
        ["2,3", "3,2", "\\{2,3\\}", "x=2 or x=3"],
        ["\\frac{1}{2}", "\\dfrac12", "0.5", "1/2"],
        ["1,250", "1250", "$1250$"],
        ["(B)", "B", "\\text{B}"],
        ["x^2-1", "(x-1)(x+1)"],
        ["5"],
    ],
)
def test_spellings_of_one_answer_have_one_name(spellings):
    for first, second in product(spellings, repeat=2):
        assert groups(first, second, "17") == [{first, second}, {"17"}]
    assert groups(*spellings) == [set(spellings)]


def test_the_most_frequent_spelling_is_the_name():
    assert named(["0.5", "1/2", "1/2"]) == {"1/2": "1/2", "0.5": "1/2"}


def test_unsure_pairs_stay_apart():
    assert grader.grade("log 5", "\\log_{10} 6") != "right"
    assert groups("a dog", "a cat", "5 foos", "5 bars") == [{"a dog"}, {"a cat"}, {"5 foos"}, {"5 bars"}]


def test_no_answer_has_no_name():
    assert named(["", " ", "\n"]) == {}
    assert groups("", "5", " ") == [{"5"}]


def test_many_answers_cost_a_few_comparisons():
    """Only frequent answers are compared; plain whole numbers need no comparison."""
    formulas = [f"x^{{{power}}} + \\sqrt{{{power}}}" for power in range(2, 80)]
    before = grader._grade.cache_info()
    found = named(["0.5", "1/2", "1/2", *formulas, *map(str, range(1000))])
    asked = grader._grade.cache_info()
    assert asked.hits + asked.misses - before.hits - before.misses <= voting.MOST_COMPARED
    assert found["0.5"] == "1/2"
    assert len(set(found.values())) == len(found) - 1
