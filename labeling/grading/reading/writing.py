"""Writes answers that are plainly the same in one way: Unicode as LaTeX, and without typography. Pure."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

MAX_ANSWER_LENGTH = 300
CACHED = 4096
SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "0123456789+-n", strict=True))
SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))
RAISED = re.compile(f"[{''.join(SUPERSCRIPTS)}]+")
LOWERED = re.compile(f"[{''.join(SUBSCRIPTS)}]+")
SYMBOLS = {
    "−": "-",
    "×": " \\times ",
    "·": " \\cdot ",
    "⋅": " \\cdot ",
    "∙": " \\cdot ",
    "÷": "/",
    "∕": "/",
    "⁄": "/",
    "≤": " \\le ",
    "≥": " \\ge ",
    "≠": " \\ne ",
    "≈": " \\approx ",
    "±": " \\pm ",
    "∓": " \\mp ",
    "∞": " \\infty ",
    "∈": " \\in ",
    "∪": " \\cup ",
    "∩": " \\cap ",
    "∖": " \\setminus ",
    "∅": " \\emptyset ",
    "ℝ": " \\mathbb{R} ",
    "°": " \\degree ",
    "º": " \\degree ",
    "′": "'",
    "⟨": " \\langle ",
    "⟩": " \\rangle ",
    "⌊": " \\lfloor ",
    "⌋": " \\rfloor ",
    "⌈": " \\lceil ",
    "⌉": " \\rceil ",
    "…": "\\ldots ",
    "€": " \\euro ",
    "£": " \\pounds ",
    "¥": " \\yen ",
    "₹": " \\rupee ",
    "∣": "|",
    "“": '"',
    "”": '"',
    "’": "'",
}
ROOT_SIGN = re.compile(r"([√∛])\s*(\d+(?:\.\d+)?|[A-Za-zα-ω](?![A-Za-z])|(?=[({\\]))")
GREEK = re.compile("[α-ωΑ-Ω]")
VULGAR = re.compile("[¼-¾⅐-⅞]")
# $…$, \(…\), **…**: around the whole answer.
WRAPPED = re.compile(
    r"\$\$(?P<a>[^$]*)\$\$|\$(?P<b>[^$]*)\$|\\\((?P<c>.*)\\\)|\\\[(?P<d>.*)\\\]|\*\*(?P<e>(?:(?!\*\*).)*)\*\*"
    r"|\*(?P<f>[^*]+)\*|\*{3}(?P<i>[^*]+)\*{3}|__(?P<j>[^_]+)__|= *(?P<k>[^=<>]+)|`+(?P<g>[^`]*)`+|\"(?P<h>[^\"]*)\"",
    re.DOTALL,
)
ANSWER = r"(?:(?:so|thus|therefore|hence),? )?(?:the |my )?(?:final |correct )?answer(?: is:?|:)"
SAID = re.compile(rf"\*\*{ANSWER}\*\*:?\s*(?=\S)|{ANSWER}\s*(?=\S)|\*\*(?:final )?answer\*\*:\s*(?=\S)", re.IGNORECASE)
ABOUT_WORDS = r"(?:about|approximately|approx\.?|roughly|around|nearly)"
ABOUT = re.compile(
    rf"(?:(?:is )?{ABOUT_WORDS} |\\text\{{ *{ABOUT_WORDS} *\}}|\\(?:approx|simeq)(?![a-z])|(?:\\sim|~)(?= *\d))\s*",
    re.I,
)
# "10 \text{ cm}": what is inside is read as words.
TEXTS = r"\\(?:text(?:bf|rm|it|normal|sf|tt|up)?|math(?:rm|sf|tt|up)|mbox|hbox|operatorname\*?)\s*"
TEXT = re.compile(TEXTS + r"\{((?:[^{}]|\{[^{}]*\})*)\}")
# A single bold letter is a vector.
SHOWN = re.compile(
    r"\\(?:(?:underline|fbox|emph|boxed)\s*(?=\{)|(?:bm|boldsymbol|math(?:bf|it|normal))\s*(?=\{)(?!\{\s*[A-Za-z]\s*\}))"
)
COLOUR = re.compile(r"\\(?:text)?color\s*\{[^{}]*\}")
LOOKS = re.compile(
    r"\\(?:left|right|[bB]igg?[lrm]?|displaystyle|textstyle|scriptstyle|limits|nolimits|tiny|small|normalsize|large|Large|LARGE"
    r"|huge|Huge|bf|rm|it|strut|nonumber)(?![A-Za-z])"
)
SPACING = re.compile(
    r"(?<!\\)\\(?:[,;:> ]|(?:quad|qquad|enspace|thinspace|hspace\{[^{}]*\})(?![A-Za-z]))|(?<=\d)~|[\u00a0\u2009\u202f]"
)
# 1,234,567 and 1{,}234; but (1,234) may be a pair.
THOUSANDS = re.compile(r"(?<![\d.,(\[{])[1-9]\d{0,2}(?:(?:,|\{,\})\d{3})+(?![\d,])")
# 12 345; not where another number is beside it, as in "1 200 3", or a fraction follows, as in 1 200/7.
SPACED_THOUSANDS = re.compile(r"(?<![\d.,/] )(?<![\d.,/])\d{1,3}(?: \d{3})+(?!\d|/| \d)")
SPELLINGS = (
    (re.compile(r"\\(?:dfrac|tfrac|cfrac)(?![A-Za-z])"), r"\\frac"),
    (re.compile(r"\\(?:lt)(?![A-Za-z])|&lt;"), " < "),
    (re.compile(r"\\(?:gt)(?![A-Za-z])|&gt;"), " > "),
    (re.compile(r"\\(?:leq|leqslant)(?![A-Za-z])|<="), r" \\le "),
    (re.compile(r"\\(?:geq|geqslant)(?![A-Za-z])|>="), r" \\ge "),
    (re.compile(r"\\neq(?![A-Za-z])|(?<![\d)])!="), r" \\ne "),
    (re.compile(r"\\(?:varnothing)(?![A-Za-z])|\\\{\s*\\\}"), r" \\emptyset "),
    (re.compile(r"\^\s*\{?\s*\\circ\s*\}?|\\textdegree(?![A-Za-z])"), r" \\degree "),
    (re.compile(r"\^\s*\{\s*\\prime\s*\}|\^\s*\\prime(?![A-Za-z])"), "'"),
    (re.compile(r"\\(?:lvert|rvert|vert|mid)(?![A-Za-z])"), "|"),
    (re.compile(r"\\(?:lbrace)(?![A-Za-z])"), r"\\{"),
    (re.compile(r"\\(?:rbrace)(?![A-Za-z])"), r"\\}"),
    (re.compile(r"(?<=\d)\s*\\(?:lor|vee)(?![A-Za-z])"), " or "),
    (re.compile(r"\*\*"), "^"),
    (re.compile(r"\\div(?![A-Za-z])"), "/"),
    (re.compile(r"\\colon(?![A-Za-z])"), ":"),
    (re.compile(r"\+-(?=\s*\d)"), "-"),
    (re.compile(r"(?<=\d)\s*\\(?:text|mathrm)\{\s*[eE]\s*\}\s*(?=[+-]?\d)"), "E"),
    # 4^{th}
    (re.compile(r"(?<=\d)\s*\^\s*\{?\s*(?:\\text\{)?\s*(st|nd|rd|th)(?![a-z])[\s}]*"), r"\1"),
    # 0.\dot{3}, 0.(3)
    (re.compile(r"\\dot\s*\{?(\d)\}?+(?!\d*\\dot)"), r"\\overline{\1}"),
    (re.compile(r"\\dot\s*\{?(\d)\}?(\d*)\\overline\{(\d)\}"), r"\\overline{\1\2\3}"),
    (re.compile(r"(?<=\d)\.(\d*)\((\d+)\)"), r".\1\\overline{\2}"),
    (re.compile(r"(?:\{|^)([^{}]*)\\choose(?![A-Za-z])([^{}]*)(?:\}|$)"), r"\\binom{\1}{\2}"),
    (re.compile(r"(?:\{\})?[_^]\{?(\d+)\}? ?([CP])_\{?(\d+)\}?"), r"\1\2\3"),
    (re.compile(r"\\mod(?![A-Za-z])"), r"\\bmod"),
    (re.compile(r"\b(?:US ?\\dollar|USD(?= ?\d))"), r"\\dollar "),
    (re.compile(r"\bUS dollars?\b"), "dollars"),
    (re.compile(r"\b(?:Rs\.?|INR)(?= ?\d)"), r"\\rupee "),
    (re.compile(r"\bper cent\b"), "percent"),
    (re.compile(r"^(?:negative|minus) (?=\d|\\frac)", re.IGNORECASE), "-"),
    (re.compile(r"\b([ap])\.\s?m\b\.?", re.IGNORECASE), r"\1m"),
)
ARTICLE = re.compile(r"^(?:an?|the) ")
AROUND_SIGNS = re.compile(r"\s*([=+<>(),-])\s*")
BETWEEN_DIGITS = re.compile(r"(?<!\d) | (?!\d)")
WORD = re.compile(r"[A-Za-z]{3}")


@lru_cache(maxsize=CACHED)  # each comparison asks several times
def plain(answer: str) -> str:
    """The answer in ASCII LaTeX without dressing: ``$``, bold, colours, spacing, "The answer is", thousands separators.

    An answer that is too long to read stays as it is.
    """
    if len(answer) > MAX_ANSWER_LENGTH or (answer.isascii() and answer.isdecimal()):
        return answer.strip()
    text = _bare(_ascii(answer.strip()))
    for written, meant in SPELLINGS:
        text = written.sub(meant, text)
    text = re.sub(r"\s+", " ", text).strip()
    text = THOUSANDS.sub(lambda found: found[0].replace("{,}", "").replace(",", ""), text)
    return SPACED_THOUSANDS.sub(lambda found: found[0].replace(" ", ""), text)


def unwrapped(answer: str) -> str:
    r"""The plain answer, with the content of \text in place of the command."""
    return " ".join(TEXT.sub(r" \1 ", plain(answer)).split()).removesuffix(".")


@lru_cache(maxsize=CACHED)
def folded(answer: str) -> str:
    """The answer in a form that is equal for texts that say the same, whatever their spacing and, in words, their
    case.
    """
    text = unwrapped(answer)
    is_words = WORD.search(text) and "\\" not in text
    return ARTICLE.sub("", AROUND_SIGNS.sub(r"\1", text).casefold()) if is_words else BETWEEN_DIGITS.sub("", text)


def _ascii(text: str) -> str:
    if text.isascii():
        return text
    text = VULGAR.sub(
        lambda found: "\\frac{{{}}}{{{}}}".format(*unicodedata.normalize("NFKC", found[0]).split("⁄")), text
    )
    text = ROOT_SIGN.sub(
        lambda found: ("\\sqrt" if found[1] == "√" else "\\sqrt[3]") + (f"{{{found[2]}}}" if found[2] else ""), text
    )
    text = RAISED.sub(lambda found: "^{" + "".join(SUPERSCRIPTS[each] for each in found[0]) + "}", text)
    text = LOWERED.sub(lambda found: "_{" + "".join(SUBSCRIPTS[each] for each in found[0]) + "}", text)
    text = GREEK.sub(lambda found: f" \\{_greek(found[0])} ", text)
    for symbol, command in SYMBOLS.items():
        text = text.replace(symbol, command)
    return unicodedata.normalize("NFKC", text)


def _greek(letter: str) -> str:
    name = unicodedata.name(letter).rsplit(" ", 1)[-1]
    name = "lambda" if name == "LAMDA" else name
    return name.lower() if letter.islower() else name.capitalize()


def _bare(text: str) -> str:
    """Removes wrappings and typography until none is left."""
    before = ""
    while text != before:
        before = text
        text = SPACING.sub(" ", LOOKS.sub(" ", COLOUR.sub("", SHOWN.sub("", text)))).replace("\\!", "").strip()
        for opening in (SAID, ABOUT):
            text = text[opened.end() :] if (opened := opening.match(text)) else text
        text = _inside(text)
        if wrapped := WRAPPED.fullmatch(text):
            text = next(part for part in wrapped.groups() if part is not None)
        text = text.removesuffix(".").rstrip() if not text.endswith("..") else text
    # Dollars in pairs are LaTeX's; a single one before a number is money.
    text = text.replace("\\$", "\\dollar ").replace("\\%", "%")
    return re.sub(r"\$(?=\s*[\d.])", r"\\dollar ", text) if text.count("$") == 1 else text.replace("$", " ")


def _inside(text: str) -> str:
    """The text without braces around the whole of it."""
    depth = 0
    for at, sign in enumerate(text):
        is_escaped = at > 0 and text[at - 1] == "\\"
        depth += 0 if is_escaped else {"{": 1, "}": -1}.get(sign, 0)
        if depth == 0:
            return text[1:-1] if text.startswith("{") and at == len(text) - 1 else text
    return text
