"""Final answers: where they stand in a text, and when two plain ones are the same. Pure; grading.py does the rest."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import accumulate
from typing import Literal

from labeling.exact import exact_value

Verdict = Literal["right", "wrong", "unsure"]

MAX_ANSWER_LENGTH = 300
MAX_DEPTH = 20
BOXED = re.compile(r"\\f?boxed\s*\{")
MARKED = (
    re.compile(r"^#+ *(?:Final )?Answer:? *\n+(.+)", re.MULTILINE | re.DOTALL | re.IGNORECASE),
    re.compile(r"^####[ \t]*(.+)$", re.MULTILINE),
    re.compile(r"^(?:A|(?:final )?answer):[ \t]*(.+)$", re.MULTILINE | re.IGNORECASE),
    re.compile(r"\banswer is:?[ \t]*(.+?)(?:\.?[ \t]*$|\.\s)", re.MULTILINE | re.IGNORECASE),
)
TEXT_COMMAND = re.compile(r"\\(?:text|textbf|mathrm|mathbf|mbox|textit)\s*\{([^{}]*)\}")
SPACING = re.compile(r"\\(?:[,;!: ]|quad|qquad|left|right|displaystyle)(?![A-Za-z])")
FRACTION = re.compile(r"\\[dtc]?frac\s*(?:\{([^{}]*)\}|(\d))\s*(?:\{([^{}]*)\}|(\d))")
MIXED = re.compile(r"(?<![\d.)])(\d+) ?(?=\(\(\d+\)/\(\d+\)\))")
THOUSANDS = re.compile(r"(?<![\d.])\d{1,3}(?:(?:,|\{,\})\d{3})+(?!\d)")
SCIENTIFIC = re.compile(r"(?<=\d)e([+-]?\d+)(?![a-z])", re.IGNORECASE)
POWER = re.compile(r"\^\s*\{([^{}]*)\}")
VALUE_AND_UNIT = re.compile(r"(.*?[\d)]) *([a-z][a-z /^.]*\d?)", re.DOTALL)
WORDS = re.compile(r"[a-z][a-z ,.'-]*")
CHOICE = re.compile(r"\A\( ?([a-z]) ?\)\Z")
COMMAND = re.compile(r"\\(?:(?:begin|end) ?\{[a-z]+\}|[a-z]+)")
NOT_PLAIN = re.compile(r"[a-z]{3}|\d_|[^ -~]")  # a word, a number in another base, another alphabet
# Powers, towers, factorials.
TOO_LARGE = re.compile(r"\^[({]*-?\d{4}|(?:\^[({]*\d+){2}|(?:\^[({]*[a-z]){3}|(?:\d{4}|[)}\]!]) ?!")


def extract_answer(text: str) -> str:
    """The final answer that a solution states, as written; empty where it states none.

    The last ``\\boxed{}`` wins; then ``# Answer``, ``#### 18``, ``A: 18`` and "the answer is ...".
    """
    boxes = list(BOXED.finditer(text))
    if boxes and (content := _braced(text, boxes[-1].end())) is not None:
        return content.strip()
    for marked in MARKED:
        if found := marked.findall(text):
            text = str(found[-1]).strip()
            return extract_answer(text) or text  # "# Answer" may be followed by "The answer is 5."
    return ""


def quick_verdict(answer: str, reference: str) -> Verdict | None:
    """The verdict where plain comparison can give one; None where mathematics is needed."""
    if not answer.strip() or not reference.strip():
        return "unsure"
    if max(len(answer), len(reference)) > MAX_ANSWER_LENGTH:
        return "right" if answer.strip() == reference.strip() else "unsure"
    if answer.isdecimal() and reference.isdecimal():
        return "right" if int(answer) == int(reference) else "wrong"
    ours, theirs = normalise(answer), normalise(reference)
    if ours == theirs:
        return "right"
    return _compare_numbers(ours, theirs) or _compare_words(ours, theirs)


def is_plain(answer: str) -> bool:
    """Whether an answer is mathematics that can be read, and is small enough to be worked out."""
    text = COMMAND.sub(" ", normalise(answer))
    depth = max(accumulate((text[at] in "({[") - (text[at] in ")}]") for at in range(len(text))), default=0)
    return depth <= MAX_DEPTH and not NOT_PLAIN.search(text) and not TOO_LARGE.search(text)


def normalise(answer: str) -> str:
    """One way of writing for what is plainly the same: no ``$``, spacing commands, ``\\text``, thousands commas."""
    text = answer.strip().strip("$").replace("\\$", "").replace("$", "").replace("\\%", "%")
    text = SPACING.sub(" ", TEXT_COMMAND.sub(r" \1 ", text)).replace("^\\circ", "").replace("^{\\circ}", "")
    text = THOUSANDS.sub(lambda match: match[0].replace("{,}", "").replace(",", ""), text)
    text = POWER.sub(r"^(\1)", text.replace("−", "-").replace("\\cdot", "*").replace("\\times", "*").replace("**", "^"))
    text = SCIENTIFIC.sub(r"*10^(\1)", text)
    for _ in range(3):  # nested fractions
        text = FRACTION.sub(lambda match: f"(({match[1] or match[2]})/({match[3] or match[4]}))", text)
    text = re.sub(r"\s+", " ", MIXED.sub(r"\1+", text)).strip().rstrip(".").lower()
    return CHOICE.sub(r"\1", text)


def _compare_numbers(ours: str, theirs: str) -> Verdict | None:
    (our_number, our_unit), (their_number, their_unit) = _split_unit(ours), _split_unit(theirs)
    left, right = exact_value(our_number), exact_value(their_number)
    if left is None or right is None:
        return None
    if our_unit and their_unit and our_unit.rstrip("s") != their_unit.rstrip("s"):
        return "unsure"  # perhaps the same in other units: for a person to see
    shares = {our_unit: left, their_unit: right}
    if left == right or (len(shares) == 2 and "%" in shares and shares.pop("%") / 100 in shares.values()):
        return "right"
    return "unsure" if _is_rounding(our_number, right) or _is_rounding(their_number, left) else "wrong"


def _is_rounding(written: str, value: Fraction) -> bool:
    """Whether a decimal such as ``0.33`` may be a rounding of the other value, which has more digits."""
    decimal = re.fullmatch(r"-?\d*\.(\d+)", written)
    if decimal is None:
        return False
    last_digit = Fraction(1, 10 ** len(decimal[1]))
    return value % last_digit != 0 and abs(Fraction(written) - value) < last_digit


def _split_unit(text: str) -> tuple[str, str]:
    if text.endswith("%"):
        return text[:-1].strip(), "%"
    found = VALUE_AND_UNIT.fullmatch(text)
    return (found[1].strip(), found[2].strip()) if found else (text, "")


def _compare_words(ours: str, theirs: str) -> Verdict | None:
    """Two plain phrases: wrong when neither stands in the other, such as two names."""
    if not (WORDS.fullmatch(ours) and WORDS.fullmatch(theirs) and min(len(ours), len(theirs)) > 2):
        return None
    return "unsure" if ours in theirs or theirs in ours else "wrong"


def _braced(text: str, start: int) -> str | None:
    """The text from ``start`` to the brace that closes the one just before it."""
    depth = 1
    for position in range(start, len(text)):
        character = text[position]
        if character in "{}" and text[position - 1] != "\\":
            depth += 1 if character == "{" else -1
        if depth == 0:
            return text[start:position]
    return None
