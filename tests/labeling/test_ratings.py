import pytest

from labeling import ratings as rules
from labeling.errors import DomainError
from labeling.ratings import InvalidLabelling, Judgement, Protocol, StepRating


def rated(*ratings):
    return [StepRating(step, rating, is_flagged=rating is None) for step, rating in enumerate(ratings)]


def check(*ratings, reason, note="", steps=3):
    rules.check(Judgement(rated(*ratings), reason, note), Protocol("solutions", steps))


@pytest.mark.parametrize(
    ("ratings", "reason", "note"),
    [
        ((1, 0, 1), "solution", ""),
        ((1, None, 1), "solution", ""),
        ((1, -1), "found_error", ""),
        ((-1,), "found_error", ""),
        ((None, 1, -1), "found_error", ""),
        ((), "bad_problem", "no question in it"),
        ((1,), "give_up", "too long"),
    ],
)
def test_it_accepts(ratings, reason, note):
    check(*ratings, reason=reason, note=note)


@pytest.mark.parametrize(
    ("ratings", "reason", "note", "message"),
    [
        ((1, -1, 1), "found_error", "", "no later step"),
        ((1, 0), "solution", "", "1 steps have no rating"),
        ((), "solution", "", "3 steps have no rating"),
        ((1, 0, -1), "solution", "", "finish reason"),
        ((1, 0, 1), "found_error", "", "finish reason"),
        ((), "found_error", "", "finish reason"),
        ((1, 2), "found_error", "", "not 2"),
        ((1, 1, 1, 1), "solution", "", "4 ratings for 3 steps"),
        ((1,), "bad_problem", " ", "why"),
        ((1,), "give_up", "", "why"),
        ((1,), "done", "", "no finish reason"),
    ],
)
def test_it_refuses(ratings, reason, note, message):
    with pytest.raises(InvalidLabelling, match=message):
        check(*ratings, reason=reason, note=note)


@pytest.mark.parametrize("steps", [[1], [0, 2], [1, 0], [0, 0]])
def test_it_refuses_gaps_and_disorder(steps):
    ratings = [StepRating(step, 1) for step in steps]
    with pytest.raises(InvalidLabelling, match="in order"):
        rules.check(Judgement(ratings, "give_up", "why"), Protocol("solutions", 3))


def test_it_refuses_no_rating_without_a_flag():
    with pytest.raises(InvalidLabelling, match="unsure"):
        rules.check(Judgement([StepRating(0, None)], "solution"), Protocol("solutions", 1))


def test_it_is_a_domain_error():
    assert issubclass(InvalidLabelling, DomainError)
