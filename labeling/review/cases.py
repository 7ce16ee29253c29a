"""The queues of adjudication: queries over labellings and reports, without what was settled since."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import datetime
from functools import partial
from itertools import accumulate
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from labeling.campaign import consensus
from labeling.counts import rollups
from labeling.models import (
    Case,
    FinishReason,
    Labelling,
    Outcome,
    Phase,
    PhaseKind,
    Queue,
    Report,
    Round,
    Task,
    Verdict,
)
from labeling.models.pool import not_withdrawn
from labeling.rules.words import Grader

OLDEST = 500
REOPENED = Case.objects.filter(task=OuterRef("pk"), queue=Queue.GRADER, settled_at=None, reopens__isnull=False)
REFERRED = Case.objects.filter(task=OuterRef("pk"), queue=Queue.SECOND_LOOK, settled_at=None)
Tasks = Any  # a queryset of tasks, perhaps annotated


def waiting(queue: str, tasks: Tasks) -> Tasks:
    """The tasks in the queue, with `waiting_since`, the time of their last labelling or report.

    A settled task leaves its queue, and all others unless it was dismissed; anything newer brings it back, and so does
    reopening it.
    """
    if Queue(queue).traits.is_reported:
        reports = Report.objects.filter(kind=queue, resolved_at=None)
        newest = reports.filter(task=OuterRef("pk")).order_by("-created_at").values("created_at")[:1]
        return tasks.filter(pk__in=reports.values("task")).annotate(waiting_since=Subquery(newest))
    words = Labelling.objects.current().filter(task=OuterRef("pk"))
    when = (
        words.annotate(waiting_since=Coalesce("submitted_at", "created_at"))
        .order_by("-waiting_since")
        .values("waiting_since")
    )
    if queue == Queue.SECOND_LOOK:
        when = REFERRED.values("created_at")
    real = tasks.filter(is_gold=False, round__number__gte=0, solution__problem__replaced_by=None)
    real = real.filter(not_withdrawn("solution", "pk"))
    # A dismissal says something about this queue only; any other outcome settles the task in all of them.
    own = Q(queue=queue) | ~Q(outcome=Outcome.DISMISS)
    stands = own & Q(reopened_as=None)
    settled_ = Case.objects.filter(stands, task=OuterRef("pk"), settled_at__gte=OuterRef("waiting_since"))
    find = QUERIES.get(queue, partial(_ended, queue))
    return find(real).annotate(waiting_since=Subquery(when[:1])).filter(~Exists(settled_))


def settled(queue: str, tasks: Tasks) -> Tasks:
    """The tasks that were settled in the queue, with `settled_at`, newest first."""
    of_queue = Case.objects.filter(queue=queue, settled_at__isnull=False)
    newest = of_queue.filter(task=OuterRef("pk")).order_by("-settled_at").values("settled_at")[:1]
    found = tasks.filter(pk__in=of_queue.values("task")).annotate(settled_at=Subquery(newest))
    return found.order_by("-settled_at", "pk")


def is_waiting(task: Task) -> bool:
    """Returns whether the task waits in any queue."""
    ends = Labelling.objects.current().filter(task=task).values_list("finish_reason", flat=True)
    reports = Report.objects.filter(task=task, resolved_at=None).values_list("kind", flat=True)
    # Each queue is a long query: only those are tried that the task's labellings and reports can have put it in.
    can_be = {*QUERIES, *reports, *(FinishReason(end).traits.queue for end in ends if end)}
    return any(waiting(queue, Task.objects.filter(pk=task.pk)).exists() for queue in Queue.values if queue in can_be)


def in_order(tasks: Tasks) -> Tasks:
    """Sorts tasks, longest waiting first."""
    return tasks.order_by("waiting_since", "pk")


def _with(tasks: Tasks, labellings: QuerySet[Any]) -> Tasks:
    return tasks.filter(pk__in=labellings.filter(superseded_at=None).order_by().values("task"))


def _ended(queue: str, tasks: Tasks) -> Tasks:
    """Tasks that have a labelling whose finish reason belongs to the queue."""
    reasons = [reason.value for reason in FinishReason if reason.traits.queue == queue]
    return _with(tasks, Labelling.objects.filter(finish_reason__in=reasons))


def _probably_graded_badly(tasks: Tasks) -> Tasks:
    """Selects tasks that a grader does not call right, or whose ruling on it was reopened, though somebody rated every
    step and found no error.
    """
    fine = Labelling.objects.filter(finish_reason=FinishReason.SOLUTION).with_first_error().filter(first_error=-1)
    graded = tasks.filter(round__phase__kind=PhaseKind.SOLUTIONS)
    doubtful = ~Q(solution__verdict=Verdict.RIGHT) & ~Q(solution__grader_version=Grader.NONE.version)
    return _with(graded.filter(doubtful | Exists(REOPENED)), fine)


QUERIES: dict[str, Callable[[Tasks], Tasks]] = {
    Queue.DISAGREEMENT: lambda tasks: consensus.disputed(tasks.filter(overlap__gt=1)),
    Queue.UNSURE: lambda tasks: _with(tasks, Labelling.objects.filter(completions__is_flagged=True)),
    Queue.GRADER: _probably_graded_badly,
    Queue.SECOND_LOOK: lambda tasks: tasks.filter(Exists(REFERRED)),
}


def sizes(phases: QuerySet[Phase], *, now: datetime) -> dict[str, int]:
    """Counts the phases' tasks that wait in each queue; for big phases, takes the last count."""
    big, small = _parted(phases)
    rolled, rest = _rolled(big, now), Task.objects.filter(round__in=small)
    return {
        queue: waiting(queue, rest).count() + sum(found.get(queue, {"waiting": 0})["waiting"] for found in rolled)
        for queue in Queue.values
    }


def likely(queue: str, phases: QuerySet[Phase], *, now: datetime) -> Tasks:
    """The phases' tasks that may wait in the queue, the oldest at least; of big phases, those found by the last
    count.
    """
    big, small = _parted(phases)
    rest = Task.objects.filter(round__in=small)
    if not big:
        return rest
    found = [pk for value in _rolled(big, now) for pk in value.get(queue, {"oldest": []})["oldest"]]
    oldest = in_order(waiting(queue, rest)).values_list("pk", flat=True)[:OLDEST]
    return Task.objects.filter(pk__in=[*found, *oldest])


def _rolled(big: list[UUID], now: datetime) -> list[dict[str, Any]]:
    """The last counts of each phase, by queue."""
    return [found.value or {} for found in rollups.read_many(ROLLED, big, now=now)]


def _parted(phases: QuerySet[Phase]) -> tuple[list[UUID], list[UUID]]:
    """Returns the phases whose queues take too long to look through in a request, and the rounds of all others: of the
    smallest phases, as many as have few tasks together.
    """
    rounds_of, tasks_of = defaultdict[UUID, list[UUID]](list), Counter[UUID]()
    rounds = Round.objects.filter(phase__in=phases).values_list("phase", "pk", "task_count")
    for phase, round_id, tasks in rounds:
        rounds_of[phase].append(round_id)
        tasks_of[phase] += tasks
    # Smallest first, as long as their tasks add up to few: with 500, 1,000 and 9,000 tasks, the first two are counted
    # now.
    by_size = sorted(tasks_of, key=tasks_of.__getitem__)
    few = bisect_right(list(accumulate(tasks_of[phase] for phase in by_size)), rollups.FEW)
    return by_size[few:], [pk for phase in by_size[:few] for pk in rounds_of[phase]]


def _count_queues(phase_id: UUID) -> dict[str, Any]:
    """Returns for each queue of the phase how many tasks wait, and which have waited longest."""
    tasks = Task.objects.filter(round__phase=phase_id)
    found = {}
    for queue in Queue.values:
        rows = waiting(queue, tasks)
        oldest = [str(pk) for pk in in_order(rows).values_list("pk", flat=True)[:OLDEST]]
        found[queue] = {"waiting": rows.count() if len(oldest) == OLDEST else len(oldest), "oldest": oldest}
    return found


ROLLED = rollups.Kind("queues", _count_queues, rollups.has_many_tasks)
