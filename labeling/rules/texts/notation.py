"""Writes answers that are plainly the same in one way. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

MAX_ANSWER_LENGTH = 300
CACHED = 4096
# \text{cm} and \mathrm{dx}: only what is inside is read.
TEXT_COMMAND = re.compile(r"\\(?:text|textbf|textrm|mathrm|mathbf|mbox|textit|operatorname)\s*\{([^{}]*)\}")
# \, and \quad, the \left of a bracket, a tie: they change how it looks, not what it says.
SPACING = re.compile(r"(?<!\\)\\(?:[,;: ]|quad|qquad|left|right|displaystyle)(?![A-Za-z])|[~\u00a0\u2009\u202f]")
# 1,234,567 and 1{,}234; but (1,234) may be a pair.
THOUSANDS = re.compile(r"(?<![\d.,(\[])(?<!\\\{)\d{1,3}(?:(?:,|\{,\})\d{3})+(?![\d,])")
# 12 345; not where another number is beside it, as in "1 200 3", or a fraction follows, as in 1 200/7.
SPACED_THOUSANDS = re.compile(r"(?<![\d.,/] )(?<![\d.,/])\d{1,3}(?: \d{3})+(?!\d|/| \d)")
# 0.1\overline{6}, .\bar{3}
REPEATING = re.compile(r"(\d*)\.(\d*)\\(?:overline|bar)\s*\{?(\d+)\}?")
# 1\frac{2}{3} is one and two thirds; after a bracket, a power or an operator it may be a product.
MIXED = re.compile(r"(?<![\d.)}^*/+_])(\d+) ?(\\[dtc]?frac\s*(?:\{\d+\}|\d)\s*(?:\{\d+\}|\d))(?!\d)")
# 1 2/3
SPACED_MIXED = re.compile(r"(?<![\d.)}^*/+_])(\d+) +(\d+)/(\d+)(?![\d.])")
# 90^\circ, 90^{\circ}, 90\degree, 90°
DEGREE = re.compile(r"\s*(?:\^\s*\{?\s*\\circ\s*\}?|\\degree(?![a-z])|°)")
DEGREES_OF = re.compile(r"(\d+(?:\.\d+)?)" + DEGREE.pattern)
TRIGONOMETRIC = re.compile(r"\\(?:sin|cos|tan|cot|sec|csc)(?![a-z])")
# "2 or 3", "2, and 3", 2 \lor 3, "2; 3": ways to list
LISTED = re.compile(r"\s*(?:,\s*)?(?<![a-z])(?:or|and)(?![a-z])\s*|\s*\\(?:lor|vee|land|wedge)(?![a-z])\s*|\s*;\s*")
# 4^{th}
ORDINAL = re.compile(r"(?<=\d)\s*\^\s*\{?\s*(st|nd|rd|th)(?![a-z])\s*\}?")
# \frac{1}{2}, \dfrac12, \tfrac1{2}; the innermost first
FRACTION = re.compile(r"\\[dtc]?frac\s*(?:\{([^{}]*)\}|(\d))\s*(?:\{([^{}]*)\}|(\d))")
# 1.5e-3
SCIENTIFIC = re.compile(r"(?<=\d)e([+-]?\d+)(?![a-z])", re.IGNORECASE)
POWER = re.compile(r"\^\s*\{([^{}]*)\}")
DIGIT_POWER = re.compile(r"\^\s*\{(\w)\}")
SUBSCRIPT = re.compile(r"_\s*\{(\w+)\}")
# What follows a bracket or a whole number is a factor of it; the parser would read 2(3) as two and thirds.
FACTORS = re.compile(r"(?<=\))\s*(?=[(\d])|(?<![\^_\d.,{}A-Za-z\\])(?<![\^_\d.,{}A-Za-z\\] )(\d+)\s*(?=\()")
BRACKET_SPACE = re.compile(r"(?<=[(\[{]) | (?=[)\]}])")
WORDINGS = {
    "does not exist": "dne",
    "infinity": "\\infty",
    "+\\infty": "\\infty",
    "empty set": "\\emptyset",
    "the empty set": "\\emptyset",
    "\\varnothing": "\\emptyset",
    "\\{\\}": "\\emptyset",
    "no solutions": "no solution",
    "no real solutions": "no real solution",
}


def is_whole(answer: str) -> bool:
    """Returns whether the answer is a whole number in plain digits, as most are: nothing has to be normalised."""
    return answer.isascii() and answer.isdecimal()


def tidy(answer: str) -> str:
    r"""The LaTeX of an answer without typography: ``$``, spacing, ``\text``, thousands separators.

    Mixed numbers become sums, repeating decimals fractions; the degrees of a sine radians; "2 or 3" is "2, 3".
    """
    return FACTORS.sub(lambda found: f"{found[1] or ''}\\cdot ", _unwrapped(answer))


def _unwrapped(answer: str) -> str:
    if is_whole(answer):
        return answer
    text = answer.strip().replace("\\$", "").replace("$", "").replace("\\%", "%").replace("\\!", "")
    text = SPACING.sub(" ", TEXT_COMMAND.sub(r" \1 ", text)).replace("−", "-")
    text = ORDINAL.sub(r"\1", text)
    if TRIGONOMETRIC.search(text):
        text = DEGREES_OF.sub(r"(\1\\pi/180)", text)
    text = THOUSANDS.sub(lambda found: found[0].replace("{,}", "").replace(",", ""), DEGREE.sub(" degrees", text))
    text = SPACED_THOUSANDS.sub(lambda found: found[0].replace(" ", ""), re.sub(r"\s+", " ", text))
    text = SPACED_MIXED.sub(r"(\1+\2/\3)", MIXED.sub(r"(\1+\2)", REPEATING.sub(_as_fraction, text)))
    return LISTED.sub(", ", text).strip().removesuffix(".").rstrip()


def normalise(answer: str) -> str:
    """The answer in a form that is equal for answers that are plainly the same; one that is too long to read is
    returned as it is.
    """
    if is_whole(answer):
        return answer
    return answer.strip() if len(answer) > MAX_ANSWER_LENGTH else _normalised(answer)


@lru_cache(maxsize=CACHED)  # each comparison asks several times
def _normalised(answer: str) -> str:
    text = tidy(answer).replace("\\cdot", "*").replace("\\times", "*").replace("**", "^")
    text = SCIENTIFIC.sub(r"*10^(\1)", SUBSCRIPT.sub(r"_\1", POWER.sub(r"^(\1)", DIGIT_POWER.sub(r"^\1", text))))
    for _ in range(3):  # nested fractions
        text = FRACTION.sub(lambda found: f"(({found[1] or found[2]})/({found[3] or found[4]}))", text)
    text = BRACKET_SPACE.sub("", re.sub(r"\s*,\s*", ", ", re.sub(r"\s+", " ", text))).strip().lower()
    text = re.sub(r"\bper ?cent\b", "%", re.sub(r"\b([ap])\.m\b\.?", r"\1m", text)).replace(" %", "%")
    return WORDINGS.get(text, text)


def _as_fraction(found: re.Match[str]) -> str:
    r"""Rewrites a repeating decimal as a fraction: ``0.1\overline{6}`` is 15/90."""
    whole, once, again = found[1] or "0", found[2], found[3]
    repeating = int(whole + once + again) - int(whole + once)
    return f"\\frac{{{repeating}}}{{{'9' * len(again)}{'0' * len(once)}}}"
