"""Exact values of plain numeric answers: a parser for + - * / ^ and brackets, with caps instead of hope."""

from __future__ import annotations

import re
from fractions import Fraction

MAX_LENGTH = 200
MAX_EXPONENT = 2000
MAX_BITS = 20_000
TOKEN = re.compile(r"\d+(?:\.\d+)?|\.\d+|[-+*/^()]")


class NotExact(Exception):
    """The text is no plain number, or too large a one."""


def exact_value(text: str) -> Fraction | None:
    """The value of ``3/4``, ``-2.50``, ``2^10 + 1`` ...; None for anything else, and beyond the caps."""
    if not text or len(text) > MAX_LENGTH:
        return None
    tokens = TOKEN.findall(text)
    if "".join(tokens) != text.replace(" ", ""):
        return None
    reader = _Reader(tokens)
    try:
        value = reader.sum()
    except (NotExact, ZeroDivisionError):
        return None
    return value if reader.is_done else None


class _Reader:
    """Recursive descent over the tokens; the length cap bounds the depth."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0

    @property
    def is_done(self) -> bool:
        return self._at == len(self._tokens)

    def sum(self) -> Fraction:
        value = self._product()
        while sign := self._take("+", "-"):
            other = self._product()
            value = _capped(value + other if sign == "+" else value - other)
        return value

    def _product(self) -> Fraction:
        value = self._signed()
        while sign := self._take("*", "/"):
            other = self._signed()
            value = _capped(value * other if sign == "*" else value / other)
        return value

    def _signed(self) -> Fraction:
        if sign := self._take("+", "-"):
            value = self._signed()
            return -value if sign == "-" else value
        return self._power()

    def _power(self) -> Fraction:
        value = self._atom()
        if not self._take("^"):
            return value
        exponent = self._signed()
        if exponent.denominator != 1 or abs(exponent) * _bits(value) > MAX_BITS or abs(exponent) > MAX_EXPONENT:
            raise NotExact
        return value ** int(exponent)

    def _atom(self) -> Fraction:
        if self._take("("):
            value = self.sum()
            if not self._take(")"):
                raise NotExact
            return value
        if self.is_done or not self._tokens[self._at][-1].isdigit():
            raise NotExact
        self._at += 1
        return Fraction(self._tokens[self._at - 1])

    def _take(self, *wanted: str) -> str:
        if self.is_done or self._tokens[self._at] not in wanted:
            return ""
        self._at += 1
        return self._tokens[self._at - 1]


def _bits(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()


def _capped(value: Fraction) -> Fraction:
    if _bits(value) > MAX_BITS:
        raise NotExact
    return value
