"""Are two answers the same mathematics? Two graders that must agree: math-verify, and the values themselves.

Only the grader process imports this: sympy may hang, or take all memory, on either side.
"""

from __future__ import annotations

import zlib
from typing import Any

from math_verify import LatexExtractionConfig, parse, verify
from sympy import Expr, Float, N, Rational

from labeling.answers import Verdict

# Not ExprExtractionConfig: it has Python evaluate what it finds.
LATEX = [LatexExtractionConfig(boxed_match_priority=0)]
DIGITS = 40
EXACT, ROUNDED = Rational(1, 10**25), Rational(1, 100)


def compare(answer: str, reference: str) -> Verdict:
    """Right or wrong where both graders say so, the second as far as it can; unsure where a text can't be read."""
    ours, theirs = read(answer), read(reference)
    if ours is None or theirs is None:
        return "unsure"
    found = {_verified(ours, theirs), _verified(theirs, ours), _by_value(ours, theirs)} - {None}
    return "unsure" if len(found) > 1 else "right" if found == {True} else "wrong"


def read(answer: str) -> Any:
    """The sympy object, or None where the text is no mathematics that could be read."""
    found = parse(f"\\boxed{{{answer}}}", LATEX, fallback_mode="no_fallback", parsing_timeout=None)
    return found[0] if found else None


def _verified(gold: Any, answer: Any) -> bool:
    return bool(verify(gold, answer, timeout_seconds=None, raise_on_error=True))


def _by_value(ours: Any, theirs: Any) -> bool | None:
    """Whether two expressions have one value, with numbers for letters, decimals being rounded. None: can't tell."""
    if not (isinstance(ours, Expr) and isinstance(theirs, Expr)):
        return None
    left, right = _value(ours), _value(theirs)
    if left is None or right is None:
        return None
    tolerance = ROUNDED if ours.has(Float) or theirs.has(Float) else EXACT
    return bool(abs(left - right) <= tolerance * max(abs(left), abs(right)))


def _value(expression: Expr) -> Any:
    letters = {letter: Rational(zlib.crc32(str(letter).encode()) % 997 + 1, 331) for letter in expression.free_symbols}
    value = N(expression.subs(letters), DIGITS)
    return value if value.is_number and value.is_finite else None
