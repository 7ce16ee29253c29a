"""Acts on people: who exists, and who labels where."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction

from labeling import audit
from labeling.models import Membership, Phase, Role, User


@transaction.atomic
def add_person(*, username: str, password: str, role: str = Role.ANNOTATOR) -> User:
    """Creates a person who can sign in. Raises IntegrityError when the name is taken."""
    return User.objects.create_user(username=username, password=password, role=role)


@transaction.atomic
def add_members(*, phase: Phase, users: Iterable[User], by: User | None = None) -> None:
    """Lets the users label in the phase; who already may stays so."""
    rows = [Membership(phase=phase, user=user) for user in users]
    Membership.objects.bulk_create(rows, ignore_conflicts=True)
    audit.record(by=by, act="add members", on=phase, after={"people": [row.user.username for row in rows]})


@transaction.atomic
def change_member(*, membership: Membership, changes: dict[str, Any], now: datetime, by: User) -> Membership:
    """`role`, `is_let_in` (past the screening), `is_paused`: who goes on after a pause is judged afresh."""
    columns = dict(changes)
    is_paused = columns.pop("is_paused", bool(membership.paused_at))
    if is_paused != bool(membership.paused_at):
        columns |= {"paused_at": now} if is_paused else {"paused_at": None, "judged_since": now}
    before = {name: getattr(membership, name) for name in columns}
    for name, value in columns.items():
        setattr(membership, name, value)
    membership.save(update_fields=[*columns])
    audit.record(by=by, act="change", on=membership, before=before, after=columns)
    return membership


def remember(*, user: User, preferences: dict[str, Any]) -> None:
    User.objects.filter(pk=user.pk).update(preferences=preferences)
