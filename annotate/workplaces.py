"""Finds where an annotator works: the phase, and which of its rounds are open."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from annotate import queries
from labeling.models import AssignmentKind, Membership, Phase, Round, RoundStatus, User


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
    found = queries.MEMBERSHIP.first(phase=phase_id, annotator=annotator.pk)
    if found is None:
        return None
    member, phase, current, screening = found
    member.user, member.phase = annotator, phase
    for each in filter(None, (current, screening)):
        each.phase = phase
    return Workplace(member, current, screening)


def after(assignment: Any, annotator: User) -> Workplace | None:
    """Returns the annotator's workplace after a submission, usually from what `allocation.held` read with the seat."""
    member, round_ = assignment.member, assignment.round
    # Read again where what came with the seat may be out of date: this submission may have settled the screening, and a
    # round that was closed may have a successor.
    if member is None or assignment.kind == AssignmentKind.SCREENING or round_.status != RoundStatus.OPEN:
        return of(phase_id=round_.phase_id, annotator=annotator)
    member.user, member.phase = annotator, round_.phase
    return Workplace(member, round_, assignment.screening)
