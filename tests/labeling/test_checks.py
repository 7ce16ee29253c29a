"""labeling.checks: what deserves a second look."""

import pytest

from labeling.checks import FASTEST_MS_PER_WORD, soft_checks
from labeling.ratings import Judgement, StepRating


def found(*ratings, reason="solution", verdict="right", answer="5", words=10, active_ms=60_000):
    judgement = Judgement([StepRating(step, rating) for step, rating in enumerate(ratings)], reason)
    return soft_checks(judgement=judgement, verdict=verdict, answer=answer, words=words, active_ms=active_ms)


@pytest.mark.parametrize("verdict", ["right", "unsure"])
def test_nothing_is_odd(verdict):
    assert found(1, 0, 1, verdict=verdict) == []


def test_all_fine_but_the_answer_is_wrong():
    assert found(1, 0, verdict="wrong") == ["all_fine_but_wrong"]


@pytest.mark.parametrize("verdict", ["right", "wrong", "unsure"])
def test_a_negative_says_nothing_whatever_the_answer(verdict):
    assert found(1, -1, reason="found_error", verdict=verdict) == []
    assert found(1, reason="give_up", verdict=verdict) == []


def test_a_good_last_step_of_a_solution_without_an_answer():
    assert found(1, 1, answer=" ") == ["fine_but_incomplete"]
    assert found(1, 0, answer="") == []


def test_faster_than_anybody_reads():
    fast = 10 * FASTEST_MS_PER_WORD
    assert found(1, active_ms=fast) == []
    assert found(1, active_ms=fast - 1) == ["too_fast"]
    assert found(-1, reason="found_error", active_ms=0) == ["too_fast"]
    assert found(reason="bad_problem", active_ms=0) == []


def test_all_at_once_in_order():
    assert found(1, verdict="wrong", answer="", active_ms=0) == [
        "all_fine_but_wrong",
        "fine_but_incomplete",
        "too_fast",
    ]
