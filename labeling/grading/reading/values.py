"""Answers that were read: expressions with letters, lists, points, intervals, relations, matrices, words. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from labeling.grading.reading.arithmetic import Number, Undefined
from labeling.grading.reading.units import Unit

NOTHING = frozenset[str]()

# Ambiguous notations: each has two readings, and a reading holds for both answers that use the notation.
# LEANING: one reading is the usual one, and right if equal; EVEN: right only if equal in either reading.
EVEN = {"log", "root", "slash", "apply", "signs", "after function"}
LEANING = {"mixed", "percent", "magnitude", "comma"}


@dataclass(frozen=True)
class Scope:
    """Numbers for letters. `other` names the notations to be read in their second way."""

    letters: Mapping[str, Number] = field(default_factory=dict)
    is_complex: bool = True
    sign: int = 1
    other: frozenset[str] = NOTHING

    def given(self, name: str, number: Number) -> Scope:
        return replace(self, letters={**self.letters, name: number})


@dataclass(frozen=True)
class Expression:
    """A function of its letters. `notes`: the notations it uses, such as those above, "decimal" and "i"."""

    value: Callable[[Scope], Number]
    letters: frozenset[str] = NOTHING
    notes: frozenset[str] = NOTHING
    text: str = ""  # of a plain number, as written
    name: str = ""  # of a single letter, or of a function that is applied

    @property
    def is_constant(self) -> bool:
        return not self.letters


@dataclass(frozen=True)
class Measured:
    """A number with its unit: ``5 cm``."""

    expression: Expression
    unit: Unit


@dataclass(frozen=True)
class Group:
    """Listed values, with their brackets: ``(1, 2]``; none around a plain list."""

    opened: Literal["", "(", "[", "{", "<"]
    closed: Literal["", ")", "]", "}", ">"]
    items: tuple[Value, ...]
    joined: str = ","  # or "or"


@dataclass(frozen=True)
class Region:
    """A set of real numbers, by its intervals: lower end, upper end, whether each end is left out."""

    parts: tuple[tuple[Expression, Expression, bool, bool], ...]


@dataclass(frozen=True)
class Relation:
    """A chain such as ``0 < x <= 1``, or one equation."""

    sides: tuple[Value, ...]
    signs: tuple[str, ...]


@dataclass(frozen=True)
class Matrix:
    rows: tuple[tuple[Expression, ...], ...]


@dataclass(frozen=True)
class Symbolic:
    """A value compared as it is written: a number in a base, a ratio's parts, a time of day."""

    kind: Literal["base", "clock", "ratio", "choices", "ordinal"]
    parts: tuple[Number | str, ...]


@dataclass(frozen=True)
class Union:
    r"""Sets with ``\\cup``, ``\\cap`` or ``\\setminus`` between them."""

    left: Value
    sign: str
    right: Value


@dataclass(frozen=True)
class Comma:
    """Two numbers, or one with a decimal comma: ``1,47``. `is_likely`: hardly a list."""

    decimal: Expression
    listed: Group
    is_likely: bool


Value = Expression | Measured | Group | Region | Relation | Matrix | Symbolic | Union | Comma


def constant(number: Number, *, notes: frozenset[str] = NOTHING, text: str = "") -> Expression:
    return Expression(lambda scope: number, notes=notes, text=text)


def combine(act: Callable[..., Number], *parts: Expression, notes: frozenset[str] = NOTHING) -> Expression:
    """The expression whose value is `act` of the values of the parts."""
    letters = NOTHING.union(*(part.letters for part in parts))
    all_notes = notes.union(*(part.notes for part in parts))
    return Expression(lambda scope: act(*(part.value(scope) for part in parts)), letters, all_notes)


def either(note: str, usual: Expression, other: Expression) -> Expression:
    """An expression with two readings: `other` where the scope names the note, else `usual`."""
    return Expression(
        lambda scope: (other if note in scope.other else usual).value(scope),
        usual.letters | other.letters,
        usual.notes | other.notes | {note},
        name=usual.name,
    )


def letter(name: str) -> Expression:
    def value(scope: Scope) -> Number:
        if name not in scope.letters:
            raise Undefined
        return scope.letters[name]

    return Expression(value, frozenset({name}), name=name)
