"""Decides which problems are held out. A problem once held out stays so, whatever is imported later; only staff undo
it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from labeling import audit
from labeling.errors import DomainError
from labeling.models import Benchmark, Labelling, Problem, Sample, Split, Task, User
from labeling.models.pool import OF_A_TASK, ProblemQuerySet
from labeling.rules.audited import AuditAct

CHUNK = 2000


class CannotChange(DomainError, code="cannot_change_split", status=409):
    """A problem on a benchmark stays held out."""


@dataclass(frozen=True)
class Touched:
    """The effects of a change of split: the problems that it changes, and what is built on them."""

    problems: int
    labellings: int
    tasks: int
    trained_on: int  # problems of which a snapshot had labels for training
    held_out: int  # problems that a snapshot had held out
    benchmarks: list[str]


def keys_held_out(said: Iterable[tuple[str, str]]) -> set[str]:
    """The keys that any of the pairs of key and split holds out."""
    return {key for key, split in said if split == Split.TEST}


def trials_held_out(tasks: Mapping[str, str], held_out: Container[str], source: str) -> set[str]:
    """The keys of a source's new traces, given with their tasks, whose task a record or the pool holds out."""
    names = {task for key, task in tasks.items() if key in held_out}
    known = Problem.objects.filter(OF_A_TASK, source=source, external_id__in={*tasks.values()}, split=Split.TEST)
    names |= {*known.values_list("external_id", flat=True)} if tasks else set()
    return {key for key, task in tasks.items() if task in names}


def hold_out(problems: Iterable[UUID]) -> int:
    """Moves known problems that a record holds out to split test, in the caller's transaction; returns how many.

    The other trials of a trace's task move, too. Those that a snapshot has trained on already stay, with their trials:
    that conflict is for staff to decide.
    """
    ids, moved = list(problems), 0
    for start in range(0, len(ids), CHUNK):
        known = Problem.objects.filter(pk__in=ids[start : start + CHUNK]).with_trials()
        trained_on = known.exclude(trained_on_at=None).with_trials()
        untrained = known.filter(split=Split.TRAIN).exclude(pk__in=list(trained_on.values_list("pk", flat=True)))
        moved += untrained.update(split=Split.TEST)
    return moved


def remember(*, trained_on: Iterable[str], held_out: Iterable[str], now: datetime) -> None:
    """Notes, in the caller's transaction, which problems a snapshot trains on, and which of split train it held out."""
    for column, problems in (("trained_on_at", trained_on), ("held_out_at", held_out)):
        ids = sorted(problems)  # in one order, against deadlocks
        for start in range(0, len(ids), CHUNK):
            known = Problem.objects.filter(pk__in=ids[start : start + CHUNK], split=Split.TRAIN)
            known.filter(**{column: None}).update(**{column: now})


def of_source(source: str) -> set[UUID]:
    """The problems that a source brought, or has solutions of."""
    brought = Problem.objects.filter(source=source).values_list("pk", flat=True)
    return {*brought, *Sample.objects.filter(source=source).values_list("solution__problem", flat=True).distinct()}


def touched(problems: Iterable[UUID], split: str) -> Touched:
    """The effects that `change_split` would have."""
    numbers, names = Counter[str](), set[str]()
    for changed in _changed(problems, split):
        ids = list(changed.values_list("pk", flat=True))
        numbers["problems"] += changed.filter(replaced_by=None).count()
        numbers["labellings"] += Labelling.objects.current().filter(task__solution__problem__in=ids).count()
        numbers["tasks"] += Task.objects.filter(solution__problem__in=ids).count()
        numbers["trained_on"] += changed.exclude(trained_on_at=None).count()
        numbers["held_out"] += changed.filter(Q(split=Split.TEST) | ~Q(held_out_at=None)).count()
        names |= set(Benchmark.objects.filter(registrations__problem__in=ids).values_list("name", flat=True))
    counted = ("problems", "labellings", "tasks", "trained_on", "held_out")
    return Touched(**{name: numbers[name] for name in counted}, benchmarks=sorted(names))


@transaction.atomic
def change_split(problems: Iterable[UUID], split: str, *, on: str, by: User) -> Touched:
    """Moves the problems to the split; `on` names them in the audit log. Raises CannotChange."""
    ids = sorted(problems)
    about = touched(ids, split)
    if split == Split.TRAIN and about.benchmarks:
        raise CannotChange(f"On a benchmark: {', '.join(about.benchmarks)}. Take it off the register first.")
    columns = {"split": split, **({"held_out_at": None} if split == Split.TRAIN else {})}
    first = None
    for changed in _changed(ids, split):
        first = first or changed.first()
        changed.update(**columns)
    if first is not None:
        audit.record(by=by, act=AuditAct.SPLIT, on=first, after={"split": split, "of": on, **asdict(about)})
    return about


def _changed(problems: Iterable[UUID], split: str) -> Iterator[ProblemQuerySet]:
    """Yields the problems that are not in the split yet, in all versions and trials; for `train`, also those that a
    snapshot drew as held out.
    """
    ids, is_other = sorted(problems), ~Q(split=split)
    for start in range(0, len(ids), CHUNK):
        versions = Problem.objects.filter(pk__in=ids[start : start + CHUNK]).with_trials()
        yield versions.filter(is_other | ~Q(held_out_at=None) if split == Split.TRAIN else is_other)
