"""Compares an annotator's labels with the consensus, a ruling or gold, once a round is closed, if the phase shows
it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from labeling.campaign import consensus, screening
from labeling.models import Consensus, ConsensusMethod, Labelling, Phase, PhaseKind, RoundStatus, User
from labeling.rules.agreement import rating_counts

COMPARED = 100
SHOWN = 30
Authority = Literal["ruling", "consensus", "experts"]
Ratings = Sequence[int | None]


@dataclass(frozen=True)
class Difference:
    """Ratings per step, of the annotator and of the `source`; `step` is the first where they differ."""

    labelling: Labelling
    source: Authority
    given: Ratings
    expected: Ratings
    step: int


@dataclass(frozen=True)
class Differences:
    """Number of the last labellings that could be compared, number of those that differ, and the newest that do."""

    compared: int
    differing: int
    differences: Sequence[Difference]


def first_difference(*, given: Ratings, expected: Ratings) -> int | None:
    """The first step at which the ratings differ; None if there is none.

    A step that the others are divided about, or all unsure of, never differs.
    """
    for step, rating in enumerate(expected):
        if rating is not None and (step >= len(given) or given[step] != rating):
            return step
    return None


def own(*, phase: Phase, annotator: User) -> Differences:
    """Returns the annotator's differences; none in kind `alternatives`, where paths differ and nothing compares."""
    labellings = _last_labellings(phase, annotator)
    found = _expected(labellings, phase)
    pairs = [(row, screening.given_ratings(row), *found[row.task_id]) for row in labellings if row.task_id in found]
    differences = [
        Difference(row, source, given, expected, step)
        for row, given, source, expected in pairs
        if (step := first_difference(given=given, expected=expected)) is not None
    ]
    return Differences(len(pairs), len(differences), differences[:SHOWN])


def _last_labellings(phase: Phase, annotator: User) -> list[Labelling]:
    """The annotator's last labellings in closed rounds, of the tasks whose consensus or gold the phase shows."""
    if phase.kind != PhaseKind.SOLUTIONS or not (phase.shows_consensus or phase.shows_gold):
        return []
    closed = {"task__round__phase": phase, "task__round__status": RoundStatus.CLOSED, "task__round__number__gte": 0}
    rows = Labelling.objects.current().complete().filter(annotator=annotator, **closed)
    if not phase.shows_consensus:
        rows = rows.filter(task__is_gold=True)
    rows = rows.select_related("task__round__phase", "task__solution__problem").prefetch_related("completions")
    return list(rows.order_by("-submitted_at", "pk")[:COMPARED])


def _expected(labellings: Sequence[Labelling], phase: Phase) -> dict[UUID, tuple[Authority, Ratings]]:
    """The ratings to compare with, by task: the experts' on hidden gold, if shown; else the ruling, or the majority of
    two people or more.
    """
    gold = [row for row in labellings if row.task.is_gold and row.task.round.phase.shows_gold]
    found: dict[UUID, tuple[Authority, Ratings]] = {
        row.task_id: ("experts", experts.ratings) for row, _, experts in screening.beside_gold(gold) if experts.gold_set
    }
    # Unless the experts' labels are shown, gold is compared like any other task: otherwise people could tell it.
    tasks = {row.task_id for row in labellings} - found.keys()
    everybodys: Any = Labelling.objects.current().complete().filter(task__in=tasks, annotator__isnull=False)
    rated = consensus.rated_by(everybodys)
    votes, agreed = rating_counts(rated), consensus.together(rated, ConsensusMethod.MAJORITY, phase=phase)
    for task, (ratings, _) in agreed.items():
        shared = [_shared(rating, votes.get((task, step), Counter())) for step, rating in enumerate(ratings)]
        found[task] = ("consensus", shared)
    rulings = Consensus.objects.filter(task__in=tasks, method=ConsensusMethod.ADJUDICATED)
    return found | {task: ("ruling", ratings) for task, ratings in rulings.values_list("task", "ratings")}


def _shared(rating: int | None, votes: Counter[int]) -> int | None:
    """Returns the agreed rating; None, which nothing differs from, if it is Great or Okay without a majority."""
    return rating if rating in (None, -1) or 2 * votes[rating] > votes.total() else None
