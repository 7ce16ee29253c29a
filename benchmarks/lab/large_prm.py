"""Experiment 3: a large PRM rates the steps in place of the exact judge (Lightman et al. 2023, section 4, appendix H).

“Large” is the training data of experiment 1's PRM: exact labels of 3,000 solutions. It rates other samples of the same
problems.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import log
from pathlib import Path
from statistics import fmean

from benchmarks.lab.best_of_n import PRM, Contest, Labelled, Settings, labelled, make_base, scored, split, supervisions
from benchmarks.lab.measured import Found, Work
from benchmarks.lab.world.sampling import Problem, protocol, sample
from prm_training.prm.metrics.evaluate import LogProbabilities

NEGATIVE_ABOVE = log(0.2)  # P(negative), as in the paper
OTHERS = 5  # the seed of the solutions that small models learn from


def measure(seed: int, settings: Settings, work: Work) -> Found:
    """Returns `best_of_n.measure` of models trained on the large PRM's ratings, and its agreement with the judge."""
    return work.once(f"rated-by-a-prm-seed-{seed}", settings, lambda: _measured(seed, settings, work))


def _measured(seed: int, settings: Settings, work: Work) -> Found:
    test, train = split(seed, settings)
    base = make_base(settings, work)
    contest = Contest(seed, settings, work, base, test, [sample(each, settings.samples, seed=1) for each in test])
    exact = labelled(train, settings, OTHERS)
    rated = rated_by(large_prm(contest, train), exact)
    small = replace(contest, work=replace(work, models=work.models / "rated-by-a-prm"))  # the other ones keep theirs
    return {"world": contest.world() | agreement(exact, rated), **small.held(supervisions(rated))}


def large_prm(contest: Contest, train: Sequence[Problem]) -> Path:
    return contest.trained(PRM, supervisions(labelled(train, contest.settings))[PRM]).model_dir


def rated_by(model: Path, chosen: Labelled) -> Labelled:
    """Returns the same solutions with the model's ratings."""
    scores = scored(model, [problem for problem, _ in chosen], [[one] for _, one in chosen])
    return [
        (problem, replace(one, ratings=tuple(map(rating, score.log_probabilities))))
        for (problem, one), (score,) in zip(chosen, scores, strict=True)
    ]


def rating(step: LogProbabilities) -> int:
    """Returns negative if its probability exceeds the threshold, else the likelier of the other two."""
    negative, neutral, positive = step
    return -1 if negative > NEGATIVE_ABOVE else int(positive >= neutral)


def agreement(exact: Labelled, rated: Labelled) -> dict[str, float]:
    """Returns the shares of steps up to the first mistake, and of whole solutions, on which both judges agree."""
    pairs = [(one.ratings, other.ratings) for (_, one), (_, other) in zip(exact, rated, strict=True)]
    steps = [ours == theirs for one, other in pairs for ours, theirs in zip(protocol(one), other, strict=False)]
    return {
        "same rating": fmean(steps),
        "same first mistake": fmean(_first_mistake(one) == _first_mistake(other) for one, other in pairs),
        "both a mistake or none": fmean((-1 in one) == (-1 in other) for one, other in pairs),
    }


def _first_mistake(ratings: tuple[int, ...]) -> int | None:
    return ratings.index(-1) if -1 in ratings else None
