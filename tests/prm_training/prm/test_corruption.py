"""Damage is real, plausible, and repeatable."""

from __future__ import annotations

import random

from prm_training.prm.corruption import corrupt

STRANGERS = ["Something else."]


def draws(step: str, context: str = "") -> set[str | None]:
    return {corrupt(step, context, STRANGERS, random.Random(seed)) for seed in range(300)}


def test_damage_is_never_the_step_itself() -> None:
    step = "So $2 \\times 7 = 14$."
    found = draws(step, "There are 2 boxes of 7.")
    assert step not in found
    assert {"So $2 + 7 = 14$.", "So $2 \\times 7 = 15$.", "So $2 \\times 7 = 7$.", *STRANGERS} <= found


def test_a_step_without_numbers_is_replaced_by_a_stranger() -> None:
    assert draws("Let us go on.") == set(STRANGERS)


def test_no_damage_is_none() -> None:
    assert draws("Something else.") == {None}


def test_a_number_of_absurd_length_is_no_trouble() -> None:
    assert len(draws("9" * 6000)) > 1


def test_the_same_seed_gives_the_same_damage() -> None:
    first, second = (corrupt("1 + 1 = 2", "", STRANGERS, random.Random(5)) for _ in range(2))
    assert first == second
