"""How scripted annotators judge. They see what a browser gets: problem, current guess, steps."""

import ast
import operator
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from benchmarks.lab.world.pool import DemoProblem
from labeling.rules.answers import extract_answer, quick_verdict

Judge = Callable[[dict[str, Any]], list[int]]

OPERATIONS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
# A run of numbers and operators, not glued to a word or to an operator before it, and the number it is said to be.
CALCULATION = re.compile(
    r"(?<![\w.,)])(?<![-+*/×÷x] )(?<![-+*/×÷])(-?[\d($][\d.,$\s()+*/×x÷%-]*?)\s*="
    r"\s*\$?\s*(-?\d[\d,]*(?:\.\d+)?)(?! ?[\d+*/×x÷%-]|\.\d)"
)
TOLERANCE = Fraction(1, 100)


def by_truth(world: Sequence[DemoProblem]) -> Judge:
    """Knows the true rating of every step of the demo world, and stops at the first negative."""
    truth = {
        (problem.statement, solution.steps): solution.ratings for problem in world for solution in problem.solutions
    }

    def judge(assignment: dict[str, Any]) -> list[int]:
        key = assignment["problem"]["statement"], tuple(assignment["solution"]["steps"])
        return until_first_negative(truth[key])

    return judge


def by_arithmetic(assignment: dict[str, Any]) -> list[int]:
    """The first step with a wrong calculation is negative, else the last step of a wrong answer."""
    steps = assignment["solution"]["steps"]
    ratings = [-1 if has_wrong_calculation(step) else 1 for step in steps]
    answer = extract_answer(steps[-1])
    if quick_verdict(answer, assignment["problem"]["reference_answer"]) != "right":
        ratings[-1] = -1
    return until_first_negative(ratings)


def until_first_negative(ratings: Sequence[int]) -> list[int]:
    """The ratings that the protocol lets an annotator give."""
    end = ratings.index(-1) + 1 if -1 in ratings else len(ratings)
    return list(ratings[:end])


def has_wrong_calculation(text: str) -> bool:
    """Whether any `3 * (4 + 1) = 16` in the text is wrong by more than a hundredth."""
    for expression, result in CALCULATION.findall(text):
        value = _value(expression)
        if value is not None and abs(value - Fraction(result.replace(",", ""))) > TOLERANCE:
            return True
    return False


def _value(expression: str) -> Fraction | None:
    """The value of an arithmetic expression; None where it is none, or no calculation at all."""
    plain = re.sub(r"[$,\s]", "", expression).replace("×", "*").replace("x", "*").replace("÷", "/")
    if not re.search(r"[\d)%][+*/-]", plain) or len(plain) > 100:
        return None
    plain = re.sub(r"([\d.]+)%", r"(\1/100)", plain)
    try:
        return _evaluate(ast.parse(plain, mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError):
        return None


def _evaluate(node: ast.expr) -> Fraction:
    match node:
        case ast.BinOp(left, kind, right) if type(kind) in OPERATIONS:
            return OPERATIONS[type(kind)](_evaluate(left), _evaluate(right))
        case ast.UnaryOp(ast.USub(), operand):
            return -_evaluate(operand)
        case ast.Constant(value) if isinstance(value, int | float):
            return Fraction(str(value))
    raise ValueError("not arithmetic")
