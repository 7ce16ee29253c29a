"""Sums and products, integrals, limits: worked out as numbers."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

import mpmath

from labeling.grading.reading import arithmetic
from labeling.grading.reading.arithmetic import Number, Undefined
from labeling.grading.reading.formulas import COSTLY, fail, only
from labeling.grading.reading.tokens import NotUnderstood
from labeling.grading.reading.values import Expression, Scope, constant

if TYPE_CHECKING:
    from labeling.grading.reading.terms import Terms


def total(terms: Terms) -> Expression:
    is_product = terms.previous.text == "\\prod"
    terms.expect("_")
    terms.expect("{")
    name = terms.split(1) if terms.next.kind == "word" else fail()
    terms.expect("=")
    first = terms.expression()
    terms.expect("}")
    terms.expect("^")
    last = terms.exponent()
    body = body_of(terms, name)

    def value(scope: Scope) -> Number:
        def term(number: Number) -> Number:
            return body.value(scope.given(name, number))

        start, end = first.value(scope), last.value(scope)
        if not mpmath.isinf(arithmetic.inexact(end)):
            return arithmetic.total(term, start, end, is_product=is_product)
        if is_product:
            raise Undefined
        with mpmath.workdps(25):
            return +mpmath.nsum(lambda at: arithmetic.inexact(term(Fraction(int(at)))), [int(start), mpmath.inf])

    letters = first.letters | last.letters | (body.letters - {name})
    return Expression(value, letters, body.notes | COSTLY | ({"near"} if "infinite" in last.notes else frozenset()))


def body_of(terms: Terms, name: str) -> Expression:
    terms.bound.add(name)
    body = only(terms.product())
    terms.bound.discard(name)
    return body


def integral(terms: Terms) -> Expression:
    terms.expect("_")
    first = terms.exponent()
    terms.expect("^")
    last = terms.exponent()
    rest = range(terms.at, len(terms.tokens))
    end = next((at for at in rest if re.fullmatch("d[a-z]?", terms.tokens[at].text)), None)
    if end is None:
        raise NotUnderstood
    tokens = terms.tokens
    terms.tokens = tokens[:end]
    body = terms.expression() if terms.at < end else constant(Fraction(1))
    if terms.at < end:
        raise NotUnderstood
    terms.tokens = tokens
    terms.split(1)
    name = terms.split(1) if terms.next.kind == "word" and len(terms.next.text) == 1 else fail()

    def value(scope: Scope) -> Number:
        def at(number: Number) -> Number:
            return arithmetic.inexact(body.value(scope.given(name, number)))

        with mpmath.workdps(25):
            return +mpmath.quad(at, [arithmetic.inexact(first.value(scope)), arithmetic.inexact(last.value(scope))])

    letters = first.letters | last.letters | (body.letters - {name})
    return Expression(value, letters, body.notes | COSTLY | {"near"})


def limit(terms: Terms) -> Expression:
    terms.expect("_")
    terms.expect("{")
    name = terms.split(1) if terms.next.kind == "word" else fail()
    terms.expect("\\to", "\\rightarrow")
    target = terms.expression()
    terms.expect("}")
    body = body_of(terms, name)

    def value(scope: Scope) -> Number:
        def at(number: Number) -> Number:
            return arithmetic.inexact(body.value(scope.given(name, number)))

        with mpmath.workdps(40):
            return +mpmath.limit(at, arithmetic.inexact(target.value(scope)))

    return Expression(value, target.letters | (body.letters - {name}), body.notes | COSTLY | {"near"})
