r"""Commands of LaTeX: ``\frac``, ``\sqrt``, ``\lfloor``, ``\vec`` ..."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

import mpmath

from labeling.grading.reading import arithmetic, calculus
from labeling.grading.reading.arithmetic import FUNCTIONS
from labeling.grading.reading.formulas import COSTLY, fail, raised
from labeling.grading.reading.tokens import NotUnderstood
from labeling.grading.reading.values import Expression, Value, combine, constant, letter

if TYPE_CHECKING:
    from labeling.grading.reading.terms import Terms

VECTORS = {"vec", "overrightarrow", "mathbf", "bm", "boldsymbol"}
ACCENTS = VECTORS | {"hat", "widehat", "bar", "tilde", "mathcal"}


def fraction(terms: Terms) -> Expression:
    start = terms.at
    above, below = terms.argument(), terms.argument()
    # d/dx and dy/dx are no fractions.
    written = "".join(token.text for token in terms.tokens[start : terms.at])
    if re.fullmatch(r"\{?\\?(?:d|partial|Delta)(?:\^\{?\d\}?)?\w?\}?\{?\(?\\?(?:d|partial)\w*.*\}?", written):
        raise NotUnderstood
    return combine(arithmetic.divide, above, below)


def root(terms: Terms) -> Expression:
    if terms.take("["):
        degree = terms.expression()
        terms.expect("]")
    else:
        degree = constant(Fraction(2))
    if terms.next.kind == "number" and len(terms.next.text) > 1:
        raise NotUnderstood
    return raised(terms.argument(), combine(arithmetic.divide, constant(Fraction(1)), degree), is_root=True)


def chosen(terms: Terms) -> Expression:
    return combine(arithmetic.binomial, terms.argument(), terms.argument(), notes=COSTLY)


def overline(terms: Terms) -> Expression:
    """Reads an overlined argument: a segment, a conjugate, or a letter of its own."""
    terms.expect("{")
    if terms.next.kind == "word" and re.fullmatch("[A-Z]{2}", terms.next.text):
        value = terms.word()
    elif terms.next.kind == "word" and len(terms.next.text) == 1 and terms.tokens[terms.at + 1].text == "}":
        value = letter(f"bar {terms.take(terms.next.text)}")
    else:
        value = terms.expression()
        if "i" not in value.notes:
            raise NotUnderstood
        value = combine(lambda each: each if isinstance(each, Fraction) else mpmath.conj(each), value)
    terms.expect("}")
    return value


def floor(terms: Terms) -> Expression:
    return terms.within("\\rfloor", "", FUNCTIONS["floor"])


def ceiling(terms: Terms) -> Expression:
    return terms.within("\\rceil", "", FUNCTIONS["ceil"])


def accented(terms: Terms, name: str) -> Expression:
    if terms.next.kind == "word":
        content = terms.split(1)
    else:
        terms.expect("{")
        content = terms.take(terms.next.text) if terms.next.kind in {"word", "command", "number"} else fail()
        terms.expect("}")
    return terms.marked(f"{name} {content}", frozenset({"vector"}) if name in VECTORS else frozenset())


COMMANDS: dict[str, Callable[[Terms], Value]] = {
    "frac": fraction,
    "sqrt": root,
    "binom": chosen,
    "dbinom": chosen,
    "tbinom": chosen,
    "infty": lambda terms: constant(mpmath.inf, notes=frozenset({"infinite"})),
    "lfloor": floor,
    "lceil": ceiling,
    "overline": overline,
    "sum": calculus.total,
    "prod": calculus.total,
    "int": calculus.integral,
    "lim": calculus.limit,
}
