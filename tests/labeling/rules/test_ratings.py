"""labeling.rules.ratings: the protocol's checks, in both kinds of phases."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.errors import DomainError
from labeling.rules import ratings as rules
from labeling.rules.ratings import CritiqueRating, InvalidLabelling, Judgement, Protocol, StepRating

SOLUTION = Protocol("solutions", 3)
ASKS_ALL = Protocol("solutions", 3, asks_alternatives=True, asks_critiques=True, asks_progress=True)
TRAJECTORY = Protocol("alternatives", 3)


def rated(*ratings):
    return [StepRating(step, rating, is_flagged=rating is None) for step, rating in enumerate(ratings)]


def beside(step, completion, rating=1, **more):
    plain = {"text": f"text {completion}", "is_chosen": False, "is_flagged": rating is None}
    return StepRating(step, rating, completion=completion, **plain | more)


def refuses(judgement, protocol, message, **more):
    with pytest.raises(InvalidLabelling, match=message):
        rules.check_judgement(judgement, protocol, **more)


def test_it_is_a_domain_error():
    assert issubclass(InvalidLabelling, DomainError)


# Kind `solutions`


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
        ((1, -1), "give_up", "too long"),
    ],
)
def test_it_accepts(ratings, reason, note):
    rules.check_judgement(Judgement(rated(*ratings), reason, note), SOLUTION)


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
        ((1,), "done", "", "not a finish reason"),
    ],
)
def test_it_refuses(ratings, reason, note, message):
    refuses(Judgement(rated(*ratings), reason, note), SOLUTION, message)


@pytest.mark.parametrize("steps", [[1], [0, 2], [1, 0], [0, 0]])
def test_it_refuses_gaps_and_disorder(steps):
    ratings = [StepRating(step, 1) for step in steps]
    refuses(Judgement(ratings, "give_up", "why"), SOLUTION, "in order")


ASKS_WHY = Protocol("solutions", 2, asks_alternatives=True, asks_why_unsure=True)


def test_unsure_asks_why():
    unsure, last = StepRating(0, None, is_flagged=True), StepRating(1, 1)
    for note in ("", " "):
        refuses(Judgement([replace(unsure, note=note), last], "solution"), ASKS_WHY, "unsure about step 1")
    rules.check_judgement(Judgement([replace(unsure, note="Is it given?"), last], "solution"), ASKS_WHY)
    rules.check_judgement(Judgement([unsure], "give_up", "Too long."), ASKS_WHY)


def test_unsure_of_an_alternative_beside_asks_nothing():
    rules.check_judgement(Judgement([StepRating(0, -1), beside(0, 1, None)], "found_error"), ASKS_WHY)


def test_it_refuses_a_missing_rating_without_a_flag():
    refuses(Judgement([StepRating(0, None)], "solution"), Protocol("solutions", 1), "unsure")


@pytest.mark.parametrize("change", [{"is_chosen": False}, {"is_human": True}])
def test_the_solutions_own_steps_are_the_path(change):
    first, *others = rated(1, 1, 1)
    refuses(Judgement([replace(first, **change), *others], "solution"), SOLUTION, "own steps")


def found_error(*more, **columns):
    return Judgement([*rated(1, -1), *more], "found_error", **{"solution_progress": "some"} | columns)


def test_alternatives_and_critiques_are_accepted_at_the_first_negative():
    critiques = [CritiqueRating("It is 5.", rating=1), CritiqueRating("Look again.", is_human=True)]
    rules.check_judgement(
        found_error(beside(1, 1), beside(1, 2, -1), beside(1, 3, None), critiques=critiques), ASKS_ALL
    )
    rules.check_judgement(found_error(), ASKS_ALL)
    rules.check_judgement(Judgement(rated(1, 1, 1), "solution"), ASKS_ALL)


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (beside(0, 1), "for the Bad step only"),
        (beside(2, 1), "for the Bad step only"),
        (beside(1, 1, is_chosen=True), "can't be the chosen one"),
        (beside(1, 1, None, is_flagged=False), "unsure"),
        (beside(1, 1, 3), "not 3"),
    ],
)
def test_it_refuses_alternatives(item, message):
    refuses(found_error(item), ASKS_ALL, message)


def test_it_refuses_an_alternative_rated_twice():
    refuses(found_error(beside(1, 1), beside(1, 1, text="other")), ASKS_ALL, "rated twice")
    refuses(found_error(beside(1, 1), beside(1, 2, text="text 1")), ASKS_ALL, "rated twice")


def test_it_refuses_what_the_phase_does_not_ask_for():
    asks = replace(ASKS_ALL, asks_alternatives=False)
    refuses(found_error(beside(1, 1)), asks, "does not ask for alternatives")
    asks = replace(ASKS_ALL, asks_critiques=False)
    refuses(found_error(critiques=[CritiqueRating("x", 1)]), asks, "in a phase that asks for them")
    refuses(found_error(), replace(ASKS_ALL, asks_progress=False), "beside a Bad step")


def test_critiques_and_progress_belong_to_a_negative():
    judgement = Judgement(rated(1, 1, 1), "solution")
    refuses(replace(judgement, critiques=[CritiqueRating("x", 1)]), ASKS_ALL, "belong to a Bad step")
    refuses(replace(judgement, solution_progress="some"), ASKS_ALL, "beside a Bad step")


def test_progress_is_required_and_must_be_known():
    refuses(found_error(solution_progress=""), ASKS_ALL, "how far")
    refuses(found_error(solution_progress="far"), ASKS_ALL, "is not one of")


@pytest.mark.parametrize(
    ("critique", "message"),
    [
        (CritiqueRating(" ", 1), "no text"),
        (CritiqueRating("x"), "needs a rating"),
        (CritiqueRating("x", 5), "needs a rating"),
        (CritiqueRating("x", 5, is_human=True), "needs a rating"),
    ],
)
def test_it_refuses_critiques(critique, message):
    refuses(found_error(critiques=[critique]), ASKS_ALL, message)


# Kind `alternatives`


def step(number, *ratings, chosen=None, human=None):
    return [
        beside(number, index, rating, is_chosen=index == chosen, is_human=index == human)
        for index, rating in enumerate(ratings)
    ]


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ([*step(0, 1, -1, 0, chosen=0), *step(1, 1, 1, chosen=1)], "solution"),
        ([*step(0, -1, 0, 1, chosen=2, human=2), *step(1, None, 1, chosen=1)], "solution"),
        ([*step(0, -1, 0, chosen=1, human=1)], "solution"),
        ([*step(0, 1, chosen=0), *step(1, -1, -1)], "give_up"),
        ([*step(0, -1)], "give_up"),
        ([], "bad_problem"),
    ],
)
def test_it_accepts_trajectories(ratings, reason):
    rules.check_judgement(Judgement(ratings, reason, "why"), TRAJECTORY, states_answer=True)


@pytest.mark.parametrize(
    ("ratings", "reason", "message"),
    [
        ([*step(0, 1, 1, chosen=0), *step(2, 1, chosen=0)], "solution", "without a gap"),
        ([*step(1, 1, chosen=0)], "solution", "without a gap"),
        ([*step(0, 1, chosen=0), *step(1, 1, chosen=0), *step(0, 1)], "solution", "without a gap|rated twice"),
        ([*step(0, 1, 1)], "solution", "exactly one completion must be chosen, not 0"),
        ([*step(0, 1, 1), *step(1, 1, chosen=0)], "give_up", "exactly one completion must be chosen, not 0"),
        ([beside(0, 0, is_chosen=True), beside(0, 1, is_chosen=True)], "solution", "not 2"),
        ([*step(0, 0, 1, chosen=0)], "solution", "only a Great"),
        ([*step(0, -1, chosen=0)], "solution", "only a Great"),
        ([*step(0, None, chosen=0)], "solution", "only a Great"),
        ([*step(0, -1, chosen=0, human=0)], "solution", "only a Great"),
        ([beside(0, 1), beside(0, 0)], "give_up", "every completion, in order"),
        ([beside(0, 1)], "give_up", "every completion, in order"),
        ([beside(0, 0), beside(0, 1, text="text 0")], "give_up", "rated twice"),
        ([beside(0, 0, None, is_flagged=False)], "give_up", "unsure"),
        ([*step(0, 1, chosen=0)], "found_error", "ends with a solution"),
        ([], "solution", "final answer"),
    ],
)
def test_it_refuses_trajectories(ratings, reason, message):
    refuses(Judgement(ratings, reason, "why"), TRAJECTORY, message, states_answer=True)


def test_a_trajectory_ends_with_an_answer():
    refuses(Judgement(step(0, 1, chosen=0), "solution"), TRAJECTORY, "final answer", states_answer=False)


def test_a_trajectory_has_no_critiques_and_no_progress():
    asks = replace(TRAJECTORY, asks_critiques=True, asks_progress=True)
    refuses(Judgement([], "give_up", "why", critiques=[CritiqueRating("x", 1)]), asks, "belong to a Bad step")
    refuses(Judgement([], "give_up", "why", solution_progress="some"), asks, "beside a Bad step")


ALL_STEPS = Protocol("solutions", 3, asks_alternatives=True, rates_all_steps=True)


@pytest.mark.parametrize("ratings", [(1, -1, 1), (-1, -1, -1), (1, 1, -1), (-1, None, 0)])
def test_where_all_steps_are_rated_a_bad_one_ends_nothing(ratings):
    rules.check_judgement(Judgement(rated(*ratings), "found_error"), ALL_STEPS)


@pytest.mark.parametrize(
    ("ratings", "reason", "message"),
    [
        ((1, -1), "found_error", "1 steps have no rating"),
        ((1, 1), "solution", "1 steps have no rating"),
        ((1, -1, 1), "solution", "finish reason"),
        ((1, 1, 1), "found_error", "finish reason"),
    ],
)
def test_where_all_steps_are_rated_none_is_left_out(ratings, reason, message):
    refuses(Judgement(rated(*ratings), reason), ALL_STEPS, message)


def test_where_all_steps_are_rated_alternatives_stand_beside_the_first_bad_one():
    ratings = rated(1, -1, -1)
    rules.check_judgement(Judgement([*ratings, beside(1, 1)], "found_error"), ALL_STEPS)
    refuses(Judgement([*ratings, beside(2, 1)], "found_error"), ALL_STEPS, "for the Bad step only")


steps = st.lists(st.sampled_from([1, 0, -1]), min_size=1, max_size=6)


@given(steps, st.booleans())
def test_ratings_do_not_contradict_themselves(ratings, rates_all):
    assert not rules.contradicts(ratings, ratings, rates_all_steps=rates_all)


@given(steps, st.data())
def test_where_all_steps_are_rated_one_differing_mistake_contradicts(ratings, data):
    at = data.draw(st.integers(0, len(ratings) - 1))
    other = [*ratings[:at], 1 if ratings[at] == -1 else -1, *ratings[at + 1 :]]
    assert rules.contradicts(other, ratings, rates_all_steps=True)
    unsure = [*ratings[:at], None, *ratings[at + 1 :]]
    assert not rules.contradicts(unsure, ratings, rates_all_steps=True)


def test_a_stop_at_the_first_error_is_compared_by_its_place():
    assert not rules.contradicts([1, -1, -1], [0, -1], rates_all_steps=False)
    assert rules.contradicts([1, -1, -1], [1, -1, 1], rates_all_steps=True)
    assert rules.contradicts([1, 1, -1], [1, -1], rates_all_steps=False)


def test_a_trajectory_may_end_where_the_annotator_says_so():
    steps = Judgement(rated(1, 1), "solution")
    refuses(steps, TRAJECTORY, "final answer yet")
    by_hand = replace(TRAJECTORY, finishes_by_hand=True)
    rules.check_judgement(steps, by_hand)
    refuses(Judgement([], "solution"), by_hand, "final answer yet")
    refuses(Judgement(rated(1, -1), "solution"), by_hand, "Great completion")


ASKS_RESULT = Protocol("solutions", 3, asks_result=True)


@pytest.mark.parametrize("result", ["right", "wrong", "unsure"])
def test_the_result_has_a_verdict_of_its_own(result):
    rules.check_judgement(Judgement(rated(1, 1, 1), "solution", result=result), ASKS_RESULT)
    rules.check_judgement(Judgement(rated(1, -1), "found_error", result=result), ASKS_RESULT)
    refuses(Judgement(rated(1, 1, 1), "solution", result=result), SOLUTION, "not asked here")
    refuses(Judgement(rated(1), "give_up", "Long.", result=result), ASKS_RESULT, "not asked here")


def test_a_result_without_a_verdict_is_refused_unless_it_is_given_up():
    refuses(Judgement(rated(1, 1, 1), "solution"), ASKS_RESULT, "Say whether the final result")
    refuses(Judgement(rated(1, 1, 1), "solution", result="good"), ASKS_RESULT, "not one of")
    rules.check_judgement(Judgement(rated(1), "give_up", "Long."), ASKS_RESULT)
