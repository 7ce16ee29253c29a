"""Rules for selecting what to label next (pure; Lightman et al. 2023, sections 2.4 and 4.2)."""

import hashlib
import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import attrgetter
from typing import Any
from uuid import UUID

from labeling.rules.words import Policy, PolicyTraits, Verdict

LOG_HALF = math.log(0.5)


SURE, ALIKE = 0.95, 0.005  # ActPRM's thresholds (Duan et al. 2025, arXiv 2504.10559)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A solution that could be labelled. `log_score` is None where no model ranks."""

    solution_id: UUID
    problem_id: UUID
    verdict: str  # right, wrong or unsure
    log_score: float | None
    answer: str = ""
    text_hash: str = ""
    problem_hash: str = ""
    group: str = ""  # what quotas go by


def is_uncertain(confidence: float, deviation: float) -> bool:
    """Returns whether ActPRM would ask for labels of the solution: up to its first predicted error, the least
    `confidence` that a step is right or wrong is low, or the largest `deviation` between the ensemble's heads is high.
    """
    return confidence < SURE or deviation > ALIKE


@dataclass(frozen=True, slots=True)
class Pick:
    candidate: Candidate
    reason: str


@dataclass(frozen=True)
class Rule:
    """Picks at most `size` solutions, at most `per_problem` of one problem (None: any number).

    If the policy mixes, `wrong_share` of the picks are wrong answers, the others the best that remain, right or wrong.
    `quotas`: the most to pick of each group; empty: no groups. Raises ValueError.
    """

    policy: str
    size: int
    per_problem: int | None = 1
    wrong_share: float = 0.8
    seed: int = 0
    quotas: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.policy not in Policy.values:
            raise ValueError(f"unknown policy {self.policy!r}")
        if self.size < 1 or (self.per_problem is not None and self.per_problem < 1):
            raise ValueError("size and per_problem must be 1 or more")
        if not 0 <= self.wrong_share <= 1:
            raise ValueError("wrong_share must lie between 0 and 1")

    @property
    def traits(self) -> PolicyTraits:
        return Policy(self.policy).traits

    @property
    def verdicts(self) -> Sequence[str]:
        """The verdicts that can be picked."""
        return ["right", "wrong"] if self.traits.mixes else Verdict.values

    @property
    def start(self) -> str:
        """The hash at which a random draw begins. A hash tells nothing about its text, so the texts from any point on
        are a random sample.
        """
        return hashlib.sha256(str(self.seed).encode()).hexdigest()


Ranked = Callable[[Sequence[str]], Iterable[Candidate]]


class _Picks:
    """The picks so far. `others`: solutions that another rule has picked already."""

    def __init__(self, rule: Rule, others: Sequence[Pick]) -> None:
        self._rule = rule
        self._taken = {each.candidate.solution_id for each in others}
        self._per_problem = Counter(each.candidate.problem_id for each in others)
        self._per_group = Counter[str]()
        self.all: list[Pick] = []

    @property
    def is_full(self) -> bool:
        return len(self.all) >= self._rule.size

    def may_take(self, candidate: Candidate) -> bool:
        most, quotas = self._rule.per_problem, self._rule.quotas
        has_room = most is None or self._per_problem[candidate.problem_id] < most
        has_quota = not quotas or self._per_group[candidate.group] < quotas.get(candidate.group, 0)
        return has_room and has_quota and candidate.solution_id not in self._taken

    def take(self, candidate: Candidate, reason: str) -> None:
        self._taken.add(candidate.solution_id)
        self._per_problem[candidate.problem_id] += 1
        self._per_group[candidate.group] += 1
        self.all.append(Pick(candidate, reason))

    def fill(self, candidates: Iterable[Candidate], up_to: int, reason: str) -> None:
        """Takes the first candidates that may be taken, and reads no further than needed."""
        if len(self.all) >= up_to:
            return
        for candidate in candidates:
            if self.may_take(candidate):
                self.take(candidate, reason)
                if len(self.all) >= up_to:
                    return


def pick(ranked: Ranked, rule: Rule, others: Sequence[Pick] = ()) -> list[Pick]:
    """Picks by the rule, none of the `others`. `ranked(verdicts)` gives the candidates with one of these verdicts,
    sorted by `order(rule)`.

    It is read no further than needed, so that a million candidates can stay in the database. An answer whose verdict is
    unsure is never taken for wrong: the wrong answers that a model likes best are often the grader's own mistakes.
    """
    picks, traits = _Picks(rule, others), rule.traits
    best = "drawn at random" if traits.is_random else f"most {traits.word}"
    first, rest = f"{best}{',' if traits.is_random else ''} wrong answers", f"{best} of what remains"
    if traits.by_problem:
        _pick_within(picks, ranked, rule, first, rest if traits.mixes else f"{best} of its problem")
    elif traits.mixes:
        # Of 10 with a wrong_share of 0.8: first 8 wrong answers, then the 2 best of what is left, right or wrong.
        wrong = round(rule.size * rule.wrong_share)
        picks.fill(ranked(["wrong"]) if wrong else (), wrong, first)
    if not picks.is_full:
        picks.fill(ranked(rule.verdicts), rule.size, rest if traits.mixes or traits.by_problem else best)
    return picks.all


def _pick_within(picks: _Picks, ranked: Ranked, rule: Rule, first: str, rest: str) -> None:
    """Goes through the problems in the order drawn, and takes the best-ranked solutions of each.

    If the policy mixes, the share of wrong answers is kept up on the way: with 0.8, of every five places one, the third
    or fourth, is for what remains, whether the five are of one problem or of five. A problem without the wrong answer
    that is due is passed over.
    """
    share = rule.wrong_share if rule.traits.mixes else 0.0
    wrong = 0
    for _, same in groupby(ranked(rule.verdicts), key=attrgetter("problem_id")):
        own = list(same)
        while not picks.is_full:
            is_wrong_due = math.floor(share * (len(picks.all) + 1) + 0.5) > wrong
            fitting = (each for each in own if not is_wrong_due or each.verdict == "wrong")
            candidate = next(filter(picks.may_take, fitting), None)
            if candidate is None:
                break
            picks.take(candidate, first if is_wrong_due else rest)
            wrong += is_wrong_due
        if picks.is_full:
            return


def pick_for(
    budget: int, candidates: Sequence[Candidate], rule: Rule, cost: Callable[[Candidate], int]
) -> list[Candidate]:
    """The smallest batch by the rule that costs at least the budget; the largest if none does.

    `cost` of a candidate is the number of step labels that it takes, 1 or more.
    """
    ranked = sorted(candidates, key=order(rule))

    def batch(size: int) -> list[Candidate]:
        picks = pick(lambda verdicts: (each for each in ranked if each.verdict in verdicts), replace(rule, size=size))
        return [each.candidate for each in picks]

    sizes = range(1, budget + 1)
    place = bisect_left(sizes, budget, key=lambda size: sum(map(cost, batch(size))))
    return batch(min(place + 1, budget)) if budget > 0 else []


def order(rule: Rule) -> Callable[[Candidate], tuple[Any, ...]]:
    """The sort key of the rule, best first; ties are broken by a hash of seed and solution. Uncertain means a solution
    score near one half.

    Random draws, of solutions or of problems, come by hash from `start` on, and then from the first.
    """
    traits = rule.traits

    def key(item: Candidate) -> tuple[Any, ...]:
        if traits.is_random:
            return item.text_hash < rule.start, item.text_hash, item.problem_id.bytes
        # Ties in an order without meaning; ids follow the time of the import.
        tie = hashlib.md5(f"{rule.seed}:{item.solution_id.hex}".encode(), usedforsecurity=False).digest()
        if item.log_score is None:
            raise ValueError(f"solution {item.solution_id} has no score")
        drawn = (item.problem_hash < rule.start, item.problem_hash, item.problem_id.bytes) if traits.by_problem else ()
        if traits.word == "uncertain":
            return *drawn, abs(math.exp(item.log_score) - 0.5), abs(item.log_score - LOG_HALF), tie
        return *drawn, -item.log_score, tie

    return key


def shared_out(size: int, shares: Mapping[str, float]) -> dict[str, int]:
    """Divides `size` by shares that add up to 1, into whole numbers that add up to it (largest remainders)."""
    exact = {name: size * share for name, share in shares.items()}
    found = {name: math.floor(each + 1e-9) for name, each in exact.items()}
    by_remainder = sorted(exact, key=lambda name: (found[name] - exact[name], name))
    return found | {name: found[name] + 1 for name in by_remainder[: size - sum(found.values())]}


def majority(answers: Iterable[str]) -> str:
    """The answer of more than half of three or more; empty if there is none."""
    counts = Counter(answer for answer in answers if answer)
    (answer, votes), total = (counts.most_common(1) or [("", 0)])[0], counts.total()
    return answer if total >= 3 and 2 * votes > total else ""


def is_grader_disagreement(
    candidate: Candidate, *, typical_right: float | None, common_answer: Callable[[UUID], str]
) -> bool:
    """Returns whether the grader is probably wrong: it graded the answer wrong, though the solution scores at least
    like the median right answer, and most solutions of the problem give the same answer.

    Staff should look at such solutions; annotators should not get them.
    """
    if candidate.verdict != "wrong" or not candidate.answer or typical_right is None or candidate.log_score is None:
        return False
    return candidate.log_score >= typical_right and common_answer(candidate.problem_id) == candidate.answer
