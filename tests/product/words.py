"""The texts of the world under test, and the truth about them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

PASSWORD = "stepmark-test-1"
ANNOTATORS = ["ada", "ben"]
PROBLEMS = 40
SUM = re.compile(r"(\d+) \+ (\d+) = (\d+)")

# Every way in that a text can try: tags, handlers, links, and TeX that makes markup.
HOSTILE = (
    "<script>window.hacked = 1</script> <img src=x onerror='window.hacked = 2'> "
    "[a link](javascript:window.hacked=3) <svg onload='window.hacked=4'></svg> "
    r"$\href{javascript:window.hacked=5}{here}$ $\htmlData{x=y}{z}$ $\url{javascript:window.hacked=6}$ "
    r"$\includegraphics{http://127.0.0.1:9/x.png}$ $\def\x{\x\x}\x$ $<img src=x onerror=window.hacked=7>$ "
    "</textarea><iframe srcdoc='<script>parent.hacked=8</script>'></iframe> What is $1 + 1$?"
)

# Wider than any window: a word, a row of code, a formula.
WIDE = f"{'wide' * 60}\n```\n{'x = 1; ' * 60}\n```\n\\[{' + '.join('abcdefghijkl' * 5)}\\]"


@dataclass(frozen=True)
class Attempt:
    steps: list[str]
    answer: int
    is_right: bool


def texts() -> Iterator[tuple[str, list[Attempt]]]:
    """Yields problems with four solutions each: two right ones and two with different first errors."""
    for number in range(PROBLEMS):
        a, b, c = 11 + number, 20 + number % 7, 5 + number % 9
        statement = f"Tom has {a} apples, finds {b} more and then buys {c}. How many has he?"
        yield statement, [_solve(a, b, c, slip, opening) for slip, opening in SLIPS]


SLIPS = (((0, 0), "First"), ((0, 0), "To begin"), ((1, 0), "First"), ((0, 2), "To begin"))


def _solve(a: int, b: int, c: int, slips: tuple[int, int], opening: str) -> Attempt:
    found = a + b + slips[0]
    answer = found + c + slips[1]
    steps = [
        f"{opening} we read that Tom has {a} apples.",
        f"With those he finds, he has ${a} + {b} = {found}$.",
        f"With those he buys, he has ${found} + {c} = {answer}$.",
        f"So Tom has {answer} apples.",
    ]
    return Attempt(steps, answer, slips == (0, 0))


def judge(steps: Sequence[str]) -> list[int]:
    """Returns the true ratings, up to and including the first step whose sum is wrong."""
    ratings = []
    for step in steps:
        is_wrong = any(int(a) + int(b) != int(total) for a, b, total in SUM.findall(step))
        ratings.append(-1 if is_wrong else int("+" in step))
        if is_wrong:
            break
    return ratings
