"""labeling.rules.labelled: the path of a labelling, and whether it judges the whole solution."""

from __future__ import annotations

from typing import Any

import pytest

from labeling.rules.labelled import Labelled, LabelledCompletion

BLANK = dict.fromkeys(
    (
        *("id", "annotator_id", "phase", "generator", "answer", "verdict", "problem_id", "problem", "reference_answer"),
        *("reference_solution", "problem_source", "split", "problem_hash"),
    ),
    "",
)


def labelled(
    *steps: list[LabelledCompletion], own: str = "abc", finish_reason: str | None = "solution", **fields: Any
) -> Labelled:
    """Makes a labelling whose steps are lists of `given`. `own`: one letter for each step of the solution."""
    fixed = {"active_ms": None, "submitted_at": None, "source_record": None, "is_gold": False, "round_number": 0}
    completions = [
        item._replace(step=step, number=number) for step, group in enumerate(steps) for number, item in enumerate(group)
    ]
    kind = {"phase_kind": "solutions", "finish_reason": finish_reason, "solution_steps": list(own)}
    return Labelled(**{**BLANK, **fixed, **kind, **fields}, completions=completions)


def given(text: str, rating: int | None, *, chosen: bool = False, human: bool = False) -> LabelledCompletion:
    return LabelledCompletion(0, 0, text, rating, False, chosen, human)


A, B, C = (given(text, 1, chosen=True) for text in "abc")


@pytest.mark.parametrize(
    ("steps", "path"),
    [
        ([[A], [B], [C]], "abc"),
        ([[A], [given("b", -1, chosen=True)]], "ab"),
        ([[A], [given("b", -1)]], "ab"),  # as PRM800K writes a mistake
        ([[given("a", -1)]], "a"),
        ([[A], [given("b", -1), given("x", 1), given("y", 1)]], "ab"),
        ([[A], [given("x", 1), given("b", -1)]], "ab"),
        ([[A], [given("b", -1), given("mine", None, chosen=True, human=True)], [C]], "ab"),
        ([[A], [given("b", -1), given("x", 1, chosen=True)], [C]], "ab"),
        ([[given("a", 1)], [given("b", 0)], [given("c", 1)]], "abc"),  # the chosen completion is unknown
        ([[A], [given("b", None, chosen=True)], [C]], "a"),
        ([[A], [given("b", None)], [given("c", -1)]], "a"),
        ([[A], [], [C]], "a"),
        ([], ""),
    ],
)
def test_the_path_of_a_whole_solution(steps, path):
    assert [item.text for item in labelled(*steps).path] == list(path)


@pytest.mark.parametrize(
    ("steps", "path"),
    [
        ([[given("x", -1), A], [B]], "ab"),
        ([[A], [given("x", -1), given("m", None, chosen=True, human=True)], [C]], "amc"),
        ([[A], [given("x", -1), given("y", -1)]], "ax"),
        ([[A], [given("x", None), given("y", -1)]], "ay"),
        ([[A], [given("x", 1), given("y", -1)]], "a"),
        ([[A], [given("x", None), given("y", None)]], "a"),
        ([[given("x", 1)]], ""),
    ],
)
def test_the_path_of_a_trajectory(steps, path):
    found = labelled(*steps, phase_kind="alternatives", own="ab").path
    assert [item.text for item in found] == list(path)


@pytest.mark.parametrize(
    ("steps", "finish_reason", "is_judged"),
    [
        ([[A], [B], [C]], "solution", True),
        ([[A], [B], [C]], None, True),
        ([[A], [B], [C]], "give_up", False),
        ([[A], [B], [C]], "found_error", False),
        ([[A], [B]], "solution", False),
        ([[A], [given("b", -1)]], "found_error", True),
        ([[A], [given("b", -1)]], None, True),
        ([[A], [given("b", -1)]], "give_up", True),
        ([[A], [given("b", -1)]], "bad_problem", False),
        ([[A], [given("b", None), given("m", None, chosen=True, human=True)], [given("c", -1)]], "found_error", False),
        ([[A], [given("b", None)], [C]], "solution", False),
        ([], None, False),
    ],
)
def test_is_judged(steps, finish_reason, is_judged):
    assert labelled(*steps, finish_reason=finish_reason).is_judged is is_judged


def test_where_all_steps_are_rated_the_path_goes_on_after_a_mistake():
    bad = given("b", -1, chosen=True)
    whole = labelled([A], [bad], [C], rates_all_steps=True, finish_reason="found_error")
    assert [item.text for item in whole.path] == ["a", "b", "c"]
    assert (whole.first_error, whole.is_judged) == (1, True)
    unsure = labelled([A], [bad], [given("c", None)], rates_all_steps=True, finish_reason="found_error")
    assert [item.text for item in unsure.path] == ["a", "b"]
