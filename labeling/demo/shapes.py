"""Areas and perimeters."""

from __future__ import annotations

from random import Random

from labeling.demo.pen import Pen, slips_of
from labeling.demo.stories import Sketch

UNITS = ("cm", "m", "km", "mm")
PLACES = ("garden", "floor", "field", "poster", "table")


def rectangle_area(rng: Random) -> Sketch:
    """The area of a rectangle, less a square that is cut out of it."""
    length, width, hole = rng.randint(5, 9), rng.randint(4, 8), rng.randint(2, 3)
    place, unit = rng.choice(PLACES), rng.choice(UNITS)
    area = length * width - hole * hole
    statement = (
        f"A rectangular {place} is {length} {unit} long and {width} {unit} wide. A square with side "
        f"{hole} {unit} is cut out of it. What is the area that is left, in square {unit}?"
    )

    def solve(pen: Pen) -> None:
        whole = pen.calc(pen.number(length), "*", width)
        pen.step(f"The area of the {place} is ${whole.text}$ {_square(pen, unit)}.", result=whole.value)
        square = pen.calc(hole, "*", hole)
        pen.step(f"The area of the square is ${square.text}$ {_square(pen, unit)}.", result=square.value)
        left = pen.calc(whole.value, "-", square.value)
        lead = pen.say("Cutting it out leaves", "What is left is")
        pen.step(f"{lead} ${left.text}$ {_square(pen, unit)}.", result=left.value)
        pen.answer(
            lambda text: f"The area is {text} square {unit}.",
            str(left.value),
            *map(str, slips_of(left.value)),
        )

    return Sketch(statement, str(area), "Geometry", 2, solve)


def _square(pen: Pen, unit: str) -> str:
    return pen.pick(f"square {unit}", unit, f"cubic {unit}")


def fence(rng: Random) -> Sketch:
    """The price of a fence around a rectangle."""
    length, width, price = rng.randint(3, 9), rng.randint(2, 8), rng.randint(2, 5)
    total = 2 * (length + width) * price
    statement = (
        f"A rectangular garden is {length} m long and {width} m wide. A fence around it costs "
        f"\\${price} per metre. How many dollars does the whole fence cost?"
    )

    def solve(pen: Pen) -> None:
        pen.step(pen.say("The fence follows the perimeter.", "We need the perimeter first."), rating=0)
        half = pen.calc(pen.number(length), "+", width)
        pen.step(
            f"{pen.say('Length plus width is', 'Half of the perimeter is')} ${half.text}$ m.",
            result=half.value,
        )
        around = pen.calc(half.value, "*", pen.pick(2, 4, 3))
        unit = pen.pick("m", "square m", "dollars")
        pen.step(f"{pen.say('So the perimeter is', 'All the way around it is')} ${around.text}$ {unit}.")
        cost = pen.calc(around.value, "*", price)
        pen.step(f"At \\${price} per metre this costs ${cost.text}$ dollars.", result=cost.value)
        pen.answer(lambda text: f"The fence costs {text} dollars.", str(cost.value), str(around.value))

    return Sketch(statement, str(total), "Geometry", 3, solve)
