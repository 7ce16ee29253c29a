"""What to label next: pure rules (Lightman et al. 2023, section 2.4 and appendix B)."""

import hashlib
import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

LOG_HALF = math.log(0.5)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A solution that could be labelled. `log_score` is None under the uniform policy."""

    solution_id: UUID
    problem_id: UUID
    verdict: str  # right, wrong or unsure
    log_score: float | None
    answer: str = ""
    text_hash: str = ""


@dataclass(frozen=True, slots=True)
class Pick:
    candidate: Candidate
    reason: str


@dataclass(frozen=True)
class Rule:
    """How to pick: at most `size` solutions, at most `per_problem` of one problem (None: any number).

    `wrong_share` of them are wrong answers, the rest the best of what remains, right or wrong. Raises ValueError.
    """

    policy: str
    size: int
    per_problem: int | None = 1
    wrong_share: float = 0.8
    seed: int = 0

    def __post_init__(self) -> None:
        if self.policy not in {"convincing", "uncertainty", "uniform"}:
            raise ValueError(f"unknown policy {self.policy!r}")
        if self.size < 1 or (self.per_problem is not None and self.per_problem < 1):
            raise ValueError("size and per_problem must be 1 or more")
        if not 0 <= self.wrong_share <= 1:
            raise ValueError("wrong_share must lie between 0 and 1")

    @property
    def start(self) -> str:
        """Where a uniform draw begins. A hash carries no information about its text: those after any point are a random
        sample.
        """
        return hashlib.sha256(str(self.seed).encode()).hexdigest()


Ranked = Callable[[Sequence[str]], Iterable[Candidate]]


def pick(ranked: Ranked, rule: Rule) -> list[Pick]:
    """Picks by the rule. `ranked(verdicts)` gives the candidates with one of these verdicts, sorted by `order(rule)`.

    It is read no further than needed, so that a million candidates can stay in the database. An answer whose verdict is
    unsure is never taken for wrong, and only the uniform policy picks it: the wrong answers that a model likes best are
    often the grader's own mistakes.
    """
    picks: list[Pick] = []
    per_problem: Counter[UUID] = Counter()
    taken: set[UUID] = set()

    def take(verdicts: Sequence[str], up_to: int, reason: str) -> None:
        # A share of zero reads nothing.
        candidates = iter(ranked(verdicts) if up_to > len(picks) else ())
        while len(picks) < up_to and (candidate := next(candidates, None)):
            is_full = rule.per_problem is not None and per_problem[candidate.problem_id] >= rule.per_problem
            if candidate.solution_id not in taken and not is_full:
                taken.add(candidate.solution_id)
                per_problem[candidate.problem_id] += 1
                picks.append(Pick(candidate, reason))

    if rule.policy == "uniform":
        take(["right", "wrong", "unsure"], rule.size, "drawn at random")
    else:
        word = "convincing" if rule.policy == "convincing" else "uncertain"
        # Of 10 with a wrong_share of 0.8: first the 8 most convincing wrong answers, then the 2 best of what is left,
        # right or wrong.
        take(["wrong"], round(rule.size * rule.wrong_share), f"most {word} wrong answers")
        take(["right", "wrong"], rule.size, f"most {word} of what remains")
    return picks


def pick_for(
    budget: int, candidates: Sequence[Candidate], rule: Rule, cost: Callable[[Candidate], int]
) -> list[Candidate]:
    """The smallest batch by the rule, whatever its size, that costs the budget or more; if none does, the largest.

    A candidate costs 1 or more: the step labels that it takes.
    """
    ranked = sorted(candidates, key=order(rule))

    def batch(size: int) -> list[Candidate]:
        picks = pick(lambda verdicts: (each for each in ranked if each.verdict in verdicts), replace(rule, size=size))
        return [each.candidate for each in picks]

    sizes = range(1, budget + 1)
    place = bisect_left(sizes, budget, key=lambda size: sum(map(cost, batch(size))))
    return batch(min(place + 1, budget)) if budget > 0 else []


def majority(answers: Iterable[str]) -> str:
    """The answer of more than half of three or more; empty if there is none."""
    counts = Counter(answer for answer in answers if answer)
    (answer, votes), total = (counts.most_common(1) or [("", 0)])[0], counts.total()
    return answer if total >= 3 and 2 * votes > total else ""


def is_grader_disagreement(
    candidate: Candidate, *, typical_right: float | None, common_answer: Callable[[UUID], str]
) -> bool:
    """Whether the grader is probably wrong: it graded the answer wrong, though it scores at least like the median right
    answer and is the answer of most solutions of its problem. A person should look at these, not annotators.
    """
    if candidate.verdict != "wrong" or not candidate.answer or typical_right is None or candidate.log_score is None:
        return False
    return candidate.log_score >= typical_right and common_answer(candidate.problem_id) == candidate.answer


def order(rule: Rule) -> Callable[[Candidate], tuple[float, float, bytes]]:
    """Best first. Uncertain means a solution score near one half; ties are broken by a hash of seed and solution. A
    uniform draw takes the texts by hash from `start` on, and then from the first.
    """

    def key(item: Candidate) -> tuple[float, float, bytes]:
        if rule.policy == "uniform":
            return float(item.text_hash < rule.start), 0.0, item.text_hash.encode() + item.problem_id.bytes
        # Ties in an order without meaning; ids follow the time of the import.
        tie = hashlib.md5(f"{rule.seed}:{item.solution_id.hex}".encode(), usedforsecurity=False).digest()
        if item.log_score is None:
            raise ValueError(f"solution {item.solution_id} has no score")
        if rule.policy == "uncertainty":
            return abs(math.exp(item.log_score) - 0.5), abs(item.log_score - LOG_HALF), tie
        return -item.log_score, 0.0, tie

    return key
