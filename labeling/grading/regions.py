"""Sets of real numbers: intervals, inequalities, unions. Pure."""

from __future__ import annotations

from fractions import Fraction

import mpmath

from labeling.grading.equality import same, value_at
from labeling.grading.reading import arithmetic
from labeling.grading.reading.arithmetic import Number
from labeling.grading.reading.formulas import negative
from labeling.grading.reading.values import Expression, Group, Region, Relation, Scope, Union, Value, combine, constant

Part = tuple[Expression, Expression, bool, bool]
INFINITE = constant(mpmath.inf)
TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "!=": "!="}


def region(value: Value) -> tuple[Region, str] | None:
    """The set and the name of its variable, if any; None for anything but a set of real numbers."""
    match value:
        case Region():
            return value, ""
        case Union():
            return _combined(value)
        case Relation():
            return _solved(value)
        case Group(opened="", joined="or" | "and"):
            return _joint(value)
        case Group():
            return _bracketed(value)
    return None


def _bracketed(group: Group) -> tuple[Region, str] | None:
    """An interval, or a set of numbers."""
    ends = [
        item for item in group.items if isinstance(item, Expression) and item.is_constant and "signs" not in item.notes
    ]
    if len(ends) < len(group.items):
        return None
    if group.opened == "{":
        return Region(tuple((end, end, False, False) for end in ends)), ""
    if group.opened not in {"(", "["} or len(ends) != 2:
        return None
    return Region(((ends[0], ends[1], group.opened == "(", group.closed == ")"),)), ""


def is_same_region(one: Region, other: Region) -> bool | None:
    """Compares two sets by their intervals, joined where they meet; None if undecided."""
    ours, theirs = _joined(one), _joined(other)
    if ours is None or theirs is None:
        return None
    if len(ours) != len(theirs):
        return False
    found = set[bool | None]()
    for left, right in zip(ours, theirs, strict=True):
        found |= {same(left[0], right[0]), same(left[1], right[1]), left[2:] == right[2:]}
    return False if False in found else None if None in found else True


def _joint(group: Group) -> tuple[Region, str] | None:
    """The numbers for which any, or all, of the inequalities hold; None unless all have the same letter."""
    found = [region(item) for item in group.items]
    regions = [each for each in found if each is not None]
    names = {name for _, name in regions}
    if len(regions) < len(found) or len(names) != 1 or names == {""}:
        return None
    parts = regions[0][0].parts
    for each, _ in regions[1:]:
        both = tuple(part for one in parts for other in each.parts if (part := _common(one, other)))
        parts = parts + each.parts if group.joined == "or" else both
    return Region(parts), names.pop()


def _combined(union: Union) -> tuple[Region, str] | None:
    left, right = region(union.left), region(union.right)
    if left is None or right is None:
        return None
    if union.sign == "\\cup":
        return Region(left[0].parts + right[0].parts), ""
    if union.sign == "\\cap":
        return Region(
            tuple(part for one in left[0].parts for other in right[0].parts if (part := _common(one, other)))
        ), ""
    kept = left[0].parts
    for low, high, is_low_open, is_high_open in right[0].parts:
        outside: list[Part] = [
            (negative(INFINITE), low, True, not is_low_open),
            (high, INFINITE, not is_high_open, True),
        ]
        kept = tuple(part for one in kept for other in outside if (part := _common(one, other)))
    return Region(kept), ""


def _common(one: Part, other: Part) -> Part | None:
    low = max(one, other, key=lambda part: (_end(part[0]), part[2]))
    high = min(one, other, key=lambda part: (_end(part[1]), not part[3]))
    part = (low[0], high[1], low[2], high[3])
    start, end = _end(part[0]), _end(part[1])
    return part if start < end or (start == end and not part[2] and not part[3]) else None


def _end(expression: Expression) -> Number:
    value = value_at(expression, Scope())
    return arithmetic.inexact(value) if value is not None and arithmetic.is_real(value) else mpmath.mpf(0)


def _solved(relation: Relation) -> tuple[Region, str] | None:
    """The numbers for which an inequality holds: 0 < x <= 1, 2x > 4, x in (0, 1]."""
    sides, signs = relation.sides, relation.signs
    if signs == ("in",):
        member, inside = sides[0], region(sides[1])
        return (inside[0], member.name) if isinstance(member, Expression) and member.name and inside else None
    if not set(signs) <= TURNED.keys() or not all(isinstance(side, Expression) for side in sides):
        return None
    expressions = [side for side in sides if isinstance(side, Expression)]
    names = frozenset[str]().union(*(side.letters for side in expressions))
    if len(names) != 1 or not all("signs" not in side.notes for side in expressions):
        return None
    name = next(iter(names))
    parts: tuple[Part, ...] = ((negative(INFINITE), INFINITE, True, True),)
    for left, sign, right in zip(expressions, signs, expressions[1:], strict=False):
        halves = _halves(left, sign, right, name)
        if halves is None:
            return None
        parts = tuple(part for one in parts for other in halves if (part := _common(one, other)))
    return Region(parts), name


def _halves(left: Expression, sign: str, right: Expression, name: str) -> list[Part] | None:
    """The half-line on which a linear inequality holds; None unless it is linear."""
    if right.name == name and left.is_constant:
        left, right, sign = right, left, TURNED[sign]
    if left.name == name and right.is_constant:
        end = right
    else:
        solved = _linear(left, right, name)
        if solved is None:
            return None
        end, sign = solved[0], TURNED[sign] if solved[1] else sign
    below: Part = (negative(INFINITE), end, True, sign != "<=")
    above: Part = (end, INFINITE, sign != ">=", True)
    return {"<": [below], "<=": [below], ">": [above], ">=": [above]}.get(sign, [below, above])


def _linear(left: Expression, right: Expression, name: str) -> tuple[Expression, bool] | None:
    """The point at which left and right are equal, and whether left grows the slower; None unless both are linear."""
    apart = combine(arithmetic.subtract, left, right)
    tried = (0, 1, 3, -5)
    at = [value_at(apart, Scope({name: Fraction(each)}, is_complex=False)) for each in tried]
    exact = [each for each in at if isinstance(each, Fraction)]
    if len(exact) < len(tried):
        return None
    zero, slope = exact[0], exact[1] - exact[0]
    if not slope or exact != [zero + slope * each for each in tried]:
        return None
    return constant(-zero / slope), bool(slope < 0)


def _joined(whole: Region) -> list[Part] | None:
    """The parts in order, joined where they meet; None where an end has no value."""
    if any(value_at(end, Scope()) is None for part in whole.parts for end in part[:2]):
        return None
    joined = list[Part]()
    for part in sorted(whole.parts, key=lambda part: (_end(part[0]), part[2])):
        if joined and _meets(joined[-1], part):
            last = joined.pop()
            high = max(last, part, key=lambda each: (_end(each[1]), not each[3]))
            joined.append((last[0], high[1], last[2], high[3]))
        else:
            joined.append(part)
    return joined


def _meets(one: Part, other: Part) -> bool:
    end, start = _end(one[1]), _end(other[0])
    return bool(start < end or (start == end and not (one[3] and other[2])))
