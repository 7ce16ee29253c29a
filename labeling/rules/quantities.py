"""Plain numbers with their units, compared exactly; wrong only where no way to read them makes them equal. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from labeling.rules.exact import exact_value
from labeling.rules.notation import normalise

Verdict = Literal["right", "wrong", "unsure"]

# "5 cm", "3 m/s^2", "12pm": a number that ends with a digit or a bracket, then letters.
VALUE_AND_UNIT = re.compile(r"(.*?[\d)])( ?)([a-z][a-z /^.()\d-]*)", re.DOTALL)
# What is a unit also without a space; "5m" may be five times m, "5 m" is metres.
ATTACHED_UNITS = {"cm", "mm", "km", "kg", "mg", "ml", "ft", "yd", "oz", "lb", "lbs", "hr", "hrs", "am", "pm", "mph"}
LETTER_UNITS = {"m", "s", "g", "l", "h"}
# Letters after a number that change its value, or compare it.
NO_UNITS = {"more", "less", "fewer", "over", "under", "above", "below", "pi", "sin", "cos", "tan", "log", "ln", "mod"}
# 1,234: a thousand and more, or 1.234 where the comma is decimal.
COMMA = re.compile(r"\d{1,3}(?:,|\{,\})\d{3}")
# 2\frac{1}{2} as `normalise` writes it: two and a half, or two halves.
MIXED_SUM = re.compile(r"\((\d+)\+(\(\(\d+\)/\(\d+\)\)|\d+/\d+)\)")


@dataclass(frozen=True)
class Quantity:
    """`others`: what it may mean as well, by the notation that leaves it open: ``25%`` may be 25 of something."""

    value: Fraction
    unit: str
    written: str
    others: dict[str, Fraction] = field(default_factory=dict)

    def may_round(self, value: Fraction) -> bool:
        """Whether it may be a rounding of the value, which has more digits; ``33.3%`` of a third."""
        return _is_rounding(self.written, value * 100 if "%" in self.others else value)


def quantity(answer: str) -> Quantity | None:
    """None for what is no plain number with, perhaps, a unit."""
    written, unit = _split_unit(normalise(answer))
    value = exact_value(written)
    if value is None:
        return None
    if unit == "%":
        return Quantity(value / 100, "", written, {"%": value})
    others = dict[str, Fraction]()
    if "\\$" in answer:
        others["$"] = value * 100  # cents
    if COMMA.fullmatch(answer.strip("$ ")):
        others[","] = value / 1000  # a decimal comma
    if (mixed := MIXED_SUM.fullmatch(written)) and (factor := exact_value(mixed[2])) is not None:
        others["mixed"] = int(mixed[1]) * factor
    return Quantity(value, unit, written, others)


def compare(ours: Quantity, theirs: Quantity) -> Verdict:
    """Right, wrong, or unsure: where units differ, and where another reading or a rounding makes them equal."""
    units = {quantity.unit.rstrip("s") for quantity in (ours, theirs)}
    if len(units) > 1 and "" not in units:
        return "unsure"  # perhaps the same in other units: for a person to see
    if ours.value == theirs.value:
        return "right"
    # A notation that both share is read the same way in both: 25% and 50% differ however a percent is read. Only what
    # one of them leaves open may make them equal: 25% and 25.
    open_ways = ours.others.keys() ^ theirs.others.keys()
    left, right = (
        {each.value, *(each.others[way] for way in open_ways & each.others.keys())} for each in (ours, theirs)
    )
    is_rounding = ours.may_round(theirs.value) or theirs.may_round(ours.value)
    return "unsure" if len(units) > 1 or left & right or is_rounding else "wrong"


def _is_rounding(written: str, value: Fraction) -> bool:
    """Whether a decimal such as ``0.33`` may be a rounding of the other value, which has more digits."""
    decimal = re.fullmatch(r"-?\d*\.(\d+)", written)
    if decimal is None:
        return False
    last_digit = Fraction(1, 10 ** len(decimal[1]))
    return value % last_digit != 0 and abs(Fraction(written) - value) < last_digit


def _split_unit(text: str) -> tuple[str, str]:
    if text.endswith("%"):
        return text[:-1].strip(), "%"
    found = VALUE_AND_UNIT.fullmatch(text)
    if found is None or not _is_unit(found[3], is_attached=not found[2]):
        return text, ""
    return found[1].strip(), found[3].strip()


def _is_unit(name: str, *, is_attached: bool) -> bool:
    """A letter or two beside a number may as well be a variable."""
    first = re.match(r"[a-z]+", name)
    word = first[0] if first else ""
    if word in NO_UNITS:
        return False
    if len(word) >= 3 or word in ATTACHED_UNITS:
        return True
    return not is_attached and (len(word) == 2 or word in LETTER_UNITS)
