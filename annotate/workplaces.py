"""Finds where an annotator works: the phase, and which of its rounds are open."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from annotate import queries
from labeling.models import Assignment, AssignmentKind, Membership, Phase, Round, RoundStatus, User


@dataclass(frozen=True)
class Workplace:
    """A membership with its phase, the open round, and the open screening."""

    membership: Membership
    current: Round | None
    screening: Round | None

    @property
    def phase(self) -> Phase:
        return self.membership.phase


def of(*, phase_id: UUID, annotator: User) -> Workplace | None:
    """The annotator's workplace in the phase; None for people who aren't members."""
    found: Any = queries.MEMBERSHIP.first(phase_id=phase_id, annotator_id=annotator.pk)
    if found is None:
        return None
    found.user = annotator
    current, first = (getattr(found, name, None) for name in ("current", "first"))
    for each in filter(None, (current, first)):
        each.phase = found.phase
    return Workplace(found, current, first)


def after(assignment: Assignment, annotator: User) -> Workplace | None:
    """The same after submitting an assignment that was `held`; usually it was read together with that."""
    member: Any = getattr(assignment, "member", None)
    round_ = assignment.round
    # Read again where what came with the seat may be out of date: this submission may have settled the screening, and a
    # round that was closed may have a successor.
    if member is None or assignment.kind == AssignmentKind.SCREENING or round_.status != RoundStatus.OPEN:
        return of(phase_id=round_.phase_id, annotator=annotator)
    member.user, member.phase = annotator, round_.phase
    return Workplace(member, round_, getattr(assignment, "first", None))
