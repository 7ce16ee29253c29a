"""Experiment 1: best-of-N by a PRM, by outcome reward models (ORMs) and by votes, on unseen problems.

One seed is one world and one training of each model, from a base that all seeds share. A finished seed is not measured
again, and an interrupted training resumes.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import exp
from pathlib import Path
from random import Random
from statistics import fmean

from benchmarks.lab.measured import Found, Work
from benchmarks.lab.world.sampling import Problem, SampledSolution, make_problems, protocol, sample
from prm_training.prm import loading, pretrain
from prm_training.prm import train as training
from prm_training.prm.metrics.evaluate import ScoredSample, auc, best_of, majority, mean, oracle
from prm_training.prm.pretrain import PretrainConfig
from prm_training.prm.score import AGGREGATES, SolutionScore, score_solutions
from prm_training.prm.train import TrainConfig
from prm_training.prm.trees.data import Completion, LabelledTree, OutcomeLabel, Solution, Step

Labelled = Sequence[tuple[Problem, SampledSolution]]
Curves = list[list[float]]  # of each problem, the chance of a right answer at each N
PRM, FEWER = "PRM", "PRM on as many labels"


@dataclass(frozen=True)
class Settings:
    """`labelled`: the solutions that a model learns from; `draws`: the draws of a vote, at each N. The base reads one
    solution of each of `base_problems`. The learning rate that `TrainConfig` gives small models is for bases that
    have read little: with it, models from this base forget how to calculate.
    """

    train_problems: int = 900
    base_problems: int = 16_000
    base_steps: int = 16_000
    labelled: int = 3000
    epochs: int = 4
    learning_rate: float = 3e-4
    test_problems: int = 200
    samples: int = 128
    draws: int = 100

    def training(self, seed: int) -> TrainConfig:
        return TrainConfig(epochs=self.epochs, learning_rate=self.learning_rate, seed=seed)

    @property
    def numbers(self) -> list[int]:
        """The N of best-of-N: powers of two, up to all samples."""
        return [2**power for power in range(self.samples.bit_length())]


QUICK = Settings(60, 240, 60, 150, 1, test_problems=10, samples=16, draws=20)
SEEDS = 5
BASE_WORLD = 0  # the seed of no measurement


def measure(seed: int, settings: Settings, work: Work) -> Found:
    """Returns each method's `curves`, problem by problem, with figures of the world and of each model's scores."""
    return work.once(f"best-of-n-of-{settings.labelled}-seed-{seed}", settings, lambda: _measured(seed, settings, work))


def _measured(seed: int, settings: Settings, work: Work) -> Found:
    test, train = split(seed, settings)
    base = make_base(settings, work)
    contest = Contest(seed, settings, work, base, test, [sample(each, settings.samples, seed=1) for each in test])
    return {"world": contest.world(), **contest.held(supervisions(labelled(train, settings)))}


@dataclass(frozen=True)
class Contest:
    """One seed's base, and the samples of each test problem that all methods choose from."""

    seed: int
    settings: Settings
    work: Work
    base: Path
    test: Sequence[Problem]
    sampled: Sequence[Sequence[SampledSolution]]

    def held(self, supervised: Mapping[str, Sequence[LabelledTree]]) -> Found:
        """Returns the curves of the votes and of a model trained on each dataset, with figures of its scores."""
        curves, figures = _votes(self.sampled, self.settings), {}
        for name, trees in supervised.items():
            report = self.trained(name, trees)
            scores = scored(report.model_dir, self.test, self.sampled)
            for strategy, score in _strategies(name).items():
                title = ", ".join(filter(None, (name, strategy)))
                rows = [[score(each) for each in row] for row in scores]
                curves[title] = [best_at(*pair, self.settings) for pair in zip(self.sampled, rows, strict=True)]
                figures[title] = _figures(self.sampled, rows) | {"labels": report.train.labels}
                if name == PRM and strategy == PRODUCT:
                    curves["vote weighted by the PRM"] = [
                        _weighted(*pair, self.settings) for pair in zip(self.sampled, rows, strict=True)
                    ]
        return {"models": figures, "curves": curves}

    def trained(self, name: str, trees: Sequence[LabelledTree]) -> training.TrainReport:
        """Trains a model, resuming an interrupted training; a finished one is not repeated."""
        self.work.say(f"seed {self.seed}: {name}, from {len(trees)} solutions")
        folder = self.work.models / f"seed-{self.seed}-{name.replace(' ', '-')}-{len(trees)}"
        return training.train(trees, self.base, folder, self.settings.training(self.seed))

    def world(self) -> dict[str, float]:
        """Returns how often, and in which ways, samples are right or wrong."""
        each = [one for row in self.sampled for one in row]
        texts = [{one.steps for one in row if one.is_right} for row in self.sampled]
        return {
            "right answers": fmean(one.is_right for one in each),
            "in the trap": fmean(one.fell for one in each),
            "slips alone": fmean(-1 in one.ratings and not one.fell for one in each),
            "right answers with a mistake": fmean(one.is_right and -1 in one.ratings for one in each),
            "different right texts of a problem": fmean(map(len, texts)),
        }


def split(seed: int, settings: Settings) -> tuple[list[Problem], list[Problem]]:
    """Returns disjoint test and training problems."""
    problems = make_problems(seed, settings.test_problems + settings.train_problems)
    test, rest = problems[: settings.test_problems], problems[settings.test_problems :]
    statements = {problem.statement for problem in test}
    return test, [problem for problem in rest if problem.statement not in statements]


def labelled(train: Sequence[Problem], settings: Settings, seed: int = 2) -> Labelled:
    """Draws solutions uniformly, equally many of each problem, none that the base has read."""
    each = -(-settings.labelled // len(train))
    drawn = [sample(problem, each, seed) for problem in train]
    return list(
        islice(
            ((problem, row[k]) for k in range(each) for problem, row in zip(train, drawn, strict=True)),
            settings.labelled,
        )
    )


def supervisions(chosen: Labelled) -> dict[str, list[LabelledTree]]:
    """Returns each model's training data. With as many solutions: step labels, final answers, a judge's verdict on the
    whole solution. With as many labels as the ORMs have: the step labels of fewer solutions.
    """
    steps = [tree(problem, solution, protocol(solution.ratings)) for problem, solution in chosen]
    labels, fewer = 0, []
    for each in steps:
        if labels < len(chosen):
            fewer.append(each)
            labels += len(each.steps)
    return {
        PRM: steps,
        "ORM by final answer": _outcomes(chosen, lambda solution: solution.is_right),
        "ORM by judge": _outcomes(chosen, lambda solution: -1 not in solution.ratings),
        FEWER: fewer,
    }


def tree(problem: Problem, solution: SampledSolution, ratings: Sequence[int]) -> LabelledTree:
    """Returns the solution's labelling, as far as it was rated."""
    rated = zip(solution.steps, ratings, strict=False)
    steps = tuple(Step((Completion(text, rating),), 0) for text, rating in rated)  # type: ignore[arg-type]
    return LabelledTree(problem.id, problem.id, "train", problem.statement, steps)


def _outcomes(chosen: Labelled, is_right: Callable[[SampledSolution], bool]) -> list[LabelledTree]:
    return [
        OutcomeLabel(f"{problem.id}/{at}", problem.statement, solution.steps, correct=is_right(solution)).tree("train")
        for at, (problem, solution) in enumerate(chosen)
    ]


def base_folder(settings: Settings, work: Work) -> Path:
    return work.models / f"base-{settings.base_problems}-{settings.base_steps}"


def make_base(settings: Settings, work: Work) -> Path:
    """Makes a small model from solutions of the same families' problems, none of which any seed tests on."""
    folder = base_folder(settings, work)
    if not folder.exists():
        tested = {problem.statement for seed in range(1, SEEDS + 1) for problem in split(seed, settings)[0]}
        problems = make_problems(BASE_WORLD, settings.base_problems)
        texts = [
            (each.statement, one.steps)
            for each in problems
            if each.statement not in tested
            for one in sample(each, 1, seed=3)
        ]
        work.say(f"a base, from {len(texts)} unlabelled solutions")
        pretrain.make_base(texts, folder, PretrainConfig(steps=settings.base_steps))
    return folder


def scored(
    model: Path, problems: Sequence[Problem], sampled: Sequence[Sequence[SampledSolution]]
) -> list[list[SolutionScore]]:
    scores = score_solutions(loading.load_reward_model(model), asked(problems, sampled))
    return [list(islice(scores, len(row))) for row in sampled]


def asked(problems: Sequence[Problem], sampled: Sequence[Sequence[SampledSolution]]) -> list[Solution]:
    """Returns the solutions, problem by problem, as a scorer takes them."""
    return [
        Solution(f"{problem.id}/{number}", problem.statement, one.steps)
        for problem, row in zip(problems, sampled, strict=True)
        for number, one in enumerate(row)
    ]


def last_step(score: SolutionScore) -> float:
    return score.steps[-1]


def _by(aggregate: str, *, neutral_is_positive: bool) -> Callable[[SolutionScore], float]:
    """Returns a score: the steps' product or minimum of P(right), which may include P(neutral), as a logarithm."""

    def score(each: SolutionScore) -> float:
        steps = each.steps if neutral_is_positive else [row[2] for row in each.log_probabilities]
        return AGGREGATES[aggregate](steps)

    return score


PRODUCT = "product"
STRATEGIES = {
    PRODUCT: _by("product", neutral_is_positive=True),
    "minimum": _by("minimum", neutral_is_positive=True),
    "product, neutral down": _by("product", neutral_is_positive=False),
    "minimum, neutral down": _by("minimum", neutral_is_positive=False),
}


def _strategies(name: str) -> Mapping[str, Callable[[SolutionScore], float]]:
    """Returns the model's ways of scoring a solution; an ORM has one, its score at the last step."""
    if name == PRM:
        return STRATEGIES
    return {"": STRATEGIES[PRODUCT] if name == FEWER else last_step}


def _samples(row: Sequence[SampledSolution], scores: Iterable[float]) -> list[ScoredSample]:
    return [ScoredSample(score, one.answer, one.is_right) for one, score in zip(row, scores, strict=True)]


def best_at(row: Sequence[SampledSolution], scores: Sequence[float], settings: Settings) -> list[float]:
    samples = _samples(row, scores)
    return [best_of(samples, n) for n in settings.numbers]


def _weighted(row: Sequence[SampledSolution], scores: Sequence[float], settings: Settings) -> list[float]:
    """Returns the share won by a vote weighted by scores, at each N."""
    rng, samples = Random(0), _samples(row, map(exp, scores))
    return [fmean(_elected(rng.sample(samples, n)) for _ in range(settings.draws)) for n in settings.numbers]


def _elected(drawn: Sequence[ScoredSample]) -> bool:
    votes: defaultdict[str | bool, float] = defaultdict(float)
    for each in drawn:
        votes[each.vote] += each.score if each.vote else 0.0
    return max(votes, key=lambda answer: votes[answer]) is True


def _votes(sampled: Sequence[Sequence[SampledSolution]], settings: Settings) -> dict[str, Curves]:
    """Returns the curves of the methods that need no model."""
    rows, rng = [_samples(row, [0.0] * len(row)) for row in sampled], Random(0)
    return {
        "majority vote": [[majority(row, n, rng, settings.draws) for n in settings.numbers] for row in rows],
        "oracle": [[oracle(row, n) for n in settings.numbers] for row in rows],
    }


def _figures(
    sampled: Sequence[Sequence[SampledSolution]], scores: Sequence[Sequence[float]]
) -> dict[str, float | None]:
    """Returns how often a right solution outscores a wrong one of its problem, and in which ways picks are wrong."""
    within = [auc(row_scores, [one.is_right for one in row]) for row, row_scores in zip(sampled, scores, strict=True)]
    picks = [
        max(zip(row_scores, row, strict=True), key=lambda pair: pair[0])[1]
        for row, row_scores in zip(sampled, scores, strict=True)
    ]
    return {
        "right above wrong": mean([each for each in within if each is not None]),
        "picked in the trap": fmean(one.fell and not one.is_right for one in picks),
        "picked a slip": fmean(not one.fell and not one.is_right for one in picks),
    }
