"""Steps made wrong on purpose, to learn from before anyone has labelled anything.

Telling a step from a damaged copy of itself needs the same features as telling right from wrong: does the number
follow, is the operation the one that was called for, does the step belong here at all.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

NUMBER = re.compile(r"\d+")
OPERATOR = re.compile(r"(?<= )(?:[-+*/]|\\times|\\cdot|\\div)(?= )")
OPERATORS = ("+", "-", "*", "/", "\\times", "\\div")


def corrupt(step: str, context: str, strangers: Sequence[str], rng: random.Random) -> str | None:
    """A damaged copy of `step`: a number or an operation changed, or a step from elsewhere in its place.

    `context` is what stands before the step, a source of plausible numbers; `strangers` are steps of other problems.
    None where the damage drawn changes nothing.
    """
    numbers, operators = list(NUMBER.finditer(step)), list(OPERATOR.finditer(step))
    draw = rng.random()
    if operators and draw < 0.2:
        place = rng.choice(operators)
        damaged = _replace(step, place, rng.choice(OPERATORS))
    elif numbers and draw < 0.9:
        place = rng.choice(numbers)
        damaged = _replace(step, place, _other_number(place.group(), context, rng))
    else:
        damaged = rng.choice(strangers)
    return None if damaged == step else damaged


def _replace(text: str, place: re.Match[str], new: str) -> str:
    return text[: place.start()] + new + text[place.end() :]


def _other_number(number: str, context: str, rng: random.Random) -> str:
    """Near by, one digit off, or a number that stands in the context."""
    draw, seen = rng.random(), NUMBER.findall(context)
    if seen and draw < 0.3:
        return str(rng.choice(seen))
    if draw < 0.7:
        return str(abs(int(number[:15]) + rng.choice((-10, -2, -1, 1, 2, 10))))
    digit = rng.randrange(len(number))
    return number[:digit] + rng.choice("0123456789") + number[digit + 1 :]
