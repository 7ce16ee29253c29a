"""The audit log: every act of staff leaves a line."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Model, Q

from labeling.models import Case, Change, User
from labeling.rules import names
from labeling.rules.audited import AuditAct, Audited

# Keys under which `before` and `after` name people, at any depth.
NAMING = ("annotator", "annotators", "people", "username", "without_annotators")
_cause: ContextVar[Case | None] = ContextVar("cause", default=None)


@contextmanager
def because_of(case: Case) -> Iterator[None]:
    """Marks lines recorded inside the block as effects of the case."""
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
    """Replaces the person's name in all lines, and removes their network addresses. Call it before the person has the
    new name.
    """
    old, is_theirs = person.username, spellings(person)
    own = Q(kind=Audited.USER.value, subject=str(person.pk))
    before_the_account = Q(act=AuditAct.FAIL_TO_SIGN_IN.value, subject="")
    member = Q(kind=Audited.MEMBERSHIP.value, name__startswith=f"{old} in ")
    token = Q(kind=Audited.API_TOKEN.value, name__endswith=f" of {old}")
    # Filters by the keys, not the name: databases store JSON with letters escaped, and know too little of case.
    keys = [f'"{key}"' for key in NAMING]
    naming = reduce(or_, (Q(before__icontains=key) | Q(after__icontains=key) for key in keys))
    for line in Change.objects.filter(own | before_the_account | member | token | naming).iterator():
        kept = (line.name, line.before, line.after)
        line.name = _renamed_subject(line, old, new, is_theirs)
        line.before, line.after = (renamed(columns, new, is_theirs) for columns in (line.before, line.after))
        if line.kind == Audited.USER and (line.subject == str(person.pk) or line.name == new):
            line.after.pop("address", None)
        if (line.name, line.before, line.after) != kept:
            line.save(update_fields=["name", "before", "after"])


def spellings(person: User) -> Callable[[str], bool]:
    """Returns a function that tells whether a text, given as the user name at sign-in, means the person."""
    key = names.key(person.username)
    alike = User.objects.filter(Q(name_key=key) | Q(name_key__startswith=f"{key}#")).exclude(pk=person.pk)
    others = set(alike.values_list("username", flat=True))
    return lambda text: names.key(text) == key and text not in others


def _renamed_subject(line: Change, old: str, new: str, is_theirs: Callable[[str], bool]) -> str:
    if line.kind == Audited.USER and is_theirs(line.name):
        return new
    if line.kind == Audited.MEMBERSHIP and line.name.startswith(f"{old} in "):
        return new + line.name.removeprefix(old)
    if line.kind == Audited.API_TOKEN and line.name.endswith(f" of {old}"):
        return f"a token of {new}"  # its own name may say whose it was, too
    return line.name


def renamed(value: Any, new: str, is_theirs: Callable[[str], bool], *, is_named: bool = False) -> Any:
    """Returns JSON with the person's name replaced by the new one wherever it is under one of the keys NAMING."""
    if isinstance(value, dict):
        return {key: renamed(inner, new, is_theirs, is_named=is_named or key in NAMING) for key, inner in value.items()}
    if isinstance(value, list):
        return [renamed(inner, new, is_theirs, is_named=is_named) for inner in value]
    return new if is_named and isinstance(value, str) and is_theirs(value) else value
