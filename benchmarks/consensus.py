"""`make bench-consensus`: how often each method finds the true first error, on simulated annotators, compared with
the former votes on single steps.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.targets import Target, tell
from labeling.rules import consensus
from labeling.rules.agreement import DOMAIN, RatedTask, rating_counts
from labeling.rules.consensus import Opinion
from labeling.rules.ratings import first_error

RESULT = Path(__file__).parent / "results" / "consensus.json"
TASKS, SEEDS = 200, 5
WITH_ERROR, UNSURE = 0.7, 0.03
# The chance of saying Bad: of a right step, of the first error, of a later step.
KINDS = {"careful": (0.02, 0.9, 0.5), "lenient": (0.01, 0.4, 0.2), "early stopper": (0.1, 0.9, 0.5)}
TEAMS = {
    "careful": ["careful"] * 6,
    "lenient": ["lenient"] * 6,
    "early stoppers": ["early stopper"] * 6,
    "two of each": [*KINDS] * 2,
    "four lenient, two careful": ["lenient"] * 4 + ["careful"] * 2,
}
OVERLAPS = (2, 3, 5)
FOUR_PATHS = ([1, -1], [1, 1, -1], [1, 1, 1, -1], [1, 1, 1, 1, 1])
Method = Callable[[Sequence[RatedTask]], dict[UUID, Opinion]]


@dataclass(frozen=True)
class World:
    """Solutions with the true index of their first error (-1: none), and people's labellings of them."""

    truth: dict[UUID, int]
    labellings: list[RatedTask]


def world(team: Sequence[str], overlap: int, seed: int) -> World:
    dice = Random(seed)
    people = [(new_id(dice), KINDS[kind]) for kind in team]
    truth, labellings = dict[UUID, int](), list[RatedTask]()
    for _ in range(TASKS):
        task, steps = new_id(dice), dice.randint(3, 12)
        truth[task] = dice.randrange(steps) if dice.random() < WITH_ERROR else -1
        for person, chances in dice.sample(people, overlap):
            labellings.append(RatedTask(task, person, list(walk(steps, truth[task], chances, dice))))
    return World(truth, labellings)


def new_id(dice: Random) -> UUID:
    return UUID(int=dice.getrandbits(128))


def walk(steps: int, true: int, chances: Sequence[float], dice: Random) -> Iterator[int | None]:
    for step in range(steps):
        if dice.random() < UNSURE:
            yield None
            continue
        kind = 0 if true < 0 or step < true else 1 if step == true else 2
        is_bad = dice.random() < chances[kind]
        yield -1 if is_bad else 1
        if is_bad:
            return


# The former methods: whoever has said Bad has no vote on later steps.


def steps_by_majority(rated: Sequence[RatedTask]) -> dict[UUID, Opinion]:
    return cut({step: np.array([votes[value] for value in DOMAIN]) for step, votes in rating_counts(rated).items()})


def steps_by_dawid_skene(rated: Sequence[RatedTask]) -> dict[UUID, Opinion]:
    """Returns the likeliest rating of each step on its own, by EM over each person's confusion matrix."""
    items = {step: number for number, step in enumerate(rating_counts(rated))}
    people = {person: number for number, person in enumerate({row.annotator: 0 for row in rated})}
    votes = [
        (items[row.task, step], people[row.annotator], DOMAIN.index(rating))
        for row in rated
        for step, rating in enumerate(row.ratings)
        if rating is not None
    ]
    item, person, value = np.array(votes).T
    posterior = np.zeros((len(items), len(DOMAIN)))
    np.add.at(posterior, (item, value), 1)
    posterior /= posterior.sum(1, keepdims=True)
    for _ in range(50):
        confusion = np.full((len(people), len(DOMAIN), len(DOMAIN)), 0.01)
        np.add.at(confusion, (person, value), posterior[item])
        confusion /= confusion.sum(1, keepdims=True)
        log = np.tile(np.log(posterior.mean(0) + 0.01 / len(items)), (len(items), 1))
        np.add.at(log, item, np.log(confusion[person, value]))
        posterior = np.exp(log - log.max(1, keepdims=True))
        posterior /= posterior.sum(1, keepdims=True)
    return cut(dict(zip(items, posterior, strict=True)))


def cut(shares: dict[tuple[UUID, int], Any]) -> dict[UUID, Opinion]:
    """Returns each step's likeliest rating, up to the first -1; None where two are equally likely."""
    found = defaultdict[UUID, Opinion](lambda: Opinion([], []))
    for (task, step), share in sorted(shares.items(), key=lambda item: item[0]):
        ratings, confidence = found[task]
        if -1 not in ratings:
            ratings += [None] * (step - len(ratings))
            is_level = np.sum(share == share.max()) > 1
            ratings.append(None if is_level else DOMAIN[int(share.argmax())])
            confidence.append(float(share.max() / share.sum()))
    return dict(found)


METHODS: dict[str, Method] = {
    "majority of each step": steps_by_majority,
    "majority": consensus.by_majority,
    "Dawid-Skene of each step": steps_by_dawid_skene,
    "Dawid-Skene": consensus.by_dawid_skene,
}


KEYS = ("found", "open", "elsewhere", "missed", "wrong as right", "said")


def judged(opinions: dict[UUID, Opinion], truth: dict[UUID, int]) -> dict[str, float]:
    """Counts the outcomes (found, missed, ...); `said` is the sum of the confidences."""
    found = dict.fromkeys(KEYS, 0.0)
    for task, (ratings, confidence) in opinions.items():
        true, error = truth[task], first_error(ratings)
        is_open = error < 0 and None in ratings
        found["open" if is_open else "found" if error == true else "missed" if error < 0 else "elsewhere"] += 1
        found["wrong as right"] += true >= 0 and any(rating in (0, 1) for rating in ratings[true:])
        found["said"] += 0 if is_open else confidence[-1]
    return found


def measure() -> Iterator[dict[str, Any]]:
    for team, kinds in TEAMS.items():
        for overlap in OVERLAPS:
            worlds = [world(kinds, overlap, seed) for seed in range(SEEDS)]
            for name, method in METHODS.items():
                found = [judged(method(each.labellings), each.truth) for each in worlds]
                shares = {key: round(sum(each[key] for each in found) / (TASKS * SEEDS), 3) for key in KEYS}
                yield {"team": team, "people a task": overlap, "method": name, **shares}


def four_paths() -> Iterator[dict[str, Any]]:
    task = UUID(int=0)
    rows = [RatedTask(task, UUID(int=number), ratings) for number, ratings in enumerate(FOUR_PATHS, start=1)]
    for name, method in METHODS.items():
        ratings, confidence = method(rows)[task]
        yield {"method": name, "ratings": ratings, "confidence": [round(each, 3) for each in confidence]}


def targets(rows: Iterable[dict[str, Any]]) -> Iterator[Target]:
    of = {(row["team"], row["people a task"], row["method"]): row for row in rows}
    for new, old in (("majority", "majority of each step"), ("Dawid-Skene", "Dawid-Skene of each step")):
        now, before = (of["two of each", 3, name]["wrong as right"] for name in (new, old))
        yield Target(f"{new}, solutions with a wrong step as right, times as many as before", now / before, most=0.75)
    of_three = (of[team, 3, "Dawid-Skene"] for team in TEAMS)
    off = max(abs(row["said"] - row["found"]) for row in of_three)
    yield Target("Dawid-Skene, what its confidences add up to against what is right, worst team", off, most=0.1)


def main() -> None:
    result = {"four paths": list(four_paths()), "teams": list(measure())}
    RESULT.write_text(json.dumps(result, indent=2) + "\n")
    console = Console(width=120)
    table = Table(*result["teams"][0], title=f"{TASKS} solutions, {len(TEAMS['careful'])} people, {SEEDS} seeds")
    for row in result["teams"]:
        table.add_row(*map(str, row.values()))
    console.print(table)
    for row in result["four paths"]:
        console.print(row["method"], row["ratings"], row["confidence"])
    sys.exit(tell(targets(result["teams"])))


if __name__ == "__main__":
    main()
