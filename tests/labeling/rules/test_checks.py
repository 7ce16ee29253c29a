"""labeling.rules.checks: labellings that deserve a second look."""

from labeling.rules.checks import FASTEST_MS_PER_WORD, LOOK_AGAIN_SHARE, soft_checks
from labeling.rules.ratings import Judgement, StepRating


def found(*ratings, reason="solution", answer="5", words=10, active_ms=60_000, throw=0.9):
    judgement = Judgement([StepRating(step, rating) for step, rating in enumerate(ratings)], reason)
    return soft_checks(judgement=judgement, answer=answer, words=words, active_ms=active_ms, throw=throw)


def test_an_ordinary_labelling_passes():
    assert found(1, 0, 1) == []


def test_labellings_without_an_error_are_checked_at_random():
    assert found(1, 0, throw=LOOK_AGAIN_SHARE - 0.01) == ["no_error"]
    assert found(1, 0, throw=LOOK_AGAIN_SHARE) == []


def test_never_after_an_error():
    assert found(1, -1, reason="found_error", throw=0) == []
    assert found(1, reason="give_up", throw=0) == []


def test_a_good_last_step_of_a_solution_without_an_answer():
    assert found(1, 1, answer=" ") == ["fine_but_incomplete"]
    assert found(1, 0, answer="") == []


def test_answers_are_not_expected_if_solutions_state_none():
    assert found(1, 1, answer=None) == []


def test_faster_than_anybody_reads():
    fast = 10 * FASTEST_MS_PER_WORD
    assert found(1, active_ms=fast) == []
    assert found(1, active_ms=fast - 1) == ["too_fast"]
    assert found(-1, reason="found_error", active_ms=0) == ["too_fast"]
    assert found(reason="bad_problem", active_ms=0) == []


def test_all_at_once_in_order():
    assert found(1, answer="", active_ms=0, throw=0) == ["no_error", "fine_but_incomplete", "too_fast"]
