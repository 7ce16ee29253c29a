"""Acts on leases: claim the next task, keep it, give it back.

A lease needs no clean-up job: a seat whose lease ran out is claimable again, and stays its holder's until
somebody takes it over.
"""

from datetime import datetime, timedelta
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Exists, Max, OuterRef

from annotate.models import Draft
from labeling.errors import DomainError
from labeling.models import Assignment, Phase, PhaseStatus, Round, RoundStatus, User


class NotAMember(DomainError):
    code = "not_a_member"
    status = 403


class NothingToClaim(DomainError):
    """There is no task to hand out: `code` says which of the three reasons it is."""

    status = 409

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


class NoSuchAssignment(DomainError):
    code = "not_found"
    status = 404


class LeaseLost(DomainError):
    code = "lease_lost"
    status = 409


def claim_next(*, phase: Phase, annotator: User, now: datetime) -> Assignment:
    """The annotator's task in hand, with its lease renewed, or else the next one.

    Raises NotAMember, or NothingToClaim (phase_not_running, no_open_round, nothing_left).
    """
    if not annotator.memberships.filter(phase=phase).exists():
        raise NotAMember(f"You are not among the annotators of “{phase.name}”. Ask an admin to add you.")
    current = _open_round(phase)
    expires_at = now + timedelta(minutes=phase.lease_minutes)
    try:
        with transaction.atomic():
            taken = _in_hand(current, annotator) or _take_free_seat(current, annotator, now)
            Assignment.objects.filter(pk=taken.pk).update(lease_expires_at=expires_at)
    except IntegrityError:  # another tab of the same annotator was faster: its claim is the task in hand
        taken = Assignment.objects.open().get(round=current, annotator=annotator)
    taken.refresh_from_db()
    return taken


def _open_round(phase: Phase) -> Round:
    if phase.status != PhaseStatus.RUNNING:
        raise NothingToClaim(f"“{phase.name}” is {phase.status} at the moment.", "phase_not_running")
    current: Round | None = phase.rounds.filter(status=RoundStatus.OPEN, number__gte=0).first()
    if current is None:
        raise NothingToClaim(f"“{phase.name}” has no open round at the moment.", "no_open_round")
    return current


def _in_hand(current: Round, annotator: User) -> Assignment | None:
    own = Assignment.objects.open().filter(round=current, annotator=annotator)
    found: Assignment | None = own.select_for_update().first()
    return found


def _take_free_seat(current: Round, annotator: User, now: datetime) -> Assignment:
    """Locks the first claimable seat of a task the annotator has no part in; others' claims are skipped."""
    own_part = Assignment.objects.filter(task=OuterRef("task"), annotator=annotator)
    seats = Assignment.objects.claimable(now=now).filter(~Exists(own_part), round=current)
    seat: Assignment | None = seats.select_for_update(skip_locked=True).order_by("position").first()
    if seat is None:
        raise NothingToClaim("Every task of this round is labelled or in somebody's hands.", "nothing_left")
    seat.annotator = annotator
    seat.leased_at = now
    seat.save(update_fields=["annotator", "leased_at"])
    return seat


def held(*, assignment_id: UUID, annotator: User) -> Assignment:
    """The annotator's assignment, locked for the rest of the transaction.

    Raises LeaseLost when somebody else took it over, NoSuchAssignment when it never was the annotator's.
    """
    # Of the seat alone: locks on the round and the phase would make annotators wait for one another.
    locked = Assignment.objects.select_for_update(of=("self",)).select_related("round__phase", "task")
    assignment: Assignment | None = locked.filter(pk=assignment_id, annotator=annotator).first()
    if assignment is not None:
        return assignment
    if Draft.objects.filter(task__assignments=assignment_id, annotator=annotator).exists():
        raise LeaseLost("This task left your hands: its time ran out and somebody took it over, or you gave it back.")
    raise NoSuchAssignment("There is no such task in your hands.")


@transaction.atomic
def renew(*, assignment_id: UUID, annotator: User, now: datetime) -> Assignment:
    """Puts the lease's end off. A submitted assignment has none and stays as it is."""
    assignment = held(assignment_id=assignment_id, annotator=annotator)
    if assignment.submitted_at is None:
        assignment.lease_expires_at = now + timedelta(minutes=assignment.round.phase.lease_minutes)
        assignment.save(update_fields=["lease_expires_at"])
    return assignment


@transaction.atomic
def release(*, assignment_id: UUID, annotator: User) -> None:
    """Gives an unfinished task back, to the end of the queue; the draft is kept for when it comes round again."""
    assignment = held(assignment_id=assignment_id, annotator=annotator)
    if assignment.submitted_at is None:
        assignment.annotator = None
        assignment.leased_at = assignment.lease_expires_at = None
        last = Assignment.objects.open().filter(round=assignment.round_id).aggregate(last=Max("position"))["last"]
        assignment.position = last + 1
        assignment.save(update_fields=["annotator", "leased_at", "lease_expires_at", "position"])
