r"""Functions by name, such as ``\sin^2 2x`` and ``\log_2 8``, with the arguments that belong to them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

import mpmath

from labeling.grading.reading import arithmetic
from labeling.grading.reading.arithmetic import FUNCTIONS
from labeling.grading.reading.formulas import COSTLY, fail, logarithm, only, raised, without_family
from labeling.grading.reading.tokens import NAMES, NotUnderstood
from labeling.grading.reading.values import Expression, Group, combine, constant, either

if TYPE_CHECKING:
    from labeling.grading.reading.terms import Terms

INVERSE = {"sin": "arcsin", "cos": "arccos", "tan": "arctan", "cot": "arccot"}
ANGLED = {"sin", "cos", "tan", "cot", "sec", "csc", "cis"}


def named(terms: Terms, name: str) -> Expression:
    if name == "pi":
        return Expression(lambda scope: +mpmath.pi, notes=frozenset({"pi", "costly"}))
    if name == "sqrt":
        opening = terms.next.text
        value = only(terms.power() if opening in {"(", "{"} else terms.atom())
        return raised(value, constant(Fraction(1, 2)), is_root=True)
    base = base_of(terms, name)
    exponent = terms.exponent() if terms.take("^") else None
    if base is None and name in {"log", "lg", "ln"} and terms.take("_"):
        base = terms.exponent()
    is_inverse = exponent is not None and exponent.text == "-1"
    if is_inverse:
        name, exponent = INVERSE.get(name) or fail(), None
    terms.angles += name in ANGLED
    function = function_of(name, base)
    value = applied(terms, function)
    terms.angles -= name in ANGLED
    return value if exponent is None else raised(value, exponent)


def base_of(terms: Terms, name: str) -> Expression | None:
    if name == "ln":
        return constant(+mpmath.e)
    if name == "lg":
        return constant(Fraction(10))
    return terms.exponent() if name == "log" and terms.take("_") else None


def function_of(name: str, base: Expression | None) -> Callable[..., Expression]:
    if name not in {"log", "ln", "lg"}:
        act = FUNCTIONS[name]
        return lambda *values: without_family(combine(act, *values, notes=COSTLY))
    if base is not None:
        return lambda value: logarithm(value, base)
    # A logarithm without its base: 10 to some, e to others.
    return lambda value: either("log", logarithm(value, constant(+mpmath.e)), logarithm(value, constant(Fraction(10))))


def applied(terms: Terms, function: Callable[..., Expression]) -> Expression:
    if terms.next.text in {"(", "{", "\\{"}:
        value = terms.atom()
        arguments = [only(part) for part in (value.items if isinstance(value, Group) else [value])]
        if not terms.take("^"):
            return function(*arguments)
        exponent = terms.exponent()  # sin(x)^2
        return either(
            "after function",
            raised(function(*arguments), exponent),
            function(*(raised(argument, exponent) for argument in arguments)),
        )
    argument = only(terms.power())
    while terms.is_juxtaposed() and not is_function(terms):
        if terms.next.text in {"(", "["}:
            raise NotUnderstood
        argument = combine(arithmetic.multiply, argument, only(terms.power()))
    if terms.next.text in {"\\cdot", "\\times", "*"} and not argument.is_constant:
        raise NotUnderstood
    if not terms.take("/"):
        return function(argument)
    below = only(terms.factor())  # sin x/2
    if terms.is_juxtaposed():
        raise NotUnderstood
    return either(
        "after function",
        combine(arithmetic.divide, function(argument), below),
        function(combine(arithmetic.divide, argument, below)),
    )


def is_function(terms: Terms) -> bool:
    return terms.next.text.removeprefix("\\") in NAMES - {"pi", "sqrt"} and terms.next.kind in {"word", "command"}
