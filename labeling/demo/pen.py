"""The pen that writes demo solutions: a solver writes straight through, and the pen makes the mistakes.

A solver asks the pen at every place where a student could go wrong (``pick``, ``calc``). The pen counts these
places, answers rightly, and at the places named in ``faults`` answers wrongly: the mistake then runs through
all that follows, as it does on paper, and the step in which it was made is rated -1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TypeVar

Choice = TypeVar("Choice")

SIGNS = {"+": "+", "-": "-", "*": r"\times", "/": r"\div"}
CONFUSED = {"+": "-", "-": "+", "*": "+", "/": "-"}
FILLERS = (
    "Let's check this before going on.",
    "Let me read the problem again.",
    "That looks reasonable so far.",
    "So far so good.",
    "Let's think about what is left to do.",
    "We should keep the question in mind.",
    "Okay, let's go on.",
    "Let me double-check that line.",
)
LEAPS = (
    "It is well known that this gives ${}$.",
    "Guessing a little, we can say ${}$.",
    "By symmetry this must be ${}$.",
    "I remember that the number here is ${}$.",
    "Without going into details, we get ${}$.",
    "It should be about ${}$, which is close enough.",
    "Skipping the calculation, we have ${}$.",
    "Obviously, one sees ${}$ at a glance.",
    "Trying a few numbers, ${}$ seems to fit.",
    "The usual trick gives ${}$.",
)
HEDGES = (
    "Rounding a little, ",
    "That looks too simple, so I change it. ",
    "I am not sure, but I would say: ",
    "To be on the safe side: ",
)


@dataclass(frozen=True)
class Draft:
    """One written step; ``result`` is the number it arrives at, where it arrives at one."""

    text: str
    rating: int
    result: str = ""


@dataclass(frozen=True)
class Calc:
    """A calculation as written, such as ``12 + 5 = 17``, and the value that the writer carries on with.

    ``leap`` is a sentence that nobody can verify; where there is one, it takes the place of the whole step.
    """

    text: str
    value: int
    leap: str = ""


class Pen:
    """Writes one solution. The same ``seed`` gives the same wording whatever the faults."""

    def __init__(self, seed: int, *, faults: frozenset[int] = frozenset(), chattiness: float = 0.0) -> None:
        self.steps: list[Draft] = []
        self.places = 0
        self.answer_text = ""
        self._words = Random(seed)
        self._slips = Random(seed + 1)
        self._fillers = Random(seed + 2)
        self._faults = faults
        self._chattiness = chattiness
        self._is_spoiled = False
        self._leap = ""

    def say(self, *options: str) -> str:
        """One of several wordings of the same thing."""
        return self._words.choice(options)

    def pick(self, right: Choice, *wrong: Choice) -> Choice:
        """``right``, or at a faulty place one of ``wrong`` (where any differs from ``right``)."""
        candidates = [option for option in wrong if option != right]
        place = self.places
        self.places += 1
        if place not in self._faults or not candidates:
            return right
        self._is_spoiled = True
        return self._slips.choice(candidates)

    def calc(self, left: int, sign: str, right: int) -> Calc:
        """``left sign right``, open to a wrong operation, a slip, or a wrong sign alone."""
        value = apply(left, sign, right)
        return self._leaping(_written(left, sign, right, value), self._wrong_calcs(left, sign, right, value))

    def value(self, right: int, *wrong: int) -> int:
        """A value found without a written calculation, open to the given mistakes and to a leap."""
        mistakes = [Calc("", value) for value in wrong if value != right]
        leap = Calc("", right + self._slips.choice((1, 2, 5)), self._a_leap)
        return self._leaping(Calc("", right), [*mistakes, *[leap] * len(wrong)]).value

    def _leaping(self, right: Calc, wrong: list[Calc]) -> Calc:
        found = self.pick(right, *wrong)
        if found.leap:
            self._leap = found.leap.format(found.value)
        return found

    @property
    def _a_leap(self) -> str:
        return self._slips.choice(LEAPS)

    def _wrong_calcs(self, left: int, sign: str, right: int, value: int) -> list[Calc]:
        confused = CONFUSED[sign]
        if confused == "-" and right >= left:
            confused = "*"
        wrong_operation = _written(left, confused, right, apply(left, confused, right))
        slip = self._slips.choice(slips_of(value))
        rounded = Calc(f"{left} {SIGNS[sign]} {right} \\approx {_next_ten(value)}", _next_ten(value))
        leaps = [Calc("", other, self._a_leap) for other in (slip, slip, value)]
        lucky = _written(left, confused, right, value)
        return [wrong_operation, wrong_operation, _written(left, sign, right, slip), rounded, lucky, *leaps]

    def number(self, value: int) -> int:
        """A number copied from the problem, open to misreading."""
        return self.pick(value, *slips_of(value))

    def step(self, text: str, *, result: object = "", rating: int = 1) -> None:
        """Close a step; it is negative when a fault fell inside it. A filler may follow."""
        self.steps.append(Draft(self._leap or text, -1 if self._is_spoiled else rating, str(result)))
        self._is_spoiled, self._leap = False, ""
        if self._fillers.random() < self._chattiness:
            self.steps.append(Draft(self._fillers.choice(FILLERS), 0))

    def answer(self, sentence: Callable[[str], str], value: str, *slips: str) -> None:
        """The last step: a sentence around the answer, then the answer itself; ``slips`` are wrong copies."""
        copied = self.pick(value, *slips)
        hedge = self._slips.choice(("", *HEDGES)) if copied != value else ""
        self.answer_text = copied
        ending = self.say(f"\n\n# Answer\n\n{copied}", f" The answer is $\\boxed{{{copied}}}$.")
        self.steps.append(Draft(hedge + sentence(copied) + ending, -1 if self._is_spoiled else 1, copied))


def apply(left: int, sign: str, right: int) -> int:
    """The integer result of a calculation; division rounds down."""
    operations: dict[str, int] = {"+": left + right, "-": left - right, "*": left * right}
    return operations[sign] if sign != "/" else left // right


def slips_of(value: int) -> list[int]:
    """Nearby wrong values: off by a little, off by ten, digits swapped."""
    swapped = int(str(abs(value))[::-1])
    candidates = [value + 2, value + 3, value - 2, value + 10, value - 10, swapped]
    return [other for other in candidates if other != value and (other > 0 or value < 0)]


def _next_ten(value: int) -> int:
    return value - value % 10 + 10


def fraction_text(value: Fraction) -> str:
    """LaTeX of a fraction: ``\\frac{3}{4}``, or a whole number."""
    if value.denominator == 1:
        return str(value.numerator)
    sign = "-" if value < 0 else ""
    return f"{sign}\\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def _written(left: int, sign: str, right: int, value: int) -> Calc:
    return Calc(f"{left} {SIGNS[sign]} {right} = {value}", value)
