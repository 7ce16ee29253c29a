"""The demo world's problem families: statements with numbers to draw, and the lines of their solutions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

NAMES = ("Ana", "Ben", "Chloe", "Dev", "Emma", "Farid", "Grace", "Hugo", "Ines", "Jonas", "Kira", "Liam")
THINGS = ("apples", "stickers", "marbles", "books", "cards", "shells", "pencils", "coins", "stamps", "beads")
GOODS = ("jacket", "bicycle", "lamp", "backpack", "radio", "chair", "tent", "watch")
PLACES = ("garden", "floor", "field", "poster", "table")
COLOURS = (
    ("red", "blue", "green"),
    ("white", "black", "yellow"),
    ("blue", "white", "red"),
    ("green", "black", "white"),
)
UNITS = ("cm", "m", "km", "mm")


@dataclass(frozen=True)
class Line:
    """A step: one of the leads (between bars), then a calculation such as ``pay = hours * rate``, then a unit.

    Operands are numbers of the problem, earlier results, or plain numbers. Of the units (between bars), the first is
    right. A line without a calculation adds nothing: it is neutral.
    """

    leads: str
    calculation: str = ""
    units: str = ""


@dataclass(frozen=True)
class Family:
    """Problems that differ in what is drawn (and `derived` from it). The last result is the answer, over `over`."""

    subject: str
    level: int
    statement: str
    drawn: Mapping[str, Sequence[object]]
    lines: tuple[Line, ...]
    ending: str
    derived: tuple[str, ...] = ()
    over: str = ""


@dataclass(frozen=True)
class Sketch:
    """One problem of a family: what was drawn, by name, and the statement that tells it."""

    family: Family
    drawn: Mapping[str, object]
    statement: str

    @property
    def numbers(self) -> dict[str, int]:
        return {name: value for name, value in self.drawn.items() if isinstance(value, int)}


def sketch(family: Family, rng: Random) -> Sketch:
    drawn = {name: rng.choice(options) for name, options in family.drawn.items()}
    for calculation in family.derived:
        name, left, sign, right = parsed(calculation)
        drawn[name] = apply(int(str(drawn[left])), sign, int(str(drawn[right])))
    return Sketch(family, drawn, rng.choice(family.statement.split("|")).format(**drawn))


def parsed(calculation: str) -> tuple[str, str, str, str]:
    """Splits a calculation into the result's name, the left operand, the sign and the right operand."""
    name, _, left, sign, right = calculation.split()
    return name, left, sign, right


def apply(left: int, sign: str, right: int) -> int:
    """Returns the result of a calculation; division rounds down."""
    results = {"+": left + right, "-": left - right, "*": left * right}
    return results[sign] if sign != "/" else left // right


FAMILIES = (
    Family(
        "Word problems",
        2,
        "{name} has {boxes} boxes with {each} {things} in each box. {name} {gains} {more} more {things}. Then {name} "
        "{loses} {less} {things}. How many {things} does {name} have in the end?",
        {
            **{"name": NAMES, "things": THINGS, "boxes": range(2, 6), "each": range(3, 7), "more": range(2, 10)},
            **{"less": range(2, 8), "gains": ("buys", "finds", "wins"), "loses": ("gives away", "loses", "sells")},
        },
        (
            Line("{name} starts with|The boxes hold|Multiplying, the boxes hold", "start = boxes * each", "{things}"),
            Line("Adding what {name} {gains} gives|Now there are more:|With the new ones:", "most = more + start"),
            Line("{name} {loses} some, which leaves|What remains is|Now there are fewer:", "left = most - less"),
        ),
        "So {name} has {} {things}.",
    ),
    Family(
        "Algebra",
        2,
        "Solve for $x$: \\[{factor}x + {shift} = {total}\\]|Find $x$ such that ${factor}x + {shift} = {total}$.",
        {"factor": range(2, 10), "root": range(2, 10), "shift": range(2, 10)},
        (
            Line("We bring all numbers to one side.|We want $x$ alone."),
            Line("Subtract {shift} from both sides: ${factor}x$ is|So ${factor}x$ is", "right = total - shift"),
            Line("Divide both sides by {factor}: $x$ is|Then $x$ is", "x = right / factor"),
        ),
        "So $x = {}$.",
        derived=("product = factor * root", "total = product + shift"),
    ),
    Family(
        "Fractions",
        3,
        "Compute $\\frac{{{a}}}{{{b}}} + \\frac{{{c}}}{{{d}}}$.|"
        "What is \\[\\frac{{{a}}}{{{b}}} + \\frac{{{c}}}{{{d}}}?\\]",
        {"a": range(1, 4), "b": (4, 5, 7), "c": range(1, 3), "d": (3, 8)},
        (
            Line("A common denominator is|We can use the denominator", "bottom = b * d"),
            Line("The first numerator becomes|Then the first one has", "first = a * d"),
            Line("The second numerator becomes|And the second one has", "second = c * b"),
            Line("Together the numerators are|Adding both,", "top = first + second"),
        ),
        "In lowest terms this is ${}$.",
        over="bottom",
    ),
    Family(
        "Percentages",
        2,
        "A {thing} costs \\${price}. The price is reduced by ${tens}0\\%$. What is the new price in dollars?",
        {"thing": GOODS, "price": range(20, 100, 10), "tens": range(1, 6)},
        (
            Line("Ten percent of the price is|A tenth of it is", "tenth = price / 10", "dollars|percent"),
            Line("So ${tens}0\\%$ of the price is|The reduction is", "part = tenth * tens", "dollars|percent"),
            Line("The price is reduced, so we subtract:|The new price is", "new = price - part", "dollars|percent"),
        ),
        "The {thing} costs {} dollars now.",
    ),
    Family(
        "Geometry",
        2,
        "A rectangular {place} is {length} {unit} long and {width} {unit} wide. A square with side {side} {unit} is "
        "cut out of it. What is the area that is left, in square {unit}?",
        {"length": range(5, 10), "width": range(4, 9), "side": (2, 3), "place": PLACES, "unit": UNITS},
        (
            Line("The area of the {place} is", "whole = length * width", "square {unit}|{unit}|cubic {unit}"),
            Line("The area of the square is", "square = side * side", "square {unit}|{unit}|cubic {unit}"),
            Line("Cutting it out leaves|What is left is", "left = whole - square", "square {unit}|{unit}|cubic {unit}"),
        ),
        "The area is {} square {unit}.",
    ),
    Family(
        "Sequences",
        3,
        "What is the {count}th term of the arithmetic sequence ${first}, {second}, {third}, \\ldots$?|"
        "The sequence ${first}, {second}, {third}, \\ldots$ is arithmetic. Find its {count}th term.",
        {"first": range(1, 10), "gap": range(2, 8), "count": range(6, 11)},
        (
            Line("The common difference is|From term to term we add", "step = second - first"),
            Line("Up to term {count} the number of jumps is|The jumps to term {count} are", "jumps = count - 1"),
            Line("All jumps together add|The jumps add", "added = jumps * step"),
            Line("So the term is|From the first term we get to", "term = first + added"),
        ),
        "The {count}th term is {}.",
        derived=("second = first + gap", "third = second + gap"),
    ),
    Family(
        "Probability",
        3,
        "A bag holds {one} {colours[0]}, {two} {colours[1]} and {three} {colours[2]} marbles. One marble is drawn at "
        "random. What is the probability that it is {colours[0]} or {colours[1]}?",
        {"one": range(2, 8), "two": range(2, 8), "three": range(2, 8), "colours": COLOURS},
        (
            Line("The probability is good over total.|We count the good ones and all of them."),
            Line("Of the other two colours there are|The others number", "some = one + three", "marbles"),
            Line("With the {colours[1]} ones there are|All in all,", "all = some + two", "marbles|dollars"),
            Line("The marbles that are {colours[0]} or {colours[1]} number|Good are", "good = one + two"),
        ),
        "So the probability is ${}$.",
        over="all",
    ),
    Family(
        "Calculus",
        4,
        "Let $f(x) = {a}x^3 + {b}x^2$. Compute $f'({x})$.|Let $f(x) = {a}x^3 + {b}x^2$. What is $f'({x})$?",
        {"a": range(2, 7), "b": range(2, 9), "x": range(2, 5)},
        (
            Line("We differentiate term by term.|We use the power rule on each term."),
            Line("In the derivative, the factor of $x^2$ is|Before $x^2$ stands", "cubic = a * 3"),
            Line("The factor of $x$ is|Before $x$ stands", "square = b * 2"),
            Line("At $x = {x}$, $x^2$ is|The square of {x} is", "power = x * x"),
            Line("So the first term is|The first term gives", "first = cubic * power"),
            Line("So the second term is|The second term gives", "second = square * x"),
            Line("Together this is|The sum is", "all = first + second"),
        ),
        "So $f'({x}) = {}$.",
    ),
    Family(
        "Word problems",
        2,
        "{name} earns \\${rate} per hour. {name} works {first} hours on Saturday and {second} hours on Sunday, and "
        "then spends \\${spent} on a gift. How many dollars are left?",
        {"name": NAMES, "rate": range(5, 10), "first": range(2, 6), "second": range(2, 6), "spent": range(5, 20)},
        (
            Line("In total {name} works|Over both days that is", "hours = first + second", "hours|dollars"),
            Line("The pay is|That earns", "pay = hours * rate", "dollars|hours"),
            Line("After the gift, what is left is|Spending leaves", "left = pay - spent", "dollars|hours"),
        ),
        "{name} has {} dollars left.",
    ),
    Family(
        "Geometry",
        3,
        "A rectangular garden is {length} m long and {width} m wide. A fence around it costs \\${price} per metre. How "
        "many dollars does the whole fence cost?",
        {"length": range(3, 10), "width": range(2, 9), "price": range(2, 6)},
        (
            Line("The fence follows the perimeter.|We need the perimeter first."),
            Line("Length plus width is|Half of the perimeter is", "half = length + width", "m|square m"),
            Line("So the perimeter is|All the way around it is", "around = half * 2", "m|square m|dollars"),
            Line("At \\${price} per metre this costs|The whole fence costs", "cost = around * price", "dollars|m"),
        ),
        "The fence costs {} dollars.",
    ),
)
