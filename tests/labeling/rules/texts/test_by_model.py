"""Cutting by a language model: the question to it, and reading its answers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.rules.texts.by_model import question, read_answer
from tests.processor_time import processor_seconds


def test_the_parts_are_numbered():
    assert question(["We add.", "So {16}."]).endswith("\n\n1 | We add.\n2 | So {16}.")


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        ('{"steps": [1, 3]}', [1, 3]),
        ("[3]", [3]),
        ("```json\n[\n  4,\n  1,\n  4\n]\n```", [1, 4]),
        ("<think>[1] or [2, 3]?</think>\n\nThese: [2]", [2]),
        ("[1] or [2]", None),
        ("[]", None),
        ("[0, 1]", None),
        ("[1, 5]", None),
        ("[-1]", None),
        ("[1.0]", None),
        ("[١]", None),
        ("[1 2]", None),
        ('["1"]', None),
        ("[true]", None),
        ("[[1], 2]", [1]),
        (f"[{'9' * 5000}]", None),
        ("1, 3", None),
        ("", None),
    ],
)
def test_an_answer_is_one_list_of_numbers_of_parts(answer, numbers):
    assert read_answer(answer, 4) == numbers


@given(answer=st.text("[]{}0129, \n-.e<think/>"), parts=st.integers(1, 9))
def test_any_answer_gives_valid_part_numbers_or_none(answer, parts):
    numbers = read_answer(answer, parts)
    assert numbers is None or (numbers and set(numbers) <= set(range(1, parts + 1)) and numbers == sorted(numbers))


@pytest.mark.parametrize("sign", ["[", "[1", "</think>", "[1]", "1,"])
def test_time_is_linear(sign):
    assert processor_seconds(lambda: read_answer(sign * 100_000, 9)) < 1
