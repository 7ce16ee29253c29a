"""The register of benchmarks: problems that no reward model is trained on, and those that are near them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from labeling import audit
from labeling.data.problems import near
from labeling.models import Benchmark, Labelling, Overlap, Problem, Registration, Split, User
from labeling.rules.audited import AuditAct

CHUNK = 2000


class Freed(NamedTuple):
    """Counts of what taking a benchmark off the register frees. Problems stay held out until their split is changed."""

    problems: int  # on no other benchmark
    near: int  # near it; those that are near another one, too, will stay
    labellings: int  # on either


def register(name: str, problems: Iterable[UUID], *, origin: UUID | None = None) -> int:
    """Puts problems on the benchmark, which holds them out, in the caller's transaction; returns how many are new on
    it. Marks the pool's problems near them as near.
    """
    benchmark, _ = Benchmark.objects.get_or_create(name=name)
    new = _not_on(benchmark, _versions(problems))
    rows = (Registration(benchmark=benchmark, problem_id=pk, origin=origin) for pk in new)
    Registration.objects.bulk_create(rows, batch_size=CHUNK, ignore_conflicts=True)
    for chunk in _chunks(new):
        own = Problem.objects.filter(pk__in=chunk)
        own.update(overlap=Overlap.BENCHMARK, split=Split.TEST)
        _mark(_near(own, overlap=""))
    return len(new)


def mark(problems: Iterable[UUID]) -> int:
    """Marks those of these problems that are near a benchmark; returns how many."""
    if not Benchmark.objects.exists():
        return 0
    marked = 0
    for chunk in _chunks(problems):
        asked = list(Problem.objects.filter(pk__in=chunk, overlap="").values_list("pk", "statement"))
        alike = near.of([statement for _, statement in asked], overlap=Overlap.BENCHMARK)
        marked += _mark({pk for (pk, _), found in zip(asked, alike, strict=True) if found})
    return marked


def freed(benchmark: Benchmark) -> Freed:
    own = _only_on(benchmark)
    nearby = _near(own, overlap=Overlap.NEAR)
    labellings = Labelling.objects.current()
    on_own = labellings.filter(task__solution__problem__in=own.values("pk")).count()
    on_near = sum(labellings.filter(task__solution__problem__in=chunk).count() for chunk in _chunks(nearby))
    return Freed(own.count(), len(nearby), on_own + on_near)


@transaction.atomic
def remove(benchmark: Benchmark, *, by: User) -> Freed:
    """Takes the benchmark off the register. Its problems stay in the pool, and held out."""
    found = freed(benchmark)
    audit.record(by=by, act=AuditAct.DELETE, on=benchmark, before=found._asdict())
    benchmark.delete()
    tidy()
    return found


def tidy() -> None:
    """Marks anew the unregistered problems near a benchmark, after registrations went; deletes empty benchmarks."""
    Benchmark.objects.filter(registrations=None).delete()
    registered = Exists(Registration.objects.filter(problem=OuterRef("pk")))
    marked = Problem.objects.filter(~registered).exclude(overlap="")
    ids = list(marked.values_list("pk", flat=True))
    marked.update(overlap="")
    mark(ids)


def _not_on(benchmark: Benchmark, problems: Iterable[UUID]) -> list[UUID]:
    return [
        pk
        for chunk in _chunks(dict.fromkeys(problems))
        for known in [set(benchmark.registrations.filter(problem__in=chunk).values_list("problem", flat=True))]
        for pk in chunk
        if pk not in known
    ]


def _versions(problems: Iterable[UUID]) -> list[UUID]:
    found = (Problem.objects.filter(pk__in=chunk).with_versions() for chunk in _chunks(problems))
    return [pk for versions in found for pk in versions.values_list("pk", flat=True)]


def _near(problems: QuerySet[Problem], **among: Any) -> set[UUID]:
    alike = near.of(list(problems.values_list("statement", flat=True)), **among)
    return {each.problem for found in alike for each in found}


def _only_on(benchmark: Benchmark) -> QuerySet[Problem]:
    others = Registration.objects.filter(problem=OuterRef("pk")).exclude(benchmark=benchmark)
    found: QuerySet[Problem] = Problem.objects.filter(~Exists(others), registrations__benchmark=benchmark)
    return found


def _mark(problems: set[UUID]) -> int:
    unmarked = (Problem.objects.filter(pk__in=chunk, overlap="") for chunk in _chunks(problems))
    return sum(rows.update(overlap=Overlap.NEAR) for rows in unmarked)


def _chunks(problems: Iterable[UUID]) -> list[list[UUID]]:
    ids = list(problems)
    return [ids[start : start + CHUNK] for start in range(0, len(ids), CHUNK)]
