"""Plain answers compared as numbers, words or choices, where no mathematics is needed. Pure."""

from __future__ import annotations

import re

from labeling.rules import quantities
from labeling.rules.notation import MAX_ANSWER_LENGTH, may_mean_more, normalise, split_label
from labeling.rules.quantities import Verdict, quantity

WORD = re.compile(r"[a-z]{3,}")
# Each means the same as some other: no two of them are told to be wrong.
SAID_IN_MANY_WAYS = {"yes", "true", "correct", "no", "false", "incorrect", "none", "nothing", "dne", "undefined"}


def quick_verdict(answer: str, reference: str) -> Verdict | None:
    """The verdict where plain comparison can give one; None where mathematics is needed."""
    if not answer.strip() or not reference.strip():
        return "unsure"
    # Too long to be read in bounded time: equal texts are right, and nobody knows about others.
    if max(len(answer), len(reference)) > MAX_ANSWER_LENGTH:
        return "right" if answer.strip() == reference.strip() else "unsure"
    ours, theirs = normalise(answer), normalise(reference)
    if ours == theirs or may_mean_more(ours, theirs):
        return "right" if ours == theirs else "unsure"
    left, right = quantity(answer), quantity(reference)
    if left is not None and right is not None:
        return quantities.compare(left, right)
    return _compare_labels(split_label(answer), split_label(reference)) or _compare_words(ours, theirs)


def _compare_labels(ours: tuple[str, str], theirs: tuple[str, str]) -> Verdict | None:
    """A choice's letter stands for whatever was to choose: two letters can be compared, or one with its own choice."""
    (letter, rest), (other, other_rest) = ours, theirs
    if not (letter and not rest) and not (other and not other_rest):
        return None
    if letter == other:
        return "right"
    return "wrong" if letter and other and not rest and not other_rest else "unsure"


def _compare_words(ours: str, theirs: str) -> Verdict | None:
    """Two plain words: wrong where they have little in common, such as two names; words of one meaning are many."""
    if not (WORD.fullmatch(ours) and WORD.fullmatch(theirs)):
        return None
    if ours in theirs or theirs in ours or ours[:4] == theirs[:4] or {ours, theirs} & SAID_IN_MANY_WAYS:
        return "unsure"
    return "wrong"
