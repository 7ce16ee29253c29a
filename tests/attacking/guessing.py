"""Guesses which tasks of some campaigns are gold, after learning from notes on campaigns whose gold is known.

The noise: without any information, the AUC of g gold and r real tasks has a standard error of
sqrt((g + r + 1) / (12 g r)) (Mann and Whitney). `bound` is the AUC that such luck exceeds once in a hundred times.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.attacking.noting import Notes

Z_99 = 2.326
FOLDS = 2
RIDGE = 10.0
Numbers = NDArray[np.float64]
Guesser = Callable[[Numbers, Numbers, Numbers], Numbers]  # known notes, known gold, new notes -> scores


@dataclass(frozen=True)
class Case:
    """One task as an annotator saw it, in one campaign."""

    campaign: int
    notes: Notes
    is_gold: bool


@dataclass(frozen=True)
class Finding:
    """The result of guessing: the AUC by guesser, the AUC that luck may reach, and the most telling notes."""

    aucs: dict[str, float]
    bound: float
    gold: int
    real: int
    telling: list[tuple[str, float]]


def auc(scores: Numbers, is_gold: Numbers) -> float:
    """Returns P(a gold task scores higher than a real one); ties count half."""
    _, ranks, counts = np.unique(scores, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts - 1) / 2
    gold = int(is_gold.sum())
    rest = len(is_gold) - gold
    return float((middle[ranks][is_gold == 1].sum() - gold * (gold + 1) / 2) / (gold * rest)) if gold * rest else 0.5


def bound(gold: int, real: int) -> float:
    return 0.5 + Z_99 * sqrt((gold + real + 1) / (12 * gold * real)) if gold * real else 1.0


def by_one_note(known: Numbers, is_gold: Numbers, new: Numbers) -> Numbers:
    """Scores by the single most telling note of the known campaigns, in its direction there."""
    aucs = np.array([auc(column, is_gold) for column in known.T])
    best = int(np.abs(aucs - 0.5).argmax())
    return new[:, best] * (1 if aucs[best] >= 0.5 else -1)


def by_all_notes(known: Numbers, is_gold: Numbers, new: Numbers) -> Numbers:
    """Scores by ridge logistic regression on standardized notes, by Newton's method."""
    mean, spread = known.mean(0), known.std(0)
    kept = spread > 0
    inputs, others = ((rows[:, kept] - mean[kept]) / spread[kept] for rows in (known, new))
    inputs, others = (np.c_[np.clip(rows, -5, 5), np.ones(len(rows))] for rows in (inputs, others))
    weights = np.zeros(inputs.shape[1])
    for _ in range(12):
        guess = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        slope = inputs.T @ (guess - is_gold) + RIDGE * weights
        curve = (inputs * (guess * (1 - guess))[:, None]).T @ inputs + RIDGE * np.eye(len(weights))
        weights -= np.linalg.solve(curve, slope)
    scores: Numbers = others @ weights
    return scores


GUESSERS: dict[str, Guesser] = {"one note": by_one_note, "all notes": by_all_notes}


def found(cases: Sequence[Case]) -> Finding:
    """Returns how well each guesser does, learning on one fold of the campaigns and guessing in the others."""
    names = sorted({name for case in cases for name in case.notes})
    notes = np.array([[case.notes.get(name, 0.0) for name in names] for case in cases])
    is_gold = np.array([float(case.is_gold) for case in cases])
    fold = np.array([case.campaign % FOLDS for case in cases])
    aucs = {}
    for word, guesser in GUESSERS.items():
        parts = [_judged(guesser, notes, is_gold, fold == each) for each in range(FOLDS)]
        aucs[word] = float(np.mean(parts))
    gold = int(is_gold.sum())
    alone: list[tuple[str, Any]] = [(name, auc(column, is_gold)) for name, column in zip(names, notes.T, strict=True)]
    telling = sorted(alone, key=lambda pair: -abs(pair[1] - 0.5))[:10]
    return Finding(aucs, bound(gold, len(cases) - gold), gold, len(cases) - gold, telling)


def _judged(guesser: Guesser, notes: Numbers, is_gold: Numbers, is_new: NDArray[np.bool_]) -> float:
    return auc(guesser(notes[~is_new], is_gold[~is_new], notes[is_new]), is_gold[is_new])
