"""Numbers for comparing answers: exact fractions where possible, else 80 digits.

Exponents, and the bits of every intermediate value, are capped, so that ``9^9^9^9`` costs nothing.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
from mpmath import mp

# A Fraction, or a number of mpmath, real or complex.
Number = Any

mp.dps = 80
SAME, DIFFERENT, NOTHING = mpmath.mpf(10) ** -60, mpmath.mpf(10) ** -40, mpmath.mpf(10) ** -70
MAX_BITS = 100_000
MAX_EXPONENT = 10**6
MOST_TERMS = 2000


class Undefined(Exception):
    """The value does not exist, such as 1/0, or a real square root of -1."""


class NumberTooLarge(Exception):
    """The value is too large to be worked out."""


def inexact(value: Number) -> Number:
    return mpmath.mpf(value.numerator) / value.denominator if isinstance(value, Fraction) else value


def is_real(value: Number) -> bool:
    return isinstance(value, Fraction) or bool(mpmath.im(value) == 0)


def is_whole(value: Number) -> bool:
    return isinstance(value, Fraction) and value.denominator == 1


def checked(value: Number) -> Number:
    if isinstance(value, Fraction):
        if value.numerator.bit_length() + value.denominator.bit_length() > MAX_BITS:
            raise NumberTooLarge
        return value
    if mpmath.isnan(value):
        raise Undefined
    if not is_real(value):
        value = mpmath.mpc(_cut(value.real, abs(value)), _cut(value.imag, abs(value)))
        value = value.real if value.imag == 0 else value
    if mpmath.isfinite(value) and abs(value) > mpmath.mpf(10) ** MAX_EXPONENT:
        raise NumberTooLarge
    return value


def _cut(value: Number, scale: Number) -> Number:
    """Returns the value, or 0 if it is a rounding error beside the scale, such as the cosine of a right angle."""
    return value if abs(value) > NOTHING * abs(scale) else mpmath.mpf(0)


def _both(exact: Callable[[Any, Any], Any]) -> Callable[[Number, Number], Number]:
    def act(left: Number, right: Number) -> Number:
        if isinstance(left, Fraction) and isinstance(right, Fraction):
            return checked(exact(left, right))
        return checked(exact(inexact(left), inexact(right)))

    return act


_sum, multiply = _both(operator.add), _both(operator.mul)


def add(left: Number, right: Number) -> Number:
    result = _sum(left, right)
    scale = max(abs(inexact(left)), abs(inexact(right)))
    return (
        _cut(result, scale)
        if is_real(result) and not isinstance(result, Fraction) and mpmath.isfinite(scale)
        else result
    )


def subtract(left: Number, right: Number) -> Number:
    return add(left, -right)


def divide(left: Number, right: Number) -> Number:
    if right == 0:
        raise Undefined
    return _both(operator.truediv)(left, right)


def power(base: Number, exponent: Number, *, is_complex: bool, has_odd_roots: bool = True) -> Number:
    """Raises base to exponent. Odd roots of negative numbers are real; others are complex, or raise Undefined."""
    if isinstance(exponent, Fraction) and abs(exponent) > MAX_EXPONENT:
        raise NumberTooLarge
    if base == 0 and not (is_real(exponent) and exponent >= 0):
        raise Undefined
    if isinstance(base, Fraction) and is_whole(exponent):
        bits = base.numerator.bit_length() + base.denominator.bit_length()
        if abs(exponent) * bits > MAX_BITS and abs(base) != 1:
            raise NumberTooLarge
        return base ** int(exponent)
    if isinstance(exponent, Fraction):
        if (root := _exact_root(base, exponent)) is not None:
            return root
        if is_real(base) and base < 0 and not is_whole(exponent) and exponent.denominator % 2 and has_odd_roots:
            root = checked(mpmath.power(-inexact(base), inexact(exponent)))
            return -root if exponent.numerator % 2 else root
    if is_real(base) and base < 0 and not is_whole(exponent) and not is_complex:
        raise Undefined
    _limit_exponential(inexact(exponent) * mpmath.log(inexact(base)) if base != 0 else mpmath.mpf(0))
    return checked(mpmath.power(inexact(base), inexact(exponent)))


def _exact_root(base: Number, exponent: Fraction) -> Fraction | None:
    """The exact power for exponents in halves, such as the square root of 4/9; None if there is none."""
    if not isinstance(base, Fraction) or base < 0 or exponent.denominator != 2 or abs(exponent) > 1000:
        return None
    above, below = math.isqrt(base.numerator), math.isqrt(base.denominator)
    if above**2 != base.numerator or below**2 != base.denominator:
        return None
    return Fraction(above, below) ** exponent.numerator


def _limit_exponential(argument: Number) -> None:
    if mpmath.isfinite(argument) and abs(argument) > MAX_EXPONENT:
        raise NumberTooLarge


def factorial(value: Number) -> Number:
    if is_whole(value):
        if value < 0:
            raise Undefined
        if value > MOST_TERMS * 4:
            raise NumberTooLarge
        return checked(Fraction(math.factorial(int(value))))
    if not is_real(value) or abs(value) > MOST_TERMS:
        raise Undefined
    return checked(mpmath.gamma(inexact(value) + 1))


def binomial(above: Number, below: Number) -> Number:
    if is_whole(above) and is_whole(below) and 0 <= below <= above:
        return factorial(above) / factorial(below) / factorial(above - below)
    return divide(divide(factorial(above), factorial(below)), factorial(subtract(above, below)))


def permutations(above: Number, below: Number) -> Number:
    return divide(factorial(above), factorial(subtract(above, below)))


def _real(function: Callable[[Any], Any]) -> Callable[[Number], Number]:
    """Wraps a whole-valued function of real numbers, such as floor. It raises Undefined for complex ones."""

    def act(value: Number) -> Number:
        if not is_real(value):
            raise Undefined
        return Fraction(int(function(value if isinstance(value, Fraction) else mpmath.re(value))))

    return act


def _of_whole_numbers(function: Callable[..., int]) -> Callable[..., Number]:
    def act(*values: Number) -> Number:
        if not all(map(is_whole, values)):
            raise Undefined
        return Fraction(function(*map(int, values)))

    return act


def sign(value: Number) -> Number:
    if not is_real(value):
        raise Undefined
    return Fraction((value > 0) - (value < 0))


def modulo(left: Number, right: Number) -> Number:
    if right == 0 or not (is_real(left) and is_real(right)):
        raise Undefined
    return (
        left % right if isinstance(left, Fraction) and isinstance(right, Fraction) else inexact(left) % inexact(right)
    )


def _extreme(choose: Callable[..., Number]) -> Callable[..., Number]:
    def act(*values: Number) -> Number:
        if not all(map(is_real, values)):
            raise Undefined
        return choose(values, key=inexact)

    return act


def _through(function: Callable[[Any], Any], *, from_one: bool = False) -> Callable[[Number], Number]:
    """Wraps a function of mpmath; it raises Undefined where there is no value. `from_one`: defined only in [-1, 1]."""

    def act(value: Number) -> Number:
        if not mpmath.isfinite(inexact(value)) or abs(value) > MAX_EXPONENT or (from_one and abs(value) > 1):
            raise Undefined
        try:
            result = checked(function(inexact(value)))
        except (ZeroDivisionError, ValueError):
            raise Undefined from None
        if abs(result) > 1 / NOTHING and not from_one and abs(value) < 1000:
            raise Undefined  # the tangent of a right angle
        return _cut(result, 1) if abs(inexact(value)) > NOTHING else result

    return act


def logarithm(value: Number, base: Number = mpmath.e, *, is_complex: bool = False) -> Number:
    """Returns the logarithm, exact if the value is a whole power of an exact base. Raises Undefined."""
    if value == 0 or base in (0, 1) or (not is_complex and not (is_real(value) and value > 0 and base > 0)):
        raise Undefined
    result = checked(mpmath.log(inexact(value)) / mpmath.log(inexact(base)))
    nearest = Fraction(int(mpmath.nint(mpmath.re(result)))) if abs(result) < MOST_TERMS else Fraction(0)
    is_exact = isinstance(value, Fraction) and isinstance(base, Fraction) and base**nearest == value
    return nearest if is_exact else result


FUNCTIONS: dict[str, Callable[..., Number]] = {
    "sin": _through(mpmath.sin),
    "cos": _through(mpmath.cos),
    "tan": _through(mpmath.tan),
    "cot": _through(mpmath.cot),
    "sec": _through(mpmath.sec),
    "csc": _through(mpmath.csc),
    "arcsin": _through(mpmath.asin, from_one=True),
    "arccos": _through(mpmath.acos, from_one=True),
    "arctan": _through(mpmath.atan),
    "arccot": _through(mpmath.acot),
    "sinh": _through(mpmath.sinh),
    "cosh": _through(mpmath.cosh),
    "tanh": _through(mpmath.tanh),
    "coth": _through(mpmath.coth),
    "exp": _through(mpmath.exp),
    "cis": _through(mpmath.expj),
    "floor": _real(math.floor),
    "ceil": _real(math.ceil),
    "sgn": sign,
    "gcd": _of_whole_numbers(math.gcd),
    "lcm": _of_whole_numbers(math.lcm),
    "max": _extreme(max),
    "min": _extreme(min),
}


def is_same(left: Number, right: Number) -> bool | None:
    """Returns whether two numbers are equal; None if they are too near to tell."""
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left == right
    if not (mpmath.isfinite(inexact(left)) and mpmath.isfinite(inexact(right))):
        return bool(inexact(left) == inexact(right))
    apart, scale = abs(inexact(left) - inexact(right)), max(abs(inexact(left)), abs(inexact(right)))
    return True if apart <= SAME * scale else False if apart > DIFFERENT * scale else None


def total(terms: Callable[[Fraction], Number], first: Number, last: Number, *, is_product: bool) -> Number:
    """A sum or product from `first` to `last`, term by term."""
    if not is_whole(first) or not is_whole(last):
        raise Undefined
    if last - first > MOST_TERMS:
        raise NumberTooLarge
    result: Number = Fraction(int(is_product))
    for number in range(int(first), int(last) + 1):
        result = (multiply if is_product else add)(result, terms(Fraction(number)))
    return result


def determinant(rows: list[list[Number]]) -> Number:
    if len(rows) == 1:
        return rows[0][0]
    if any(len(row) != len(rows) for row in rows) or len(rows) > 5:
        raise Undefined
    minors = ([row[:at] + row[at + 1 :] for row in rows[1:]] for at in range(len(rows)))
    signed = (multiply(rows[0][at] * (-1) ** at, determinant(minor)) for at, minor in enumerate(minors))
    result: Number = Fraction(0)
    for term in signed:
        result = add(result, term)
    return result
