"""Experiment 2: how much the labels chosen by each selection policy are worth.

All policies begin with the same uniform batch. Each then spends the same budgets of step labels, batch by batch; after
each, a PRM is trained from the base on all its labels, and measured; it picks the next batch by the product's own rule.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

from benchmarks.lab import best_of_n
from benchmarks.lab.best_of_n import Contest, Labelled, best_at, make_base, scored, split, tree
from benchmarks.lab.large_prm import agreement, large_prm, rated_by
from benchmarks.lab.measured import Found, Work
from benchmarks.lab.world.sampling import MEDIUM, Generator, Problem, SampledSolution, protocol, sample
from prm_training.prm import train as training
from prm_training.prm.metrics.evaluate import processbench_on_halves
from prm_training.selection.rules import Candidate, Rule, pick_for

WRONGLY = {1: -1, 0: -1, -1: 1}  # what a noisy annotator gives in place of the true rating


@dataclass(frozen=True)
class Settings(best_of_n.Settings):
    """`pooled` solutions of each problem can be labelled; the `generator` wrote them. `budgets` count step labels in
    all. The first error is looked for in `judged` solutions of each test problem.
    """

    samples: int = 64
    judged: int = 8
    pooled: int = 16
    generator: Generator = MEDIUM
    budgets: tuple[int, ...] = (50, 100, 200, 400, 800)


QUICK = Settings(**asdict(best_of_n.QUICK), pooled=4, budgets=(100, 200, 300))


@dataclass(frozen=True)
class PickingPolicy:
    """A way to pick batches; `noise` is the share of steps rated wrongly. `rated_by_prm`: a large PRM rates in place of
    the exact judge.
    """

    policy: str
    per_problem: int | None = None
    noise: float = 0.0
    rated_by_prm: bool = False


TWO = {"uniform": PickingPolicy("uniform"), "convincing, per problem": PickingPolicy("whole_pool", 1)}
NOISY = {
    **TWO,
    "uniform, 10 % noise": PickingPolicy("uniform", noise=0.1),
    "convincing, per problem, 10 % noise": PickingPolicy("whole_pool", 1, noise=0.1),
    "uniform, 20 % noise": PickingPolicy("uniform", noise=0.2),
    "convincing, per problem, 20 % noise": PickingPolicy("whole_pool", 1, noise=0.2),
}
RATED_BY_PRM = {
    **TWO,
    "uniform, rated by a PRM": PickingPolicy("uniform", rated_by_prm=True),
    "convincing, per problem, rated by a PRM": PickingPolicy("whole_pool", 1, rated_by_prm=True),
}


@dataclass(frozen=True)
class Pooled:
    """A solution that can be labelled, with the ratings it would get."""

    number: int
    problem: Problem
    solution: SampledSolution
    ratings: tuple[int, ...]

    def candidate(self, score: float) -> Candidate:
        verdict = "right" if self.solution.is_right else "wrong"
        text_hash = f"{Random(self.number).getrandbits(64):016x}"  # a uniform draw takes them in its order
        problem = UUID(int=Random(self.problem.id).getrandbits(128))
        return Candidate(UUID(int=self.number), problem, verdict, score, text_hash=text_hash, problem_hash=problem.hex)


class Lab:
    """One seed's pool and test problems."""

    def __init__(self, seed: int, settings: Settings, work: Work) -> None:
        self.seed, self.settings = seed, settings
        self.test, self.train = split(seed, settings)
        self.base = make_base(settings, work)
        self.sampled = [sample(problem, settings.samples, seed=1) for problem in self.test]
        self.pool = [sample(problem, settings.pooled, 4, settings.generator) for problem in self.train]
        self.contest = Contest(seed, settings, work, self.base, self.test, self.sampled)

    @cached_property
    def exact(self) -> Labelled:
        """Returns the pool as the exact judge rates it."""
        return [(problem, one) for problem, row in zip(self.train, self.pool, strict=True) for one in row]

    @cached_property
    def rated_by_prm(self) -> Labelled:
        return rated_by(large_prm(self.contest, self.train), self.exact)

    def follow(self, policy: PickingPolicy) -> list[dict[str, Any]]:
        """Returns the policy's results, budget by budget."""
        drawn = self.rated_by_prm if policy.rated_by_prm else self.exact
        pool = [Pooled(number, *pair, rated(pair[1], policy.noise, number)) for number, pair in enumerate(drawn)]
        labelled: list[Pooled] = []
        found: list[dict[str, Any]] = []
        scores = [0.0] * len(pool)
        with TemporaryDirectory() as folder:
            for number, budget in enumerate(self.settings.budgets):
                rule = PickingPolicy("uniform") if number == 0 else policy
                labelled += self._batch(pool, scores, labelled, rule, budget)
                model = Path(folder) / str(number)
                trees = [tree(one.problem, one.solution, one.ratings) for one in labelled]
                report = training.train(trees, self.base, model, self.settings.training(self.seed))
                spent = {"labels": labels_of(labelled), "solutions": len(labelled)}
                found.append(spent | self._measured(report.model_dir))
                is_last = budget == self.settings.budgets[-1]
                if policy.policy != "uniform" and not is_last:
                    rows = scored(report.model_dir, self.train, self.pool)
                    scores = [each.score or 0.0 for row in rows for each in row]
        return found

    def _batch(
        self,
        pool: Sequence[Pooled],
        scores: Sequence[float],
        labelled: Sequence[Pooled],
        policy: PickingPolicy,
        budget: int,
    ) -> list[Pooled]:
        """Picks the smallest batch that spends the budget, or all that is left."""
        known = {each.number for each in labelled}
        rule = Rule(policy.policy, 1, policy.per_problem, seed=self.seed)
        left = [one.candidate(score) for one, score in zip(pool, scores, strict=True) if one.number not in known]
        missing = budget - labels_of(labelled)
        picks = pick_for(missing, left, rule, lambda each: len(pool[each.solution_id.int].ratings))
        return [pool[each.solution_id.int] for each in picks]

    def _measured(self, model: Path) -> dict[str, Any]:
        """Measures best-of-N over all samples of each problem, and the first-error F1 on a few solutions of each."""
        rows = scored(model, self.test, self.sampled)
        best = [
            best_at(row, [each.score or 0.0 for each in scores], self.settings)[-1]
            for row, scores in zip(self.sampled, rows, strict=True)
        ]
        probabilities, actual, groups = [], [], []
        for problem, row, scores in zip(self.test, self.sampled, rows, strict=True):
            for one, score in list(zip(row, scores, strict=True))[: self.settings.judged]:
                probabilities.append(score.probabilities)
                actual.append(one.ratings.index(-1) if -1 in one.ratings else -1)
                groups.append(problem.id)
        return {"best of N": best, "f1": processbench_on_halves(probabilities, actual, groups)["f1"]}


def measure(policies: Mapping[str, PickingPolicy], seed: int, settings: Settings, work: Work) -> Found:
    """Returns each policy's figures at each budget and, where a PRM rates, its agreement with the judge."""
    lab = cache(lambda: Lab(seed, settings, work))

    def follow(name: str) -> Found:
        work.say(f"seed {seed}: {name}")
        same = {"agreement": agreement(lab().exact, lab().rated_by_prm)} if policies[name].rated_by_prm else {}
        return same | {"budgets": lab().follow(policies[name])}

    return {
        name: work.once(f"seed-{seed}-{settings.generator.name}-{name}", settings, partial(follow, name))
        for name in policies
    }


def rated(solution: SampledSolution, noise: float, number: int) -> tuple[int, ...]:
    """Returns an annotator's ratings, up to the first negative."""
    rng = Random(number)
    ratings = tuple(WRONGLY[rating] if rng.random() < noise else rating for rating in solution.ratings)
    return protocol(ratings)


def labels_of(labelled: Sequence[Pooled]) -> int:
    return sum(len(each.ratings) for each in labelled)
