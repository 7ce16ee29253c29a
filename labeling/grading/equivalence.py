"""Are two answers the same mathematics? Two graders that must agree: math-verify, and the values themselves.

Only the grader process imports this: sympy may hang, or take all memory, on either side.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from math_verify import LatexExtractionConfig, parse, verify
from sympy import Equality, Expr, FiniteSet, Float, I, Interval, MatrixBase, N, Rational, Symbol, Tuple
from sympy.core.function import AppliedUndef

from labeling.rules.quantities import Verdict

# Not ExprExtractionConfig: it has Python evaluate what it finds.
# No units: taking them off would make 3 of ``3t``.
NORMAL = replace(LatexExtractionConfig().normalization_config, units=False)
LATEX = [LatexExtractionConfig(boxed_match_priority=0, normalization_config=NORMAL)]
DIGITS = 40
EXACT, ROUNDED = Rational(1, 10**25), Rational(1, 100)


def compare(answer: str, reference: str) -> Verdict:
    """Right where the graders that can tell say so; wrong where both do, of the same letters. Otherwise unsure."""
    ours, theirs = read(answer), read(reference)
    if ours is None or theirs is None:
        return "unsure"
    # Both ways round: math-verify takes one side for the reference, and may answer differently.
    found = {_verified(ours, theirs), _verified(theirs, ours)}
    by_value = _by_value(ours, theirs)
    if found == {True} and by_value is not False:
        return "right"
    is_wrong = found == {False} and by_value is False and ours.free_symbols == theirs.free_symbols
    return "wrong" if is_wrong else "unsure"


def read(answer: str) -> Any:
    """The sympy object, or None where the text is no mathematics that could be read. ``x = 5`` is 5, and i is i."""
    found = parse(f"\\boxed{{{answer}}}", LATEX, fallback_mode="no_fallback", parsing_timeout=None)
    if not found:
        return None
    value = _without_name(found[0])
    return value.subs({letter: I for letter in value.free_symbols if letter.name == "i"})


def _without_name(found: Any) -> Any:
    """What a letter or a function is said to be; of several, what the one letter is."""
    if isinstance(found, Equality) and isinstance(found.lhs, Symbol | AppliedUndef):
        return found.rhs
    if isinstance(found, FiniteSet) and len({getattr(part, "lhs", None) for part in found.args}) == 1:
        return FiniteSet(*map(_without_name, found.args))
    return found


def _verified(gold: Any, answer: Any) -> bool:
    return bool(verify(gold, answer, timeout_seconds=None, raise_on_error=True))


def _by_value(ours: Any, theirs: Any) -> bool | None:
    """Whether two expressions, or two lists, sets or intervals of them, have the same values. None: can't tell."""
    if isinstance(ours, Expr) and isinstance(theirs, Expr):
        return _is_same(ours, theirs)
    if isinstance(ours, FiniteSet) and isinstance(theirs, FiniteSet):
        return _is_same_set(ours.args, theirs.args)
    if isinstance(ours, Interval) and isinstance(theirs, Interval):
        if ours.start != theirs.start or ours.end != theirs.end:
            return _are_same([ours.start, ours.end], [theirs.start, theirs.end])
        opened, theirs_opened = [(each.left_open, each.right_open) for each in (ours, theirs)]
        return None if {opened, theirs_opened} == {(True, True), (False, False)} else opened == theirs_opened
    ours, theirs = (Tuple(each.start, each.end) if _is_open(each) else each for each in (ours, theirs))
    for kind in (Tuple, MatrixBase):
        if isinstance(ours, kind) and isinstance(theirs, kind):
            shapes = {getattr(each, "shape", len(each)) for each in (ours, theirs)}
            return _are_same(list(ours), list(theirs)) if len(shapes) == 1 else None
    return None


def _is_open(found: Any) -> bool:
    """An open interval, which may as well be a point."""
    return isinstance(found, Interval) and bool(found.left_open and found.right_open)


def _are_same(ours: list[Any], theirs: list[Any]) -> bool | None:
    """False as soon as one pair differs."""
    found = {_by_value(left, right) for left, right in zip(ours, theirs, strict=True)}
    return False if False in found else None if None in found else True


def _is_same_set(ours: Sequence[Any], theirs: Sequence[Any]) -> bool | None:
    """False where an element has no equal on the other side."""
    for some, others in ((ours, theirs), (theirs, ours)):
        for one in some:
            found = {_by_value(one, other) for other in others}
            if True not in found:
                return None if None in found else False
    return True


def _is_same(ours: Expr, theirs: Expr) -> bool | None:
    """With numbers for letters, decimals being rounded."""
    if ours == theirs:
        return True
    left, right = _value(ours), _value(theirs)
    if left is None or right is None:
        return None
    tolerance = ROUNDED if ours.has(Float) or theirs.has(Float) else EXACT
    return bool(abs(left - right) <= tolerance * max(abs(left), abs(right)))


def _value(expression: Expr) -> Any:
    # Each letter is a number of its own, the same on both sides: equal formulas have equal values, and others hardly
    # ever.
    letters = {letter: Rational(zlib.crc32(str(letter).encode()) % 997 + 1, 331) for letter in expression.free_symbols}
    value = N(expression.subs(letters), DIGITS)
    return value if value.is_number and value.is_finite else None
