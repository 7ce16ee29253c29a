"""Answers read into values: numbers with units, lists, points, intervals, relations, matrices. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache

import mpmath

from labeling.grading.reading import arithmetic, units
from labeling.grading.reading.formulas import determinant, negative, number, only
from labeling.grading.reading.terms import Terms
from labeling.grading.reading.tokens import NotUnderstood, tokens
from labeling.grading.reading.units import Unit
from labeling.grading.reading.values import (
    Comma,
    Expression,
    Group,
    Matrix,
    Measured,
    Region,
    Relation,
    Symbolic,
    Union,
    Value,
    combine,
    constant,
    either,
)
from labeling.grading.reading.words import MAGNITUDES, ORDINAL, SMALL, WORDINGS, with_digits
from labeling.grading.reading.writing import MAX_ANSWER_LENGTH, TEXT, plain

CACHED = 4096
RELATIONS = {
    "=": "=",
    "<": "<",
    ">": ">",
    "\\le": "<=",
    "\\ge": ">=",
    "\\ne": "!=",
    "\\in": "in",
    "\\approx": "=",
    ":": ":",
}
SEPARATORS = (",", ";", "and", "or")
ENDS_UNIT = set(",;=<>:()[]}|&!") | {"and", "or"}
CLOSING = {"(": ")", "[": "]"}
CURRENCIES = {"\\rupee": "rupee", "\\yen": "yen", "\\dollar": "dollar", "\\euro": "euro", "\\pounds": "pounds_sterling"}
PERCENT = {"%", "percent", "pct", "percentage"}
MATRICES = {"pmatrix", "bmatrix", "Bmatrix", "matrix", "smallmatrix", "array", "vmatrix"}
# 0.1\overline{6}, .\bar{3}
REPEATING = re.compile(r"(\d*)\.(\d*)\\(?:overline|bar)\s*\{?(\d+)\}?")
BASE = re.compile(r"\(?((?=[A-F]*\d)[0-9A-F]+)\)? ?_ ?\{? ?(\d+|[a-z]+) ?\}?")
CLOCK = re.compile(r"(\d{1,2}):([0-5]\d)(?: ?([ap]m))?|(\d{1,2}) ?([ap]m)", re.IGNORECASE)
CHOICES = re.compile(r"\(?[A-H]\)?(?:(?:, ?(?:and )?| and |, ?or | or )\(?[A-H]\)?)+")
ORDER = re.compile(r"(\d+)(?:st|nd|rd|th)", re.IGNORECASE)
# 1.234,5 and 1.234.567
POINTS = re.compile(r"(-?\d{1,3}(?:\.\d{3})+),(\d+)|(-?\d{1,3}(?:\.\d{3}){2,})")
COMMA = re.compile(r"(-?\d+),(\d+)")
# 1,234: a thousand and more, or 1.234 where the comma is decimal.
MAYBE_DECIMAL = re.compile(r"\d{1,3}(?:,|\{,\})\d{3}")
TURNED = re.compile(r"([\[\]])([^\[\]()]*[,;][^\[\]()]*)([\[\]])")
FURTHER = re.compile(r"\.\.|\\[lc]?dots|\d\.\d+\.\d")


@lru_cache(maxsize=CACHED)
def read_answer(answer: str) -> Value | None:
    """Returns the answer's value; None for words, and for mathematics that is not understood in full."""
    if not answer.strip() or len(answer) > MAX_ANSWER_LENGTH:
        return None
    text = plain(answer)
    text = with_digits(WORDINGS.get(text.casefold(), text))
    if MAYBE_DECIMAL.fullmatch(answer.strip(" $")) and text.isdecimal():
        return either("comma", number(text), constant(Fraction(text) / 1000))
    try:
        return (
            _whole_answer(" ".join(TEXT.sub(r" \1 ", text).split()))
            or AnswerReader(tokens(REPEATING.sub(_as_fraction, _turned(text)))).answer()
        )
    except (NotUnderstood, RecursionError, ArithmeticError, LookupError, ValueError):
        return None


def _whole_answer(text: str) -> Value | None:
    """Reads an answer that only makes sense as a whole: a number in a base, a time, choices, "5th", numbers with
    commas.
    """
    if found := CLOCK.fullmatch(text):
        hours, minutes, half = int(found[1] or found[4]), int(found[2] or 0), (found[3] or found[5] or "").lower()
        return Symbolic("clock", (Fraction(hours * 60 + minutes), half))
    if found := BASE.fullmatch(text):
        return _in_base(found[1], found[2])
    if CHOICES.fullmatch(text):
        return Symbolic("choices", tuple(sorted(re.findall("[A-H]", text))))
    if (found := ORDER.fullmatch(text)) or text.lower() in ORDINAL:
        return Symbolic("ordinal", (Fraction(found[1] if found else ORDINAL[text.lower()]),))
    return _with_commas(text)


def _with_commas(text: str) -> Expression | Comma | None:
    """Reads 1.234,5 and 1.234.567 as numbers, and 1,47 as a number or a list; None for anything else."""
    if found := POINTS.fullmatch(text):
        return number((found[1] or found[3]).replace(".", "") + (f".{found[2]}" if found[2] else ""))
    if FURTHER.search(text):
        raise NotUnderstood
    found = COMMA.fullmatch(text)
    if found is None:
        return None
    decimal = number(f"{found[1].lstrip('-')}.{found[2]}")
    listed = Group("", "", tuple(constant(Fraction(part)) for part in found.groups()))
    is_likely = len(found[2]) > 1 or found[1] in {"0", "-0"}
    return Comma(negative(decimal) if text.startswith("-") else decimal, listed, is_likely)


def _in_base(digits: str, written: str) -> Symbolic:
    base = SMALL.get(written.lower()) if written.isalpha() else int(written)
    if base is None or not 2 <= base <= 36:
        raise NotUnderstood
    try:
        return Symbolic("base", (digits.lstrip("0").upper(), Fraction(base), Fraction(int(digits, base))))
    except ValueError:
        raise NotUnderstood from None


def _turned(text: str) -> str:
    """Rewrites the interval ]0,1[ as (0,1)."""
    found = TURNED.fullmatch(text)
    if found is None or (found[1], found[3]) == ("[", "]"):
        return text
    return f"{'(' if found[1] == ']' else '['}{found[2]}{')' if found[3] == '[' else ']'}"


def _as_fraction(found: re.Match[str]) -> str:
    """Rewrites a repeating decimal as a fraction: ``0.1\\overline{6}`` is 15/90."""
    whole, once, again = found[1] or "0", found[2], found[3]
    repeating = int(whole + once + again) - int(whole + once)
    return f"{{\\frac{{{repeating}}}{{{'9' * len(again)}{'0' * len(once)}}}}}"


class AnswerReader(Terms):
    """A reader of whole answers: lists, relations, sets, brackets and units around expressions."""

    def answer(self) -> Value:
        value = self.listing()
        if self.at < len(self.tokens):
            raise NotUnderstood
        return value

    def listing(self) -> Value:
        items, joints = [self.relation()], set[str]()
        while joint := self.take(*SEPARATORS):
            joints.add(self.take("and", "or") or joint)
            items.append(self.relation())
        if len(items) == 1:
            return items[0]
        joined = "or" if "or" in joints else "," if joints & {",", ";"} else "and"
        return _named_list(items) or _compound(items, joined) or Group("", "", tuple(items), joined)

    def relation(self) -> Value:
        sides, signs = [self.union()], list[str]()
        while sign := self.take(*RELATIONS):
            if sign == ":" and self.bars:
                self.at -= 1
                break
            signs.append(RELATIONS[sign])
            sides.append(self.union())
        return Relation(tuple(sides), tuple(signs)) if signs else sides[0]

    def union(self) -> Value:
        value = self.item()
        while sign := self.take("\\cup", "\\cap", "\\setminus", "\\backslash"):
            value = Union(value, sign, self.item())
        return value

    def item(self) -> Value:
        is_negative = (
            self.next.text == "-" and self.at + 1 < len(self.tokens) and self.tokens[self.at + 1].text in CURRENCIES
        )
        self.at += is_negative
        currency = CURRENCIES.get(self.take(*CURRENCIES))
        value = self.sum()
        value = negative(only(value)) if is_negative else value
        if not isinstance(value, Expression):
            return value
        value = self._scaled(value)
        if self.next.text in PERCENT:
            self.at += 1
            return _leaning("percent", value, Fraction(1, 100))
        after = CURRENCIES.get(self.take(*CURRENCIES))
        if currency or after:
            unit = units.KNOWN[currency or after or ""]
            if (named := self._unit()) and named.dimension == unit.dimension:
                self._take_unit()
            return Measured(value, unit)
        return self._measured(value)

    def _scaled(self, value: Expression) -> Expression:
        """Multiplies the value by the magnitudes after it, as in 3 million."""
        while self.next.kind in {"word", "text"} and (size := MAGNITUDES.get(self.next.text.lower())):
            self.at += 1
            value = _leaning("magnitude", value, size)
        return value

    def _measured(self, value: Expression) -> Value:
        """Reads the unit after the value, if any; several parts, such as 3 ft 4 in, are summed."""
        if self._unit() is None:
            return value
        measured = Measured(value, self._take_unit())
        while self.next.kind == "number":
            following = only(self.sum())
            if self._unit() is None:
                raise NotUnderstood
            measured = _total([measured, Measured(following, self._take_unit())])
        return measured

    # Units

    def is_unit_ahead(self) -> bool:
        if self.next.kind not in {"word", "text", "command"}:
            return False
        return self.next.text.lower() in MAGNITUDES or self.next.text in PERCENT or self._unit() is not None

    def _unit(self) -> Unit | None:
        return units.unit(self._phrase()[0]) if self._may_be_unit() else None

    def _take_unit(self) -> Unit:
        phrase, self.at = self._phrase()
        found = units.unit(phrase)
        if found is None:
            raise NotUnderstood
        return found

    def _may_be_unit(self) -> bool:
        token, before = self.next, self.previous
        if token.kind == "text" or token.text in {"\\degree", "\\Omega"}:
            return True
        if token.kind != "word" or not (before.kind == "number" or before.text in {")", "}", *MAGNITUDES}):
            return False
        if len(token.text) == 1:
            is_power = self.at > 1 and self.tokens[self.at - 2].text in {"^", "_"}
            is_letter = token.is_spaced and token.text in units.SINGLE_LETTERS
            return is_letter and before.kind == "number" and not is_power
        return token.is_spaced or token.text in units.ATTACHED or len(token.text) > 2

    def _phrase(self) -> tuple[str, int]:
        """The words up to the next number or sign that is no part of a unit, and where they end."""
        end, phrase = self.at, ""
        while end < len(self.tokens):
            token = self.tokens[end]
            is_power = token.kind == "number" and self.tokens[end - 1].text in {"^", "{", "-"} and end - self.at > 1
            if token.kind != "text" and (token.text in ENDS_UNIT - {"}"} or (token.kind == "number" and not is_power)):
                break
            if token.text == "}" and "{" not in phrase[phrase.rfind("^") :]:
                break
            phrase += (" " if token.kind != "sign" else "") + token.text.replace("\\degree", "degree")
            end += 1
        return phrase.strip(), end

    # Brackets

    @contextmanager
    def _afresh(self, bars: int) -> Iterator[None]:
        kept, angles = self.bars, self.angles
        self.bars = bars
        yield
        self.bars, self.angles = kept, angles

    def bracketed(self, opening: str) -> Value:
        with self._afresh(bars=0):
            value = self.listing()
        closing = self.take(")", "]")
        if opening == "\\{" or not closing:
            raise NotUnderstood
        if isinstance(value, Group) and not value.opened:
            return Group(opening, closing, value.items)  # type: ignore[arg-type]
        if closing != CLOSING[opening]:
            raise NotUnderstood
        if isinstance(value, Relation | Measured):
            raise NotUnderstood
        return value

    def braces(self) -> Value:
        r"""Reads a set: \{1, 2\} or \{x | x > 2\}."""
        with self._afresh(bars=1):
            first = self.listing()
        if self.take("|", ":"):
            with self._afresh(bars=0):
                condition = self.listing()
            self.expect("\\}")
            return _built(first, condition)
        self.expect("\\}")
        items = first.items if isinstance(first, Group) and not first.opened else (first,)
        return Group("{", "}", items)

    def angle(self) -> Value:
        with self._afresh(bars=0):
            value = self.listing()
        self.expect("\\rangle")
        if not isinstance(value, Group) or value.opened:
            raise NotUnderstood
        return Group("<", ">", value.items)

    def numbers(self) -> Value:
        self.expect("{")
        if not self.take("R"):
            raise NotUnderstood
        self.expect("}")
        infinity = constant(mpmath.inf)
        return Region(((negative(infinity), infinity, True, True),))

    def matrix(self) -> Value:
        kind = self._environment()
        if kind not in MATRICES:
            raise NotUnderstood
        if kind == "array" and self.take("{"):
            while not self.take("}"):
                self.expect("c", "l", "r", "cc", "ccc", "cccc", "ll", "rr", "lll", "rrr", "|")
        rows = [list[Expression]()]
        with self._afresh(bars=0):
            while not self.take("\\end"):
                rows[-1].append(self.expression())
                if self.take("\\\\"):
                    rows.append([])
                elif not self.take("&") and self.next.text != "\\end":
                    raise NotUnderstood
        rows = rows if rows[-1] else rows[:-1]
        if self._environment() != kind or not rows or len({len(row) for row in rows}) != 1:
            raise NotUnderstood
        matrix = Matrix(tuple(map(tuple, rows)))
        return determinant(matrix) if kind == "vmatrix" else matrix

    def _environment(self) -> str:
        self.expect("{")
        name = self.take(self.next.text)
        self.expect("}")
        return name

    def _command(self) -> Value:
        structures: dict[str, Callable[[], Value]] = {
            "\\{": self.braces,
            "\\langle": self.angle,
            "\\begin": self.matrix,
            "\\mathbb": self.numbers,
            "\\emptyset": lambda: Region(()),
        }
        read_it = structures.get(self.next.text)
        if read_it is None:
            return super()._command()
        self.at += 1
        return read_it()


def _named_list(items: list[Value]) -> Value | None:
    """Reads n = 3, 4, 5 as one relation; None for other lists."""
    first, *others = items
    if (
        not isinstance(first, Relation)
        or first.signs != ("=",)
        or not all(isinstance(each, Expression) for each in others)
    ):
        return None
    return Relation((first.sides[0], Group("", "", (first.sides[1], *others))), ("=",))


def _compound(items: list[Value], joined: str) -> Value | None:
    """The sum of 3 hours and 30 minutes; None unless all are of one kind, the largest unit first."""
    measured = [each for each in items if isinstance(each, Measured)]
    sizes = [each.unit.size for each in measured]
    if joined != "and" or len(measured) < len(items) or len({each.unit.dimension for each in measured}) > 1:
        return None
    return _total(measured) if sizes == sorted(set(sizes), reverse=True) else None


def _total(parts: list[Measured]) -> Measured:
    first = parts[0]
    value = first.expression
    for part in parts[1:]:
        if part.unit.dimension != first.unit.dimension or part.unit.size >= first.unit.size:
            raise NotUnderstood
        converted = combine(arithmetic.multiply, part.expression, constant(part.unit.size / first.unit.size))
        value = combine(arithmetic.add, value, converted)
    return Measured(value, first.unit)


def _built(first: Value, condition: Value) -> Value:
    r"""The condition of \{x | x > 2\}, x > 2. Raises NotUnderstood unless it is one on x alone."""
    name = first.sides[0] if isinstance(first, Relation) and first.signs == ("in",) else first
    is_simple = isinstance(condition, Relation) and isinstance(name, Expression) and name.name
    if not is_simple or not isinstance(condition, Relation) or not isinstance(name, Expression):
        raise NotUnderstood
    if any(isinstance(side, Expression) and side.letters - name.letters for side in condition.sides):
        raise NotUnderstood
    return condition


def _leaning(note: str, value: Expression, size: Fraction) -> Expression:
    return either(note, combine(arithmetic.multiply, value, constant(size)), value)
