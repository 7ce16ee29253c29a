"""Gives answers that say the same one name, so that a vote counts answers, not spellings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from labeling.grading import grader
from labeling.rules.texts.notation import is_whole, normalise
from labeling.rules.words import Verdict

MOST_COMPARED = 60  # pairs of one problem's answers; a pair of formulas takes milliseconds


def named(answers: Iterable[str]) -> dict[str, str]:
    """Returns for each answer that isn't blank the most frequent one that says the same: ``2,3`` for ``3, 2``.

    Answers are the same if they are written the same but for notation, or the grader says so; where it is unsure they
    stay apart, as do the rarest ones after MOST_COMPARED comparisons. The most frequent are compared first.
    """
    names, first_of, compared = list[str](), dict[str, str](), 0
    found = dict[str, str]()
    for answer, _ in Counter(answer for answer in answers if answer.strip()).most_common():
        text = normalise(answer)
        if text not in first_of:
            others = [name for name in names if not (is_whole(answer) and is_whole(name))]
            others = others[: MOST_COMPARED - compared]
            compared += len(others)
            first_of[text] = next((name for name in others if grader.grade(answer, name) == Verdict.RIGHT), answer)
            names += [answer] if first_of[text] == answer else []
        found[answer] = first_of[text]
    return found
