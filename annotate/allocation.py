"""Acts on leases: claim the next task, renew it, give it back.

A lease needs no clean-up job: a seat whose lease ran out is claimable again, and stays its holder's until somebody
takes it over.

Locks: claims lock seats only, not the round, phase or task, for which other annotators would wait (one exception:
`consensus.ask_again` adds seats). An annotator's own seats come first, the oldest first; others' seats
are never waited for, but skipped.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from random import SystemRandom
from typing import Any, Literal, TypeVar
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, Max, OuterRef

from annotate import queries, workplaces
from annotate.models import Draft
from annotate.workplaces import Workplace
from labeling.campaign import consensus, quality, screening
from labeling.errors import DomainError, is_taken
from labeling.models import (
    AHEAD,
    Assignment,
    AssignmentKind,
    Labelling,
    Phase,
    PhaseStatus,
    Round,
    RoundStatus,
    User,
)
from labeling.statements import Statement

Taken = TypeVar("Taken")
IN_HAND = 0
PLACES = range(AHEAD + 1)
HOUR = timedelta(hours=1)
DICE = SystemRandom()  # random numbers that nobody can predict
NoTask = Literal["phase_not_running", "no_open_round", "nothing_left", "not_a_member", "screening_failed", "paused"]


class NotAMember(DomainError, code="not_a_member", status=403):
    """Only members of a phase claim its tasks."""


class NothingToClaim(DomainError, status=409):
    """There is no task to hand out; `code` says why."""

    def __init__(self, message: str, code: NoTask) -> None:
        super().__init__(message)
        self.code = code


class NoSuchAssignment(DomainError, code="not_found", status=404):
    """The assignment never was this annotator's."""


class LeaseLost(DomainError, code="lease_lost", status=409):
    """The seat went back to the queue, or to somebody else."""


class TooManyReleases(DomainError, code="throttled", status=429):
    def __init__(self, wait: timedelta) -> None:
        tasks, minutes = settings.RELEASES_PER_HOUR, ceil(wait.total_seconds() / 60)
        super().__init__(
            f"You gave {tasks} {'task' if tasks == 1 else 'tasks'} back within an hour. Label this one, or try again "
            f"in {minutes} {'minute' if minutes == 1 else 'minutes'}."
        )


class RoundClosed(DomainError, code="round_closed", status=409):
    """The round is closed: its tasks can no longer be submitted."""


class Paused(DomainError, code="paused", status=409):
    """The annotator is paused: they neither submit nor revise, and their leases run out."""


@dataclass(frozen=True)
class Claims:
    """The task in hand and, if requested, those after it, at most two; or why there is none."""

    in_hand: Assignment | NothingToClaim
    ahead: Sequence[Assignment] | None = None


def claim_next(*, phase: Phase, annotator: User, now: datetime, ahead: int = 0) -> Assignment:
    """Claims the annotator's next task, or renews the lease of the one in hand; screening comes first.

    With `ahead`, claims the first or second task after it, to be ready once it is submitted; a missing one before that
    is claimed instead. Raises NotAMember, or NothingToClaim.
    """
    workplace = workplaces.of(phase_id=phase.pk, annotator=annotator)
    if workplace is None:
        raise NotAMember(f"You are not among the annotators of “{phase.name}”. Ask an admin to add you.")
    return claim(workplace=workplace, now=now, ahead=ahead)


def claim(*, workplace: Workplace, now: datetime, ahead: int = 0) -> Assignment:
    """Claims as `claim_next` does, for a member."""
    current = _open_round(workplace, now)
    annotator = workplace.membership.user
    seat = _at_last(lambda: _take(current, annotator, now, ahead=ahead))
    (taken,) = _whole_seats([seat], current)
    return taken


def claims(*, workplace: Workplace | None, now: datetime, ahead: bool) -> Claims:
    """Returns the task in hand and, with `ahead`, those after it; not in screening, which may end with that task."""
    if workplace is None:
        return Claims(NothingToClaim("You are no longer a member of this phase.", "not_a_member"))
    try:
        current = _open_round(workplace, now)
        is_followed = ahead and current.number != screening.SCREENING
        seats = _at_last(lambda: _take_several(current, workplace.membership.user, now, ahead=is_followed))
    except NothingToClaim as nothing:
        return Claims(nothing)
    # After the transaction that took them: while their content is read, nothing is locked.
    in_hand, *others = _whole_seats(seats, current)
    return Claims(in_hand, others if is_followed else None)


def _at_last(take: Callable[[], Taken]) -> Taken:
    """Calls `take`, again if another tab of the annotator took the place first: at most once more for each place."""
    # Two tabs without seats find none to lock, and both take one. The constraint of one seat in each place refuses
    # the second; its next try finds the first one's seat.
    for _ in PLACES:
        try:
            return take()
        except IntegrityError as error:
            if not is_taken(error):
                raise
    return take()


@transaction.atomic
def _take(current: Round, annotator: User, now: datetime, *, ahead: int) -> Assignment:
    own = _own_seats(current, annotator)
    wanted = min(ahead, len(own)) if _has_in_hand(own) else 0
    if wanted < len(own):
        return _keep(own[wanted], current, now, place=own[wanted].place if wanted else IN_HAND)
    return _free_seat(current, annotator, now, place=_free_places(own)[0])


@transaction.atomic
def _take_several(current: Round, annotator: User, now: datetime, *, ahead: bool) -> list[Assignment]:
    own = _own_seats(current, annotator)
    if own:
        _keep(own[0], current, now, place=IN_HAND)
    else:
        own = [_free_seat(current, annotator, now, place=IN_HAND)]
    if not ahead:
        return own[:1]
    for seat in own[1:]:
        seat.round = current
        if is_half_over(seat, now=now):
            _keep(seat, current, now, place=seat.place)
    with suppress(NothingToClaim):
        for place in _free_places(own):
            own.append(_free_seat(current, annotator, now, place=place))
    return own


def _own_seats(current: Round, annotator: User) -> list[Assignment]:
    """The annotator's seats in the round: the one in hand, then those fetched ahead, oldest first."""
    rows = queries.OWN_SEATS.rows(round=current.pk, annotator=annotator.pk)
    return sorted((seat for (seat,) in rows), key=lambda seat: (seat.place != IN_HAND, seat.leased_at, seat.place))


def _has_in_hand(own: Sequence[Assignment]) -> bool:
    return bool(own) and own[0].place == IN_HAND


def _free_places(own: Sequence[Assignment]) -> list[int]:
    taken = {seat.place for seat in own}
    return [place for place in PLACES if place not in taken]


def _keep(kept: Assignment, current: Round, now: datetime, *, place: int) -> Assignment:
    """Renews the lease of the annotator's own seat, and returns the seat."""
    kept.place = place
    kept.lease_expires_at = _lease_end(current.phase, kept.leased_at, now)
    queries.SEAT_KEPT.execute(seat=kept.pk, place=place, end=kept.lease_expires_at)
    return kept


def _whole_seats(seats: Sequence[Assignment], current: Round) -> list[Assignment]:
    """The seats with everything that their annotator sees, in the same order."""
    found = {seat.pk: seat for seat in with_content(*(seat.pk for seat in seats))}
    for seat in found.values():
        seat.round = current
    return [found[seat.pk] for seat in seats]


def with_content(*pks: UUID) -> Iterator[Any]:
    """Yields up to three seats with task, solution and problem, and the annotators' `draft`, `report`, `has_answer`."""
    # The statement takes three ids: the last one is repeated if there are fewer.
    first, second, third = [*pks, pks[-1], pks[-1]][:3]
    for row in queries.CONTENT.rows(first=first, second=second, third=third):
        seat, task, solution, problem, seat.draft, seat.report, has_answer = row
        seat.task, task.solution, solution.problem, seat.has_answer = task, solution, problem, bool(has_answer)
        yield seat


def _lease_end(phase: Phase, leased_at: datetime | None, now: datetime) -> datetime:
    """Returns when a lease renewed now ends: at the phase's time limit at the latest, if it has one.

    After that, the annotator keeps the task until somebody else claims it.
    """
    end = now + timedelta(minutes=phase.lease_minutes)
    if phase.time_limit_minutes is None or leased_at is None:
        return end
    return min(end, leased_at + timedelta(minutes=phase.time_limit_minutes))


def _open_round(workplace: Workplace, now: datetime) -> Round:
    phase, membership, first = workplace.phase, workplace.membership, workplace.screening
    if phase.status != PhaseStatus.RUNNING:
        raise NothingToClaim(f"“{phase.name}” is {phase.status} at the moment.", "phase_not_running")
    # Screening comes before everything else: whoever has not passed it gets no task of the open round.
    state = screening.state(phase=phase, membership=membership, has_round=first is not None)
    if state == "failed":
        raise NothingToClaim(f"The screening for “{phase.name}” was not passed.", "screening_failed")
    if state == "pending" and first is not None:
        # The attempt failed, and another is left: the tasks are served again.
        if membership.screened_at is not None:
            screening.start_again(membership=membership, screening=first, now=now)
        return first
    # Judged at each claim, so that nobody goes on labelling once they fall below the threshold.
    if membership.paused_at or quality.pause_if_poor(membership=membership, phase=phase, now=now):
        raise NothingToClaim(f"Your work in “{phase.name}” is paused. Talk to an admin.", "paused")
    if workplace.current is None:
        raise NothingToClaim(f"“{phase.name}” has no open round at the moment.", "no_open_round")
    return workplace.current


def _free_seat(current: Round, annotator: User, now: datetime, *, place: int) -> Assignment:
    """Takes the first claimable seat of a task the annotator has no part in; skips seats being claimed by others."""
    end = _lease_end(current.phase, now, now)
    if current.number == screening.SCREENING:
        return _screening_seat(current, annotator, place=place, leased_at=now, lease_expires_at=end)
    asked = {"round": current.pk, "annotator": annotator.pk, "place": place, "now": now, "end": end}
    taken = queries.SEAT_TAKEN.first(**asked)
    # Only once nothing else is left: finding out where people disagree takes a look at the whole round.
    if taken is None and current.phase.overlap_cap and consensus.ask_again(round_=current):
        taken = queries.SEAT_TAKEN.first(**asked)
    if taken is None:
        raise NothingToClaim("Every task of this round is labelled or in somebody's hands.", "nothing_left")
    seat: Assignment = taken[0]
    seat.round = current  # which is read already
    return seat


def _screening_seat(current: Round, annotator: User, **lease: Any) -> Assignment:
    """Makes an assignment of the annotator's own: everybody labels every screening task."""
    own_part = Assignment.objects.filter(task=OuterRef("pk"), annotator=annotator)
    # Two tabs find the same task here, and a constraint lets one of them have it; the other tries again (`_at_last`).
    task = current.tasks.filter(~Exists(own_part)).order_by("pk").first()
    if task is None:
        raise NothingToClaim("You have labelled every screening task.", "nothing_left")
    kind = AssignmentKind.SCREENING
    return Assignment.objects.create(kind=kind, task=task, round=current, position=0, annotator=annotator, **lease)


def own(*, assignment_id: UUID, annotator: User) -> Any:
    """Returns what `held` does, without a lock; None if the assignment is not the annotator's."""
    return _read(queries.OWN, assignment_id, annotator)


def _read(statement: Statement, assignment_id: UUID, annotator: User) -> Any:
    found = statement.first(seat=assignment_id, annotator=annotator.pk)
    if found is None:
        return None
    seat, task, solution, problem, round_, round_.phase, seat.member, seat.screening = found
    seat.annotator, seat.round, seat.task = annotator, round_, task
    task.round, task.solution, solution.problem = round_, solution, problem
    return seat


def held(*, assignment_id: UUID, annotator: User) -> Any:
    """Returns the annotator's assignment, locked until the transaction ends, with its holder's membership (`member`)
    and the open screening (`screening`), each None if there is none.

    Raises LeaseLost if somebody else took it over, or it is to be labelled again; NoSuchAssignment if it never was the
    annotator's.
    """
    if (seat := _read(queries.HELD, assignment_id, annotator)) is not None:
        return seat
    if Draft.objects.filter(task__assignments=assignment_id, annotator=annotator).exists():
        raise LeaseLost("This task is no longer yours: its time ran out and somebody took it, or you gave it back.")
    if Labelling.objects.filter(assignment=assignment_id, annotator=annotator).exists():
        raise LeaseLost("This task is to be labelled again. What you submitted is kept.")
    raise NoSuchAssignment("You have no such task in hand.")


def check_may_work(assignment: Any) -> None:
    """Checks that the holder of an assignment, as read by `held`, may work on it. Raises RoundClosed, NotAMember,
    Paused.
    """
    name, member = assignment.round.phase.name, assignment.member
    if assignment.round.status != RoundStatus.OPEN:
        raise RoundClosed("This round was closed while you were labelling. Your draft is kept.")
    if member is None:
        raise NotAMember(f"You are no longer among the annotators of “{name}”. Your draft is kept.")
    if member.is_paused:
        raise Paused(f"Your work in “{name}” is paused. Your draft is kept. Talk to an admin.")


@transaction.atomic
def renew(*, assignment_id: UUID, annotator: User, now: datetime) -> Assignment:
    """Renews the lease, also those of the tasks fetched ahead. A submitted assignment stays as it is.

    Raises what `held` and, if it was not submitted, `check_may_work` raise.
    """
    assignment: Assignment = held(assignment_id=assignment_id, annotator=annotator)
    if assignment.submitted_at is None:
        check_may_work(assignment)
        put_off(assignment, now=now)
    return assignment


def is_half_over(assignment: Assignment, *, now: datetime) -> bool:
    """Returns whether less than half of the lease is left; also true if the lease has ended."""
    half = timedelta(minutes=assignment.round.phase.lease_minutes) / 2
    return assignment.lease_expires_at is None or assignment.lease_expires_at - now < half


def put_off(assignment: Assignment, *, now: datetime) -> None:
    """Renews the lease of an assignment read by `held`, and those of the tasks fetched ahead."""
    assignment.lease_expires_at = _lease_end(assignment.round.phase, assignment.leased_at, now)
    assignment.save(update_fields=["lease_expires_at"])
    # Skipped if it is locked: whoever holds that lock may be waiting for the seat held here.
    own = Assignment.objects.open().filter(
        round=assignment.round_id, annotator=assignment.annotator_id, place__gt=IN_HAND
    )
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
    assignment.annotator = assignment.leased_at = assignment.lease_expires_at = None
    assignment.place = IN_HAND
    assignment.position = end_of_queue(assignment.round)
    assignment.save(update_fields=["annotator", "leased_at", "lease_expires_at", "position", "place"])


def end_of_queue(current: Round) -> int:
    """The position after every open seat."""
    last = Assignment.objects.open().filter(round=current).aggregate(last=Max("position"))["last"]
    return 0 if last is None else int(last) + 1


def _count_release(annotator: User, now: datetime) -> None:
    # Old releases are deleted here, so that no job has to clean up the table.
    annotator.releases.filter(released_at__lte=now - HOUR).delete()
    before = list(annotator.releases.order_by("released_at").values_list("released_at", flat=True))
    if len(before) >= settings.RELEASES_PER_HOUR:
        raise TooManyReleases(before[-settings.RELEASES_PER_HOUR] + HOUR - now)
    annotator.releases.create(released_at=now)
