"""Word problems of several steps, and percentages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from labeling.demo.pen import Pen, apply, slips_of

NAMES = ("Ana", "Ben", "Chloe", "Dev", "Emma", "Farid", "Grace", "Hugo", "Ines", "Jonas", "Kira", "Liam")
THINGS = ("apples", "stickers", "marbles", "books", "cards", "shells", "pencils", "coins", "stamps", "beads")
GOODS = ("jacket", "bicycle", "lamp", "backpack", "radio", "chair", "tent", "watch")


@dataclass(frozen=True)
class Sketch:
    """A problem and the solver that writes a solution to it with any pen."""

    statement: str
    answer: str
    subject: str
    level: int
    solve: Callable[[Pen], None]


@dataclass(frozen=True)
class Move:
    """One event of a story: how it is told, how a solution speaks of it, and its calculation."""

    told: str
    leads: tuple[str, ...]
    sign: str
    operand: int


GAINS = (
    "buys {n} more {things}",
    "finds {n} more {things}",
    "gets {n} more {things} from a friend",
)
LOSSES = ("gives away {n} {things}", "loses {n} {things}", "sells {n} {things}")


def _gain(rng: Random, things: str) -> Move:
    n = rng.randint(2, 9)
    told = rng.choice(GAINS).format(n=n, things=things)
    return Move(told, ("Now there are more, so we add", "Adding these gives", "With the new ones that makes"), "+", n)


def _loss(rng: Random, things: str, have: int) -> Move:
    n = rng.randint(2, min(9, have - 1))
    told = rng.choice(LOSSES).format(n=n, things=things)
    return Move(told, ("Taking these away leaves", "Now there are fewer, so we subtract", "What remains is"), "-", n)


def _share(rng: Random, have: int) -> Move | None:
    divisors = [n for n in (2, 3, 4, 5) if have % n == 0]
    if not divisors:
        return None
    n = rng.choice(divisors)
    told = f"puts them equally into {n} bags and keeps one bag"
    return Move(told, ("Sharing equally means we divide", "Each bag holds", "Splitting equally gives"), "/", n)


def _moves(rng: Random, things: str, have: int) -> list[Move]:
    moves: list[Move] = []
    for _ in range(rng.randint(2, 3)):
        move = _gain(rng, things) if have < 5 or rng.random() < 0.5 else _loss(rng, things, have)
        moves.append(move)
        have = apply(have, move.sign, move.operand)
    last = _share(rng, have) if rng.random() < 0.6 else None
    return [*moves, last] if last else moves


def collection(rng: Random) -> Sketch:
    """Someone has some things, and things happen to them."""
    name, things = rng.choice(NAMES), rng.choice(THINGS)
    boxes, each = rng.randint(2, 5), rng.randint(3, 6)
    moves = _moves(rng, things, boxes * each)
    total = boxes * each
    for move in moves:
        total = apply(total, move.sign, move.operand)
    told = " Then ".join(f"{name} {move.told}." for move in moves)
    statement = (
        f"{name} has {boxes} boxes with {each} {things} in each box. {told} "
        f"How many {things} does {name} have in the end?"
    )

    def solve(pen: Pen) -> None:
        start = pen.calc(pen.number(boxes), "*", each)
        lead = pen.say(f"{name} starts with", "The boxes hold", "Multiplying, the boxes hold")
        pen.step(f"{lead} ${start.text}$ {things}.", result=start.value)
        have = start.value
        for move in moves:
            done = pen.calc(have, move.sign, pen.number(move.operand))
            pen.step(f"Then {name} {move.told}. {pen.say(*move.leads)} ${done.text}$.", result=done.value)
            have = done.value
        pen.answer(lambda text: f"So {name} has {text} {things}.", str(have), *map(str, slips_of(have)))

    return Sketch(statement, str(total), "Word problems", 1 + len(moves) // 2, solve)


def wages(rng: Random) -> Sketch:
    """Pay by the hour on two days, less what was spent."""
    name, rate = rng.choice(NAMES), rng.randint(5, 9)
    first, second, spent = rng.randint(2, 5), rng.randint(2, 5), rng.randint(5, 19)
    left = rate * (first + second) - spent
    statement = (
        f"{name} earns \\${rate} per hour. {name} works {first} hours on Saturday and {second} hours on "
        f"Sunday, and then spends \\${spent} on a gift. How many dollars are left?"
    )

    def solve(pen: Pen) -> None:
        hours = pen.calc(pen.number(first), "+", second)
        pen.step(f"{pen.say('In total', 'Over both days')} {name} works ${hours.text}$ hours.", result=hours.value)
        pay = pen.calc(hours.value, "*", rate)
        unit = pen.pick("dollars", "hours")
        pen.step(f"{pen.say('The pay is', 'That earns')} ${pay.text}$ {unit}.", result=pay.value)
        rest = pen.calc(pay.value, "-", pen.number(spent))
        pen.step(f"{pen.say('After the gift, what is left is', 'Spending leaves')} ${rest.text}$ dollars.")
        rest_text = str(rest.value)
        pen.answer(lambda text: f"{name} has {text} dollars left.", rest_text, *map(str, slips_of(rest.value)))

    return Sketch(statement, str(left), "Word problems", 2, solve)


def percentage(rng: Random) -> Sketch:
    """A price goes down or up by a percentage."""
    thing, tens, percent = rng.choice(GOODS), rng.randint(2, 9), rng.choice((10, 20, 30, 40, 50))
    price, is_off = tens * 10, rng.random() < 0.6
    change = price * percent // 100
    sign = "-" if is_off else "+"
    verb = "is reduced by" if is_off else "goes up by"
    statement = f"A {thing} costs \\${price}. The price {verb} ${percent}\\%$. What is the new price in dollars?"

    def solve(pen: Pen) -> None:
        tenth = percent // 10
        unit = pen.calc(pen.number(price), "/", 10)
        pen.step(f"{pen.say('Ten percent of the price is', 'A tenth of it is')} ${unit.text}$.", result=unit.value)
        part = pen.calc(unit.value, "*", tenth)
        shown = pen.pick(percent, percent + 10, percent - 5)
        pen.step(f"{pen.say('So', 'Then')} ${shown}\\%$ of the price is ${part.text}$ dollars.", result=part.value)
        lead = "The price is reduced, so we subtract:" if is_off else "The price goes up, so we add:"
        new = pen.calc(price, sign, part.value)
        pen.step(f"{lead} ${new.text}$.", result=new.value)
        pen.answer(lambda text: f"The new price is {text} dollars.", str(new.value), str(part.value), str(price))

    return Sketch(statement, str(apply(price, sign, change)), "Percentages", 2, solve)
