"""Publishes a round's tasks a batch at a time: memory stays flat, and a retry continues after the last batch.

A round is begun, filled and opened. Until it is open nobody gets a task of it, so filling it needs no lock: only its
own publication writes to it. Beginning and opening lock the phase: one open round a phase is checked there, twice,
because another round may have been opened meanwhile.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

import numpy as np
from django.db import transaction
from django.db.models import Count, Max
from numpy.typing import NDArray

from labeling import audit, planning
from labeling.campaign import hiding, withdrawals
from labeling.counts import tallies
from labeling.errors import DomainError
from labeling.models import Assignment, Phase, PhaseStatus, Round, RoundStatus, Solution, Task, User
from labeling.rules.audited import AuditAct

BATCH = 1000
NAMED = 5
Places = NDArray[np.int64]


class RoundStillOpen(DomainError, code="round_still_open", status=409):
    """The phase can't open another round now."""


class NothingToPublish(DomainError, code="nothing_to_publish"):
    """No solutions were given."""


class OutsideSources(DomainError, code="outside_sources"):
    """Some solutions are not from the phase's sources."""


@transaction.atomic
def begin(*, phase: Phase, solution_ids: Sequence[UUID], requested: int | None = None, now: datetime) -> Round:
    """Creates the phase's next round, empty. Takes only slices of `solution_ids`, which may read rows as needed.

    Raises RoundStillOpen, NothingToPublish, OutsideSources.
    """
    phase = Phase.objects.select_for_update().get(pk=phase.pk)
    if not len(solution_ids):
        raise NothingToPublish("There are no solutions to publish.")
    check_ready(phase)
    check_sources(phase, solution_ids)
    last = phase.rounds.aggregate(last=Max("number"))["last"]
    # Screening is -1 and imported quality control -2: real work starts at 0 all the same.
    number = 0 if last is None else max(last + 1, 0)
    status = RoundStatus.PUBLISHING
    begun: Round = Round.objects.create(phase=phase, number=number, status=status, requested=requested, opened_at=now)
    return begun


def fill(
    *,
    round_: Round,
    solution_ids: Sequence[UUID],
    overlap: int,
    seed: int = 0,
    on_batch: Callable[[int], None] = lambda done: None,
) -> None:
    """Adds the tasks that the round still lacks, ranked in the given order, with seats shuffled by the seed: every
    task's first seat comes before any task's second. With an overlap of 1, the phase's share of them gets two.

    `on_batch` is called in each batch's transaction with the number of tasks so far; what it raises undoes the batch.
    """
    # A batch is there as a whole or not at all, so the number of tasks says where to continue. The order is computed
    # anew from ids and seed, and comes out the same.
    filled = round_.tasks.filter(is_gold=False).count()
    shared = _shared(round_.phase, len(solution_ids)) if overlap == 1 else 0
    # The positions of all first seats, then of all second ones, and so on; only a shared task has the extra seat.
    of_seats = [seat * len(solution_ids) + places(solution_ids, seed, seat) for seat in range(overlap + bool(shared))]
    is_shared = of_seats[-1] < len(solution_ids) + shared if shared else None
    for start in range(filled, len(solution_ids), BATCH):
        ids = solution_ids[start : start + BATCH]
        needed = [overlap] * len(ids) if is_shared is None else (overlap + is_shared[start : start + BATCH]).tolist()
        tasks = [
            Task(round=round_, solution_id=pk, overlap=seats, rank=rank)
            for rank, (pk, seats) in enumerate(zip(ids, needed, strict=True), start + 1)
        ]
        with transaction.atomic():
            on_batch(start + len(ids))
            add_tasks(tasks, [of_seat[start : start + BATCH] for of_seat in of_seats])
    planning.count_rows(Task, Assignment)


@transaction.atomic
def open_(*, round_: Round, gold_set: str | None = None, by: User | None = None) -> Round:
    """Hides gold among the round's tasks, the phase's if no set is named, and opens the round.

    Raises RoundStillOpen if the phase was closed meanwhile, or another round opened.
    """
    phase = Phase.objects.select_for_update().get(pk=round_.phase_id)
    check_ready(phase)
    round_.phase = phase
    hiding.hide(round_, gold_set=phase.gold_set if gold_set is None else gold_set)
    withdrawals.apply(round_)  # of tasks withdrawn since they were selected
    round_.status = RoundStatus.OPEN
    round_.save(update_fields=["status", "gold_set", "gold_hidden", "gold_seats", "gold_in_set"])
    after = round_.tasks.filter(is_gold=False).aggregate(tasks=Count("pk"), overlap=Max("overlap"))
    audit.record(by=by, act=AuditAct.PUBLISH, on=round_, after=after | {"gold": round_.gold_hidden})
    return round_


def empty(*, round_id: UUID) -> None:
    """Deletes the tasks of a round that was never opened."""
    unopened = Task.objects.filter(round=round_id, round__status=RoundStatus.PUBLISHING)
    # In short transactions, so that cancelling a large publication locks little. Seats first: they refer to the tasks.
    while tasks := list(unopened.values_list("pk", flat=True)[:BATCH]):
        with transaction.atomic():
            Assignment.objects.filter(task__in=tasks).delete()
            Task.objects.filter(pk__in=tasks).delete()
    Round.objects.filter(pk=round_id, status=RoundStatus.PUBLISHING).update(task_count=0, seat_count=0)


def add_tasks(tasks: Sequence[Task], of_seats: Sequence[Places]) -> None:
    """Stores tasks with their seats; for each seat, `of_seats` has the tasks' positions in serving order."""
    Task.objects.bulk_create(tasks, batch_size=BATCH)
    seats = (
        Assignment(task=task, round=task.round, seat=seat, position=place)
        for seat, of_seat in enumerate(of_seats)
        for task, place in zip(tasks, of_seat.tolist(), strict=True)
        if seat < task.overlap
    )
    Assignment.objects.bulk_create(seats, batch_size=BATCH)
    tallies.count_published(tasks[0].round_id, tasks=len(tasks), seats=sum(task.overlap for task in tasks))


def _shared(phase: Phase, number: int) -> int:
    """Returns how many of `number` tasks get two annotators; 0 while the phase has only one."""
    return int(number * phase.shared_rate) if phase.memberships.labelling().count() > 1 else 0


def shuffle(solution_id: UUID, seed: int = 0, seat: int = 0) -> int:
    """Returns a sort key: the order reveals nothing about the tasks, and is the same for the same seed.

    It hashes ids that no annotator sees: from the seed alone, often 0, people could infer ranks from the serving order.
    """
    return int.from_bytes(sha256(f"{seed}:{seat}:{solution_id}".encode()).digest()[:8])


def places(solution_ids: Sequence[UUID], seed: int = 0, seat: int = 0) -> Places:
    """Returns each solution's place in the shuffled order, in the order given."""
    hashes = (shuffle(pk, seed, seat) for part in _in_parts(solution_ids) for pk in part)
    order = np.fromiter(hashes, np.uint64, len(solution_ids)).argsort(kind="stable")
    # If the third solution is served first, then the first and the second,
    # `order` is [2, 0, 1] and the places are [1, 2, 0].
    found = np.empty(len(order), np.int64)  # the inverse permutation: `order` lists the solutions by place
    found[order] = np.arange(len(order))
    return found


def _in_parts(solution_ids: Sequence[UUID]) -> Iterator[Sequence[UUID]]:
    return (solution_ids[start : start + BATCH] for start in range(0, len(solution_ids), BATCH))


def check_ready(phase: Phase) -> None:
    """Raises RoundStillOpen if the phase is closed, or has an open round."""
    if phase.status in {PhaseStatus.CLOSED, PhaseStatus.ARCHIVED}:
        raise RoundStillOpen(f"The phase “{phase.name}” is {phase.status}.")
    check_no_other(phase)


def check_no_other(phase: Phase, number: int = 0) -> None:
    """Raises RoundStillOpen if another round of the phase is open. A screening (negative) may open beside one."""
    open_round = phase.rounds.filter(status=RoundStatus.OPEN, number__gte=0).first()
    if open_round is not None and number >= 0:
        raise RoundStillOpen(f"Round {open_round.number} of “{phase.name}” is still open. Close it first.")


def check_sources(phase: Phase, solution_ids: Sequence[UUID]) -> None:
    """Raises OutsideSources if some solutions are not from the phase's sources or generators."""
    # A phase that names none draws from the whole pool.
    if not (phase.sources or phase.generators):
        return
    outside = Counter[tuple[str, str]]()
    for part in _in_parts(solution_ids):
        asked: Any = Solution.objects.filter(pk__in=part)
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
