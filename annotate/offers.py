"""Offers an annotator texts for a step: alternatives, or critiques."""

from collections.abc import Sequence
from datetime import datetime

from labeling.completions import sets
from labeling.completions.sets import Offer, Place
from labeling.errors import DomainError
from labeling.models import Assignment, CompletionPurpose, PhaseKind


class NotAsked(DomainError, code="not_asked"):
    """The phase does not ask for such completions here."""


def offer(*, assignment: Assignment, path: Sequence[str], purpose: str, again: bool, now: datetime) -> Offer:
    """Offers texts as `sets.offer` does. In kind `solutions`, the path is the beginning of the solution.

    Raises NotAsked if the phase doesn't ask for this.
    """
    phase, solution = assignment.round.phase, assignment.task.solution
    is_trajectory = phase.kind == PhaseKind.ALTERNATIVES
    _check_asked(assignment, path, purpose, is_trajectory)
    place = Place(solution.problem, path, purpose, assignment.round_id)
    beside = "" if is_trajectory or purpose == CompletionPurpose.CRITIQUE else solution.steps[len(path)]
    first = solution if is_trajectory else None
    return sets.offer(place, phase=phase, first=first, leaving_out=beside, again=again, now=now)


def _check_asked(assignment: Assignment, path: Sequence[str], purpose: str, is_trajectory: bool) -> None:
    phase, steps = assignment.round.phase, assignment.task.solution.steps
    asked = phase.asks_critiques if purpose == CompletionPurpose.CRITIQUE else phase.asks_alternatives
    if is_trajectory:
        asked = purpose == CompletionPurpose.STEP
    if not asked:
        raise NotAsked("This phase does not ask for that.")
    if is_trajectory:
        return
    longest = len(steps) if purpose == CompletionPurpose.CRITIQUE else len(steps) - 1
    if len(path) > longest or list(path) != steps[: len(path)]:
        raise NotAsked("The path is not the beginning of this solution.")
