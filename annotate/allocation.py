"""Acts on leases: claim the next task, renew it, give it back.

A lease needs no clean-up job: a seat whose lease ran out is claimable again, and stays its holder's until somebody
takes it over.

Locks: claims lock seats only, not the round, phase or task, for which other annotators would wait (one exception:
`consensus.ask_again` adds seats). An annotator's own seats come first, the one in hand before the one fetched ahead;
others' seats are never waited for, but skipped.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from random import SystemRandom
from typing import Any, TypeVar
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, Max, OuterRef

from annotate import queries
from annotate.models import Draft
from labeling.campaign import consensus, quality, screening
from labeling.errors import DomainError
from labeling.models import (
    Assignment,
    AssignmentKind,
    Membership,
    Phase,
    PhaseStatus,
    Round,
    RoundStatus,
    User,
)

Taken = TypeVar("Taken")
LEASE = ("is_ahead", "lease_expires_at")
HOLDING = (*LEASE, "annotator_id", "leased_at", "shown_id")
OTHER_TABS = 2
HOUR = timedelta(hours=1)
DICE = SystemRandom()  # nobody can predict its throws


class NotAMember(DomainError):
    code = "not_a_member"
    status = 403


class NothingToClaim(DomainError):
    """There is no task to hand out; `code` says why."""

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


@dataclass(frozen=True)
class Workplace:
    """Where an annotator works: their membership with its phase, the open round, and the open screening."""

    membership: Membership
    current: Round | None
    screening: Round | None

    @property
    def phase(self) -> Phase:
        return self.membership.phase


@dataclass(frozen=True)
class Claims:
    """The task in hand and, if requested, the one after it; or why there is none."""

    in_hand: Assignment | NothingToClaim
    ahead: Assignment | NothingToClaim | None = None


def workplace_of(*, phase_id: UUID, annotator: User) -> Workplace | None:
    """None for non-members of the phase."""
    found: Any = queries.MEMBERSHIP.first(phase_id=phase_id, annotator_id=annotator.pk)
    if found is None:
        return None
    found.user = annotator
    current, first = (getattr(found, name, None) for name in ("current", "first"))
    for each in filter(None, (current, first)):
        each.phase = found.phase
    return Workplace(found, current, first)


def workplace_after(assignment: Assignment, annotator: User) -> Workplace | None:
    """The same after submitting an assignment that was `held`; usually it was read together with that."""
    member: Any = getattr(assignment, "member", None)
    round_ = assignment.round
    if member is None or assignment.kind == AssignmentKind.SCREENING or round_.status != RoundStatus.OPEN:
        return workplace_of(phase_id=round_.phase_id, annotator=annotator)
    member.user, member.phase = annotator, round_.phase
    return Workplace(member, round_, getattr(assignment, "first", None))


def claim_next(*, phase: Phase, annotator: User, now: datetime, ahead: bool = False) -> Assignment:
    """The annotator's task in hand, with its lease renewed, or else the next one; screening comes first.

    With `ahead`, the one after that, so that it is ready when the first is submitted; if there is none in hand, that
    one is claimed instead. Raises NotAMember, or NothingToClaim (phase_not_running, no_open_round, nothing_left,
    screening_failed, paused).
    """
    workplace = workplace_of(phase_id=phase.pk, annotator=annotator)
    if workplace is None:
        raise NotAMember(f"You are not among the annotators of “{phase.name}”. Ask an admin to add you.")
    return claim(workplace=workplace, now=now, ahead=ahead)


def claim(*, workplace: Workplace, now: datetime, ahead: bool = False) -> Assignment:
    """As `claim_next`, for a member."""
    current = _open_round(workplace, now)
    annotator = workplace.membership.user
    seat = _at_last(lambda: _take(current, annotator, now, ahead=ahead))
    (taken,) = _whole([seat], current)
    return taken


def claims(*, workplace: Workplace | None, now: datetime, ahead: bool) -> Claims:
    """The task in hand and, with `ahead`, the one after it; not in screening, which may end with the task in hand."""
    if workplace is None:
        return Claims(NothingToClaim("You are no longer a member of this phase.", "not_a_member"))
    try:
        current = _open_round(workplace, now)
        is_followed = ahead and current.number != screening.SCREENING
        taken = _at_last(lambda: _take_several(current, workplace.membership.user, now, ahead=is_followed))
    except NothingToClaim as nothing:
        return Claims(nothing)
    seats = [seat for seat in taken if isinstance(seat, Assignment)]
    whole = {seat.pk: seat for seat in _whole(seats, current)}
    in_hand, *others = [whole[seat.pk] if isinstance(seat, Assignment) else seat for seat in taken]
    return Claims(in_hand, *others)


def _at_last(take: Callable[[], Taken]) -> Taken:
    """Tries again if another tab of the same annotator is faster, with the task in hand and then with the one ahead."""
    # Two tabs without seats find none to lock, and both take one. The constraint of one seat in hand and one ahead
    # refuses the second; its next try finds the first one's seat.
    for _ in range(OTHER_TABS):
        with suppress(IntegrityError):
            return take()
    return take()


@transaction.atomic
def _take(current: Round, annotator: User, now: datetime, *, ahead: bool) -> Assignment:
    # At most two seats, by whether they are fetched ahead. With none in hand, the one ahead becomes the one in hand.
    own = _own(current, annotator)
    if ahead and False in own:
        return _hold(own.get(True), current, annotator, now, is_ahead=True)
    return _hold(own.get(False) or own.get(True), current, annotator, now, is_ahead=False)


@transaction.atomic
def _take_several(current: Round, annotator: User, now: datetime, *, ahead: bool) -> list[Assignment | NothingToClaim]:
    own = _own(current, annotator)
    in_hand = _hold(own.get(False) or own.get(True), current, annotator, now, is_ahead=False)
    if not ahead:
        return [in_hand]
    fetched = own.get(True) if False in own else None
    try:
        return [in_hand, _hold(fetched, current, annotator, now, is_ahead=True)]
    except NothingToClaim as nothing:
        return [in_hand, nothing]


def _own(current: Round, annotator: User) -> dict[bool, Assignment]:
    return {seat.is_ahead: seat for seat in queries.OWN_SEATS.rows(round_id=current.pk, annotator_id=annotator.pk)}


def _hold(kept: Assignment | None, current: Round, annotator: User, now: datetime, *, is_ahead: bool) -> Assignment:
    """The annotator's own seat, with its lease renewed, or else a free one."""
    if kept is None:
        return _free_seat(current, annotator, now, is_ahead=is_ahead)
    kept.is_ahead = is_ahead
    kept.lease_expires_at = _lease_end(current.phase, kept.leased_at, now)
    queries.SEAT_KEPT[is_ahead].rows(pk=kept.pk, end=kept.lease_expires_at)
    return kept


def _whole(seats: Sequence[Assignment], current: Round) -> list[Assignment]:
    """The seats with everything that their annotator sees, in the same order."""
    first, last = seats[0].pk, seats[-1].pk  # one seat or two: a prepared statement has a fixed number of parameters
    found = {seat.pk: seat for seat in queries.CONTENT_OF.rows(first=first, last=last)}
    for seat in found.values():
        seat.round = current
    return [found[seat.pk] for seat in seats]


def _lease_end(phase: Phase, leased_at: datetime | None, now: datetime) -> datetime:
    """Renewals end at the phase's time limit, if it has one; after that the task is kept until somebody claims it."""
    end = now + timedelta(minutes=phase.lease_minutes)
    if phase.time_limit_minutes is None or leased_at is None:
        return end
    return min(end, leased_at + timedelta(minutes=phase.time_limit_minutes))


def _open_round(workplace: Workplace, now: datetime) -> Round:
    phase, membership, first = workplace.phase, workplace.membership, workplace.screening
    if phase.status != PhaseStatus.RUNNING:
        raise NothingToClaim(f"“{phase.name}” is {phase.status} at the moment.", "phase_not_running")
    state = screening.state(phase=phase, membership=membership, has_round=first is not None)
    if state == "failed":
        raise NothingToClaim(f"The screening for “{phase.name}” was not passed.", "screening_failed")
    if state == "pending" and first is not None:
        if membership.screened_at is not None:
            screening.start_again(membership=membership, screening=first, now=now)
        return first
    if membership.paused_at or quality.pause_if_poor(membership=membership, phase=phase, now=now):
        raise NothingToClaim(f"Your work in “{phase.name}” is paused. Talk to an admin.", "paused")
    if workplace.current is None:
        raise NothingToClaim(f"“{phase.name}” has no open round at the moment.", "no_open_round")
    return workplace.current


def _free_seat(current: Round, annotator: User, now: datetime, *, is_ahead: bool) -> Assignment:
    """Takes the first claimable seat of a task the annotator has no part in; skips seats being claimed by others."""
    end = _lease_end(current.phase, now, now)
    if current.number == screening.SCREENING:
        return _screening_seat(current, annotator, is_ahead=is_ahead, leased_at=now, lease_expires_at=end)
    # Without gold one statement finds, locks and takes the seat. With gold the draft decides first what to show.
    found = queries.FREE_SEAT_BESIDE_GOLD if current.phase.gold_rate else queries.SEAT_TAKEN[is_ahead]
    asked: dict[str, Any] = {"round_id": current.pk, "annotator_id": annotator.pk, "now": now}
    asked |= {} if current.phase.gold_rate else {"end": end}
    seat: Any = found.first(**asked)
    if seat is None and current.phase.overlap_cap and consensus.ask_again(round_=current):
        seat = found.first(**asked)
    if seat is None:
        raise NothingToClaim("Every task of this round is labelled or in somebody's hands.", "nothing_left")
    seat.round = current  # which is read already
    if current.phase.gold_rate:
        seat.shown_id = _shown(seat, annotator, now)
        seat.annotator, seat.is_ahead, seat.leased_at, seat.lease_expires_at = annotator, is_ahead, now, end
        seat.save(update_fields=HOLDING)
    taken: Assignment = seat
    return taken


def _shown(seat: Any, annotator: User, now: datetime) -> UUID:
    """The task itself or, by a throw of dice, gold in its place. A task that the annotator had before looks as it did
    then.

    Gold may not take longer, or need other statements. Nor does gold replace the last task: an annotator who is told
    that nothing comes after it, and then gets that task, would know what it was.
    """
    unseen = [pk for (pk,) in queries.UNSEEN_GOLD.rows(round_id=seat.round.pk, annotator_id=annotator.pk)]
    shown: UUID
    if seat.has_draft:
        shown = seat.was_shown or seat.task_id
        return shown
    is_gold = unseen and seat.after is not None and DICE.random() < seat.round.phase.gold_rate
    shown = DICE.choice(unseen) if is_gold else seat.task_id
    Draft.objects.create(task_id=seat.task_id, annotator=annotator, shown_id=shown, saved_at=now)
    return shown


def _screening_seat(current: Round, annotator: User, **lease: Any) -> Assignment:
    """Every annotator labels every screening task, in an assignment made for them."""
    own_part = Assignment.objects.filter(task=OuterRef("pk"), annotator=annotator)
    task = current.tasks.filter(~Exists(own_part)).order_by("pk").first()
    if task is None:
        raise NothingToClaim("You have labelled every screening task.", "nothing_left")
    kind = AssignmentKind.SCREENING
    return Assignment.objects.create(kind=kind, task=task, round=current, position=0, annotator=annotator, **lease)


def held(*, assignment_id: UUID, annotator: User) -> Assignment:
    """The annotator's assignment, locked until the transaction ends.

    Raises LeaseLost if somebody else took it over, NoSuchAssignment if it never was the annotator's.
    """
    asked = {"pk": assignment_id, "annotator_id": annotator.pk}
    # While this waits for the lock, another submission may give the seat gold as its task. PostgreSQL then checks the
    # locked row again, but not the joined ones: no row is returned, so look again.
    assignment: Assignment | None = queries.HELD.first(**asked) or queries.HELD.first(**asked)
    if assignment is not None:
        assignment.annotator = annotator
        return assignment
    if Draft.objects.filter(task__assignments=assignment_id, annotator=annotator).exists():
        raise LeaseLost("This task is no longer yours: its time ran out and somebody took it, or you gave it back.")
    raise NoSuchAssignment("You have no such task in hand.")


def must_be_open(assignment: Assignment) -> None:
    """Raises RoundClosed."""
    if assignment.round.status != RoundStatus.OPEN:
        raise RoundClosed("This round was closed while you were labelling. Your draft is kept.")


@transaction.atomic
def renew(*, assignment_id: UUID, annotator: User, now: datetime) -> Assignment:
    """Renews the lease, also that of the task fetched ahead. A submitted assignment stays as it is.

    Raises RoundClosed if it could no longer be submitted, and what `held` raises.
    """
    assignment = held(assignment_id=assignment_id, annotator=annotator)
    if assignment.submitted_at is None:
        must_be_open(assignment)
        put_off(assignment, now=now)
    return assignment


def is_half_over(assignment: Assignment, *, now: datetime) -> bool:
    """Whether less than half of the lease is left."""
    half = timedelta(minutes=assignment.round.phase.lease_minutes) / 2
    return assignment.lease_expires_at is None or assignment.lease_expires_at - now < half


def put_off(assignment: Assignment, *, now: datetime) -> None:
    """Renews a lease that is `held`, and that of the task fetched ahead."""
    assignment.lease_expires_at = _lease_end(assignment.round.phase, assignment.leased_at, now)
    assignment.save(update_fields=["lease_expires_at"])
    # Skipped if it is locked: whoever holds that lock may be waiting for the seat held here.
    own = Assignment.objects.open().filter(round=assignment.round_id, annotator=assignment.annotator_id, is_ahead=True)
    fetched = list(own.select_for_update(skip_locked=True).values_list("pk"))
    Assignment.objects.filter(pk__in=[pk for (pk,) in fetched]).update(lease_expires_at=assignment.lease_expires_at)


@transaction.atomic
def release(*, assignment_id: UUID, annotator: User, now: datetime) -> None:
    """Gives an unfinished task back, to the end of the queue; the draft is kept in case the task comes again.

    Raises TooManyReleases for those who only browse tasks, and what `held` raises.
    """
    assignment = held(assignment_id=assignment_id, annotator=annotator)
    if assignment.submitted_at is not None:
        return
    _count_release(annotator, now)
    if assignment.kind == AssignmentKind.SCREENING:
        assignment.delete()  # made for this annotator; the next claim makes it again
        return
    assignment.annotator = assignment.shown = None
    assignment.leased_at = assignment.lease_expires_at = None
    assignment.is_ahead = False
    assignment.position = end_of_queue(assignment.round)
    assignment.save(update_fields=["annotator", "shown", "leased_at", "lease_expires_at", "position", "is_ahead"])


def end_of_queue(current: Round) -> int:
    """The position after every open seat."""
    last = Assignment.objects.open().filter(round=current).aggregate(last=Max("position"))["last"]
    return 0 if last is None else int(last) + 1


def _count_release(annotator: User, now: datetime) -> None:
    annotator.releases.filter(released_at__lte=now - HOUR).delete()
    before = list(annotator.releases.order_by("released_at").values_list("released_at", flat=True))
    if len(before) >= settings.RELEASES_PER_HOUR:
        raise TooManyReleases(before[-settings.RELEASES_PER_HOUR] + HOUR - now)
    annotator.releases.create(released_at=now)
