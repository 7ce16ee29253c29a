"""Compares two answers: True if they are the same, False, or None where only a person can tell. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import mpmath

from labeling.grading.equality import ROUNDED, is_within, points, same, value_at
from labeling.grading.reading import arithmetic, units
from labeling.grading.reading.formulas import only
from labeling.grading.reading.tokens import NotUnderstood
from labeling.grading.reading.units import Unit
from labeling.grading.reading.values import (
    Comma,
    Expression,
    Group,
    Matrix,
    Measured,
    Region,
    Relation,
    Scope,
    Symbolic,
    Union,
    Value,
    combine,
    constant,
)
from labeling.grading.regions import is_same_region, region

MOST_ITEMS = 40
DEGREE = {(("angle", 1),), (("radians", 1),)}
UNORDERED = {"", "{"}


def compare(one: Value, other: Value) -> bool | None:
    """Returns whether two values are the same; None if undecided. The order of the two doesn't matter."""
    if isinstance(one, Comma) or isinstance(other, Comma):
        return _compare_commas(one, other)
    if isinstance(one, Symbolic) or isinstance(other, Symbolic):
        return _compare_symbolic(one, other)
    if (
        isinstance(one, Relation)
        and isinstance(other, Relation)
        and (found := _compare_relations(one, other)) is not None
    ):
        return found
    (name, one), (other_name, other) = _name_and_value(one), _name_and_value(other)
    if name and other_name and name != other_name:
        return None
    return _compare_values(one, other)


def _compare_values(one: Value, other: Value) -> bool | None:
    if _is_region(one) or _is_region(other):
        return _compare_regions(one, other)
    ours, theirs = _items_of(one), _items_of(other)
    if ours is not None or theirs is not None:
        return _compare_lists(ours, theirs, one, other)
    if isinstance(one, Measured) or isinstance(other, Measured):
        return _compare_measured(one, other)
    if isinstance(one, Expression) and isinstance(other, Expression):
        return same(one, other)
    return _compare_vectors(one, other)


# Names and relations


def _name_and_value(value: Value) -> tuple[str, Value]:
    """Splits ``x = 5`` into ``x`` and 5. The name is empty for anything but a definition."""
    if not isinstance(value, Relation) or set(value.signs) != {"="}:
        return "", value
    left, last = value.sides[0], value.sides[-1]
    if isinstance(left, Group) and isinstance(last, Group) and len(value.sides) == 2:
        names = [each.name for each in left.items if isinstance(each, Expression)]
        return (str(names), last) if all(names) and len(names) == len(left.items) else ("", value)
    if not isinstance(left, Expression) or not left.name:
        left, last = last, left
    if not isinstance(left, Expression) or not left.name or len(value.sides) > 2:
        return "", value
    is_defined = isinstance(last, Expression) and left.name in last.letters
    return ("", value) if is_defined else (left.name, last)


def _compare_relations(one: Relation, other: Relation) -> bool | None:
    """Compares equations and inequalities by the differences of their sides; None if undecided."""
    ours, theirs = _difference(one), _difference(other)
    if ours is None or theirs is None or ours[0] != theirs[0]:
        return None
    sign, (left, right) = ours[0], (ours[1], theirs[1])
    if sign == ":":
        return _compare_ratios(one, other)
    if left.letters != right.letters or "signs" in left.notes | right.notes:
        return None
    (name, value), (other_name, other_value) = _name_and_value(one), _name_and_value(other)
    if name and name == other_name and isinstance(value, Expression) and isinstance(other_value, Expression):
        return same(value, other_value)
    ratio = None if left.is_constant else _constant_ratio(left, right)
    if ratio is not None:
        return True if sign in {"=", "!="} or ratio > 0 else None
    are_lines = sign == "=" and _is_linear(left) and _is_linear(right) and not {"decimal"} & (left.notes | right.notes)
    return False if are_lines else None


def _difference(relation: Relation) -> tuple[str, Expression] | None:
    if len(relation.sides) != 2:
        return None
    left, right = relation.sides
    if not isinstance(left, Expression) or not isinstance(right, Expression):
        return None
    sign = relation.signs[0]
    if sign in {">", ">="}:
        left, right, sign = right, left, sign.replace(">", "<")
    return sign, combine(arithmetic.subtract, left, right)


def _compare_ratios(one: Relation, other: Relation) -> bool | None:
    """Compares ratios: 2:3 is 4:6, but undecided beside 3:2, perhaps the same the other way round."""
    try:
        (a, b), (c, d) = ([only(side) for side in each.sides] for each in (one, other))
    except NotUnderstood:
        return None
    product = arithmetic.multiply
    if same(combine(product, a, d), combine(product, b, c)):
        return True
    return False if same(combine(product, a, c), combine(product, b, d)) is False else None


def _constant_ratio(left: Expression, right: Expression) -> arithmetic.Number | None:
    ratio = combine(arithmetic.divide, left, right)
    is_complex = "i" in ratio.notes
    found = [
        value_at(ratio, Scope(point, is_complex=is_complex, other=other))
        for other in ((frozenset[str](), ratio.notes) if ratio.notes else (frozenset[str](),))
        for point in points(sorted(ratio.letters))
    ]
    values = [each for each in found if each is not None]
    lefts = {str(value_at(left, Scope(point, is_complex=is_complex))) for point in points(sorted(ratio.letters))}
    if len(lefts - {"None"}) < 3:
        return None  # f(5) = 3
    if len(values) < 3 or values[0] == 0 or not arithmetic.is_real(values[0]):
        return None
    return values[0] if all(arithmetic.is_same(each, values[0]) for each in values) else None


def _is_linear(expression: Expression) -> bool:
    letters = sorted(expression.letters)

    def at(*numbers: int) -> arithmetic.Number | None:
        return value_at(expression, Scope(dict(zip(letters, map(Fraction, numbers), strict=True)), is_complex=False))

    width = len(letters)
    start = at(*[0] * width)
    slopes = [at(*[int(place == index) for place in range(width)]) for index in range(width)]
    if not all(isinstance(each, Fraction) for each in (start, *slopes)):
        return False
    for row in range(4):
        numbers = [(7 * row + 3 * place) % 11 - 5 for place in range(width)]
        line = sum(((slope or 0) - (start or 0)) * each for slope, each in zip(slopes, numbers, strict=True))
        if at(*numbers) != (start or 0) + line:
            return False
    return True


# Sets and lists


def _is_region(value: Value) -> bool:
    if isinstance(value, Region | Union) or (isinstance(value, Relation) and not set(value.signs) & {"=", ":"}):
        return True
    return isinstance(value, Group) and value.joined in {"or", "and"} and all(map(_is_region, value.items))


def _compare_regions(one: Value, other: Value) -> bool | None:
    ours, theirs = region(one), region(other)
    if ours is None or theirs is None:
        return True if _is_same_chain(one, other) else None
    (left, name), (right, other_name) = ours, theirs
    if name and other_name and name != other_name:
        return None
    found = is_same_region(left, right)
    # x > 4 and x >= 5 are the same for whole numbers.
    is_discrete = found is False and (name or other_name)[:1] in {"n", "k", "m", "N", "K", "j"}
    return None if is_discrete else found


def _is_same_chain(one: Value, other: Value) -> bool:
    """Returns whether two chains are the same, read from either end: a < b < c and c > b > a."""
    if not isinstance(one, Relation) or not isinstance(other, Relation) or len(one.sides) != len(other.sides):
        return False
    turned = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
    backwards = Relation(other.sides[::-1], tuple(turned.get(sign, sign) for sign in reversed(other.signs)))
    return any(
        one.signs == each.signs and all(compare(left, right) for left, right in zip(one.sides, each.sides, strict=True))
        for each in (other, backwards)
    )


def _items_of(value: Value) -> list[Value] | None:
    """The items of an unordered list or set, or the two values of 3 \\pm 1; None for anything else."""
    if isinstance(value, Group) and value.opened in UNORDERED:
        items = [each for item in value.items for each in (_listed_signs(item) or [item])]
        named = [_name_and_value(item) for item in items]
        return [each for _, each in named] if len({name for name, _ in named}) == 1 else items
    return _listed_signs(value)


def _listed_signs(value: Value) -> list[Value] | None:
    if not isinstance(value, Expression) or "signs" not in value.notes:
        return None

    def with_sign(sign: int) -> Expression:
        return replace(
            value, value=lambda scope: value.value(replace(scope, sign=sign)), notes=value.notes - {"signs"}, name=""
        )

    return [with_sign(1), with_sign(-1)]


def _compare_lists(ours: list[Value] | None, theirs: list[Value] | None, one: Value, other: Value) -> bool | None:
    if ours is None or theirs is None:
        listed, single = (ours or theirs or []), (other if theirs is None else one)
        found = set[bool | None]() if isinstance(single, Group) else {compare(item, single) for item in listed}
        return found.pop() if len(listed) == 1 and found else True if found == {True} else None
    if max(len(ours), len(theirs)) > MOST_ITEMS:
        return None
    missing = {_is_missing(item, others) for some, others in ((ours, theirs), (theirs, ours)) for item in some}
    if True in missing:
        return False
    return None if None in missing or len(ours) != len(theirs) else True


def _is_missing(item: Value, others: Sequence[Value]) -> bool | None:
    # x = 1, y = 2 can't be matched with 2, 1; and {1} is no member of {1}.
    found = {compare(item, other) if _form(item) == _form(other) else None for other in others}
    return False if True in found else None if None in found else True


def _form(value: Value) -> tuple[bool, bool]:
    return isinstance(value, Relation), isinstance(value, Group)


def _compare_vectors(one: Value, other: Value) -> bool | None:
    """Compares points, intervals, vectors and matrices item by item."""
    if isinstance(one, Group) and isinstance(other, Group):
        return _compare_groups(one, other)
    rows, other_rows = _rows(one), _rows(other)
    if rows is None or other_rows is None:
        return None
    is_column = isinstance(one, Matrix) != isinstance(other, Matrix) and "(" not in {
        _opening_of(one),
        _opening_of(other),
    }
    if is_column and 1 in {len(rows), len(rows[0])} and 1 in {len(other_rows), len(other_rows[0])}:
        rows, other_rows = [[each for row in rows for each in row]], [[each for row in other_rows for each in row]]
    if [len(row) for row in rows] != [len(row) for row in other_rows]:
        return None
    found = _pairwise([each for row in rows for each in row], [each for row in other_rows for each in row])
    return found if isinstance(one, Matrix) == isinstance(other, Matrix) or (found and is_column) else None


def _opening_of(value: Value) -> str:
    return value.opened if isinstance(value, Group) else ""


def _rows(value: Value) -> list[list[Value]] | None:
    if isinstance(value, Matrix):
        return [list(row) for row in value.rows]
    return [list(value.items)] if isinstance(value, Group) and value.opened in {"<", "("} else None


def _compare_groups(one: Group, other: Group) -> bool | None:
    if len(one.items) != len(other.items):
        return None
    found = _pairwise(one.items, other.items)
    brackets = [(each.opened, each.closed) for each in (one, other)]
    if brackets[0] == brackets[1]:
        return found
    if ("<", ">") in brackets:
        return True if found and ("(", ")") in brackets else None
    # [1, 2] and (1, 2) may both be points.
    return False if found is False else None if set(brackets) == {("(", ")"), ("[", "]")} or found is None else False


def _pairwise(ours: Sequence[Value], theirs: Sequence[Value]) -> bool | None:
    found = {compare(left, right) for left, right in zip(ours, theirs, strict=True)}
    return False if False in found else None if None in found else True


# Units


def _compare_measured(one: Value, other: Value) -> bool | None:
    if isinstance(one, Measured) and isinstance(other, Measured):
        return _compare_units(one, other)
    measured, plain = (one, other) if isinstance(one, Measured) else (other, one)
    if not isinstance(measured, Measured) or not isinstance(plain, Expression):
        return None
    found = same(measured.expression, plain)
    if found is not False:
        return None if measured.unit.is_minor else found
    # The plain number may be in another unit.
    kin = [*units.same_kind(measured.unit), *_angles(measured.unit)]
    as_other = {same(_converted(measured, each), plain) for each in kin}
    is_near = any(_is_near(_converted(measured, each), plain) for each in kin)
    return None if as_other - {False} or is_near else False


def _is_near(one: Expression, other: Expression) -> bool:
    """Returns whether two values are close, as kilometres and rounded miles are."""
    left, right = value_at(one, Scope()), value_at(other, Scope())
    return left is not None and right is not None and is_within(left, right, ROUNDED)


def _compare_units(one: Measured, other: Measured) -> bool | None:
    as_written = same(one.expression, other.expression)
    if one.unit.dimension == other.unit.dimension and one.unit.size == other.unit.size:
        return as_written
    if one.unit.dimension != other.unit.dimension and {one.unit.dimension, other.unit.dimension} != DEGREE:
        return None
    converted = _converted(one, other.unit)
    found = same(converted, other.expression)
    # 18 cm and 18 m: perhaps a slip.
    is_open = found is False and (as_written is not False or _is_near(converted, other.expression))
    return None if is_open else found


def _converted(measured: Measured, unit: Unit) -> Expression:
    size = constant(measured.unit.size / unit.size)
    if measured.unit.dimension != unit.dimension:
        is_degrees = measured.unit.dimension == (("angle", 1),)
        size = constant(mpmath.pi / 180 if is_degrees else 180 / mpmath.pi)
    return combine(arithmetic.multiply, measured.expression, size)


def _angles(unit: Unit) -> Iterator[Unit]:
    if unit.dimension in DEGREE:
        yield from (units.KNOWN[name] for name in ("degree", "radian") if units.KNOWN[name].dimension != unit.dimension)


# Values that are compared as written


def _compare_commas(one: Value, other: Value) -> bool | None:
    """Compares answers with a comma: 1,47 is a decimal beside 1.47, else a list."""
    if isinstance(other, Expression | Measured):
        one, other = other, one
    if isinstance(one, Expression) and isinstance(other, Comma):
        found = same(one, other.decimal)
        return True if found and other.is_likely else None
    ours, theirs = (each.listed if isinstance(each, Comma) else each for each in (one, other))
    return None if isinstance(ours, Comma) or isinstance(theirs, Comma) else compare(ours, theirs)


def _compare_symbolic(one: Value, other: Value) -> bool | None:
    if not isinstance(one, Symbolic) or not isinstance(other, Symbolic):
        return True if _chosen(one) == _chosen(other) and _chosen(one) else None
    if one.kind != other.kind:
        return None
    if one.kind == "clock":
        return _compare_clocks(one.parts, other.parts)
    if one.kind == "base" and one.parts[1] != other.parts[1]:
        return None if one.parts[2] == other.parts[2] else False
    return one.parts == other.parts


def _chosen(value: Value) -> tuple[object, ...]:
    """The letters of chosen options, such as B and D, also of BD; empty for anything else."""
    if isinstance(value, Symbolic):
        return value.parts if value.kind == "choices" else ()
    name = value.name if isinstance(value, Expression) else ""
    return (
        tuple(name) if name.isalpha() and name.isupper() and len(name) > 1 and sorted(set(name)) == list(name) else ()
    )


def _compare_clocks(one: Sequence[arithmetic.Number], other: Sequence[arithmetic.Number]) -> bool | None:
    """Compares times of day: 3:30 pm is 15:30, and perhaps 3:30."""
    (minutes, half), (other_minutes, other_half) = one, other
    if half and other_half:
        return bool((minutes % 720, half) == (other_minutes % 720, other_half))
    if not half and not other_half:
        if minutes != other_minutes and (minutes // 60) * (other_minutes % 60) == (other_minutes // 60) * (
            minutes % 60
        ):
            return None  # as ratios, 3:45 is 1:15
        return True if minutes == other_minutes else None if minutes % 720 == other_minutes % 720 else False
    if minutes % 720 != other_minutes % 720:
        return False
    plain, named = (one, other) if other_half else (other, one)
    afternoon = plain[0] >= 720
    return True if afternoon and named[1] == "pm" and plain[0] >= 780 else None
