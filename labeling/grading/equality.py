"""Compares two expressions by putting numbers for letters: True if equal, False, or None if undecided. Pure."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import mpmath

from labeling.grading.reading import arithmetic
from labeling.grading.reading.arithmetic import Number, Undefined
from labeling.grading.reading.values import EVEN, LEANING, Expression, Scope

# Letters that may stand for whole numbers, and for a constant of integration.
WHOLE = re.compile(r"(?:[nkmNKjlM]|ell)(?:_.*)?")
ADDED_CONSTANT, FREE_CONSTANT = "C", re.compile(r"[A-DK]|[CcKk]_\d")
MOST_READINGS = 5
FEW_DIGITS, MANY_DIGITS, FLOAT_DIGITS = 3, 12, 15
ROUNDED, ROUGH = mpmath.mpf("0.015"), mpmath.mpf("0.05")
NEAR, NOT_NEAR = mpmath.mpf(10) ** -12, mpmath.mpf("0.01")
Point = dict[str, Number]


def same(left: Expression, right: Expression) -> bool | None:
    """True if equal in every reading that the notation leaves open, False if in none, else None."""
    if left.letters ^ right.letters == {"j"} and "i" in left.notes ^ right.notes:
        are_complex = value_at(left if "j" in left.letters else right, Scope({"j": Fraction(0)})) != 0
        return True if are_complex and same(_imaginary(left), _imaginary(right)) else None  # vectors have no real part
    open_ways = (left.notes | right.notes) & (EVEN | LEANING)
    if len(open_ways) > MOST_READINGS or {"mod"} <= left.notes & right.notes:
        return None
    verdicts = {other: _same(left, right, other) for other in _subsets(open_ways)}
    if all(verdict is True for other, verdict in verdicts.items() if not other & LEANING):
        return True
    return False if set(verdicts.values()) == {False} else None


def _imaginary(expression: Expression) -> Expression:
    """The expression with the letter j read as the imaginary unit."""
    return replace(
        expression,
        value=lambda scope: expression.value(replace(scope, letters={**scope.letters, "j": mpmath.mpc(0, 1)})),
        letters=expression.letters - {"j"},
        notes=expression.notes | {"i"},
    )


def _subsets(ways: Iterable[str]) -> Iterator[frozenset[str]]:
    ordered = sorted(ways)
    return (frozenset(chosen) for count in range(len(ordered) + 1) for chosen in combinations(ordered, count))


def _same(left: Expression, right: Expression, other: frozenset[str]) -> bool | None:
    letters = left.letters | right.letters
    scope = Scope(is_complex=not letters or "i" in left.notes | right.notes, other=other)
    found = _constants(left, right, scope) if not letters else _formulas(left, right, scope)
    if found is True and ("ordered" in left.notes | right.notes or "modulus" in left.notes ^ right.notes):
        return None  # perhaps matrices, in another order; perhaps complex numbers
    if found is not True and _is_whole(left.letters ^ right.letters) and _at_whole(left, right, scope):
        return True  # the sine of n pi is 0
    if found is False and (left.letters != right.letters or "family" in left.notes | right.notes):
        return None
    return found


def _is_whole(letters: frozenset[str]) -> bool:
    return bool(letters) and all(map(WHOLE.fullmatch, letters))


def _at_whole(left: Expression, right: Expression, scope: Scope) -> bool | None:
    """Compares with whole numbers for the letters that may stand for them."""
    letters = sorted(left.letters | right.letters)
    whole = [name for name in letters if WHOLE.fullmatch(name)]
    found = [_at(left, right, replace(scope, letters=point)) for point in whole_points(letters, whole)]
    return _all(found) if whole else None


# Numbers


def _constants(left: Expression, right: Expression, scope: Scope) -> bool | None:
    one, other = value_at(left, scope), value_at(right, scope)
    if one is None or other is None:
        return None
    if "near" in left.notes | right.notes:
        return _is_near(one, other)
    found = arithmetic.is_same(one, other)
    if found is not False:
        return found
    roundings = {_is_rounding(left, one, other), _is_rounding(right, other, one)}
    if True in roundings:
        return True
    return None if None in roundings or _may_be_same(left, right, one, other) else False


def _may_be_same(left: Expression, right: Expression, one: Number, other: Number) -> bool:
    """Returns whether unequal numbers may be meant as one: rounded wholes, percentages or millions; 37 % as 37."""
    noted, shared = left.notes ^ right.notes, left.notes & right.notes
    return (
        _is_rounded_whole(left, one, other)
        or _is_rounded_whole(right, other, one)
        or ("percent" in noted and abs(arithmetic.subtract(one, other)) < Fraction(1, 200))
        or ("magnitude" in noted and is_within(one, other, ROUGH))
        or ("percent" not in shared and _is_hundredfold(one, other))
    )


def _is_near(one: Number, other: Number) -> bool | None:
    apart, scale = (
        abs(arithmetic.inexact(one) - arithmetic.inexact(other)),
        max(abs(arithmetic.inexact(one)), abs(arithmetic.inexact(other))),
    )
    return True if apart <= NEAR * scale else False if apart > NOT_NEAR * scale else None


def _is_rounding(decimal: Expression, value: Number, exact: Number) -> bool | None:
    """Returns True if a decimal of many digits rounds the other value, None if one of few digits may, else False."""
    if "decimal" not in decimal.notes or not (arithmetic.is_real(value) and arithmetic.is_real(exact)):
        return False if "decimal" not in decimal.notes or not is_within(value, exact, ROUNDED) else None
    digits = decimal.text.lstrip("-0.").replace(".", "")
    if (not decimal.text or len(digits) <= FEW_DIGITS) and is_within(value, exact, ROUNDED):
        return None
    places = len(decimal.text.partition(".")[2])
    apart = abs(arithmetic.subtract(value, exact) * 10**places)
    if len(digits) >= FLOAT_DIGITS and apart < 5:
        return True
    if not decimal.text or "e" in decimal.text.lower() or apart >= 1:
        return False
    return True if len(digits) >= MANY_DIGITS else None


def _is_rounded_whole(whole: Expression, value: Number, exact: Number) -> bool:
    """Returns whether a whole number is the exact value, rounded: 314 is 100 pi."""
    if not whole.text.isdecimal() or value < 10 or not arithmetic.is_real(exact) or arithmetic.is_whole(exact):
        return False
    return bool(abs(arithmetic.subtract(value, exact)) < 0.5)


def is_within(one: Number, other: Number, share: Number) -> bool:
    one, other = arithmetic.inexact(one), arithmetic.inexact(other)
    return bool(
        mpmath.isfinite(one) and mpmath.isfinite(other) and abs(one - other) <= share * max(abs(one), abs(other))
    )


def _is_hundredfold(one: Number, other: Number) -> bool:
    """Returns whether one may be the other in percent: 37/100 and 37."""
    if not (isinstance(one, Fraction) and isinstance(other, Fraction)):
        return False
    small, large = sorted((one, other), key=abs)
    return small.denominator > 1 and small * 100 == large


# Formulas


def _formulas(left: Expression, right: Expression, scope: Scope) -> bool | None:
    letters = sorted(left.letters | right.letters)
    has_decimals = "decimal" in left.notes | right.notes
    found = [_at(left, right, replace(scope, letters=point)) for point in points(letters)]
    positive = found[:POSITIVE]
    compared = [each for each in found if isinstance(each, bool)]
    whole = [name for name in letters if WHOLE.fullmatch(name)]
    if not compared:
        # Defined for whole numbers alone: (-1)^n, a sum to n
        return _at_whole(left, right, scope)
    if all(compared) and len(compared) > 2:
        # Letters for whole numbers are seldom negative.
        return True if "undefined at one" not in (positive if whole == letters else found) else None
    if any(each is not False for each in positive if each is not None):
        return None
    near = list(points(letters))[:POSITIVE]
    if has_decimals and all(_is_close(left, right, replace(scope, letters=point)) for point in near):
        return None
    return _differs(left, right, scope, letters, whole)


def _differs(left: Expression, right: Expression, scope: Scope, letters: list[str], whole: list[str]) -> bool | None:
    """True if the two differ by a constant of integration, None if they may or agree at whole numbers, else False."""
    if whole and _at_whole(left, right, scope) is not False:
        return None
    if not any(map(FREE_CONSTANT.fullmatch, letters)) or len(letters) < 2:
        return False
    variables = set(letters) - {ADDED_CONSTANT}
    is_integral = len(variables) == 1 and min(variables)[0].islower()
    return True if is_integral and _is_shift(left, right, scope, ADDED_CONSTANT, letters) else None


def _is_shift(left: Expression, right: Expression, scope: Scope, name: str, letters: list[str]) -> bool:
    """Returns whether `name` is a constant that both add, and they differ by the same number everywhere."""
    apart = set[Number]()
    first: Number = None
    for point in points(letters):
        here = replace(scope, letters=point)
        there = replace(scope, letters={**point, name: point[name] + 1})
        values = [value_at(each, at) for at in (here, there) for each in (left, right)]
        if any(each is None for each in values):
            continue
        steps = [arithmetic.subtract(values[at + 2], values[at]) for at in (0, 1)]
        difference = arithmetic.subtract(values[0], values[1])
        first = difference if first is None else first
        if not all(arithmetic.is_same(step, Fraction(1)) for step in steps):
            return False
        if not arithmetic.is_same(difference, first) and abs(difference - first) > mpmath.mpf(10) ** -60:
            return False
        apart.add(len(apart))
    return len(apart) > 2


def _at(left: Expression, right: Expression, scope: Scope) -> bool | str | None:
    one, other = value_at(left, scope), value_at(right, scope)
    if one is None or other is None:
        return None if one is other else "undefined at one"
    return _is_near(one, other) if "near" in left.notes | right.notes else arithmetic.is_same(one, other)


def _all(found: list[bool | str | None]) -> bool | None:
    if any(each is False for each in found):
        return False
    return True if sum(each is True for each in found) > 2 and "undefined at one" not in found else None


def _is_close(left: Expression, right: Expression, scope: Scope) -> bool:
    one, other = value_at(left, scope), value_at(right, scope)
    return one is None or other is None or is_within(one, other, ROUNDED)


def value_at(expression: Expression, scope: Scope) -> Number | None:
    """The value at the scope's numbers; None if it is undefined there. Raises NumberTooLarge."""
    try:
        value = expression.value(scope)
    except (Undefined, ZeroDivisionError, OverflowError):
        return None
    return None if not isinstance(value, Fraction) and mpmath.isnan(value) else value


# Positive numbers first, small and large; then of both signs.
RANGES = ((0.05, 0.9), (0.3, 3), (2, 40), (-3, 3), (-0.9, 0.9), (-9, 9), (-2, -0.1))
POSITIVE = 3


def points(letters: list[str]) -> Iterator[Point]:
    for number, (low, high) in enumerate(RANGES):
        yield {name: _fraction(f"{name} {number}", low, high) for name in letters}


def whole_points(letters: list[str], whole: list[str]) -> Iterator[Point]:
    for number in range(5):
        given = {
            name: Fraction(1 + (zlib.crc32(name.encode()) + 3 * number + number * number) % 7 + at)
            for at, name in enumerate(whole)
        }
        yield {name: given.get(name) or _fraction(f"{name} {number}", 0.3, 3) for name in letters}


def _fraction(seed: str, low: float, high: float) -> Fraction:
    """A fraction between `low` and `high`, given by the seed: so each letter has the same one in both answers."""
    share = Fraction(zlib.crc32(seed.encode()) % 9973, 9973)
    return Fraction(str(low)) + share * (Fraction(str(high)) - Fraction(str(low)))
