"""Picks, by a policy, among labels that exist already (pure)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from prm_training.prm.trees.data import LabelledTree, Solution
from prm_training.selection.rules import Candidate, Rule, pick_for


@dataclass(frozen=True)
class Pickable:
    """A labelling that a policy may pick, and the solution as the policy sees it."""

    tree: LabelledTree
    candidate: Candidate
    solution: Solution
    labels: int


def next_batch(
    pool: Sequence[Pickable], picked: Sequence[Pickable], scores: Mapping[UUID, float], rule: Rule, budget: int
) -> list[Pickable]:
    """The next batch, which brings the step labels up to the budget. `scores` are logarithms, of the solutions that may
    be picked.
    """
    known = {each.candidate.solution_id for each in picked}
    left = {pk: each for each in pool if (pk := each.candidate.solution_id) in scores and pk not in known}
    candidates = [replace(each.candidate, log_score=scores[pk]) for pk, each in left.items()]
    missing = budget - sum(each.labels for each in picked)
    chosen = pick_for(missing, candidates, rule, lambda each: left[each.solution_id].labels)
    return [left[each.solution_id] for each in chosen]
