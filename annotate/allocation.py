"""Acts on leases: claim the next task, keep it, give it back.

A lease needs no clean-up job: a seat whose lease ran out is claimable again, and stays its holder's until
somebody takes it over.
"""

from contextlib import suppress
from datetime import datetime, timedelta
from math import ceil
from random import SystemRandom
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, Max, OuterRef, QuerySet, Subquery

from annotate.models import Draft
from labeling import consensus, quality, screening
from labeling.errors import DomainError
from labeling.models import Assignment, Membership, Phase, PhaseStatus, Round, RoundStatus, User

OTHER_TABS = 2
HOUR = timedelta(hours=1)
DICE = SystemRandom()  # whose throws nobody can foresee


class NotAMember(DomainError):
    code = "not_a_member"
    status = 403


class NothingToClaim(DomainError):
    """There is no task to hand out: `code` says which reason it is."""

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


class TooManyReleases(DomainError):
    code = "throttled"
    status = 429

    def __init__(self, wait: timedelta) -> None:
        tasks, minutes = settings.RELEASES_PER_HOUR, ceil(wait.total_seconds() / 60)
        super().__init__(
            f"You gave {tasks} {'task' if tasks == 1 else 'tasks'} back within an hour. Label this one, or try again "
            f"in {minutes} {'minute' if minutes == 1 else 'minutes'}."
        )


class RoundClosed(DomainError):
    code = "round_closed"
    status = 409


def claim_next(*, phase: Phase, annotator: User, now: datetime, ahead: bool = False) -> Assignment:
    """The annotator's task in hand, with its lease renewed, or else the next one; screening comes first.

    With `ahead`, the one after that, so that it is there when the first is submitted; without one in hand,
    there is nothing ahead, and that one is claimed.
    Raises NotAMember, or NothingToClaim (phase_not_running, no_open_round, nothing_left, screening_failed, paused).
    """
    membership = annotator.memberships.filter(phase=phase).first()
    if membership is None:
        raise NotAMember(f"You are not among the annotators of “{phase.name}”. Ask an admin to add you.")
    current = _open_round(phase, membership, now)
    taken: Assignment = Assignment.objects.whole().get(pk=_take_at_last(current, annotator, now, ahead=ahead))
    return taken


def _take_at_last(current: Round, annotator: User, now: datetime, *, ahead: bool) -> UUID:
    """Another tab of the same annotator may be faster, with the task in hand and then with the one ahead."""
    for _ in range(OTHER_TABS):
        with suppress(IntegrityError):
            return _take(current, annotator, now, ahead=ahead)
    return _take(current, annotator, now, ahead=ahead)


@transaction.atomic
def _take(current: Round, annotator: User, now: datetime, *, ahead: bool) -> UUID:
    mine = Assignment.objects.open().filter(round=current, annotator=annotator)
    own = list(mine.order_by("is_ahead").select_for_update())  # in one order, or two tabs lock each other out; by index
    in_hand = next((seat for seat in own if not seat.is_ahead), None)
    fetched = next((seat for seat in own if seat.is_ahead), None)
    is_ahead = ahead and in_hand is not None
    kept = fetched if is_ahead else in_hand or fetched
    seat: Assignment = kept or _free_seat(current, annotator, now)
    seat.is_ahead = is_ahead
    seat.lease_expires_at = _lease_end(seat, current.phase, now)
    seat.save()
    return seat.pk


def _lease_end(seat: Assignment, phase: Phase, now: datetime) -> datetime:
    """Renewals end at the time limit, if the phase has one; who is late keeps the task until somebody claims it."""
    end = now + timedelta(minutes=phase.lease_minutes)
    if phase.time_limit_minutes is None or seat.leased_at is None:
        return end
    return min(end, seat.leased_at + timedelta(minutes=phase.time_limit_minutes))


def _open_round(phase: Phase, membership: Membership, now: datetime) -> Round:
    if phase.status != PhaseStatus.RUNNING:
        raise NothingToClaim(f"“{phase.name}” is {phase.status} at the moment.", "phase_not_running")
    first = screening.round_of(phase)
    state = screening.state(phase=phase, membership=membership, has_round=first is not None)
    if state == "failed":
        raise NothingToClaim(f"The screening for “{phase.name}” was not passed.", "screening_failed")
    if state == "pending" and first is not None:
        if membership.screened_at is not None:
            screening.start_again(membership=membership, screening=first, now=now)
        return first
    if membership.paused_at or quality.pause_if_poor(membership=membership, phase=phase, now=now):
        raise NothingToClaim(f"Your work in “{phase.name}” is paused. Talk to an admin.", "paused")
    current: Round | None = phase.rounds.filter(status=RoundStatus.OPEN, number__gte=0).first()
    if current is None:
        raise NothingToClaim(f"“{phase.name}” has no open round at the moment.", "no_open_round")
    return current


def _free_seat(current: Round, annotator: User, now: datetime) -> Assignment:
    """Locks the first claimable seat of a task the annotator has no part in; others' claims are skipped."""
    if current.number == screening.SCREENING:
        return _screening_seat(current, annotator, now)
    own_part = Assignment.objects.filter(task=OuterRef("task"), annotator=annotator)
    seats = Assignment.objects.claimable(now=now).filter(~Exists(own_part), round=current)
    found = _as_last_shown(seats, annotator) if current.phase.gold_rate else seats
    locked = found.select_for_update(skip_locked=True, of=("self",))  # locks on tasks would make people wait
    seat: Any = locked.order_by("position").first()
    if seat is None and current.phase.overlap_cap and consensus.ask_again(round_=current):
        seat = locked.order_by("position").first()
    if seat is None:
        raise NothingToClaim("Every task of this round is labelled or in somebody's hands.", "nothing_left")
    seat.round = current  # which is read already
    seat.shown_id = _shown(seat, annotator, now) if current.phase.gold_rate else None
    seat.annotator = annotator
    seat.leased_at = now
    taken: Assignment = seat
    return taken


def _as_last_shown(seats: QuerySet[Assignment], annotator: User) -> QuerySet[Assignment]:
    """Adds what the annotator was shown when they had the task before, and what comes after it."""
    draft = Draft.objects.filter(task=OuterRef("task"), annotator=annotator)
    others = seats.filter(position__gte=OuterRef("position")).exclude(task=OuterRef("task"))
    after = others.order_by("position").values("pk")[:1]  # in the index's order, or it would look through other rounds
    return seats.annotate(has_draft=Exists(draft), was_shown=Subquery(draft.values("shown")), after=Subquery(after))


def _shown(seat: Any, annotator: User, now: datetime) -> UUID:
    """The task itself or, by a throw of dice, gold in its place. A task that they had before looks as it did.

    Nothing here may take longer, or other statements, for gold. Nor is gold shown in the place of the last task: who
    was told that nothing comes after it, and then got that task, would know what it was.
    """
    unseen = _unseen_gold(seat.round, annotator)
    shown: UUID
    if seat.has_draft:
        shown = seat.was_shown or seat.task_id
        return shown
    is_gold = unseen and seat.after is not None and DICE.random() < seat.round.phase.gold_rate
    shown = DICE.choice(unseen) if is_gold else seat.task_id
    Draft.objects.create(task_id=seat.task_id, annotator=annotator, shown_id=shown, saved_at=now)
    return shown


def _unseen_gold(current: Round, annotator: User) -> list[UUID]:
    """Gold whose solution is new to the annotator, and which they were never shown."""
    drawn = Draft.objects.filter(annotator=annotator, shown__solution=OuterRef("solution"))
    hidden = current.tasks.new_to(annotator).filter(~Exists(drawn), is_gold=True, withdrawn_at=None)
    return list(hidden.values_list("pk", flat=True))


def _screening_seat(current: Round, annotator: User, now: datetime) -> Assignment:
    """Every annotator labels every screening task: the seat is made for them."""
    own_part = Assignment.objects.filter(task=OuterRef("pk"), annotator=annotator)
    task = current.tasks.filter(~Exists(own_part)).order_by("pk").first()
    if task is None:
        raise NothingToClaim("You have labelled every screening task.", "nothing_left")
    return Assignment(task=task, round=current, position=0, annotator=annotator, leased_at=now)


def held(*, assignment_id: UUID, annotator: User) -> Assignment:
    """The annotator's assignment, locked for the rest of the transaction.

    Raises LeaseLost when somebody else took it over, NoSuchAssignment when it never was the annotator's.
    """
    # Of the seat alone: locks on the round and the phase would make annotators wait for one another.
    locked = Assignment.objects.whole().select_for_update(of=("self",))
    assignment: Assignment | None = locked.filter(pk=assignment_id, annotator=annotator).first()
    if assignment is not None:
        return assignment
    if Draft.objects.filter(task__assignments=assignment_id, annotator=annotator).exists():
        raise LeaseLost("This task left your hands: its time ran out and somebody took it over, or you gave it back.")
    raise NoSuchAssignment("There is no such task in your hands.")


def must_be_open(assignment: Assignment) -> None:
    """Raises RoundClosed."""
    if assignment.round.status != RoundStatus.OPEN:
        raise RoundClosed("This round was closed while you were labelling. Your draft is kept.")


@transaction.atomic
def renew(*, assignment_id: UUID, annotator: User, now: datetime) -> Assignment:
    """Puts the lease's end off, also that of the task fetched ahead. A submitted assignment stays as it is.

    Raises RoundClosed where it could not be submitted any more, and what `held` raises.
    """
    assignment = held(assignment_id=assignment_id, annotator=annotator)
    if assignment.submitted_at is None:
        must_be_open(assignment)
        put_off(assignment, now=now)
    return assignment


def put_off(assignment: Assignment, *, now: datetime) -> None:
    """The end of a lease that is `held`, and of that of the task fetched ahead."""
    assignment.lease_expires_at = _lease_end(assignment, assignment.round.phase, now)
    assignment.save(update_fields=["lease_expires_at"])
    own = Assignment.objects.open().filter(round=assignment.round_id, annotator=assignment.annotator_id, is_ahead=True)
    fetched = list(own.select_for_update(skip_locked=True).values_list("pk"))
    Assignment.objects.filter(pk__in=[pk for (pk,) in fetched]).update(lease_expires_at=assignment.lease_expires_at)


@transaction.atomic
def release(*, assignment_id: UUID, annotator: User, now: datetime) -> None:
    """Gives an unfinished task back, to the end of the queue; the draft is kept for when it comes round again.

    Raises TooManyReleases for one who only looks at what there is, and what `held` raises.
    """
    assignment = held(assignment_id=assignment_id, annotator=annotator)
    if assignment.submitted_at is not None:
        return
    _count_release(annotator, now)
    if assignment.round.number == screening.SCREENING:
        assignment.delete()  # made for this annotator's screening, and made again when it is claimed again
        return
    assignment.annotator = assignment.shown = None
    assignment.leased_at = assignment.lease_expires_at = None
    assignment.is_ahead = False
    assignment.position = end_of_queue(assignment.round)
    assignment.save(update_fields=["annotator", "shown", "leased_at", "lease_expires_at", "position", "is_ahead"])


def end_of_queue(current: Round) -> int:
    """The place behind every open seat."""
    last = Assignment.objects.open().filter(round=current).aggregate(last=Max("position"))["last"]
    return 0 if last is None else int(last) + 1


def _count_release(annotator: User, now: datetime) -> None:
    annotator.releases.filter(released_at__lte=now - HOUR).delete()
    before = list(annotator.releases.order_by("released_at").values_list("released_at", flat=True))
    if len(before) >= settings.RELEASES_PER_HOUR:
        raise TooManyReleases(before[-settings.RELEASES_PER_HOUR] + HOUR - now)
    annotator.releases.create(released_at=now)
