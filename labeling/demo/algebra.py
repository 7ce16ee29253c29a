"""Linear equations, derivatives of polynomials, arithmetic sequences."""

from __future__ import annotations

from random import Random

from labeling.demo.pen import Pen, slips_of
from labeling.demo.stories import Sketch


def linear_equation(rng: Random) -> Sketch:
    """Solve a x + b = c for a whole x."""
    factor, root, shift = rng.randint(2, 9), rng.randint(2, 9), rng.randint(2, 9)
    plus, minus = ("+", "-") if rng.random() < 0.5 else ("-", "+")
    total = factor * root + (shift if plus == "+" else -shift)
    statement = rng.choice(
        (
            f"Solve for $x$: \\[{factor}x {plus} {shift} = {total}\\]",
            f"What is the value of $x$ if ${factor}x {plus} {shift} = {total}$?",
            f"Find $x$ such that ${factor}x {plus} {shift} = {total}$.",
        )
    )

    def solve(pen: Pen) -> None:
        verb = {"-": "Subtract", "+": "Add"}
        sign = pen.pick(minus, plus)
        lead = f"{verb[minus]} {shift} {pen.say('on', 'from' if minus == '-' else 'to')} both sides:"
        pen.step(f"{lead} ${factor}x = {total} {sign} {shift}$.")
        right = total - shift if sign == "-" else total + shift
        right = pen.value(right, *slips_of(right)[:2])
        left = pen.pick(f"{factor}x", f"{factor + 1}x", "x")
        pen.step(f"{pen.say('This gives', 'So we have', 'That is')} \\[{left} = {right}\\]", result=right)
        root_found = pen.value(right // factor, right - factor, right)
        name = pen.pick("Divide", "Multiply")
        pen.step(f"{name} both sides by {factor}: $x = {root_found}$.", result=root_found)
        pen.answer(lambda text: f"So $x = {text}$.", str(root_found), f"-{root_found}", str(right))

    return Sketch(statement, str(root), "Algebra", 2, solve)


def derivative(rng: Random) -> Sketch:
    """Differentiate a polynomial of degree three and evaluate at a small point."""
    lead, square, line, point = rng.randint(1, 4), rng.randint(1, 5), rng.randint(2, 9), rng.randint(1, 3)
    square *= rng.choice((1, -1))
    polynomial = _written([(lead, 3), (square, 2), (line, 1)])
    question = rng.choice((f"Compute $f'({point})$.", f"Find $f'({point})$.", f"What is $f'({point})$?"))
    statement = f"Let $f(x) = {polynomial}$. {question}"

    def solve(pen: Pen) -> None:
        pen.step(pen.say("We differentiate term by term.", "We use the power rule on each term."), rating=0)
        terms = [_differentiate(pen, lead, 3), _differentiate(pen, square, 2), (line, 0)]
        (first, second, third) = terms
        flipped = [first, (-second[0], second[1]), third]
        terms = pen.pick(terms, flipped, terms[:2], [first, second, (line, 1)])
        pen.step(f"{pen.say('So', 'Together,')} $f'(x) = {_written(terms)}$.")
        values = [factor * point**power for factor, power in terms]
        found = pen.value(sum(values), sum(map(abs, values)), sum(values) + 10, sum(values) - 2)
        pen.step(f"At $x = {point}$ this is ${_signed(values)} = {found}$.", result=found)
        pen.answer(lambda text: f"So $f'({point}) = {text}$.", str(found), str(found + 1), str(-found))

    return Sketch(statement, str(3 * lead * point**2 + 2 * square * point + line), "Calculus", 4, solve)


Term = tuple[int, int]  # factor, power


def _differentiate(pen: Pen, factor: int, power: int) -> Term:
    right = (factor * power, power - 1)
    term = pen.pick(right, (factor * power, power), (factor, power - 1), (-factor * power, power - 1))
    pen.step(f"The derivative of ${_written([(factor, power)])}$ is ${_written([term])}$.")
    return term


def _written(terms: list[Term]) -> str:
    """LaTeX such as ``3x^2 - 4x + 5``."""
    return _joined([(factor, _monomial(abs(factor), power)) for factor, power in terms])


def _signed(values: list[int]) -> str:
    return _joined([(value, str(abs(value))) for value in values])


def _joined(parts: list[tuple[int, str]]) -> str:
    text = "".join(f" {'-' if sign < 0 else '+'} {body}" for sign, body in parts)
    return text[3:] if text.startswith(" + ") else "-" + text[3:]


def _monomial(factor: int, power: int) -> str:
    if power == 0:
        return str(factor)
    shown = "" if factor == 1 else str(factor)
    return f"{shown}x" if power == 1 else f"{shown}x^{power}"


def sequence(rng: Random) -> Sketch:
    """The n-th term of an arithmetic sequence."""
    first, gap, count = rng.randint(1, 9), rng.randint(2, 7), rng.randint(6, 10)
    shown = ", ".join(str(first + gap * index) for index in range(4))
    statement = rng.choice(
        (
            f"What is the {count}th term of the arithmetic sequence ${shown}, \\ldots$?",
            f"The sequence ${shown}, \\ldots$ is arithmetic. Find its {count}th term.",
        )
    )

    def solve(pen: Pen) -> None:
        start = pen.number(first)
        pen.step(f"{pen.say('The first term is', 'The sequence starts with')} ${start}$.", result=start)
        difference = pen.calc(first + gap, "-", first)
        pen.step(f"The common difference is ${difference.text}$.", result=difference.value)
        jumps = pen.pick(count - 1, count, count + 1)
        pen.step(f"{pen.say('From term 1 to', 'To reach')} term {count} we take ${jumps}$ jumps.", result=jumps)
        added = pen.calc(jumps, "*", difference.value)
        pen.step(f"{pen.say('All jumps together add', 'The jumps add')} ${added.text}$.", result=added.value)
        term = pen.calc(start, "+", added.value)
        pen.step(f"So the term is ${term.text}$.", result=term.value)
        pen.answer(lambda text: f"The {count}th term is {text}.", str(term.value), str(added.value), str(jumps))

    return Sketch(statement, str(first + gap * (count - 1)), "Sequences", 3, solve)
