"""Imports labels of any format: each record becomes a task with one labelling, in a closed phase.

A round stands for each of PRM800K's generations. Screening records go to round -1 and quality control to round -2, so
that neither is ever trained on. What the columns can't hold of a PRM800K record is kept in ``Labelling.source_record``;
``labeling.data.formats.labels.prm800k.restore`` puts it back.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Unpack
from uuid import UUID

import msgspec
from django.contrib.auth.hashers import make_password
from django.db import transaction
from msgspec import structs

from labeling.counts import tallies
from labeling.data.formats.labels import NAMES, ParsedLabelling, prm800k, read
from labeling.data.formats.notes import Notes
from labeling.data.importing import bulk, pool, reading
from labeling.data.importing.marking import marked
from labeling.data.importing.pool import NOTHING_SAID, Graded, ProblemOptions
from labeling.data.importing.reading import How, ImportReport, Reader
from labeling.data.importing.samples import Keyed
from labeling.errors import DomainError
from labeling.models import (
    Labelling,
    Membership,
    Phase,
    PhaseKind,
    PhaseRole,
    PhaseStatus,
    Problem,
    RatedCompletion,
    Role,
    Round,
    RoundStatus,
    Run,
    Task,
    User,
)
from labeling.models.origin import new_ids
from labeling.rules import names
from labeling.rules.labelled import QUALITY_CONTROL, SCREENING
from labeling.rules.ratings import ERROR

NAMING = {"prm800k", "parquet"}  # these say who labelled; in others, equal records are labels by several people
ONLY_OF_GOLD = "reasons and kinds of mistakes, left out: only gold has them"
TASK_FIELDS = ("id", "round_id", "solution_id")
LABELLING_FIELDS = (
    "id",
    "task_id",
    "annotator_id",
    "finish_reason",
    "active_ms",
    "guidelines_version",
    "result",
    "submitted_at",
    "source_hash",
    "source_record",
    "origin",
)
COMPLETION_FIELDS = (
    "labelling_id",
    "step",
    "completion",
    "text",
    "rating",
    "is_flagged",
    "is_chosen",
    "is_human",
    *ERROR,
)


class PhaseInUse(DomainError, code="phase_in_use", status=409):
    """The phase can't take the imported labels: it must be closed, of their kind, and run by their owner."""


class IncomingLabelling(msgspec.Struct, frozen=True, gc=False):
    """A parsed record, its hash, the rest of it that our columns can't hold (as JSON), and its solution."""

    record: ParsedLabelling
    source_hash: str
    left: msgspec.Raw | None
    solution: Keyed


@dataclass(frozen=True)
class Destination:
    """The destination of the labels. An empty ``phase`` stands for one that is named after the format."""

    file_format: str
    phase: str
    now: datetime
    origin: UUID | None = None
    of_problems: ProblemOptions = NOTHING_SAID

    @cached_property
    def owner(self) -> User | None:
        run = Run.objects.select_related("owner").filter(pk=self.origin).first() if self.origin else None
        return run.owner if run else None


def import_labels(  # noqa: PLR0913  the options of a command
    path: str | Path,
    *,
    file_format: str = "prm800k",
    now: datetime,
    phase: str = "",
    of_problems: ProblemOptions = NOTHING_SAID,
    origin: UUID | None = None,
    **how: Unpack[How],
) -> ImportReport:
    """Import a file of labels in one of the READERS' formats.

    Bad lines are in the report. Raises PhaseInUse.
    """
    report = how.setdefault("report", ImportReport())
    reader = Reader(Path(path), _Reading(file_format, report.notes))
    destination = Destination(file_format, phase, now, origin, of_problems.of_format(file_format))
    return reading.import_records(reader, partial(_store_labels, destination=destination), **how)


@dataclass
class _Reading:
    """Parses records: without the database, so that it can run ahead while the database works."""

    file_format: str
    notes: Notes
    line: int = 0
    seen: Counter[str] = field(default_factory=Counter)

    def __call__(self, record: dict[str, Any]) -> IncomingLabelling:
        parsed = read(self.file_format, record, self.notes)
        if said := sum(bool(mistake.kind or mistake.why) for mistake in parsed.mistakes.values()):
            self.notes.add(ONLY_OF_GOLD, said)
        source_hash = self._hash(record)
        left = prm800k.skeleton(record) if self.file_format == "prm800k" else parsed.source_record
        kept = None if left is None else msgspec.Raw(msgspec.json.encode(left))
        return IncomingLabelling(parsed, source_hash, kept, pool.keyed(parsed.solution))

    def _hash(self, record: dict[str, Any]) -> str:
        """Returns a hash, the same in each import of a file, which differs for equal records of several people."""
        content = msgspec.json.encode(record, order="sorted")
        if self.file_format not in NAMING:
            if self.notes.line <= self.line:  # an atomic import reads the file twice
                self.seen.clear()
            self.line = self.notes.line
            number = self.seen[key := hashlib.blake2b(content, digest_size=12).hexdigest()]
            self.seen[key] += 1
            content += f"{self.file_format} {number}".encode()
        return hashlib.blake2b(content, digest_size=16).hexdigest()


def _store_labels(batch: list[IncomingLabelling], report: ImportReport, *, destination: Destination) -> None:
    items = _new(batch)
    # Grading may take seconds, so it is done before the transaction opens.
    graded = pool.grade(marked([item.solution for item in items], report.shown), destination.of_problems)
    with transaction.atomic():
        rounds = _rounds(items, destination)
        solutions = pool.store_graded(graded, source=destination.file_format, in_pool=False, origin=destination.origin)
        items = list(_as_stored(items, graded))
        tasks, labellings = new_ids(len(items)), new_ids(len(items))
        placed = (rounds[_round_key(item.record)] for item in items)
        bulk.insert(Task, TASK_FIELDS, zip(tasks, placed, solutions.ids, strict=True))
        people = _people(items, destination)
        as_row = partial(_labelling, people=people, origin=destination.origin)
        bulk.insert(Labelling, LABELLING_FIELDS, map(as_row, labellings, tasks, items))
        bulk.insert(RatedCompletion, COMPLETION_FIELDS, _completions(labellings, items))
        tallies.imported(_for_counters(items, rounds, people))
    report.problems += solutions.problems
    report.solutions += solutions.solutions
    report.held_out += solutions.held_out
    report.labellings += len(items)
    report.duplicates += len(batch) - len(items)
    report.ratings += sum(one.rating is not None for item in items for one in item.record.completions)


def _as_stored(items: list[IncomingLabelling], graded: Graded) -> Iterator[IncomingLabelling]:
    """Yields the items; in `left`, keeps a statement that is spaced in another way than the stored one."""
    stored = {key[0]: solution.problem.statement for key, (solution, _) in reversed(graded.new.items())}
    known = Problem.objects.filter(text_hash__in=graded.problem_ids)
    stored |= dict(known.values_list("text_hash", "statement")) if graded.problem_ids else {}
    for item in items:
        (text_hash, _), statement = item.solution.key, item.solution.item.problem.statement
        if item.left is None or statement == stored[text_hash]:
            yield item
        else:
            left = msgspec.json.decode(item.left)
            left["question"]["problem"] = statement
            yield structs.replace(item, left=msgspec.Raw(msgspec.json.encode(left)))


def _for_counters(
    items: list[IncomingLabelling], rounds: dict[tuple[str, int], UUID], people: dict[str, UUID]
) -> list[tallies.ImportedLabelling]:
    return [
        tallies.ImportedLabelling(
            rounds[_round_key(record)], people.get(record.labeler), record.active_ms, record.labelled_at
        )
        for record in (item.record for item in items)
    ]


def _new(batch: list[IncomingLabelling]) -> list[IncomingLabelling]:
    # A record that the file has twice counts once, as does one that an earlier import stored.
    unique = {item.source_hash: item for item in batch}
    known = Labelling.objects.filter(source_hash__in=set(unique)).values_list("source_hash", flat=True)
    for source_hash in known:
        del unique[source_hash]
    return list(unique.values())


def _kind(record: ParsedLabelling) -> PhaseKind:
    return PhaseKind.ALTERNATIVES if record.is_trajectory else PhaseKind.SOLUTIONS


def _round_key(record: ParsedLabelling) -> tuple[PhaseKind, int]:
    is_hidden = record.is_gold and record.round_number != SCREENING
    return _kind(record), QUALITY_CONTROL if is_hidden else record.round_number


def _rounds(items: Iterable[IncomingLabelling], destination: Destination) -> dict[tuple[str, int], UUID]:
    wanted = sorted({_round_key(item.record) for item in items})
    phases = {kind: _phase(kind, destination) for kind in {kind for kind, _ in wanted}}
    closed = {
        "status": RoundStatus.CLOSED,
        "opened_at": destination.now,
        "closed_at": destination.now,
        "origin": destination.origin,
    }
    new = [Round(phase=phases[kind], number=number, **closed) for kind, number in wanted]
    # Another import may make the same round at this moment: whoever comes second uses the first one's.
    Round.objects.bulk_create(new, ignore_conflicts=True)
    found = Round.objects.filter(phase__in=phases.values()).values_list("phase__kind", "number", "pk")
    return {(kind, number): pk for kind, number, pk in found}


def _phase(kind: PhaseKind, destination: Destination) -> Phase:
    name = destination.phase or _usual_name(kind, destination.file_format)
    new = {"kind": kind, "status": PhaseStatus.CLOSED, "origin": destination.origin}
    phase, is_new = Phase.objects.get_or_create(name=name, defaults=new)
    if destination.owner is not None:
        _check_who_runs(phase, destination.owner, is_new=is_new)
    if phase.kind != kind:
        raise PhaseInUse(f"“{name}” is a phase of kind {phase.kind}; these records are of kind {kind}.")
    if phase.status != PhaseStatus.CLOSED:
        raise PhaseInUse(f"“{name}” is {phase.status}; labels can only be imported into a closed phase.")
    return phase


def _check_who_runs(phase: Phase, owner: User, *, is_new: bool) -> None:
    """Lets ML staff who created the phase run it. Raises PhaseInUse if the owner doesn't run an existing one."""
    if is_new and owner.role == Role.ML_STAFF:
        Membership.objects.create(phase=phase, user=owner, role=PhaseRole.ML_STAFF)
    elif not Phase.objects.run_by(owner).filter(pk=phase.pk).exists():
        raise PhaseInUse(f"{owner} is not among the ML staff of “{phase}”. An admin can add them.")


def _usual_name(kind: PhaseKind, file_format: str) -> str:
    if file_format == "prm800k":
        return f"PRM800K phase {1 if kind == PhaseKind.ALTERNATIVES else 2}"
    return f"{NAMES[file_format]}{', alternatives' if kind == PhaseKind.ALTERNATIVES else ''}"


def _people(items: Iterable[IncomingLabelling], destination: Destination) -> dict[str, UUID]:
    """Creates missing labelers as users that cannot sign in. Returns the ids of all, by the records' names."""
    username_of = {item.record.labeler: f"labeler-{item.record.labeler}" for item in items if item.record.labeler}
    # By the key under which names count as the same: `Ann` and `ann` can't both exist.
    by_key = {names.key(username): username for username in username_of.values()}
    if missing := by_key.keys() - _user_ids(by_key).keys():
        made = {"password": make_password(None), "is_active": False, "origin": destination.origin}
        rows = [User(username=by_key[key], **made) for key in missing]
        User.objects.bulk_create(rows, ignore_conflicts=True)
    ids = _user_ids(by_key)
    return {labeler: ids[names.key(username)] for labeler, username in username_of.items()}


def _user_ids(keys: Iterable[str]) -> dict[str, UUID]:
    return dict(User.objects.filter(name_key__in=keys).values_list("name_key", "pk"))


def _labelling(
    pk: UUID, task: UUID, item: IncomingLabelling, *, people: dict[str, UUID], origin: UUID | None
) -> tuple[Any, ...]:
    record = item.record
    return (
        pk,
        task,
        people.get(record.labeler),
        record.finish_reason or None,
        record.active_ms,
        record.guidelines_version,
        record.result,
        record.labelled_at,
        item.source_hash,
        item.left,
        origin,
    )


def _completions(labellings: list[UUID], items: list[IncomingLabelling]) -> Iterator[tuple[Any, ...]]:
    for labelling, item in zip(labellings, items, strict=True):
        for completion in item.record.completions:
            yield (labelling, *completion)
