"""Measures what the random arm shows about policies, the pool, the annotators and the models (pure).

Every metric comes with its counts and a 95 % interval, for which whole problems are resampled.
"""

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from labeling.rules import intervals

MOST_CLUSTERS = 1000  # more problems are put together by their hash: intervals stay right, memory bounded
FEWEST = 30  # labellings of each arm, below which nothing is said
HOUR = 3_600_000
Found = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Worked:
    """One labelling of a selected task. `samples`: how often its generator drew the solution; `ms`: active time."""

    round: UUID  # or whatever tells rounds apart
    policy: str
    is_random: bool
    problem: UUID
    generator: str
    samples: int
    annotator: str
    labels: int
    is_complete: bool  # rated up to the first error or the end
    has_error: bool
    ms: int | None


@dataclass(frozen=True, slots=True)
class JudgedStep:
    """A step that a person rated, and the prediction that the model behind its round had made."""

    model: str
    problem: UUID
    step: int
    log_right: float
    is_negative: bool


def of_policies(worked: Sequence[Worked]) -> list[Found]:
    """Compares each policy with the random arm of the same rounds: labels and errors found per hour of active time, and
    how many more than in the random arm.
    """
    timed = [each for each in worked if each.ms]
    both = _with_both_arms(timed)
    ordered = sorted((each for each in timed if each.round in both), key=attrgetter("policy"))
    return [_policy(policy, list(rows)) for policy, rows in groupby(ordered, key=attrgetter("policy"))]


def _with_both_arms(worked: Iterable[Worked]) -> set[UUID]:
    arms = {(each.round, each.is_random) for each in worked}
    return {round_ for round_, is_random in arms if (round_, not is_random) in arms}


def _policy(policy: str, rows: Sequence[Worked]) -> Found:
    cluster, drawn = _resampled([each.problem for each in rows])
    found, rates = {}, {}
    for name, is_random in (("picked", False), ("random", True)):
        is_of_arm = np.array([each.is_random == is_random for each in rows])
        hours = np.array([(each.ms or 0) / HOUR for each in rows]) * is_of_arm
        counts = {
            "labels": np.array([each.labels for each in rows]) * is_of_arm,
            "errors": np.array([each.has_error for each in rows]) * is_of_arm,
        }
        rates[name] = {what: _ratio(count, hours, cluster, drawn) for what, count in counts.items()}
        own = [each for each in rows if each.is_random == is_random]
        found[name] = _numbers(own) | {f"{what}_per_hour": _figure(rate) for what, rate in rates[name].items()}
    gains = {
        f"{what}_per_hour": _figure(rates["picked"][what] - rates["random"][what], low=-np.inf)
        for what in ("labels", "errors")
    }
    fewest = min(arm["labellings"] for arm in found.values())
    rounds = len({each.round for each in rows})
    return {"policy": policy, "rounds": rounds, **found, "more": gains, "is_enough": fewest >= FEWEST}


def of_generators(worked: Iterable[Worked]) -> list[Found]:
    """The share of uniformly drawn solutions in which people found an error, in all and by generator.

    A solution counts as often as it was drawn from its generator.
    """
    drawn = [each for each in worked if each.is_random and each.is_complete]
    parts: dict[str | None, list[Worked]] = {None: drawn, **_by(drawn, attrgetter("generator"))}
    return [
        {"generator": name, **_numbers(rows), "with_error": _share_with_error(rows)} for name, rows in parts.items()
    ]


def of_annotators(worked: Iterable[Worked]) -> list[Found]:
    """Each annotator's pace, and how often they find an error, on uniformly drawn solutions."""
    found = []
    for name, rows in _by([each for each in worked if each.is_random and each.ms], attrgetter("annotator")).items():
        cluster, drawn = _resampled([each.problem for each in rows])
        labels, hours = np.array([each.labels for each in rows]), np.array([(each.ms or 0) / HOUR for each in rows])
        pace = _figure(_ratio(labels, hours, cluster, drawn))
        complete = [each for each in rows if each.is_complete]
        found.append(
            {"annotator": name, **_numbers(rows), "labels_per_hour": pace, "with_error": _share_with_error(complete)}
        )
    return found


def of_models(judged: Sequence[JudgedStep]) -> list[Found]:
    """Returns each model's AUC for the steps that people called Bad, in rounds that it had selected and not yet been
    trained on; and, to compare, that of a step's place alone, early or late first, whichever is better.
    """
    found = []
    for name, rows in _by(judged, attrgetter("model")).items():
        cluster, drawn = _resampled([each.problem for each in rows])
        is_negative = np.array([each.is_negative for each in rows], bool)
        auc = intervals.auc(np.array([-each.log_right for each in rows]), is_negative, cluster, drawn)
        place = np.array([each.step for each in rows], float)
        alone = intervals.auc_either_way(place, is_negative, cluster, drawn)
        numbers = {
            "steps": len(rows),
            "negative": int(is_negative.sum()),
            "problems": len({row.problem for row in rows}),
        }
        found.append({"model": name, **numbers, "auc": _figure(auc, high=1.0), "place_alone": _figure(alone, high=1.0)})
    return found


def _numbers(rows: Sequence[Worked]) -> Found:
    return {
        "labellings": len(rows),
        "steps": sum(each.labels for each in rows),
        "problems": len({each.problem for each in rows}),
    }


def _share_with_error(rows: Sequence[Worked]) -> Found | None:
    cluster, drawn = _resampled([each.problem for each in rows])
    samples = np.array([each.samples for each in rows])
    wrong = samples * np.array([each.has_error for each in rows], bool)
    return _figure(_ratio(wrong, samples, cluster, drawn), high=1.0)


def _resampled(problems: Sequence[UUID]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Returns (rows,): the cluster of each row; and (1 + resamples, clusters): the weights of the clusters."""
    distinct = dict.fromkeys(problems)
    if len(distinct) <= MOST_CLUSTERS:
        number = {problem: place for place, problem in enumerate(distinct)}
    else:
        number = {problem: zlib.crc32(problem.bytes) % MOST_CLUSTERS for problem in distinct}
    clusters = min(len(distinct), MOST_CLUSTERS)
    return np.array([number[problem] for problem in problems], int), intervals.weights(clusters)


def _ratio(above: NDArray[Any], below: NDArray[Any], cluster: NDArray[Any], drawn: NDArray[Any]) -> NDArray[Any]:
    sums = drawn @ intervals.per_cluster(np.stack([above, below], 1).astype(float), cluster, drawn.shape[1])
    return intervals.ratio(sums[:, 0], sums[:, 1])


def _figure(values: NDArray[Any], *, low: float = 0.0, high: float = np.inf) -> Found | None:
    """The value and its interval, if it is known; None if there is no value."""
    if not len(values) or not np.isfinite(values[0]):
        return None
    ends = intervals.around(values, low=low, high=high)
    return {"value": float(values[0]), "interval": list(ends) if ends else None}


def _by(rows: Iterable[Any], key: Callable[[Any], str]) -> Mapping[Any, list[Any]]:
    return {name: list(same) for name, same in groupby(sorted(rows, key=key), key=key)}
