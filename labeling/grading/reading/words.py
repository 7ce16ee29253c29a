"""Numbers in words, and words that say the same. Pure."""

from __future__ import annotations

import re
from fractions import Fraction

UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
SMALL = {word: number for number, word in enumerate(f"{UNITS} seventeen eighteen nineteen".split())}
TENS = {
    word: 10 * number
    for number, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2
    )
}
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
ORDINAL = {word: number for number, word in enumerate(ORDINALS.split(), start=1)}
MAGNITUDES = {
    "hundred": Fraction(100),
    "thousand": Fraction(1000),
    "million": Fraction(10**6),
    "billion": Fraction(10**9),
    "trillion": Fraction(10**12),
    "dozen": Fraction(12),
    **{word: Fraction(1, 2) for word in ("half", "halves")},
    **{word + s: Fraction(1, number) for word, number in ORDINAL.items() if number > 2 for s in ("", "s")},
    **{word + s: Fraction(1, 4) for word in ("quarter",) for s in ("", "s")},
    **{word + s: Fraction(1, 10**power) for power, word in ((2, "hundredth"), (3, "thousandth")) for s in ("", "s")},
}
NUMBER_WORDS = re.compile(
    rf"(?:({'|'.join(TENS)})(?:[- ]({'|'.join(list(SMALL)[1:10])}))?|({'|'.join(SMALL)}))(?![A-Za-z])", re.I
)
EXPLAINED = re.compile(r"([\d.,/]+) \(([A-Za-z -]+)\)")
WORDINGS = {
    "does not exist": "dne",
    "d.n.e": "dne",
    "infinity": "\\infty",
    "infinitely many": "\\infty",
    "infinitely many solutions": "\\infty",
    "empty set": "\\emptyset",
    "all real numbers": "\\mathbb{R}",
    "all reals": "\\mathbb{R}",
    "no solutions": "no solution",
    "no real solutions": "no real solution",
    "half": "1/2",
    "no": "no",
    "one-half": "1/2",
}
WORD = re.compile(r"[a-z]{3,}")
# Each has synonyms among the others, so none of them is called different from another answer.
SAID_IN_MANY_WAYS = {"yes", "true", "correct", "no", "false", "incorrect", "none", "nothing", "dne", "undefined"}


def with_digits(text: str) -> str:
    """Writes number words in digits: ``twenty-one apples`` as ``21 apples``, ``4 (four)`` as ``4``."""
    if (found := EXPLAINED.fullmatch(text)) and with_digits(found[2]) == found[1]:
        return found[1]
    start = NUMBER_WORDS.match(text)
    if start is None:
        return text
    value = TENS[start[1].lower()] + SMALL.get((start[2] or "zero").lower(), 0) if start[1] else SMALL[start[3].lower()]
    return f"{value}{text[start.end() :].replace('-', ' ', 1)}"


def is_different(one: str, other: str) -> bool:
    """Returns whether two plain words have little in common, such as two names, and are no known synonyms."""
    if not (WORD.fullmatch(one) and WORD.fullmatch(other)) or {one, other} & SAID_IN_MANY_WAYS:
        return False
    return not (one in other or other in one or one[:4] == other[:4])
