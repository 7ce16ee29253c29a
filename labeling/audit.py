"""The audit log: every act of staff leaves a line."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db.models import Model

from labeling.models import Case, Change, User
from labeling.rules.audited import AuditAct, Audited

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
