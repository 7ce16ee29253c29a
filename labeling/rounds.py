"""Acts on rounds: publish one, publish the screening; change what is in one; close and reopen."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID

from django.db import transaction
from django.db.models import Max, Min

from labeling import audit, consensus, gold
from labeling.errors import DomainError
from labeling.models import (
    Assignment,
    Gold,
    Phase,
    PhaseKind,
    PhaseStatus,
    Round,
    RoundStatus,
    Solution,
    Task,
    User,
)
from labeling.screening import SCREENING

BATCH = 1000
NAMED = 5


class RoundStillOpen(DomainError):
    code = "round_still_open"
    status = 409


class NothingToPublish(DomainError):
    code = "nothing_to_publish"


class AlreadyScreening(DomainError):
    code = "already_screening"
    status = 409


class NoGold(DomainError):
    code = "no_gold"


class AlreadyPutUp(DomainError):
    code = "already_put_up"
    status = 409


class NotThisRound(DomainError):
    code = "not_this_round"
    status = 409


class NoScreening(DomainError):
    code = "no_screening"


class OutsideSources(DomainError):
    code = "outside_sources"


@transaction.atomic
def publish(  # noqa: PLR0913  all of them the caller's
    *,
    phase: Phase,
    solution_ids: Sequence[UUID],
    overlap: int | None = None,
    gold_set: str | None = None,
    asked_for: int | None = None,
    seed: int = 0,
    now: datetime,
    by: User | None = None,
) -> Round:
    """Puts the solutions up for labelling as the phase's next round, and hides gold among them. Where no overlap or no
    gold set is given, the phase's counts; `asked_for`: how many solutions there were to be.

    Their order stays on the tasks as their rank; people get them shuffled by the seed.

    Raises RoundStillOpen while another round of the phase is open, NothingToPublish for an empty list,
    OutsideSources for solutions that the phase doesn't draw from.
    """
    phase = Phase.objects.select_for_update().get(pk=phase.pk)
    _check_ready(phase, solution_ids)
    check_sources(phase, solution_ids)
    last = phase.rounds.aggregate(last=Max("number"))["last"]
    number = 0 if last is None else max(last + 1, 0)
    new_round = Round.objects.create(phase=phase, number=number, asked_for=asked_for, opened_at=now)
    needed = phase.overlap if overlap is None else overlap
    tasks = [
        Task(round=new_round, solution_id=pk, overlap=needed, rank=rank) for rank, pk in enumerate(solution_ids, 1)
    ]
    _put_up(tasks, needed, seed=seed)
    _hide_gold(new_round, phase.gold_set if gold_set is None else gold_set)
    after = {"tasks": len(solution_ids), "overlap": needed, "gold": new_round.gold_hidden}
    audit.record(by=by, act="publish", on=new_round, after=after)
    return new_round


@transaction.atomic
def publish_screening(
    *,
    phase: Phase,
    solution_ids: Sequence[UUID],
    asked_for: int | None = None,
    now: datetime,
    by: User | None = None,
) -> Round:
    """Puts solutions with gold up as the phase's screening, which every annotator labels before anything else.

    Seats are made as annotators claim them. Raises NothingToPublish for an empty list, AlreadyScreening when the
    phase has its screening, NoScreening in kind `alternatives` (two people's trajectories can't be compared),
    OutsideSources, and NoGold where a solution has none.
    """
    phase = Phase.objects.select_for_update().get(pk=phase.pk)
    if not solution_ids:
        raise NothingToPublish("There is no solution to publish.")
    if phase.kind != PhaseKind.SOLUTIONS:
        raise NoScreening("Only phases of kind “solutions” have a screening.")
    if phase.rounds.filter(number=SCREENING).exists():
        raise AlreadyScreening(f"“{phase.name}” has its screening already.")
    check_sources(phase, solution_ids)
    with_gold = Gold.objects.filter(solution__in=solution_ids).values("solution").distinct().count()
    if with_gold < len(set(solution_ids)):
        raise NoGold(f"{len(set(solution_ids)) - with_gold} of the solutions have no gold.")
    screening = Round.objects.create(phase=phase, number=SCREENING, asked_for=asked_for, opened_at=now)
    Task.objects.bulk_create(Task(round=screening, solution_id=pk) for pk in dict.fromkeys(solution_ids))
    audit.record(by=by, act="publish", on=screening, after={"tasks": len(set(solution_ids))})
    return screening


def screen_by(*, phase: Phase, gold_set: str, size: int, now: datetime, by: User | None = None) -> Round:
    """The phase's screening from what it draws of the gold set, the oldest first; raises as `publish_screening`."""
    drawn = gold.drawn(phase=phase, gold_set=gold_set).order_by("created_at", "pk")
    chosen = list(drawn.values_list("solution", flat=True)[:size])
    in_set = Gold.objects.in_service().filter(gold_set=gold_set).count()
    if in_set and not chosen:
        raise NothingToPublish(f"“{phase.name}” draws from other sources than all {in_set} of the gold “{gold_set}”.")
    return publish_screening(phase=phase, solution_ids=chosen, asked_for=size, now=now, by=by)


def _hide_gold(new_round: Round, gold_set: str) -> None:
    """Gold tasks have no seats: those are made as people come upon them, each upon what is new to them
    (annotate/allocation.py).
    """
    phase = new_round.phase
    if not gold_set or phase.kind != PhaseKind.SOLUTIONS:
        return
    drawn = gold.drawn(phase=phase, gold_set=gold_set).exclude(solution__in=new_round.tasks.values("solution"))
    hidden = [Task(round=new_round, solution_id=pk, is_gold=True) for pk in drawn.values_list("solution", flat=True)]
    Task.objects.bulk_create(hidden, batch_size=BATCH)
    new_round.gold_set, new_round.gold_hidden = gold_set, len(hidden)
    new_round.gold_in_set = Gold.objects.in_service().filter(gold_set=gold_set).count()
    new_round.save(update_fields=["gold_set", "gold_hidden", "gold_in_set"])


def _check_ready(phase: Phase, solution_ids: Sequence[UUID]) -> None:
    if not solution_ids:
        raise NothingToPublish("There is no solution to publish.")
    if phase.status in {PhaseStatus.CLOSED, PhaseStatus.ARCHIVED}:
        raise RoundStillOpen(f"The phase “{phase.name}” is {phase.status}.")
    check_no_other(phase)


def check_no_other(phase: Phase, number: int = 0) -> None:
    """One open round of real work a phase; screening stands beside it. Raises RoundStillOpen."""
    open_round = phase.rounds.filter(status=RoundStatus.OPEN, number__gte=0).first()
    if open_round is not None and number >= 0:
        raise RoundStillOpen(f"Round {open_round.number} of “{phase.name}” is still open. Close it first.")


def check_sources(phase: Phase, solution_ids: Sequence[UUID]) -> None:
    """Raises OutsideSources where the phase draws from other sources, or other generators, than some of these have."""
    if not (phase.sources or phase.generators):
        return
    outside = Counter[tuple[str, str]]()
    for start in range(0, len(solution_ids), BATCH):
        asked = Solution.objects.filter(pk__in=solution_ids[start : start + BATCH])
        drawn = set(asked.drawn_by(phase).values_list("pk", flat=True))
        rows = asked.values_list("pk", "source", "generator")
        outside.update((source, generator) for pk, source, generator in rows if pk not in drawn)
    if outside:
        named = ", ".join(_origin(*each) for each, _ in outside.most_common(NAMED))
        raise OutsideSources(
            f"“{phase.name}” doesn't draw from {named}: {outside.total()} of {len(solution_ids)} solutions."
        )


def _origin(source: str, generator: str) -> str:
    return f"“{source}” by “{generator}”" if generator else f"“{source}”"


def _put_up(tasks: Sequence[Task], overlap: int, *, start: int = 0, seed: int = 0) -> None:
    """Tasks with their seats, from a position on: every task's first seat comes before any task's second."""
    Task.objects.bulk_create(tasks, batch_size=BATCH)
    seats = [
        Assignment(task=task, round=task.round, seat=seat, position=start + seat * len(tasks) + order)
        for seat in range(overlap)
        for order, task in enumerate(_shuffled(tasks, seed, seat))
    ]
    Assignment.objects.bulk_create(seats, batch_size=BATCH)


def _shuffled(tasks: Iterable[Task], seed: int, seat: int) -> list[Task]:
    """In an order that says nothing about the tasks, and is the same for the same seed.

    By a hash of ids that no annotator sees: the seed alone, often 0, would tell the rank of what is served when.
    """
    return sorted(tasks, key=lambda task: sha256(f"{seed}:{seat}:{task.solution_id}".encode()).digest())


@transaction.atomic
def close(*, round_id: UUID, now: datetime, by: User | None = None) -> Round:
    """Closes the round: nobody can claim or submit in it any more. Closing a closed round changes nothing."""
    closing: Round = Round.objects.select_for_update().get(pk=round_id)
    if closing.status == RoundStatus.OPEN:
        closing.status = RoundStatus.CLOSED
        closing.closed_at = now
        closing.save(update_fields=["status", "closed_at"])
        audit.record(by=by, act="close", on=closing)
    return closing


def close_full(*, now: datetime) -> list[Round]:
    """Closes the open rounds that are full, of phases that say so. Where people disagree, one more is asked first.

    A worker calls it at each beat, away from every annotator's request; what a beat that dies leaves, the next does.
    """
    full = Round.objects.full(now=now).filter(status=RoundStatus.OPEN, phase__closes_full_rounds=True)
    return [closed for pk in full.values_list("pk", flat=True) if (closed := _close_if_full(pk, now))]


@transaction.atomic
def _close_if_full(round_id: UUID, now: datetime) -> Round | None:
    """Looks again under the round's lock, which whoever adds tasks takes, too."""
    locked = Round.objects.select_for_update(of=("self",)).select_related("phase").get(pk=round_id)
    is_full = Round.objects.full(now=now).filter(pk=round_id, status=RoundStatus.OPEN).exists()
    if not is_full or (locked.phase.overlap_cap and consensus.ask_again(round_=locked)):
        return None
    return close(round_id=round_id, now=now)


@transaction.atomic
def reopen(*, round_id: UUID, by: User | None = None) -> Round:
    """Lets people label what is left. Raises RoundStillOpen while another round of the phase is open."""
    reopening: Round = Round.objects.select_for_update().get(pk=round_id)
    if reopening.status == RoundStatus.OPEN:
        return reopening
    phase = Phase.objects.select_for_update().get(pk=reopening.phase_id)
    check_no_other(phase, reopening.number)
    reopening.status = RoundStatus.OPEN
    reopening.closed_at = None
    reopening.save(update_fields=["status", "closed_at"])
    audit.record(by=by, act="reopen", on=reopening)
    return reopening


@transaction.atomic
def add_tasks(  # noqa: PLR0913  all of them the caller's
    *,
    round_id: UUID,
    solution_ids: Sequence[UUID],
    overlap: int | None,
    first: bool,
    is_replacement: bool = False,
    by: User | None = None,
) -> list[Task]:
    """Puts more solutions up, before or after what is there, shuffled; as replacements of what was, whatever their
    source.

    Raises AlreadyPutUp where the round has one of them, OutsideSources, and NotThisRound for a closed round and for
    screening, which is one fixed set for all.
    """
    round_ = _to_change(round_id)
    if not is_replacement:
        check_sources(round_.phase, solution_ids)
    if round_.tasks.filter(solution__in=solution_ids).exists() or len(set(solution_ids)) < len(solution_ids):
        raise AlreadyPutUp("Some of these solutions are in this round already.")
    needed = overlap or round_.phase.overlap
    start = _ends(round_)[0] - len(solution_ids) * needed if first else _ends(round_)[1] + 1
    tasks = [Task(round=round_, solution_id=pk, overlap=needed) for pk in solution_ids]
    _put_up(tasks, needed, start=start)
    audit.record(by=by, act="add tasks", on=round_, after={"solutions": list(solution_ids), "overlap": needed})
    return tasks


@transaction.atomic
def withdraw(*, round_id: UUID, task_ids: Sequence[UUID], now: datetime, by: User | None = None) -> int:
    """Takes free seats away: nobody new gets these tasks, who has one in hand may finish. How many were withdrawn."""
    round_ = _to_change(round_id)
    tasks = round_.tasks.filter(pk__in=task_ids, withdrawn_at=None)
    withdrawn = list(tasks.values_list("pk", flat=True))
    tasks.update(withdrawn_at=now)
    free = Assignment.objects.claimable(now=now).filter(task__in=withdrawn)
    locked = list(free.select_for_update(skip_locked=True, of=("self",)).values_list("pk", flat=True))
    Assignment.objects.filter(pk__in=locked).delete()
    audit.record(by=by, act="withdraw tasks", on=round_, after={"tasks": withdrawn})
    return len(withdrawn)


@transaction.atomic
def prioritise(*, round_id: UUID, task_ids: Sequence[UUID], first: bool, by: User | None = None) -> int:
    """Serves these tasks before (or after) all others, shuffled among themselves. How many seats moved."""
    round_ = _to_change(round_id)
    chosen = round_.tasks.filter(pk__in=task_ids, is_gold=False)
    order = {task.pk: index for index, task in enumerate(_shuffled(chosen, 0, 0))}
    seats = list(Assignment.objects.open().filter(round=round_, task__in=order))
    seats.sort(key=lambda seat: (seat.seat, order[seat.task_id]))
    start = _ends(round_)[0] - len(seats) if first else _ends(round_)[1] + 1
    for position, seat in enumerate(seats, start):
        seat.position = position
    Assignment.objects.bulk_update(seats, ["position"], batch_size=BATCH)
    audit.record(by=by, act="prioritise", on=round_, after={"tasks": list(task_ids), "first": first})
    return len(seats)


def _to_change(round_id: UUID) -> Round:
    round_: Round = Round.objects.select_for_update(of=("self",)).select_related("phase").get(pk=round_id)
    if round_.status != RoundStatus.OPEN or round_.number == SCREENING:
        raise NotThisRound("Only an open round of real work can be changed.")
    return round_


def _ends(round_: Round) -> tuple[int, int]:
    """The positions of the seats that come first and last."""
    ends = round_.assignments.aggregate(first=Min("position"), last=Max("position"))
    return ends["first"] or 0, ends["last"] or 0


def forecast(*, wanted: int, done: int, last_day: int, now: datetime) -> datetime | None:
    """When the rest will be labelled, at the pace of the last 24 hours; None at a standstill."""
    left = max(0, wanted - done)
    return now + timedelta(days=left / last_day) if last_day else None
