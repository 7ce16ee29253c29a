"""Fractions, and probability with small counts."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from labeling.demo.pen import Pen, fraction_text
from labeling.demo.stories import Sketch

COLOURS = ("red", "blue", "green", "white", "black", "yellow")


def fraction_sum(rng: Random) -> Sketch:
    """Add or subtract two fractions with small denominators."""
    left_bottom, right_bottom = rng.sample((2, 3, 4, 5, 6), 2)
    left_top, right_top = rng.randint(1, left_bottom - 1), rng.randint(1, right_bottom - 1)
    is_sum = rng.random() < 0.6 or left_top * right_bottom <= right_top * left_bottom
    sign = "+" if is_sum else "-"
    left, right = Fraction(left_top, left_bottom), Fraction(right_top, right_bottom)
    value = left + right if is_sum else left - right
    written = f"{_over(left_top, left_bottom)} {sign} {_over(right_top, right_bottom)}"
    statement = rng.choice((f"Compute ${written}$.", f"What is \\[{written}?\\]", f"Simplify ${written}$."))

    def solve(pen: Pen) -> None:
        bottom = pen.calc(left_bottom, "*", right_bottom)
        pen.step(f"{pen.say('A common denominator is', 'We can use the denominator')} ${bottom.text}$.")
        tops = [left_top * right_bottom, right_top * left_bottom]
        for index, (top, old, factor) in enumerate(
            ((left_top, left_bottom, right_bottom), (right_top, right_bottom, left_bottom))
        ):
            tops[index] = pen.value(tops[index], top, top + factor, tops[index] + 2)
            new = _over(tops[index], bottom.value)
            pen.step(f"{pen.say('We write', 'Then')} ${_over(top, old)} = {new}$.")
        used = pen.pick(sign, "-" if is_sum else "+")
        top = max(1, tops[0] + tops[1] if used == "+" else tops[0] - tops[1])
        whole = pen.pick(bottom.value, 2 * bottom.value)
        both = f"{_over(tops[0], bottom.value)} {used} {_over(tops[1], bottom.value)}"
        pen.step(f"{pen.say('Now', 'Together')} ${both} = {_over(top, whole)}$.")
        final = Fraction(top, whole)
        text = fraction_text(final)
        wrong = fraction_text(Fraction(final.denominator, final.numerator))
        pen.answer(lambda text: f"In lowest terms this is ${text}$.", text, wrong, fraction_text(final + 1))

    return Sketch(statement, fraction_text(value), "Fractions", 3, solve)


def _over(top: int, bottom: int) -> str:
    return f"\\frac{{{top}}}{{{bottom}}}"


def marbles(rng: Random) -> Sketch:
    """Draw one marble from a bag of three colours; is it of one colour, or of one of two?"""
    counts = [rng.randint(2, 7) for _ in range(3)]
    colours = rng.sample(COLOURS, 3)
    is_not = rng.random() < 0.5
    wanted = counts[1] + counts[2] if is_not else counts[0] + counts[1]
    asked = f"not {colours[0]}" if is_not else f"{colours[0]} or {colours[1]}"
    statement = (
        f"A bag holds {counts[0]} {colours[0]}, {counts[1]} {colours[1]} and {counts[2]} {colours[2]} "
        f"marbles. One marble is drawn at random. What is the probability that it is {asked}?"
    )
    pair = counts[1:] if is_not else counts[:2]

    def solve(pen: Pen) -> None:
        some = pen.calc(pen.number(counts[0]), "+", counts[1])
        pen.step(f"{pen.say('Count the first two colours:', 'First,')} ${some.text}$ marbles.", result=some.value)
        everything = pen.calc(some.value, "+", counts[2])
        pen.step(f"{pen.say('In total there are', 'Altogether that makes')} ${everything.text}$ marbles.")
        good = pen.calc(pair[0], "+", pair[1])
        pen.step(f"The marbles that are {asked} number ${good.text}$.", result=good.value)
        top, bottom = pen.pick((good.value, everything.value), (everything.value, good.value), (1, everything.value))
        pen.step(f"{pen.say('The probability is', 'Good over total is')} ${_over(top, bottom)}$.")
        chance = Fraction(top, bottom)
        rest = fraction_text(1 - chance) if 0 < chance < 1 else "1"
        pen.answer(lambda text: f"So the probability is ${text}$.", fraction_text(chance), rest)

    return Sketch(statement, fraction_text(Fraction(wanted, sum(counts))), "Probability", 3, solve)
