"""Undoing an import: deletes its draws, and the rows that it alone added, unless something else builds on them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

from django.db import models, transaction
from django.db.models import Exists, OuterRef, ProtectedError, Q, QuerySet, Subquery

from labeling.counts import tallies
from labeling.data import images
from labeling.data.problems import register
from labeling.errors import DomainError
from labeling.models import (
    Case,
    Consensus,
    Gold,
    Labelling,
    Membership,
    Phase,
    Problem,
    RatedCompletion,
    Registration,
    Round,
    Sample,
    Snapshot,
    Solution,
    Tally,
    Task,
    User,
)
from labeling.rules.labelled import SCREENING

BATCH = 2000
COUNTED = ("task__round", "annotator", "active_ms", "submitted_at")
KINDS: dict[str, type[models.Model]] = {
    "problems": Problem,
    "solutions": Solution,
    "draws": Sample,
    "labellings": Labelling,
    "golds": Gold,
}


class InUse(DomainError, code="in_use", status=409):
    """Some rows of the import were published, labelled, selected or frozen."""


def solutions_of(origin: UUID) -> QuerySet[Solution]:
    """The solutions that this import alone brought: those without samples of another origin."""
    return Solution.objects.filter(~Exists(_samples_by_others(origin)), origin=origin)


def brought(origin: UUID) -> dict[str, int]:
    """Counts the rows of each kind that undoing the import would delete."""
    return {name: rows.count() for name, rows in _own_rows(origin).items()}


def uses(origin: UUID) -> dict[str, int]:
    """Counts, by kind, the uses that other rows make of the import; empty if it can be undone."""
    return _uses(origin, **_own_rows(origin))


def _own_rows(origin: UUID) -> dict[str, QuerySet[Any]]:
    own: dict[str, Any] = {name: model._default_manager.filter(origin=origin) for name, model in KINDS.items()}
    kept = Solution.objects.filter(~Q(origin=origin) | Exists(_samples_by_others(origin)), problem=OuterRef("pk"))
    return own | {"solutions": solutions_of(origin), "problems": own["problems"].filter(~Exists(kept))}


def _samples_by_others(origin: UUID) -> QuerySet[Sample]:
    """Samples of the solution of the outer query that another import, or none, has added."""
    return Sample.objects.filter(solution=OuterRef("pk")).exclude(origin=origin)


def _uses(origin: UUID, **own: Any) -> dict[str, int]:
    """Counts the uses of the import's rows, by kind."""
    every = (own.get(name, KINDS[name]._default_manager.none()) for name in ("solutions", "labellings", "golds"))
    solutions, labellings, golds = every
    others = Labelling.objects.exclude(origin=origin)
    labelled_by_it = Labelling.objects.filter(task=OuterRef("pk"), origin=origin)
    on_solutions = Task.objects.filter(solution__in=solutions.values("pk"))
    on_labellings = Task.objects.filter(pk__in=labellings.values("task"))
    tests = Q(is_gold=True) | Q(round__number=SCREENING)
    served = Task.objects.filter(tests, ~Exists(labelled_by_it), solution__in=golds.values("solution"))
    rivals = Gold.objects.exclude(origin=origin)
    frozen = Snapshot.labellings.through.objects.filter(labelling__in=labellings.values("pk"))
    found = {
        "tasks": on_solutions.filter(~Exists(labelled_by_it)),
        "labellings": others.filter(Q(task__in=on_solutions.values("pk")) | Q(task__in=on_labellings.values("pk"))),
        "golds": rivals.filter(Q(solution__in=solutions.values("pk")) | Q(solution__in=golds.values("solution"))),
        "gold_tasks": served.exclude(solution__in=solutions.values("pk")),
        "snapshots": frozen.order_by().values("labelling").distinct(),
        "consensus": Consensus.objects.filter(task__in=on_labellings.values("pk")),
        "cases": Case.objects.filter(task__in=on_labellings.values("pk")),
    }
    return {name: number for name, rows in found.items() if (number := rows.count())}


WORDS = {
    "tasks": ("task uses its solutions", "tasks use its solutions"),
    "labellings": ("labelling by others is on its tasks", "labellings by others are on its tasks"),
    "golds": ("gold label by others is on its solutions", "gold labels by others are on its solutions"),
    "gold_tasks": ("task serves its gold", "tasks serve its gold"),
    "snapshots": ("of its labellings is in a snapshot", "of its labellings are in snapshots"),
    "consensus": ("consensus counts its labellings", "consensuses count its labellings"),
    "cases": ("case of adjudication is about its labellings", "cases of adjudication are about its labellings"),
    "selections": ("of its solutions is in a selection", "of its solutions are in selections"),
    "second_looks": ("second look was taken at its labels", "second looks were taken at its labels"),
}


def reason(found: dict[str, int]) -> str:
    """Says in a sentence why the import can't be undone; empty if nothing uses its rows."""
    uses = ", ".join(f"{number:,} {WORDS[name][number != 1]}" for name, number in found.items())
    return f"It is in use: {uses}." if uses else ""


def undo(origin: UUID, *, on_rows: Callable[[int], None]) -> None:
    """Deletes what `brought` counts, and its rounds, phases and people that nothing refers to any more.

    In batches: it resumes if interrupted. `on_rows` is called with the size of each batch; what it raises ends the
    work. A solution of which others have samples becomes theirs, as does a problem with other solutions. Raises InUse
    for rows that came into use meanwhile.
    """
    remove: dict[str, Callable[[UUID], int]] = {  # each kind before what it refers to
        "labellings": _delete_labellings,
        "golds": partial(_of_kind, "golds"),
        "draws": _draws,
        "solutions": partial(_of_kind, "solutions"),
        "problems": _delete_problems,
    }
    for kind, remove_batch in remove.items():
        while KINDS[kind]._default_manager.filter(origin=origin).exists():
            on_rows(remove_batch(origin))
    images.forget(origin)
    Registration.objects.filter(origin=origin).delete()
    register.tidy()  # those of its own problems went with them
    tallies.drop_empty(Tally.objects.filter(Q(round__origin=origin) | Q(annotator__origin=origin)))
    for model in (Round, Phase, User):
        for row in model.objects.filter(origin=origin):
            if not _is_referred_to(row):
                row.delete()


@transaction.atomic
def _delete_labellings(origin: UUID) -> int:
    batch = _batch(Labelling, origin)
    rows = Labelling.objects.filter(pk__in=batch)
    _check_unused(origin, labellings=rows)
    # Read before the labellings go: afterwards nothing says which tasks and counters they were in.
    tasks = list(rows.values_list("task", flat=True))
    counted = [tallies.ImportedLabelling(*row) for row in rows.values_list(*COUNTED)]
    RatedCompletion.objects.filter(labelling__in=batch).delete()
    _delete(rows)
    tallies.removed(counted)
    _delete(Task.objects.filter(pk__in=tasks).exclude(Exists(Labelling.objects.filter(task=OuterRef("pk")))))
    return len(batch)


@transaction.atomic
def _draws(origin: UUID) -> int:
    batch = list(Sample.objects.filter(origin=origin).order_by("pk").values_list("pk", "solution")[:BATCH])
    drawn = {solution for _, solution in batch}
    _check_unused(origin, solutions=solutions_of(origin).filter(pk__in=drawn))
    Sample.objects.filter(pk__in=[pk for pk, _ in batch]).delete()
    left, theirs = Sample.objects.filter(solution__in=drawn), Solution.objects.filter(pk__in=drawn)
    # What another import has repeated counts as its own now.
    same = {name: OuterRef(name) for name in ("solution", "source", "generator", "draw")}
    earlier = Sample.objects.filter(**same, repeat__lt=OuterRef("repeat"))
    left.filter(~Exists(earlier), repeat__gt=0).update(repeat=0)
    others = _samples_by_others(origin).order_by("pk")
    first = {name: Subquery(others.values(name)[:1]) for name in ("origin", "source", "generator", "external_id")}
    theirs.filter(Exists(others), origin=origin).update(**first)
    # Solutions without a sample are known from labels alone again.
    own = Sample.objects.filter(solution=OuterRef("pk"))
    theirs.filter(~Exists(own), ~Q(origin=origin)).update(in_pool=False)
    return len(batch)


@transaction.atomic
def _of_kind(kind: str, origin: UUID) -> int:
    batch = _batch(KINDS[kind], origin)
    rows = KINDS[kind]._default_manager.filter(pk__in=batch)
    _check_unused(origin, **{kind: rows})
    _delete(rows)
    return len(batch)


@transaction.atomic
def _delete_problems(origin: UUID) -> int:
    batch = _batch(Problem, origin)
    left = Solution.objects.filter(problem=OuterRef("pk"))
    registered = Registration.objects.filter(problem=OuterRef("pk")).exclude(origin=origin)
    rows = Problem.objects.filter(pk__in=batch)
    # Others have added solutions to the problem since, or registered it: it becomes part of their import, and stays.
    for others in (left, registered):
        rows.filter(Exists(others)).update(origin=Subquery(others.values("origin")[:1]))
    _delete(rows.filter(origin=origin))
    return len(batch)


def _batch(model: Any, origin: UUID) -> list[UUID]:
    """The next ids. Imported ids are in order of time: neighbours lie side by side."""
    return list(model.objects.filter(origin=origin).order_by("pk").values_list("pk", flat=True)[:BATCH])


def _check_unused(origin: UUID, **own: Any) -> None:
    if found := _uses(origin, **own):
        raise InUse(reason(found))


def _delete(rows: QuerySet[Any]) -> None:
    """Deletes the rows and what depends on them, such as scores. Raises InUse if another package's rows refer to
    them.
    """
    try:
        rows.only("pk").delete()
    except ProtectedError as error:
        raise InUse(f"It is in use: {error.args[0]}") from error


def _is_referred_to(row: models.Model) -> bool:
    """Returns whether anything refers to the row, except the ML staff's membership of a phase, which came with it."""
    others: list[Any] = row._meta.get_fields(include_hidden=True)
    relations = [each for each in others if each.auto_created and not each.concrete]
    referring = [each.related_model._default_manager.filter(**{each.field.name: row}) for each in relations]
    return any((rows.labelling() if rows.model is Membership else rows).exists() for rows in referring)
