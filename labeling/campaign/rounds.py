"""Acts on rounds: publish one, publish the screening; change the tasks of one; close and reopen.

Locks, in this order: the phase, if another round of it matters (publishing, reopening); the round; its tasks; its
seats, which annotators hold while they may wait for the round: those that are locked are skipped. Of two publications
at once, one waits for the phase and then finds the other's round.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Max, Min

from labeling import audit
from labeling.campaign import consensus, gold, publishing, withdrawals
from labeling.campaign.publishing import BATCH, NothingToPublish, check_no_other, check_sources
from labeling.campaign.screening import SCREENING
from labeling.counts import tallies
from labeling.errors import DomainError
from labeling.models import (
    Assignment,
    Gold,
    Phase,
    PhaseKind,
    PhaseStatus,
    Round,
    RoundStatus,
    Task,
    User,
)
from labeling.rules.audited import AuditAct


class AlreadyScreening(DomainError, code="already_screening", status=409):
    """The phase already has a screening."""


class NoGold(DomainError, code="no_gold"):
    """A screening task without gold could not be judged."""


class AlreadyPublished(DomainError, code="already_published", status=409):
    """The round already has one of the solutions."""


class NotThisRound(DomainError, code="not_this_round", status=409):
    """The round's status or kind does not allow it."""


class PhaseIsOver(DomainError, code="phase_is_over", status=409):
    """The phase is closed or archived, so nobody could label the round."""


class NoScreening(DomainError, code="no_screening"):
    """Phases of this kind have no screening."""


@transaction.atomic
def publish(  # noqa: PLR0913
    *,
    phase: Phase,
    solution_ids: Sequence[UUID],
    overlap: int | None = None,
    gold_set: str | None = None,
    requested: int | None = None,
    seed: int = 0,
    now: datetime,
    by: User | None = None,
) -> Round:
    """Publishes the solutions as the phase's next round, and hides gold among them. Overlap and gold set default to the
    phase's; `requested`: how many solutions were requested.

    Their order is kept on the tasks as their rank; people get them shuffled by the seed.

    Raises RoundStillOpen while another round of the phase is open, NothingToPublish for an empty list, OutsideSources
    for solutions that the phase doesn't draw from.
    """
    new_round = publishing.begin(phase=phase, solution_ids=solution_ids, requested=requested, now=now)
    needed = new_round.phase.overlap if overlap is None else overlap
    publishing.fill(round_=new_round, solution_ids=solution_ids, overlap=needed, seed=seed)
    return publishing.open_(round_=new_round, gold_set=gold_set, by=by)


@transaction.atomic
def publish_screening(
    *,
    phase: Phase,
    solution_ids: Sequence[UUID],
    requested: int | None = None,
    now: datetime,
    by: User | None = None,
) -> Round:
    """Publishes solutions with gold as the phase's screening, which every annotator labels before anything else.

    Assignments are made as annotators claim them. Raises NothingToPublish for an empty list, AlreadyScreening if the
    phase has a screening, NoScreening in kind `alternatives` (two people's trajectories can't be compared),
    OutsideSources, IsWithdrawn, and NoGold if a solution has none.
    """
    # Of two screenings published at once, the second waits here and then finds the first.
    phase = Phase.objects.select_for_update().get(pk=phase.pk)
    if not solution_ids:
        raise NothingToPublish("There are no solutions to publish.")
    if phase.kind != PhaseKind.SOLUTIONS:
        raise NoScreening("Only phases of kind “solutions” have a screening.")
    if phase.rounds.filter(number=SCREENING).exists():
        raise AlreadyScreening(f"“{phase.name}” already has a screening.")
    check_sources(phase, solution_ids)
    withdrawals.check_none(solution_ids)
    with_gold = Gold.objects.filter(solution__in=solution_ids).values("solution").distinct().count()
    if with_gold < len(set(solution_ids)):
        raise NoGold(f"{len(set(solution_ids)) - with_gold} of the solutions have no gold.")
    screening = Round.objects.create(phase=phase, number=SCREENING, requested=requested, opened_at=now)
    Task.objects.bulk_create(Task(round=screening, solution_id=pk) for pk in dict.fromkeys(solution_ids))
    tallies.count_published(screening.pk, tasks=len(set(solution_ids)))
    audit.record(by=by, act=AuditAct.PUBLISH, on=screening, after={"tasks": len(set(solution_ids))})
    return screening


def screen_by(*, phase: Phase, gold_set: str, size: int, now: datetime, by: User | None = None) -> Round:
    """Publishes a screening of gold that the phase draws from the set, oldest first; raises as `publish_screening`."""
    drawn = gold.drawn(phase=phase, gold_set=gold_set).order_by("created_at", "pk")
    chosen = list(drawn.values_list("solution", flat=True)[:size])
    in_set = Gold.objects.in_service().filter(gold_set=gold_set).count()
    if in_set and not chosen:
        raise NothingToPublish(f"No solution of gold set “{gold_set}” ({in_set}) comes from the phase's sources.")
    return publish_screening(phase=phase, solution_ids=chosen, requested=size, now=now, by=by)


@transaction.atomic
def close(*, round_id: UUID, now: datetime, by: User | None = None) -> Round:
    """Closes the round: nobody can claim or submit in it any more. Does nothing to a closed round."""
    # Locked before its status is read: a publication may be about to open it, another request about to close it.
    closing: Round = Round.objects.locked().get(pk=round_id)
    _must_be_opened(closing)
    if closing.status == RoundStatus.OPEN:
        closing.status = RoundStatus.CLOSED
        closing.closed_at = now
        closing.save(update_fields=["status", "closed_at"])
        audit.record(by=by, act=AuditAct.CLOSE, on=closing)
    return closing


def _must_be_opened(round_: Round) -> None:
    if round_.status == RoundStatus.PUBLISHING:
        raise NotThisRound(f"Round {round_.number} is being published. Cancel that, or wait until it is open.")


def close_full(*, now: datetime) -> list[Round]:
    """Closes the full rounds of phases that close them by themselves. Disputed tasks get another seat first.

    Workers call it at each heartbeat, outside of annotators' requests; if one dies, the next one finishes.
    """
    closing = Round.objects.filter(status=RoundStatus.OPEN, phase__closes_full_rounds=True)
    # Usually there are none, and finding the full ones, at every heartbeat, takes five times as long.
    if not (open_ := list(closing.values_list("pk", flat=True))):
        return []
    full = Round.objects.full(now=now).filter(pk__in=open_)
    return [closed for pk in full.values_list("pk", flat=True) if (closed := close_if_full(round_id=pk, now=now))]


@transaction.atomic
def close_if_full(*, round_id: UUID, now: datetime, by: User | None = None) -> Round | None:
    """Closes the round if it is full under its lock, which adding tasks takes, too. Returns None if it stays open."""
    locked = Round.objects.locked().select_related("phase").get(pk=round_id)
    is_full = Round.objects.full(now=now).filter(pk=round_id, status=RoundStatus.OPEN).exists()
    # Disputed tasks get another seat first, and then the round is not full.
    if not is_full or (locked.phase.overlap_cap and consensus.ask_again(round_=locked)):
        return None
    return close(round_id=round_id, now=now, by=by)


@transaction.atomic
def reopen(*, round_id: UUID, by: User | None = None) -> Round:
    """Reopens the round. Raises PhaseIsOver, or RoundStillOpen while the phase has another open round."""
    # Locks the phase before the round, as closing a phase does. Publishing locks the phase, too: otherwise both could
    # find no other open round.
    phase = Phase.objects.select_for_update().get(pk__in=Round.objects.filter(pk=round_id).values("phase"))
    reopening: Round = Round.objects.locked().get(pk=round_id)
    _must_be_opened(reopening)
    if reopening.status == RoundStatus.OPEN:
        return reopening
    if phase.status in {PhaseStatus.CLOSED, PhaseStatus.ARCHIVED}:
        raise PhaseIsOver("The phase is over, so nobody could label the round. Reopen the phase first.")
    check_no_other(phase, reopening.number)
    reopening.status = RoundStatus.OPEN
    reopening.closed_at = None
    reopening.save(update_fields=["status", "closed_at"])
    audit.record(by=by, act=AuditAct.REOPEN, on=reopening)
    return reopening


@transaction.atomic
def add_tasks(  # noqa: PLR0913
    *,
    round_id: UUID,
    solution_ids: Sequence[UUID],
    overlap: int | None,
    first: bool,
    is_replacement: bool = False,
    by: User | None = None,
) -> list[Task]:
    """Adds solutions before or after the round's tasks, shuffled; replacements of withdrawn ones may have any source.

    Raises AlreadyPublished if the round has one of them, IsWithdrawn, OutsideSources, and NotThisRound for a closed
    round and for screening, which is one fixed set for all.
    """
    round_ = _to_change(round_id)
    if not is_replacement:
        check_sources(round_.phase, solution_ids)
    if round_.tasks.filter(solution__in=solution_ids).exists() or len(set(solution_ids)) < len(solution_ids):
        raise AlreadyPublished("Some of these solutions are in this round already.")
    withdrawals.check_none(solution_ids)
    needed = overlap or round_.phase.overlap
    # Two tasks with two seats each, behind a last position of 9: their first seats get 10 and 11, shuffled, their
    # second ones 12 and 13. Before a first position of 0 they get -4 to -1.
    start = _ends(round_)[0] - len(solution_ids) * needed if first else _ends(round_)[1] + 1
    tasks = [Task(round=round_, solution_id=pk, overlap=needed) for pk in solution_ids]
    seats = [start + seat * len(tasks) + publishing.places(solution_ids, seat=seat) for seat in range(needed)]
    publishing.add_tasks(tasks, seats)
    audit.record(by=by, act=AuditAct.ADD_TASKS, on=round_, after={"solutions": list(solution_ids), "overlap": needed})
    return tasks


@transaction.atomic
def withdraw_from_round(*, round_id: UUID, task_ids: Sequence[UUID], now: datetime, by: User | None = None) -> int:
    """Withdraws the tasks from the round by removing free seats; those who have one may finish it. Returns the number
    of tasks withdrawn.
    """
    round_ = _to_change(round_id)
    tasks = round_.tasks.filter(pk__in=task_ids, withdrawn_at=None)
    withdrawn = list(tasks.values_list("pk", flat=True))
    withdrawals.end_service(withdrawn, now=now)
    audit.record(by=by, act=AuditAct.WITHDRAW_TASKS, on=round_, after={"tasks": withdrawn})
    return len(withdrawn)


@transaction.atomic
def prioritise(*, round_id: UUID, task_ids: Sequence[UUID], first: bool, by: User | None = None) -> int:
    """Serves these tasks before (or after) all others, shuffled among themselves. Returns how many seats moved."""
    round_ = _to_change(round_id)
    chosen = round_.tasks.filter(pk__in=task_ids, is_gold=False)
    order = {task.pk: index for index, task in enumerate(_shuffled(chosen))}
    moved = Assignment.objects.open().filter(round=round_, task__in=order)
    # A seat that is being claimed, renewed or submitted right now is skipped: it is in hand, and stays.
    seats = list(moved.select_for_update(skip_locked=True))
    # Every task's first seat before any task's second, as when a round is published.
    seats.sort(key=lambda seat: (seat.seat, order[seat.task_id]))
    start = _ends(round_)[0] - len(seats) if first else _ends(round_)[1] + 1
    for position, seat in enumerate(seats, start):
        seat.position = position
    Assignment.objects.bulk_update(seats, ["position"], batch_size=BATCH)
    audit.record(by=by, act=AuditAct.PRIORITISE, on=round_, after={"tasks": list(task_ids), "first": first})
    return len(seats)


def _shuffled(tasks: Iterable[Task]) -> list[Task]:
    return sorted(tasks, key=lambda task: publishing.shuffle(task.solution_id))


def _to_change(round_id: UUID) -> Round:
    round_: Round = Round.objects.locked().select_related("phase").get(pk=round_id)
    if round_.status != RoundStatus.OPEN or round_.number == SCREENING:
        raise NotThisRound("Only an open round other than the screening can be changed.")
    return round_


def _ends(round_: Round) -> tuple[int, int]:
    """The positions of the first and the last seat."""
    ends = round_.assignments.aggregate(first=Min("position"), last=Max("position"))
    return ends["first"] or 0, ends["last"] or 0


def forecast(*, wanted: int, done: int, last_day: int, now: datetime) -> datetime | None:
    """The time when the rest will be labelled, at the pace of the last 24 hours; None if nothing was labelled in
    them.
    """
    left = max(0, wanted - done)
    return now + timedelta(days=left / last_day) if last_day else None
