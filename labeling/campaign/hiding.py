"""Hides gold among a round's tasks, so that nobody can tell it: gold is a task like any other.

It has as many seats as another task, at the same places in the queue. A problem comes as often as it was selected: gold
on a problem of the round takes the place of one of its tasks. What people see of a task (sizes, subject, whether the
answer is right) tells nothing: gold has no more than its share of short ones, of wrong ones, and so on. And a solution
that somebody had in an earlier round of the phase does not come again, as no real task would.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from random import SystemRandom
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import Count

from labeling.campaign import gold
from labeling.counts import tallies
from labeling.models import Assignment, AssignmentKind, Gold, PhaseKind, Round, Solution, Task

BATCH = 1000
LOOKED_AT = 5000
FEW = 30  # tasks: among fewer, sizes are not compared
THIRDS = (1 / 3, 2 / 3)
ENOUGH = 0.9
DICE = SystemRandom()  # random numbers that nobody can predict
SEEN = ("verdict", "problem__subject", "problem__markup", "markup")
Traits = frozenset[tuple[str, Any]]


@dataclass(frozen=True)
class Look:
    """The traits of a solution that people see.

    `times`: how many tasks of the round are on its problem. `sizes`: of the statement and the text, and the number of
    steps.
    """

    solution: UUID
    problem: UUID
    times: int
    traits: Traits
    sizes: tuple[int, int, int]


def hide(round_: Round, *, gold_set: str) -> None:
    """Hides gold of the set in a round that is about to open: the phase's share of its tasks, or as much as it can."""
    phase, tasks = round_.phase, round_.tasks.filter(is_gold=False)
    if not gold_set or not phase.gold_rate or phase.kind != PhaseKind.SOLUTIONS:
        return
    # Ids are random, so the first ones are a random sample.
    sample = list(tasks.order_by("pk").values_list("solution", flat=True)[:LOOKED_AT])
    fresh = gold.fresh(phase=phase, gold_set=gold_set).order_by("solution")
    golds = list(fresh.values_list("solution", flat=True)[:LOOKED_AT])
    looks = _looks(round_, [*sample, *golds])
    shuffled = [looks[pk] for pk in DICE.sample(golds, len(golds))]
    wanted = _wanted(shuffled, number=tasks.count(), rate=phase.gold_rate)
    chosen = _chosen(shuffled, [looks[pk] for pk in sample], wanted)
    # First those that add to the round: the rest may take the places of all its tasks.
    _add_seats(round_, [look for look in chosen if not look.times])
    _replace(round_, [look for look in chosen if look.times])
    round_.gold_set, round_.gold_hidden = gold_set, len(chosen)
    round_.gold_in_set = Gold.objects.in_service().filter(gold_set=gold_set).count()
    round_.gold_seats = round_.assignments.filter(kind=AssignmentKind.GOLD).count()


def _looks(round_: Round, solutions: Sequence[UUID]) -> dict[UUID, Look]:
    columns = ("pk", "problem", "steps", "answer", "problem__statement", *SEEN)
    rows = list(Solution.objects.filter(pk__in=solutions).values(*columns))
    of_problems = Task.objects.filter(is_gold=False, solution__problem__in={row["problem"] for row in rows})
    here = of_problems.filter(round=round_).values_list("solution__problem").annotate(Count("pk"))
    times = dict(here.order_by())
    before = of_problems.filter(round__phase=round_.phase_id).exclude(round=round_)
    known = set(before.values_list("solution__problem", flat=True))
    return {row["pk"]: _look(row, times.get(row["problem"], 0), is_known=row["problem"] in known) for row in rows}


def _look(row: Mapping[str, Any], times: int, *, is_known: bool) -> Look:
    traits = {(name, row[name]) for name in SEEN}
    traits |= {("answers", bool(row["answer"])), ("known", is_known), ("alone", times <= 1)}
    sizes = (len(row["problem__statement"]), len("".join(row["steps"])), len(row["steps"]))
    return Look(row["pk"], row["problem"], times, frozenset(traits), sizes)


def _wanted(golds: Sequence[Look], *, number: int, rate: float) -> int:
    # Gold on other problems adds to the round, the rest replaces: 10 % of 90 tasks are 9 or, if all are added, 10.
    added = sum(not look.times for look in golds) / max(1, len(golds))
    rest = 1 - rate * added
    # Rounded first: 3 · 0.4 / 0.6 is a little more than 2.
    return min(len(golds), ceil(round(number * rate / rest, 6))) if rest else len(golds)


def _chosen(golds: Sequence[Look], real: Sequence[Look], wanted: int) -> list[Look]:
    """Chooses as many gold solutions as wanted, or fewer, so that no visible trait is more frequent among gold than
    among real tasks.
    """
    traits_of = _with_sizes(real)
    times = Counter(trait for look in real for trait in traits_of(look))
    while True:
        # Each problem has room for as many as it has tasks in the round, or for one if it has none.
        room: dict[Any, int] = {look.problem: max(look.times, 1) for look in golds}
        room |= {trait: ceil(wanted * number / len(real)) for trait, number in times.items()}
        found = list(_filling(golds, traits_of, room))[:wanted]
        # If there is too little of one kind, there will be less of the others, until the shares are right.
        if len(found) >= ENOUGH * wanted:
            return found
        wanted = len(found)


def _filling(golds: Sequence[Look], traits_of: Callable[[Look], Traits], room: dict[Any, int]) -> Iterator[Look]:
    for look in golds:
        taken = {look.problem, *traits_of(look)}
        if all(room.get(each) for each in taken):
            for each in taken:
                room[each] -= 1
            yield look


def _with_sizes(real: Sequence[Look]) -> Callable[[Look], Traits]:
    """Returns a function that gives a look's traits and, if the round has many tasks, its sizes in thirds of theirs."""
    # The sizes of a few tasks say little, and thirds of them would keep most gold out.
    if len(real) < FEW:
        return lambda look: look.traits
    edges = np.quantile([look.sizes for look in real], THIRDS, axis=0)

    def traits(look: Look) -> Traits:
        thirds = (edges < look.sizes).sum(axis=0).tolist()
        return look.traits | {(f"size {number}", third) for number, third in enumerate(thirds)}

    return traits


def _add_seats(round_: Round, looks: Sequence[Look]) -> None:
    """Adds each look as a gold task, with as many seats as a random task has, at the same positions."""
    tasks = dict(round_.tasks.filter(is_gold=False).order_by("pk").values_list("pk", "overlap")[:LOOKED_AT])
    alike = DICE.choices(list(tasks), k=len(looks)) if looks else []
    seats = defaultdict[UUID, list[dict[str, Any]]](list)
    for task, *place in Assignment.objects.filter(task__in=alike).values_list("task", "seat", "position"):
        seats[task].append(dict(zip(("seat", "position"), place, strict=True)))
    hidden = _hidden(round_, looks, [tasks[task] for task in alike])
    new = {"round": round_, "kind": AssignmentKind.GOLD}
    pairs = zip(hidden, alike, strict=True)
    rows = (Assignment(**new, task=gold_task, **place) for gold_task, task in pairs for place in seats[task])
    Assignment.objects.bulk_create(rows, batch_size=BATCH)


def _replace(round_: Round, looks: Sequence[Look]) -> None:
    """Puts each look in place of a random task of its problem, as a gold task with its seats; deletes the former."""
    here = round_.tasks.filter(is_gold=False, solution__problem__in={look.problem for look in looks})
    rows = list(here.values_list("solution__problem", "pk", "overlap"))
    tasks = defaultdict[UUID, list[tuple[UUID, int]]](list)
    for problem, *task in DICE.sample(rows, len(rows)):
        tasks[problem].append((task[0], task[1]))
    replaced = [tasks[look.problem].pop() for look in looks]
    hidden = _hidden(round_, looks, [overlap for _, overlap in replaced])
    new = {task: gold_task for (task, _), gold_task in zip(replaced, hidden, strict=True)}
    seats = list(Assignment.objects.filter(task__in=new))
    for seat in seats:
        seat.task, seat.kind = new[seat.task_id], AssignmentKind.GOLD
    Assignment.objects.bulk_update(seats, ["task", "kind"], batch_size=BATCH)
    Task.objects.filter(pk__in=new).delete()
    tallies.count_published(round_.pk, tasks=-len(new), seats=-len(seats))


def _hidden(round_: Round, looks: Sequence[Look], overlaps: Sequence[int]) -> list[Task]:
    pairs = zip(looks, overlaps, strict=True)
    tasks = [Task(round=round_, solution_id=look.solution, overlap=overlap, is_gold=True) for look, overlap in pairs]
    return Task.objects.bulk_create(tasks, batch_size=BATCH)
