"""Withdrawing what was found bad from everywhere: a problem, a solution or a task, in closed rounds too.

Its labels leave training and exports by `not_withdrawn` (labeling/models/pool.py). All rows stay. Whoever has a task in
hand may finish it; that work is kept, and doesn't count. A screening keeps its tasks: it is one fixed set for all.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet

from labeling import audit
from labeling.counts import tallies
from labeling.errors import DomainError
from labeling.models import (
    Assignment,
    AssignmentKind,
    Gold,
    Labelling,
    Problem,
    RatedCompletion,
    Round,
    RoundStatus,
    Snapshot,
    Solution,
    Task,
    User,
    Withdrawal,
)
from labeling.models.pool import not_withdrawn
from labeling.rules.audited import AuditAct
from labeling.rules.labelled import SCREENING

Withdrawable = Problem | Solution | Task
# The path from a task, from the narrowest to the widest.
PATHS = {"task": "pk", "solution": "solution", "problem": "solution__problem"}
NARROWEST_FIRST = [F(kind).asc(nulls_last=True) for kind in PATHS]


class CannotWithdraw(DomainError, code="cannot_withdraw", status=409):
    """The row is withdrawn already, by itself or with its solution or problem."""


class CannotUndo(DomainError, code="cannot_undo_withdrawal", status=409):
    """The row is not withdrawn, or its solution or problem is, too."""


class IsWithdrawn(DomainError, code="is_withdrawn", status=409):
    """Some of the solutions are withdrawn, so nobody may get them."""


@dataclass(frozen=True)
class Affected:
    """The rows that a withdrawal concerns. `models`: names of models trained on some of these labels."""

    labellings: int
    labels: int
    golds: int
    tasks: int
    snapshots: int
    models: list[str]


def affected(row: Withdrawable) -> Affected:
    """The rows that withdrawing this one concerns; for a problem, with its earlier versions."""
    tasks = Task.objects.filter(**{f"{PATHS[_kind(row)]}__in": [each.pk for each in _with_earlier(row)]})
    labellings = Labelling.objects.current().filter(task__in=tasks)
    behind = Snapshot.labellings.through.objects.filter(labelling__task__in=tasks).values("snapshot")
    names = Snapshot.objects.filter(pk__in=behind).values_list("pk", "training_runs__reward_model__name")
    golds = Gold.objects.newest().exclude(gold_set="").filter(solution__in=_solutions(row))
    return Affected(
        labellings=labellings.count(),
        labels=RatedCompletion.objects.filter(labelling__in=labellings, rating__isnull=False).count(),
        golds=golds.count(),
        tasks=tasks.count(),
        snapshots=len({snapshot for snapshot, _ in names}),
        models=sorted({name for _, name in names if name}),
    )


def covering(row: Withdrawable) -> QuerySet[Withdrawal]:
    """Selects the withdrawals of the row, and of the solution and problem that it belongs to; its own first."""
    solution = row.solution if isinstance(row, Task) else row
    problem = solution.problem if isinstance(solution, Solution) else solution
    found = Q(problem=problem)
    if isinstance(solution, Solution):
        found |= Q(solution=solution)
    if isinstance(row, Task):
        found |= Q(task=row)
    return Withdrawal.objects.filter(found).select_related("by").order_by(*NARROWEST_FIRST)


@transaction.atomic
def withdraw(row: Withdrawable, *, why: str, now: datetime, by: User) -> None:
    """Withdraws the row; a problem with its earlier versions, but not those it gets later. Raises CannotWithdraw."""
    _lock(row)
    if covering(row).exists():
        raise CannotWithdraw("It is withdrawn already, by itself or with its solution or problem.")
    about = affected(row)
    for each in _with_earlier(row):
        # An earlier version that was withdrawn on its own stays so when this withdrawal is undone.
        if isinstance(each, Problem) and covering(each).exists():
            continue
        made = Withdrawal.objects.create(**{_kind(row): each}, why=why, at=now, by=by)
        tasks = Task.objects.filter(**{PATHS[_kind(row)]: each.pk}).exclude(round__status=RoundStatus.PUBLISHING)
        _end_service(made, Round.objects.filter(pk__in=tasks.values("round")), now=now)
    audit.record(by=by, act=AuditAct.WITHDRAW, on=row, after={"why": why, **asdict(about)})


@transaction.atomic
def withdraw_tasks(tasks: Sequence[Task], *, why: str, now: datetime, by: User) -> int:
    """Withdraws the tasks that are not withdrawn yet. Returns their number."""
    # Locks all problems before the first round, as withdrawing or fixing a single one does.
    problems = Solution.objects.filter(tasks__in=tasks).values("problem")
    list(Problem.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=problems).order_by("pk"))
    left = [task for task in tasks if not covering(task).exists()]
    for task in left:
        withdraw(task, why=why, now=now, by=by)
    return len(left)


@transaction.atomic
def undo(row: Withdrawable, *, by: User) -> None:
    """Undoes the row's withdrawal; free seats return unless the problem has a new version by now. Raises CannotUndo."""
    _lock(row)
    found = list(covering(row))
    own = next((each for each in found if getattr(each, f"{_kind(row)}_id") == row.pk), None)
    if own is None or len(found) > 1:
        raise CannotUndo("Its solution or problem is withdrawn. Undo that first." if found else "It is not withdrawn.")
    # Versions of a problem that were withdrawn by one act have the same time.
    for each in Withdrawal.objects.filter(at=own.at, **{f"{_kind(row)}__in": _with_earlier(row)}):
        _serve_again(each)
        each.delete()
    audit.record(by=by, act=AuditAct.UNDO_WITHDRAWAL, on=row, before={"why": own.why, "by": own.by_id, "at": own.at})


def check_none(solution_ids: Sequence[UUID]) -> None:
    """Raises IsWithdrawn if any of the solutions, or its problem, is withdrawn."""
    if number := Solution.objects.filter(~not_withdrawn(), pk__in=solution_ids).count():
        raise IsWithdrawn(f"Withdrawn, of the solutions that were chosen: {number} of {len(solution_ids)}.")


def apply(round_: Round) -> None:
    """Ends the service of the withdrawn tasks of a round that is about to open, in the caller's transaction."""
    # The narrowest withdrawal first: it is undone last, and keeps the seats until then.
    found = Q()
    for kind, path in PATHS.items():
        found |= Q(**{f"{kind}__in": round_.tasks.values(path)})
    for each in Withdrawal.objects.filter(found).order_by(*NARROWEST_FIRST):
        _end_service(each, Round.objects.filter(pk=round_.pk), now=each.at)


def end_service(tasks: Sequence[UUID], *, now: datetime, at: datetime | None = None) -> list[dict[str, Any]]:
    """Removes the free seats of these tasks, in rounds that are locked, and returns them: nobody new gets the tasks.

    `at`: when they were withdrawn, if not now.
    """
    # Tasks before seats: once a task is withdrawn, `consensus.ask_again` gives it no further seat.
    Task.objects.filter(pk__in=tasks).update(withdrawn_at=at or now)
    free = Assignment.objects.claimable(now=now).filter(task__in=tasks)
    # A seat that is being claimed right now is skipped: it is in hand, and stays.
    seats = list(free.select_for_update(skip_locked=True).values("pk", "task", "round", "seat", "position", "kind"))
    Assignment.objects.filter(pk__in=[seat.pop("pk") for seat in seats]).delete()
    _count_seats(seats, -1)
    return seats


def _end_service(withdrawal: Withdrawal, rounds: QuerySet[Round], *, now: datetime) -> None:
    """Takes the withdrawal's tasks in these rounds out of service, and keeps their seats on the withdrawal."""
    locked = Round.objects.locked().filter(pk__in=rounds).exclude(number=SCREENING).order_by("pk")
    tasks = Task.objects.filter(_tasks_of(withdrawal), round__in=list(locked), withdrawn_at=None)
    seats = end_service(list(tasks.values_list("pk", flat=True)), now=now, at=withdrawal.at)
    withdrawal.seats += seats
    withdrawal.save(update_fields=["seats"])


def _serve_again(withdrawal: Withdrawal) -> None:
    unfixed = Task.objects.filter(_tasks_of(withdrawal), solution__problem__replaced_by=None)
    ended = unfixed.filter(withdrawn_at=withdrawal.at)
    list(Round.objects.locked().filter(pk__in=ended.values("round")).order_by("pk"))
    ids = {str(pk) for pk in ended.values_list("pk", flat=True)}
    Task.objects.filter(pk__in=ids).update(withdrawn_at=None)
    seats = [seat for seat in withdrawal.seats if seat["task"] in ids]
    columns = {"task": "task_id", "round": "round_id"}
    Assignment.objects.bulk_create(
        Assignment(**{columns.get(name, name): value for name, value in seat.items()}) for seat in seats
    )
    _count_seats(seats, 1)


def _count_seats(seats: Iterable[dict[str, Any]], sign: int) -> None:
    for (round_id, kind), number in Counter((seat["round"], seat["kind"]) for seat in seats).items():
        counted = "gold_seats" if kind == AssignmentKind.GOLD else "seats"
        tallies.count_published(round_id, **{counted: sign * number})


def _kind(row: Withdrawable) -> str:
    return str(row._meta.model_name)


def _tasks_of(withdrawal: Withdrawal) -> Q:
    return next(Q(**{path: pk}) for kind, path in PATHS.items() if (pk := getattr(withdrawal, f"{kind}_id")))


def _with_earlier(row: Withdrawable) -> list[Any]:
    """The row, and the earlier versions if it is a problem."""
    if not isinstance(row, Problem):
        return [row]
    return [row, *Problem.objects.filter(pk=row.pk).with_versions().filter(version__lt=row.version)]


def _solutions(row: Withdrawable) -> QuerySet[Solution]:
    """The solutions that are withdrawn with the row."""
    if isinstance(row, Problem):
        return Solution.objects.filter(problem__in=_with_earlier(row))
    return Solution.objects.filter(pk=row.pk)  # none for a task


def _lock(row: Withdrawable) -> None:
    """Locks the row's problem, before its rounds and their tasks, as fixing it does."""
    problem = {"problem": Q(pk=row.pk), "solution": Q(solutions=row.pk), "task": Q(solutions__tasks=row.pk)}
    list(Problem.objects.select_for_update(of=("self",), no_key=True).filter(problem[_kind(row)]))
