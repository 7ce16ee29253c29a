"""Measures how good scores are at judging steps, choosing among solutions, and finding first errors.

Pure functions on plain lists, with nothing but the standard library. Class numbers are rating + 1: 0 negative, 1
neutral, 2 positive. Samples with equal scores rank in the order of their list, so shuffle it by something that carries
no information, such as a hash of the text.
"""

import math
import random
import zlib
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress, pairwise
from operator import eq
from statistics import fmean

from prm_training.prm.trees.data import CLASS_NAMES

LogProbabilities = tuple[float, float, float]  # negative, neutral, positive


@dataclass(frozen=True)
class CalibrationBin:
    """Steps whose probability lies in [low, high): how many, their mean probability, and how often it came true."""

    low: float
    high: float
    count: int
    mean_probability: float
    frequency: float


def auc(scores: Sequence[float], outcomes: Sequence[bool]) -> float | None:
    """The chance that a true outcome has a higher score than a false one, ties counting half (Mann-Whitney).

    None if only one outcome is present: there is nothing to rank.
    """
    trues = [score for score, outcome in zip(scores, outcomes, strict=True) if outcome]
    falses = sorted(score for score, outcome in zip(scores, outcomes, strict=True) if not outcome)
    if not trues or not falses:
        return None
    # Twice the wins: a false score that is lower counts in both, an equal one in the second only.
    won = sum(bisect_left(falses, score) + bisect_right(falses, score) for score in trues)
    return won / (2 * len(trues) * len(falses))


def mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def calibration(probabilities: Sequence[float], outcomes: Sequence[bool], bins: int = 10) -> list[CalibrationBin]:
    """Equal-width bins over [0, 1] (1.0 falls into the last one); empty bins are left out."""
    members: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for probability, outcome in zip(probabilities, outcomes, strict=True):
        members[min(int(probability * bins), bins - 1)].append((probability, outcome))
    return [
        CalibrationBin(number / bins, (number + 1) / bins, len(found), *map(fmean, zip(*found, strict=True)))
        for number, found in enumerate(members)
        if found
    ]


def calibration_error(found: Sequence[CalibrationBin]) -> float | None:
    """Expected calibration error: |frequency - mean probability|, weighted by count."""
    gaps = [abs(each.frequency - each.mean_probability) for each in found]
    return fmean(gaps, weights=[each.count for each in found]) if found else None


def step_metrics(log_probabilities: Sequence[LogProbabilities], classes: Sequence[int]) -> dict[str, float]:
    """All step metrics of a labelled set, without those that it is too small or too uniform to have.

    `step_auc` ranks negative steps against all others by P(negative); `loss` is the mean cross-entropy in nats;
    `accuracy` and `accuracy_<class>` compare the most probable class with the label (per class: recall).
    """
    predicted = [max(range(3), key=row.__getitem__) for row in log_probabilities]
    hits = list(map(eq, predicted, classes))
    right = [-math.expm1(row[0]) for row in log_probabilities]  # P(positive) + P(neutral)
    metrics: dict[str, float | None] = {
        "steps": float(len(classes)),
        "loss": mean([-row[actual] for row, actual in zip(log_probabilities, classes, strict=True)]),
        "accuracy": mean(hits),
        "calibration_error": calibration_error(calibration(right, [actual > 0 for actual in classes])),
    }
    for number, name in enumerate(CLASS_NAMES):
        is_it = [actual == number for actual in classes]
        metrics[f"steps_{name}"] = float(sum(is_it))
        metrics[f"accuracy_{name}"] = mean(list(compress(hits, is_it)))
        metrics[f"auc_{name}"] = auc([row[number] for row in log_probabilities], is_it)
    metrics["step_auc"] = metrics["auc_negative"]
    return {name: value for name, value in metrics.items() if value is not None}


@dataclass(frozen=True)
class ScoredSample:
    """One sampled solution of a problem: its score, its final answer, and whether that is right.

    Equal wrong answers have equal texts; a right one's text doesn't matter, and a blank one is no answer.
    """

    score: float
    answer: str
    is_right: bool

    @property
    def vote(self) -> str | bool:
        """The answer that the sample votes for: True for a right one, however it is written; blank for no vote."""
        return self.is_right or self.answer


def best_of(samples: Sequence[ScoredSample], n: int) -> float:
    """The chance that the highest-scored of `n` samples, drawn without replacement, is right. Exact.

    The i-th best of N is the best of a draw with probability C(N - i, n - 1) / C(N, n), i from 1.
    """
    ranked = sorted(samples, key=lambda sample: -sample.score)
    draws = math.comb(len(ranked), n)
    wins = sum(math.comb(len(ranked) - i, n - 1) for i, sample in enumerate(ranked, start=1) if sample.is_right)
    return wins / draws


def oracle(samples: Sequence[ScoredSample], n: int) -> float:
    """The chance that `n` samples, drawn without replacement, include a right one. Exact."""
    wrong = sum(not sample.is_right for sample in samples)
    return 1 - math.comb(wrong, n) / math.comb(len(samples), n)


def majority(samples: Sequence[ScoredSample], n: int, rng: random.Random, draws: int = 200) -> float:
    """The share of draws of `n` samples whose most frequent answer is right; ties count by their share.

    All right answers count as one, and samples without an answer don't vote.
    """
    return fmean(_majority_once(rng.sample(samples, n)) for _ in range(draws))


def _majority_once(drawn: Sequence[ScoredSample]) -> float:
    votes = Counter(sample.vote for sample in drawn if sample.vote)
    most = max(votes.values(), default=0)
    return fmean(answer is True for answer, count in votes.items() if count == most) if votes else 0.0


def difficulty_quintiles(problems: Sequence[Sequence[ScoredSample]]) -> list[list[Sequence[ScoredSample]]]:
    """The problems in five parts, from most to least often solved (paper, appendix)."""
    ranked = sorted(problems, key=lambda samples: -fmean(sample.is_right for sample in samples))
    bounds = [round(len(ranked) * part / 5) for part in range(6)]
    return [list(ranked[low:high]) for low, high in pairwise(bounds)]


def first_error(step_probabilities: Sequence[float], threshold: float) -> int:
    """The first step whose P(right) is below the threshold, from 0; -1 for none, as ProcessBench writes it."""
    return next((step for step, right in enumerate(step_probabilities) if right < threshold), -1)


def processbench_f1(predicted: Sequence[int], actual: Sequence[int]) -> dict[str, float]:
    """ProcessBench's metrics (arXiv 2412.06559): the share of erroneous solutions whose first error is found exactly,
    the share of correct ones found to have none, and the harmonic mean of the two.
    """
    pairs = list(zip(predicted, actual, strict=True))
    erroneous = [guess == truth for guess, truth in pairs if truth != -1]
    correct = [guess == truth for guess, truth in pairs if truth == -1]
    found, spared = (mean(each) or 0.0 for each in (erroneous, correct))
    f1 = 2 * found * spared / (found + spared) if found + spared else 0.0
    return {"erroneous": found, "correct": spared, "f1": f1}


def threshold_candidates(rows: Sequence[Sequence[float]], candidates: int = 100) -> list[float]:
    """Quantiles of the probabilities, in order; one half if there are none."""
    ordered = sorted({value for row in rows for value in row})
    return [ordered[len(ordered) * number // candidates] for number in range(candidates)] if ordered else [0.5]


def choose_threshold(rows: Sequence[Sequence[float]], actual: Sequence[int]) -> float:
    """The candidate with the best F1 on a split set aside for this."""
    # Of equal ones the highest: tuples compare by F1 first, then by the threshold itself.
    marks = threshold_candidates(rows)
    return max((processbench_f1([first_error(row, mark) for row in rows], actual)["f1"], mark) for mark in marks)[1]


def thresholds_by_fold(
    rows: Sequence[Sequence[float]], actual: Sequence[int], folds: Sequence[int]
) -> tuple[float, float]:
    """Returns for each of the folds 0 and 1 the threshold that is best on the other."""
    others = ([place for place, own in enumerate(folds) if own != fold] for fold in (0, 1))
    first, second = (choose_threshold([rows[at] for at in each], [actual[at] for at in each]) for each in others)
    return first, second


def processbench_on_halves(
    rows: Sequence[Sequence[float]], actual: Sequence[int], problems: Sequence[str]
) -> dict[str, float]:
    """ProcessBench's metrics on the problems with an odd hash, at the threshold that those with an even one choose."""
    sides = [zlib.crc32(problem.encode()) % 2 for problem in problems]
    others = [place for place, side in enumerate(sides) if side]
    _, threshold = thresholds_by_fold(rows, actual, sides)
    found = [first_error(rows[place], threshold) for place in others]
    numbers = processbench_f1(found, [actual[place] for place in others])
    return numbers | {"threshold": threshold, "solutions": len(others)}


def share_decided_at_the_end(rows: Sequence[Sequence[float]]) -> float:
    """The share of solutions whose least probable step is the last: near 1, the model judges answers, not steps."""
    return mean([min(row) == row[-1] for row in rows if row]) or 0.0
