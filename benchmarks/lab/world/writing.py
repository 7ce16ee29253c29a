"""Writes demo solutions step by step, with mistakes at given places.

It counts the places where a student could go wrong (``_pick``), answers rightly, and at the places named in ``faults``
answers wrongly: the mistake then runs through all that follows, as it does on paper, and the step in which it was made
is rated -1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import TypeVar

from benchmarks.lab.world.families import Line, Sketch, apply, parsed

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
    "",
    "Rounding a little, ",
    "That looks too simple, so I change it. ",
    "I am not sure, but I would say: ",
    "To be on the safe side: ",
)


@dataclass(frozen=True)
class WrittenStep:
    """One written step; ``result`` is the number it arrives at, if any."""

    text: str
    rating: int
    result: str = ""


@dataclass(frozen=True)
class Trap:
    """A place of a problem at which solutions always go wrong in the same way, drawn from `seed`."""

    place: int
    seed: int


@dataclass(frozen=True)
class Calc:
    """A calculation as written, and its value; a ``leap``, which nobody can verify, takes the place of the step."""

    text: str
    value: int
    leap: str = ""


class Writer:
    """Writes one solution. The same ``seed`` gives the same wording whatever the faults. A ``trap`` is a fault, too."""

    def __init__(
        self,
        sketch: Sketch,
        seed: int,
        *,
        faults: frozenset[int] = frozenset(),
        trap: Trap | None = None,
        chattiness: float = 0.0,
    ) -> None:
        self.steps: list[WrittenStep] = []
        self.places = 0
        self._sketch = sketch
        self._words, self._slips, self._fillers = Random(seed), Random(seed + 1), Random(seed + 2)
        self._faults = faults | {trap.place} if trap else faults
        self._trap = trap
        self._chattiness = chattiness
        self._values = sketch.numbers
        self._is_spoiled = False
        for line in sketch.family.lines:
            self._write(line)
            if self._fillers.random() < chattiness:
                self.steps.append(WrittenStep(self._fillers.choice(FILLERS), 0))
        self.answer = self._finish()

    def _pick(self, right: Choice, *wrong: Choice) -> Choice:
        """Returns ``right``, or at a faulty place one of ``wrong`` (if any differs from ``right``)."""
        candidates = [option for option in wrong if option != right]
        self.places += 1
        if self.places - 1 not in self._faults or not candidates:
            return right
        self._is_spoiled = True
        return self._mistakes(self.places - 1).choice(candidates)

    def _mistakes(self, place: int) -> Random:
        """Returns the generator of random numbers for the mistake at a place."""
        return Random(self._trap.seed) if self._trap and self._trap.place == place else self._slips

    def _write(self, line: Line) -> None:
        lead = self._words.choice(line.leads.split("|")).format(**self._sketch.drawn)
        if not line.calculation:
            self.steps.append(WrittenStep(lead, 0))
            return
        name, left, sign, right = parsed(line.calculation)
        calc = self._calc(self._operand(left), sign, self._operand(right))
        unit = self._pick(*line.units.format(**self._sketch.drawn).split("|"))
        self._values[name] = calc.value
        self._close(calc.leap.format(calc.value) or f"{lead} ${calc.text}$ {unit}".rstrip() + ".", str(calc.value))

    def _operand(self, name: str) -> int:
        """Copies a number from the problem, open to misreading."""
        value = int(name) if name.isdigit() else self._values[name]
        return self._pick(value, *slips_of(value)) if name in self._sketch.drawn else value

    def _calc(self, left: int, sign: str, right: int) -> Calc:
        """Computes ``left sign right``, open to a wrong operation, a slip, rounding, a wrong sign alone, and leaps."""
        value, confused = apply(left, sign, right), CONFUSED[sign]
        if confused == "-" and right >= left:
            confused = "*"
        mistakes = self._mistakes(self.places)
        slip, rounded = mistakes.choice(slips_of(value)), value - value % 10 + 10
        wrong_operation = _written(left, confused, right, apply(left, confused, right))
        return self._pick(
            _written(left, sign, right, value),
            *[wrong_operation] * 2,
            _written(left, sign, right, slip),
            Calc(f"{left} {SIGNS[sign]} {right} \\approx {rounded}", rounded),
            _written(left, confused, right, value),
            *[Calc("", other, mistakes.choice(LEAPS)) for other in (slip, slip, value)],
        )

    def _finish(self) -> str:
        """Writes the last step: a sentence around the answer, then the answer itself, open to a wrong copy."""
        results = list(self._values.values())
        over = self._values[self._sketch.family.over] if self._sketch.family.over else 1
        right, *wrong = [_fraction(value, over) for value in (results[-1], *slips_of(results[-1]))]
        copied = self._pick(right, *wrong)
        hedge = self._slips.choice(HEDGES) if copied != right else ""
        # The answer's braces are LaTeX's, not places to fill.
        sentence = self._sketch.family.ending.replace("{}", "{answer}").format(**self._sketch.drawn, answer=copied)
        ending = self._words.choice((f"\n\n# Answer\n\n{copied}", f" The answer is $\\boxed{{{copied}}}$."))
        self._close(hedge + sentence + ending, copied)
        return copied

    def _close(self, text: str, result: str) -> None:
        """Ends a step, rated negative if it contains a fault."""
        self.steps.append(WrittenStep(text, -1 if self._is_spoiled else 1, result))
        self._is_spoiled = False


def slips_of(value: int) -> list[int]:
    """Returns nearby wrong values: off by a little, off by ten, digits swapped."""
    swapped = int(str(abs(value))[::-1])
    candidates = [value + 2, value + 3, value - 2, value + 10, value - 10, swapped]
    return [other for other in candidates if other != value and (other > 0 or value < 0)]


def _fraction(top: int, bottom: int) -> str:
    """Returns LaTeX in lowest terms: ``\\frac{3}{4}``, or a whole number."""
    value = Fraction(top, bottom or 1)
    if value.denominator == 1:
        return str(value.numerator)
    sign = "-" if value < 0 else ""
    return f"{sign}\\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def _written(left: int, sign: str, right: int, value: int) -> Calc:
    return Calc(f"{left} {SIGNS[sign]} {right} = {value}", value)
