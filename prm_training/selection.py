"""What to label next: pure rules (Lightman et al. 2023, section 2.4 and appendix B)."""

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Candidate:
    """A solution that could be labelled. `log_score` is None under the uniform policy."""

    solution_id: UUID
    problem_id: UUID
    verdict: str  # right, wrong or unsure
    log_score: float | None


@dataclass(frozen=True, slots=True)
class Pick:
    candidate: Candidate
    reason: str


@dataclass(frozen=True)
class Rule:
    """How to pick: `size` solutions at most, `per_problem` of one problem at most.

    `wrong_share` of them among wrong answers, the rest among what remains, right or wrong. Raises ValueError.
    """

    policy: str
    size: int
    per_problem: int = 1
    wrong_share: float = 0.8
    seed: int = 0

    def __post_init__(self) -> None:
        if self.policy not in {"convincing", "uncertainty", "uniform"}:
            raise ValueError(f"unknown policy {self.policy!r}")
        if self.size < 1 or self.per_problem < 1:
            raise ValueError("size and per_problem must be 1 or more")
        if not 0 <= self.wrong_share <= 1:
            raise ValueError("wrong_share must lie between 0 and 1")


def pick(candidates: Iterable[Candidate], rule: Rule) -> list[Pick]:
    """Picks by the rule; the same candidates, in any order, give the same picks in the same order.

    An answer whose verdict is unsure is never taken for wrong, and is picked by the uniform policy only:
    the wrong answers that a model likes best are often the grader's own mistakes.
    """
    if rule.policy == "uniform":
        return _take(sorted(candidates, key=_tie_break(rule)), rule.size, rule, Counter(), "drawn at random")
    graded = sorted((item for item in candidates if item.verdict != "unsure"), key=_order(rule))
    per_problem: Counter[UUID] = Counter()
    word = "convincing" if rule.policy == "convincing" else "uncertain"
    wrong = [item for item in graded if item.verdict == "wrong"]
    picks = _take(wrong, round(rule.size * rule.wrong_share), rule, per_problem, f"most {word} wrong answers")
    taken = {item.candidate.solution_id for item in picks}
    remaining = [item for item in graded if item.solution_id not in taken]
    return picks + _take(remaining, rule.size - len(picks), rule, per_problem, f"most {word} of what remains")


def _take(ranked: Sequence[Candidate], size: int, rule: Rule, per_problem: Counter[UUID], reason: str) -> list[Pick]:
    picks: list[Pick] = []
    for candidate in ranked:
        if len(picks) == size:
            break
        if per_problem[candidate.problem_id] < rule.per_problem:
            per_problem[candidate.problem_id] += 1
            picks.append(Pick(candidate, reason))
    return picks


def _order(rule: Rule) -> Callable[[Candidate], tuple[float, bytes]]:
    """Best first. Uncertain means a solution score near one half."""
    tie_break = _tie_break(rule)

    def key(item: Candidate) -> tuple[float, bytes]:
        if item.log_score is None:
            raise ValueError(f"solution {item.solution_id} has no score")
        if rule.policy == "uncertainty":
            return abs(math.exp(item.log_score) - 0.5), tie_break(item)
        return -item.log_score, tie_break(item)

    return key


def _tie_break(rule: Rule) -> Callable[[Candidate], bytes]:
    def key(item: Candidate) -> bytes:
        return hashlib.blake2b(f"{rule.seed}:{item.solution_id}".encode(), digest_size=8).digest()

    return key
