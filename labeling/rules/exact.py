"""Exact values of plain numeric answers, such as ``3/4 + 2^10``: with caps instead of hope.

The caps are on the text, on exponents, and on the bits of every intermediate value, so that ``9^9^9^9`` costs nothing.
"""

from __future__ import annotations

import ast
import re
from fractions import Fraction

MAX_LENGTH = 200
MAX_EXPONENT = 2000
MAX_BITS = 20_000
PLAIN = re.compile(r"(?:\d+(?:\.\d+)?|\.\d+|[-+*/^() ])+")
LEADING_ZEROS = re.compile(r"(?<![\d.])0+(?=\d)")


class NotExact(Exception):
    """The text is no plain number, or too large a one."""


def exact_value(text: str) -> Fraction | None:
    """The value of ``3/4``, ``-2.50``, ``2^10 + 1`` ...; None for anything else, and beyond the caps."""
    if len(text) > MAX_LENGTH or "**" in text or not PLAIN.fullmatch(text):
        return None
    written = LEADING_ZEROS.sub("", text.strip()).replace("^", "**")
    try:
        return _value(ast.parse(written, mode="eval").body, written)
    except (NotExact, SyntaxError, ZeroDivisionError):
        return None


def _value(node: ast.expr, written: str) -> Fraction:
    """Python reads the text and never runs it. Raises NotExact, ZeroDivisionError."""
    match node:
        case ast.Constant():
            value = Fraction(written[node.col_offset : node.end_col_offset])  # 0.1 is a tenth, as no float is
        case ast.UnaryOp(op=ast.UAdd()):
            value = _value(node.operand, written)
        case ast.UnaryOp(op=ast.USub()):
            value = -_value(node.operand, written)
        case ast.BinOp():
            value = _result(node.op, _value(node.left, written), _value(node.right, written))
        case _:
            raise NotExact
    if _bits(value) > MAX_BITS:
        raise NotExact
    return value


def _result(operator: ast.operator, left: Fraction, right: Fraction) -> Fraction:
    match operator:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div():
            return left / right
    # A power has about as many bits as its base has, times the exponent: too large a one is refused before it is made.
    is_small = right.denominator == 1 and abs(right) <= min(MAX_EXPONENT, MAX_BITS / _bits(left))
    if not (isinstance(operator, ast.Pow) and is_small):
        raise NotExact
    return left ** int(right)


def _bits(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()
