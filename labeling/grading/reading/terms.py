"""Reads expressions: sums, products, powers, letters. A part that is not understood makes the answer unreadable."""

from __future__ import annotations

import re
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction

import mpmath

from labeling.grading.reading import arithmetic, functions
from labeling.grading.reading.arithmetic import Number
from labeling.grading.reading.commands import ACCENTS, COMMANDS, accented
from labeling.grading.reading.formulas import (
    COSTLY,
    added,
    determinant,
    fail,
    imaginary,
    modulus,
    negative,
    number,
    only,
    raised,
    remainder,
    times,
)
from labeling.grading.reading.tokens import END, NAMES, Cursor, NotUnderstood, Token
from labeling.grading.reading.values import Expression, Group, Matrix, Value, combine, constant, either, letter

MAX_DEPTH = 40
SYNONYMS = {
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
    "arcctg": "arccot",
    "tg": "tan",
    "ctg": "cot",
    "cosec": "csc",
}
LETTER_FUNCTIONS = set("fghpqFGHPQ")
LOWER = """
alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi
omicron rho sigma tau upsilon phi varphi chi psi omega ell hbar
"""
UPPER = "Gamma Delta Theta Lambda Xi Sigma Upsilon Phi Psi Omega"
GREEK = {*LOWER.split(), *UPPER.split()}
# xyz is a product; other words of three letters are words.
PRODUCT = re.compile(r"[xyzw]+|[abcdxy]{3}|[pqr]+|[rst]+|[uvw]+|[mnp]+")
STARTING = NAMES | SYNONYMS.keys() | GREEK | ACCENTS | COMMANDS.keys() | {"begin"}


class Terms(Cursor, ABC):
    """A reader of expressions. Each method reads from where the last one ended, or raises NotUnderstood."""

    def __init__(self, found: list[Token]) -> None:
        super().__init__(found)
        self.depth = 0
        self.angles = 0  # within how many trigonometric functions
        self.bars = 0  # within how many |...|, or where a bar separates
        self.bound = set[str]()

    @abstractmethod
    def bracketed(self, opening: str) -> Value:
        """Reads the content of round or square brackets, which may be a list."""

    @abstractmethod
    def is_unit_ahead(self) -> bool: ...

    # Sums and products

    def sum(self) -> Value:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NotUnderstood
        value = self._signed()
        while sign := self.take("+", "-", "\\pm", "\\mp"):
            value = added(value, sign, self.product())
        self.depth -= 1
        return value

    def expression(self) -> Expression:
        return only(self.sum())

    def _signed(self) -> Value:
        sign = self.take("+", "-", "\\pm", "\\mp")
        value = self.product()
        if sign in {"", "+"}:
            return value
        if sign == "-" and isinstance(value, Expression):
            return negative(value)
        return times(constant(Fraction(-1)), value) if sign == "-" else added(constant(Fraction(0)), sign, value)

    def product(self) -> Value:
        value = self._first()
        while True:
            if operator := self.take("*", "\\cdot", "\\times"):
                value = times(value, self.factor(), may_be_cross=operator == "\\times")
            elif self.take("/"):
                value = self._divided(only(value))
            elif self.take("\\bmod", "mod"):
                value = remainder(only(value), only(self.factor()))
            elif self.is_juxtaposed():
                value = times(value, self.power())
            else:
                return value

    def _first(self) -> Value:
        """Reads a factor, also one that begins with a number and goes on: 1 2/3, 1\\frac{2}{3}, 5C2."""
        start = self.at
        if self.next.kind == "number" and self.next.text.isdecimal():
            for way in (self._mixed, self._chosen):
                if (value := way()) is not None:
                    return value
                self.at = start
        return self.power()

    def _mixed(self) -> Expression | None:
        whole = Fraction(self.take(self.next.text))
        if self.next.text == "\\frac":
            self.at += 1
            try:
                above, below = self.argument(), self.argument()
            except NotUnderstood:
                return None
            if not (above.text.isdecimal() and below.text.isdecimal()):
                return None
            part = (Fraction(above.text), Fraction(below.text))
        elif [each.kind for each in self.tokens[self.at : self.at + 3]] == [
            "number",
            "sign",
            "number",
        ] and self.next.is_spaced:
            above_text, slash, below_text = (self.take(self.next.text) for _ in range(3))
            if slash != "/" or not (above_text.isdecimal() and below_text.isdecimal()):
                raise NotUnderstood
            part = (Fraction(above_text), Fraction(below_text))
        else:
            return None
        if not 0 < part[0] < part[1] or self.next.text == "^":
            raise NotUnderstood
        fraction = part[0] / part[1]
        return either("mixed", constant(whole + fraction), constant(whole * fraction))

    def _chosen(self) -> Expression | None:
        """Reads 5C2 or 5P2; None for anything else."""
        above, kind, below = self.tokens[self.at : self.at + 3] if len(self.tokens) >= self.at + 3 else (END, END, END)
        if kind.text not in {"C", "P"} or below.kind != "number" or kind.kind != "word":
            return None
        self.at += 3
        count = arithmetic.binomial if kind.text == "C" else arithmetic.permutations
        return combine(count, constant(Fraction(above.text)), constant(Fraction(below.text)), notes=COSTLY)

    def factor(self) -> Value:
        """A factor after an operator, where a sign may stand."""
        return negative(only(self.power())) if self.take("-") else self.power()

    def _divided(self, above: Expression) -> Expression:
        below = only(self.factor())
        rest: Expression | None = None
        while self.is_juxtaposed():
            factor = only(self.power())
            rest = factor if rest is None else combine(arithmetic.multiply, rest, factor)
        quotient = combine(arithmetic.divide, above, below)
        if rest is None:
            return quotient
        # 1/2x is x/2 or 1/(2x).
        return either(
            "slash",
            combine(arithmetic.multiply, quotient, rest),
            combine(arithmetic.divide, above, combine(arithmetic.multiply, below, rest)),
        )

    def is_juxtaposed(self) -> bool:
        token = self.next
        if token.kind == "text" or self.is_unit_ahead():
            return False
        if token.kind == "number":
            if self.previous.text not in {")", "!"}:
                raise NotUnderstood
            return True
        if token.kind == "word":
            return token.text not in {"and", "or"}
        if token.text == "|":
            return not self.bars
        return token.text in {"(", "{", "["} or (token.kind == "command" and token.text[1:] in STARTING)

    # Powers

    def power(self) -> Value:
        value = self.atom()
        while True:
            if self.take("^"):
                value = self._raised(value)
            elif self.take("!"):
                if self.next.text == "!" and not self.next.is_spaced:
                    raise NotUnderstood
                value = combine(arithmetic.factorial, only(value), notes=COSTLY)
            elif self.angles and self.take("\\degree"):
                value = combine(lambda degrees: arithmetic.multiply(degrees, mpmath.pi / 180), only(value))
            elif self.next.text in {"'", "_"}:
                raise NotUnderstood
            else:
                return value

    def _raised(self, base: Value) -> Expression:
        exponent = self.exponent()
        if self.next.text == "^":
            raise NotUnderstood
        return raised(only(base), exponent)

    def exponent(self) -> Expression:
        if self.take("{"):
            value = self.expression()
            self.expect("}")
            return value
        if self.take("-"):
            return negative(only(self.atom()))
        if self.next.kind == "word":
            return self.letter()
        return only(self.atom())

    def argument(self) -> Expression:
        r"""Reads an argument of \frac: a group, or one digit or letter."""
        if self.next.kind == "number":
            return number(self.split(1))
        if self.take("{"):
            value = self.expression()
            self.expect("}")
            return value
        return self.letter() if self.next.kind == "word" else only(self.atom())

    # Atoms

    def atom(self) -> Value:
        token = self.next
        if token.kind == "number":
            self.at += 1
            return number(token.text)
        if token.kind == "word":
            return self.word()
        if token.kind == "command":
            return self._command()
        if opening := self.take("(", "["):
            return self.bracketed(opening)
        if self.take("{"):
            value = self.sum()
            self.expect("}")
            return value
        if self.take("|"):
            return modulus(self.within("|", "|", abs))
        raise NotUnderstood

    def within(self, closing: str, again: str, act: Callable[[Number], Number]) -> Expression:
        self.bars += closing == "|"
        value = self.sum()
        self.expect(closing)
        self.bars -= closing == "|"
        if isinstance(value, Matrix):
            return determinant(value)
        return combine(act, only(value))

    def word(self) -> Expression:
        word = SYNONYMS.get(self.next.text, self.next.text)
        if word in NAMES - {"mod"}:
            self.at += 1
            return functions.named(self, word)
        following = self.tokens[self.at + 1].text if self.at + 1 < len(self.tokens) else ""
        if word in {"C", "P"} and following == "(" and (value := self._counted(word)) is not None:
            return value
        if len(word) > 1 and word.isupper():
            return self.marked(self.split(len(word)))  # a segment, or a product in this order
        if len(word) > 2 and not PRODUCT.fullmatch(word):
            raise NotUnderstood
        return self.letter()

    def _counted(self, word: str) -> Expression | None:
        """Reads C(5,2) or P(5,2); None for anything else."""
        start = self.at
        self.at += 2
        try:
            above = self.expression()
            self.expect(",")
            below = self.expression()
            self.expect(")")
        except NotUnderstood:
            self.at = start
            return None
        return combine(arithmetic.binomial if word == "C" else arithmetic.permutations, above, below, notes=COSTLY)

    def letter(self) -> Expression:
        name = self.split(1) if self.next.kind == "word" else self.take(self.next.text)[1:]
        return self.marked(name)

    def marked(self, name: str, notes: frozenset[str] = frozenset()) -> Expression:
        """Reads the subscript and primes of a letter; i and e are numbers."""
        if self.take("_"):
            name = f"{name}_{self._subscript()}"
        while self.take("'"):
            name += "'"
        if name == "e":
            return constant(mpmath.e, notes=COSTLY)
        if name == "i" and name not in self.bound:
            return Expression(imaginary, notes=frozenset({"i", "costly"}))
        function = name.split("_")[0].rstrip("'")
        if function in LETTER_FUNCTIONS and self.next.text == "(" and not self.next.is_spaced:
            return self._applied(name)
        if "'" in name and self.next.text == "(":
            return self._applied(name)
        single = letter(name)
        return Expression(single.value, single.letters, notes, name=name)

    def _subscript(self) -> str:
        if not self.take("{"):
            return self.split(1) if self.next.kind in {"number", "word"} else self.take(self.next.text) or fail()
        start, depth = self.at, 1
        while depth:
            if self.at >= len(self.tokens):
                raise NotUnderstood
            depth += {"{": 1, "}": -1}.get(self.next.text, 0)
            self.at += 1
        return "".join(token.text for token in self.tokens[start : self.at - 1])

    def _applied(self, name: str) -> Expression:
        """Reads f(x): the value of an unknown function, or a product."""
        value = self.atom()
        parts = value.items if isinstance(value, Group) else (value,)
        arguments = [only(part) for part in parts]
        seed = Fraction(zlib.crc32(name.encode()) % 997 + 1, 331)

        def unknown(*values: Number) -> Number:
            mixed = sum((arithmetic.inexact(each) * (seed + at) for at, each in enumerate(values)), start=mpmath.mpf(0))
            return mpmath.sin(mixed) + mpmath.mpf(3) / 7 * mixed + arithmetic.inexact(seed)

        applied = combine(unknown, *arguments)
        names = [each.name for each in arguments]
        title = f"{name}({', '.join(names)})" if all(names) else ""
        applied = Expression(applied.value, applied.letters | {f"{name}()"}, applied.notes, name=title)
        if "'" in name or len(arguments) > 1:
            return applied
        return either("apply", applied, combine(arithmetic.multiply, letter(name), arguments[0]))

    # Commands

    def _command(self) -> Value:
        name = self.next.text[1:]
        if name in NAMES - {"sqrt"} | SYNONYMS.keys():
            self.at += 1
            return functions.named(self, SYNONYMS.get(name, name))
        if name in GREEK:
            return self.letter()
        if name in ACCENTS:
            self.at += 1
            return accented(self, name)
        read = COMMANDS.get(name)
        if read is None:
            raise NotUnderstood
        self.at += 1
        return read(self)
