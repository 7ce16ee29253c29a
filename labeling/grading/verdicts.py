"""Right, wrong or unsure: an answer beside the reference answer, as texts, choices, words or values. Pure."""

from __future__ import annotations

import re
from unicodedata import normalize

from labeling.grading.comparison import compare
from labeling.grading.reading.arithmetic import NumberTooLarge
from labeling.grading.reading.reader import read_answer
from labeling.grading.reading.tokens import NotUnderstood
from labeling.grading.reading.values import Expression, Measured, Value
from labeling.grading.reading.words import WORDINGS, is_different
from labeling.grading.reading.writing import MAX_ANSWER_LENGTH, folded, unwrapped
from labeling.rules.words import Verdict

# "(A) 5", "B. 7", "option (C) x": a choice's letter with what it stands for; then the letter alone.
LABEL = re.compile(
    r"(?:(?:option|choice)\s+)?(?:\(\s*([A-H])\s*\)|([A-H])[).:](?![A-Za-z]))\s*(.*)", re.DOTALL | re.IGNORECASE
)
BARE_LABEL = re.compile(r"(?:(?:[Oo]ption|[Cc]hoice)\s+)?([A-H])|(?:[Oo]ption |[Cc]hoice )?\(([A-Ha-h])\)")
# A letter of any alphabet that stands alone: "B", "(b)", "B. Aspirin", "**C**", "option D: …"; not "A man".
ALONE = r"[^\W\d_](?=[^\w\s]|\s*$)"
CHOICE = re.compile(rf"\W*(?:(?:option|choice|answer)\b\W*)?({ALONE})", re.IGNORECASE)
# Two of them at the beginning, such as "A, C" or "(a) and (d)": what was chosen is more than a letter.
SEVERAL = re.compile(rf"{CHOICE.pattern}\W*(?:(?:and|or|und|oder|et|ou|y|o)\W+)?{ALONE}", re.IGNORECASE)
VERDICTS = {True: Verdict.RIGHT, False: Verdict.WRONG, None: Verdict.UNSURE}


def quick_verdict(one: str, other: str) -> Verdict | None:
    """The verdict where plain comparison can give one; None where mathematics is needed, which may take long."""
    if not one.strip() or not other.strip():
        return Verdict.UNSURE
    # Too long to be read in bounded time: equal texts are right, and nobody knows about others.
    if max(len(one), len(other)) > MAX_ANSWER_LENGTH:
        return Verdict.RIGHT if one.strip() == other.strip() else Verdict.UNSURE
    ours, theirs = _wording(one), _wording(other)
    if ours == theirs:
        return Verdict.RIGHT
    if (labelled := _compare_labels(split_label(one), split_label(other))) is not None:
        return labelled
    left, right = read_answer(one), read_answer(other)
    # ab and ba may be words, or need not commute.
    if left is None or right is None or (ours.isalpha() and sorted(ours) == sorted(theirs)):
        return Verdict.WRONG if left is right and is_different(ours, theirs) else Verdict.UNSURE
    return _of_values(left, right) if _is_light(left) and _is_light(right) else None


def verdict(one: str, other: str) -> Verdict:
    """The verdict on answers that `quick_verdict` leaves open."""
    left, right = read_answer(one), read_answer(other)
    return Verdict.UNSURE if left is None or right is None else _of_values(left, right)


def _of_values(left: Value, right: Value) -> Verdict:
    try:
        return VERDICTS[compare(left, right)]
    except (NumberTooLarge, NotUnderstood):
        return Verdict.UNSURE


def same_words(one: str, other: str) -> Verdict:
    """Right if the same but for case, spaces, and ways to encode one character; unsure if one is empty."""
    ours, theirs = _spelt(one), _spelt(other)
    return VERDICTS[ours == theirs] if ours and theirs else Verdict.UNSURE


def _spelt(answer: str) -> str:
    # Not by compatibility (NFKC), which takes 5² for 52.
    return " ".join(normalize("NFC", answer).casefold().split())


def same_letter(one: str, other: str) -> Verdict:
    """Right if both begin with the same choice's letter; unsure if one begins with none, or with several."""
    texts = [normalize("NFKC", each) for each in (one, other)]
    if any(map(SEVERAL.match, texts)):
        return Verdict.RIGHT if _spelt(one) == _spelt(other) else Verdict.UNSURE
    ours, theirs = map(CHOICE.match, texts)
    return VERDICTS[ours[1].casefold() == theirs[1].casefold()] if ours and theirs else Verdict.UNSURE


def split_label(answer: str) -> tuple[str, str]:
    """The letter of a choice that an answer begins with, and the rest: ``(A) 5`` is A and 5, ``A`` is A and nothing."""
    if len(answer) > MAX_ANSWER_LENGTH:
        return "", answer
    text = unwrapped(answer)
    if bare := BARE_LABEL.fullmatch(text):
        return (bare[1] or bare[2]).upper(), ""
    found = LABEL.fullmatch(text)
    return ((found[1] or found[2]).upper(), found[3]) if found else ("", answer)


def _wording(answer: str) -> str:
    text = folded(answer)
    return WORDINGS.get(text.casefold(), text)


def _is_light(value: Value) -> bool:
    """Returns whether the value is a plain number, perhaps with a unit."""
    number = value.expression if isinstance(value, Measured) else value
    return isinstance(number, Expression) and number.is_constant and "costly" not in number.notes


def _compare_labels(ours: tuple[str, str], theirs: tuple[str, str]) -> Verdict | None:
    """Compares the letters of two choices if one of them is a letter alone; None if neither is."""
    (letter, rest), (other, other_rest) = ours, theirs
    if not (letter and not rest) and not (other and not other_rest):
        return None
    if letter == other:
        return Verdict.RIGHT
    return Verdict.WRONG if letter and other and not rest and not other_rest else Verdict.UNSURE
