"""Experiment 2: what the labels of each selection policy are worth.

All policies begin with the same uniform batch. Each then spends the same budgets of step labels, batch by batch; after
each, a PRM is trained from the base on all its labels, and measured. A policy that is `retrained` picks its next batch
by that PRM, a stale one by the first. Who picks is the product's own rule.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any
from uuid import UUID

import msgspec

from benchmarks.lab import best_of_n
from benchmarks.lab.best_of_n import Say, best_at, make_base, scored, split, tree
from benchmarks.lab.sampling import Problem, SampledSolution, protocol, sample
from prm_training.prm import train as training
from prm_training.prm.evaluate import processbench_on_halves
from prm_training.prm.train import TrainConfig
from prm_training.selection.rules import Candidate, Rule, order, pick

WRONGLY = {1: -1, 0: -1, -1: 1}  # what a noisy annotator gives in place of the true rating


@dataclass(frozen=True)
class Settings(best_of_n.Settings):
    """`pooled` solutions of each problem can be labelled. `budgets` count step labels in all. The first error is looked
    for in `judged` solutions of each test problem.
    """

    samples: int = 64
    judged: int = 8
    pooled: int = 32
    budgets: tuple[int, ...] = (1000, 2000, 3000, 4500, 6500)


QUICK = Settings(60, 4, 60, 0, 1, 10, 16, 20, pooled=4, budgets=(100, 200, 300))


@dataclass(frozen=True)
class Policy:
    """How batches are picked; `noise` is the share of steps that are rated wrongly."""

    policy: str
    per_problem: int | None = None
    is_retrained: bool = True
    noise: float = 0.0


POLICIES = {
    "uniform": Policy("uniform"),
    "convincing, per problem": Policy("convincing", 1),
    "convincing, per problem, first selector": Policy("convincing", 1, is_retrained=False),
    "convincing, overall": Policy("convincing"),
    "uncertain, per problem": Policy("uncertainty", 1),
    "uniform, 10 % noise": Policy("uniform", noise=0.1),
    "convincing, per problem, 10 % noise": Policy("convincing", 1, noise=0.1),
    "uniform, 20 % noise": Policy("uniform", noise=0.2),
    "convincing, per problem, 20 % noise": Policy("convincing", 1, noise=0.2),
}


@dataclass(frozen=True)
class Pooled:
    """A solution that can be labelled, and the ratings that it would get."""

    number: int
    problem: Problem
    solution: SampledSolution
    ratings: tuple[int, ...]

    def candidate(self, score: float) -> Candidate:
        verdict = "right" if self.solution.is_right else "wrong"
        text_hash = f"{Random(self.number).getrandbits(64):016x}"  # a uniform draw takes them in its order
        problem = UUID(int=Random(self.problem.id).getrandbits(128))
        return Candidate(UUID(int=self.number), problem, verdict, score, text_hash=text_hash)


class Lab:
    """One seed: its base, its pool, its test problems."""

    def __init__(self, seed: int, settings: Settings, work: Path, say: Say) -> None:
        self.seed, self.settings, self.say = seed, settings, say
        self.test, self.train = split(seed, settings)
        self.base = make_base(seed, self.train, settings, work, say)
        self.sampled = [sample(problem, settings.samples, seed=1) for problem in self.test]
        self.pool = [sample(problem, settings.pooled, seed=4) for problem in self.train]

    def follow(self, policy: Policy) -> list[dict[str, Any]]:
        """What each budget gave."""
        drawn = [(problem, one) for problem, row in zip(self.train, self.pool, strict=True) for one in row]
        pool = [Pooled(number, *pair, rated(pair[1], policy.noise, number)) for number, pair in enumerate(drawn)]
        labelled: list[Pooled] = []
        found: list[dict[str, Any]] = []
        scores = [0.0] * len(pool)
        with TemporaryDirectory() as folder:
            for number, budget in enumerate(self.settings.budgets):
                rule = Policy("uniform") if number == 0 else policy
                labelled += self._batch(pool, scores, labelled, rule, budget)
                model = Path(folder) / str(number)
                trees = [tree(one.problem, one.solution, one.ratings) for one in labelled]
                config = TrainConfig(epochs=self.settings.epochs, seed=self.seed)
                report = training.train(trees, self.base, model, config)
                spent = {"labels": labels_of(labelled), "solutions": len(labelled)}
                found.append(spent | self._measured(report.model_dir))
                if policy.policy != "uniform" and (number == 0 or policy.is_retrained):
                    scores = [
                        each.score or 0.0 for row in scored(report.model_dir, self.train, self.pool) for each in row
                    ]
        return found

    def _batch(
        self, pool: Sequence[Pooled], scores: Sequence[float], labelled: Sequence[Pooled], policy: Policy, budget: int
    ) -> list[Pooled]:
        """The smallest batch that spends the budget, or all that is left."""
        known = {each.number for each in labelled}
        rule = Rule(policy.policy, 1, policy.per_problem, seed=self.seed)
        left = [one.candidate(score) for one, score in zip(pool, scores, strict=True) if one.number not in known]
        left.sort(key=order(rule))

        def batch(size: int) -> list[Pooled]:
            sized = Rule(rule.policy, size, rule.per_problem, seed=rule.seed)
            picks = pick(lambda verdicts: (each for each in left if each.verdict in verdicts), sized)
            return [pool[each.candidate.solution_id.int] for each in picks]

        missing = budget - labels_of(labelled)
        size = 1 + bisect_left(range(1, missing), missing, key=lambda size: labels_of(batch(size)))
        return batch(size)

    def _measured(self, model: Path) -> dict[str, Any]:
        """Best-of-N of each problem, and the F1 of the first error on a few solutions of each."""
        rows = scored(model, self.test, self.sampled)
        best = [
            best_at(row, [each.score or 0.0 for each in scores], self.settings)
            for row, scores in zip(self.sampled, rows, strict=True)
        ]
        probabilities, actual, groups = [], [], []
        for problem, row, scores in zip(self.test, self.sampled, rows, strict=True):
            for one, score in list(zip(row, scores, strict=True))[: self.settings.judged]:
                probabilities.append(score.probabilities)
                actual.append(one.ratings.index(-1) if -1 in one.ratings else -1)
                groups.append(problem.id)
        return {"best of N": best, "f1": processbench_on_halves(probabilities, actual, groups)["f1"]}


def measure(seed: int, settings: Settings, work: Path, say: Say) -> dict[str, Any]:
    """Each policy's figures at each budget. A policy that was measured is read from the work folder."""
    lab = None
    found = {}
    for name, policy in POLICIES.items():
        path = work / f"seed-{seed}-{name.replace(' ', '-')}.json"
        if best_of_n.kept(path, settings) is None:
            began = monotonic()
            lab = lab or Lab(seed, settings, work, say)
            say(f"seed {seed}: {name}")
            figures = {
                "settings": asdict(settings),
                "budgets": lab.follow(policy),
                "seconds": round(monotonic() - began),
            }
            path.write_bytes(msgspec.json.encode(figures))
        found[name] = best_of_n.kept(path, settings)
    return found


def rated(solution: SampledSolution, noise: float, number: int) -> tuple[int, ...]:
    """What an annotator gives, up to the first negative."""
    rng = Random(number)
    ratings = tuple(WRONGLY[rating] if rng.random() < noise else rating for rating in solution.ratings)
    return protocol(ratings)


def labels_of(labelled: Sequence[Pooled]) -> int:
    return sum(len(each.ratings) for each in labelled)
