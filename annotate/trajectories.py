"""What an annotator may be offered on the way: alternatives for a step, critiques of one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from labeling import completions
from labeling.answers import extract_answer
from labeling.errors import DomainError
from labeling.models import Assignment, CompletionPurpose, PhaseKind


class NotAsked(DomainError):
    code = "not_asked"


@dataclass(frozen=True)
class Offered:
    text: str
    states_answer: bool


@dataclass(frozen=True)
class OfferedHere:
    status: str
    completions: list[Offered]
    detail: str


def offer(*, assignment: Assignment, path: Sequence[str], purpose: str, again: bool, now: datetime) -> OfferedHere:
    """See `labeling.completions.offer`. In kind `solutions`, the path is the solution's own beginning.

    Raises NotAsked where the phase does not ask for this.
    """
    phase, solution = assignment.round.phase, assignment.task.solution
    is_trajectory = phase.kind == PhaseKind.ALTERNATIVES
    _check_asked(assignment, path, purpose, is_trajectory)
    place = completions.Place(solution.problem, path, purpose)
    beside = "" if is_trajectory or purpose == CompletionPurpose.CRITIQUE else solution.steps[len(path)]
    found = completions.offer(
        place, phase=phase, first=solution if is_trajectory else None, leaving_out=beside, again=again, now=now
    )
    texts = [Offered(text, bool(extract_answer(text))) for text in found.texts]
    return OfferedHere(found.status, texts, found.detail)


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
