"""Acts on rounds: publish one, publish the screening, close one."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from labeling.errors import DomainError
from labeling.models import Assignment, Gold, Phase, PhaseKind, PhaseStatus, Round, RoundStatus, Task
from labeling.screening import SCREENING

BATCH = 1000


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


class NoScreening(DomainError):
    code = "no_screening"


@transaction.atomic
def publish(*, phase: Phase, solution_ids: Sequence[UUID], overlap: int, now: datetime) -> Round:
    """Puts the solutions up for labelling as the phase's next round, in the given order.

    Raises RoundStillOpen while another round of the phase is open, NothingToPublish for an empty list.
    """
    phase = Phase.objects.select_for_update().get(pk=phase.pk)
    _check_ready(phase, solution_ids)
    last = phase.rounds.aggregate(last=Max("number"))["last"]
    number = 0 if last is None else max(last + 1, 0)
    new_round = Round.objects.create(phase=phase, number=number, opened_at=now)
    tasks = [Task(round=new_round, solution_id=pk, overlap=overlap) for pk in solution_ids]
    Task.objects.bulk_create(tasks, batch_size=BATCH)
    Assignment.objects.bulk_create(_seats(tasks, overlap), batch_size=BATCH)
    return new_round


@transaction.atomic
def publish_screening(*, phase: Phase, solution_ids: Sequence[UUID], now: datetime) -> Round:
    """Puts solutions with gold up as the phase's screening, which every annotator labels before anything else.

    Seats are made as annotators claim them. Raises NothingToPublish for an empty list, AlreadyScreening when the
    phase has its screening, NoScreening in kind `alternatives` (two people's trajectories can't be compared), and
    NoGold where a solution has none.
    """
    phase = Phase.objects.select_for_update().get(pk=phase.pk)
    if not solution_ids:
        raise NothingToPublish("There is no solution to publish.")
    if phase.kind != PhaseKind.SOLUTIONS:
        raise NoScreening("Only phases of kind “solutions” have a screening.")
    if phase.rounds.filter(number=SCREENING).exists():
        raise AlreadyScreening(f"“{phase.name}” has its screening already.")
    with_gold = Gold.objects.filter(solution__in=solution_ids).values("solution").distinct().count()
    if with_gold < len(set(solution_ids)):
        raise NoGold(f"{len(set(solution_ids)) - with_gold} of the solutions have no gold.")
    screening = Round.objects.create(phase=phase, number=SCREENING, opened_at=now)
    Task.objects.bulk_create(Task(round=screening, solution_id=pk) for pk in dict.fromkeys(solution_ids))
    return screening


def _check_ready(phase: Phase, solution_ids: Sequence[UUID]) -> None:
    if not solution_ids:
        raise NothingToPublish("There is no solution to publish.")
    if phase.status == PhaseStatus.CLOSED:
        raise RoundStillOpen(f"The phase “{phase.name}” is closed.")
    open_round = phase.rounds.filter(status=RoundStatus.OPEN, number__gte=0).first()
    if open_round is not None:
        raise RoundStillOpen(f"Round {open_round.number} of “{phase.name}” is still open. Close it first.")


def _seats(tasks: Sequence[Task], overlap: int) -> list[Assignment]:
    """Every task's first seat comes before any task's second."""
    return [
        Assignment(task=task, round_id=task.round_id, seat=seat, position=seat * len(tasks) + order)
        for seat in range(overlap)
        for order, task in enumerate(tasks)
    ]


@transaction.atomic
def close(*, round_id: UUID, now: datetime) -> Round:
    """Closes the round: nobody can claim or submit in it any more. Closing a closed round changes nothing."""
    closing: Round = Round.objects.select_for_update().get(pk=round_id)
    if closing.status == RoundStatus.OPEN:
        closing.status = RoundStatus.CLOSED
        closing.closed_at = now
        closing.save(update_fields=["status", "closed_at"])
    return closing
