"""Builds expressions and matrices from others, noting what their notation leaves open. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

import mpmath

from labeling.grading.reading import arithmetic
from labeling.grading.reading.arithmetic import Number
from labeling.grading.reading.tokens import NotUnderstood
from labeling.grading.reading.values import Expression, Matrix, Scope, Value, combine, constant

COSTLY = frozenset({"costly"})
PERMUTATIONS = {"sigma", "tau", "rho"}
WHOLE_LETTERS = set("nkmNKjl") | {"ell"}


def only(value: Value) -> Expression:
    """Returns the value if it is an expression. Raises NotUnderstood otherwise."""
    if not isinstance(value, Expression):
        raise NotUnderstood
    return value


def number(text: str) -> Expression:
    notes = frozenset({"decimal"}) if "." in text else frozenset[str]()
    return constant(Fraction(text), notes=notes, text=text)


def negative(value: Expression) -> Expression:
    text = f"-{value.text}" if value.text else ""
    result = combine(arithmetic.multiply, constant(Fraction(-1)), value)
    return Expression(result.value, result.letters, result.notes, text)


def raised(base: Expression, exponent: Expression, *, is_root: bool = False) -> Expression:
    def value(scope: Scope) -> Number:
        number, power = base.value(scope), exponent.value(scope)
        is_principal = "root" in scope.other and not is_root
        if is_principal and isinstance(power, Fraction) and power.denominator > 1:
            number, power = arithmetic.inexact(number), arithmetic.inexact(power)
        return arithmetic.power(number, power, is_complex=scope.is_complex, has_odd_roots=exponent.is_constant)

    notes = (base.notes | exponent.notes | COSTLY) - {"family"}
    if base.is_constant and exponent.is_constant and not is_root and "i" not in notes:
        is_negative = base.text.startswith("-") or not base.text
        notes |= {"root"} if is_negative and not exponent.text else frozenset()
    if exponent.text.startswith("-"):
        notes |= {"inverse"}
    return Expression(value, base.letters | exponent.letters, notes)


def remainder(value: Expression, modulus: Expression) -> Expression:
    """Returns 12 mod 5. Raises NotUnderstood for 4 mod 7, which is a residue class."""
    if not (value.text.isdecimal() and modulus.text.isdecimal()) or int(value.text) < int(modulus.text):
        raise NotUnderstood
    return combine(arithmetic.modulo, value, modulus, notes=frozenset({"mod"}))


def determinant(matrix: Matrix) -> Expression:
    flat = [each for row in matrix.rows for each in row]
    width = len(matrix.rows[0])

    def value(*values: Number) -> Number:
        return arithmetic.determinant([list(values[at : at + width]) for at in range(0, len(values), width)])

    return combine(value, *flat, notes=COSTLY)


def without_family(value: Expression) -> Expression:
    r"""Removes the note “family”: n\pi stands for many numbers, but \cos(n\pi) for one."""
    return Expression(value.value, value.letters, value.notes - {"family"})


def logarithm(value: Expression, base: Expression) -> Expression:
    both = combine(arithmetic.logarithm, value, base, notes=COSTLY)
    return Expression(
        lambda scope: arithmetic.logarithm(value.value(scope), base.value(scope), is_complex=scope.is_complex),
        both.letters,
        both.notes,
    )


def added(left: Value, sign: str, right: Value) -> Value:
    if isinstance(left, Matrix) and isinstance(right, Matrix) and sign in {"+", "-"}:
        if [len(row) for row in left.rows] != [len(row) for row in right.rows]:
            raise NotUnderstood
        pairs = [zip(one, other, strict=True) for one, other in zip(left.rows, right.rows, strict=True)]
        return Matrix(tuple(tuple(only(added(one, sign, other)) for one, other in row) for row in pairs))
    left, right = only(left), only(right)
    if sign in {"+", "-"}:
        return combine(arithmetic.add if sign == "+" else arithmetic.subtract, left, right)
    notes = left.notes | right.notes | {"signs"}
    if "signs" in left.notes | right.notes and sign == "\\pm":
        raise NotUnderstood  # two signs: which goes with which?
    turn = 1 if sign == "\\pm" else -1

    def value(scope: Scope) -> Number:
        return arithmetic.add(left.value(scope), right.value(scope) * scope.sign * turn)

    return Expression(value, left.letters | right.letters, notes)


def times(left: Value, right: Value, *, may_be_cross: bool = False) -> Value:
    if isinstance(left, Expression) and isinstance(right, Matrix):
        return Matrix(tuple(tuple(combine(arithmetic.multiply, left, each) for each in row) for row in right.rows))
    if isinstance(left, Matrix) and isinstance(right, Matrix):
        return _matrix_product(left, right)
    left, right = only(left), only(right)
    notes = set[str]()
    are_letters = all(each.letters or "i" in each.notes for each in (left, right))
    if _may_not_commute(left, right) or (may_be_cross and are_letters):
        notes.add("ordered")
    if any(
        "pi" in one.notes and one.is_constant and other.letters & WHOLE_LETTERS
        for one, other in ((left, right), (right, left))
    ):
        notes.add("family")
    return combine(arithmetic.multiply, left, right, notes=frozenset(notes))


def _matrix_product(left: Matrix, right: Matrix) -> Matrix:
    if len(left.rows[0]) != len(right.rows):
        raise NotUnderstood
    columns = list(zip(*right.rows, strict=True))
    return Matrix(tuple(tuple(_scalar_product(row, column) for column in columns) for row in left.rows))


def _scalar_product(row: Sequence[Expression], column: Sequence[Expression]) -> Expression:
    products = (combine(arithmetic.multiply, one, other) for one, other in zip(row, column, strict=True))
    return reduce(lambda one, other: combine(arithmetic.add, one, other), products)


def _may_not_commute(left: Expression, right: Expression) -> bool:
    """Returns whether order may matter: capitals may be matrices or points, and vectors have several products."""
    if "vector" in left.notes and "vector" in right.notes:
        return True
    # aba^{-1}
    if any("inverse" in one.notes and one.letters < other.letters for one, other in ((left, right), (right, left))):
        return True
    capitals = [{name for name in each.letters if _may_be_operator(name)} for each in (left, right)]
    return bool(capitals[0] and capitals[1]) and (len(capitals[0] | capitals[1]) > 1)


def _may_be_operator(name: str) -> bool:
    return (name[0].isupper() and "_" not in name) or name in PERMUTATIONS


def modulus(value: Expression) -> Expression:
    """Notes that z in |z| may be complex, while the numbers put for letters are real."""
    notes = {"modulus"} if value.letters & {"z", "w"} else set[str]()
    return Expression(value.value, value.letters, value.notes | notes)


def imaginary(scope: Scope) -> Number:
    return mpmath.mpc(0, 1)


def fail() -> str:
    raise NotUnderstood
