"""The audit log: every act of staff leaves a line."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db.models import Model, Q

from labeling.models import Case, Change, User
from labeling.rules.audited import AuditAct, Audited

# Where `before` and `after` name people, at any depth.
NAMING = ("annotator", "annotators", "people", "username", "without_annotators")
_cause: ContextVar[Case | None] = ContextVar("cause", default=None)


@contextmanager
def because_of(case: Case) -> Iterator[None]:
    """Lines recorded inside the block are effects of the case."""
    before = _cause.set(case)
    try:
        yield
    finally:
        _cause.reset(before)


def change_row(row: Model, columns: dict[str, Any], *, by: User | None) -> None:
    """Saves the new values of the columns, and records the old ones."""
    before = {name: getattr(row, name) for name in columns}
    for name, value in columns.items():
        setattr(row, name, value)
    row.save(update_fields=[*columns])
    record(by=by, act=AuditAct.CHANGE, on=row, before=before, after=columns)


def record(
    *,
    by: User | None,
    act: AuditAct,
    on: Model,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Writes a line, in the act's own transaction: an act that is rolled back leaves none."""
    _line(by, act, on, before or {}, after or {}).save(force_insert=True)


def record_many(*, by: User | None, act: AuditAct, after: Iterable[tuple[Model, dict[str, Any]]]) -> None:
    """Writes a line for each row of one act on many, in one query."""
    Change.objects.bulk_create(_line(by, act, row, {}, columns) for row, columns in after)


def _line(by: User | None, act: AuditAct, on: Model, before: dict[str, Any], after: dict[str, Any]) -> Change:
    return Change(
        by=by,
        act=act.value,
        kind=Audited(str(on._meta.model_name)).value,
        subject=str(on.pk),
        name=str(on)[:200],
        before=before,
        after=after,
        case=_cause.get(),
    )


def rename(person: User, new: str) -> None:
    """Puts a new name for the person's in all lines, and takes their network addresses out. Call it before the person
    has the new name.
    """
    old = person.username
    own = Q(kind=Audited.USER.value, subject=str(person.pk))
    member = Q(kind=Audited.MEMBERSHIP.value, name__startswith=f"{old} in ")
    token = Q(kind=Audited.API_TOKEN.value, name__endswith=f" of {old}")
    naming = Q(before__icontains=old) | Q(after__icontains=old) | Q(after__icontains=json.dumps(old)[1:-1])
    for line in Change.objects.filter(own | member | token | naming).iterator():
        line.name = _renamed_subject(line, old, new)
        line.before, line.after = (renamed(columns, old, new) for columns in (line.before, line.after))
        if line.kind == Audited.USER and line.subject == str(person.pk):
            line.after.pop("address", None)
        line.save(update_fields=["name", "before", "after"])


def _renamed_subject(line: Change, old: str, new: str) -> str:
    if line.kind == Audited.USER and line.name == old:
        return new
    if line.kind == Audited.MEMBERSHIP and line.name.startswith(f"{old} in "):
        return new + line.name.removeprefix(old)
    if line.kind == Audited.API_TOKEN and line.name.endswith(f" of {old}"):
        return f"a token of {new}"  # its own name may say whose it was, too
    return line.name


def renamed(value: Any, old: str, new: str, *, names: bool = False) -> Any:
    """Returns JSON with the new name wherever the old one stands below one of the keys NAMING."""
    if isinstance(value, dict):
        return {key: renamed(inner, old, new, names=names or key in NAMING) for key, inner in value.items()}
    if isinstance(value, list):
        return [renamed(inner, old, new, names=names) for inner in value]
    return new if names and value == old else value
