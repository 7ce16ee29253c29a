"""Acts on people: who exists, and who labels where."""

import secrets
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction

from labeling import audit
from labeling.errors import DomainError
from labeling.models import LABELLING, Assignment, FormerMember, Invitation, Membership, Phase, PhaseRole, Role, User
from labeling.rules.audited import AuditAct

KEPT = ("role", "screened_at", "screening_agreement", "attempts", "is_let_in", "paused_at", "judged_since")


class NotMlStaff(DomainError, code="not_ml_staff", status=409):
    """Only ML staff and superusers run a phase."""


class NotYours(DomainError, code="not_yours_to_change", status=409):
    """Nobody changes their own role or access, nor an admin a superuser's."""


@transaction.atomic
def add_person(*, username: str, password: str | None, role: str = Role.ANNOTATOR, by: User | None = None) -> User:
    """Creates a person who can sign in, or, without a password, once they choose one. Raises IntegrityError if the name
    is taken.
    """
    person = User.objects.create_user(username=username, password=password, role=role)
    audit.record(by=by, act=AuditAct.ADD, on=person, after={"role": role})
    return person


@transaction.atomic
def change_person(*, person: User, changes: dict[str, Any], now: datetime, by: User) -> User:
    """Changes `role` or `is_active`. Former admins' invitations expire; former ML staff leave the phases that they ran.
    Raises NotYours for oneself, whom nobody else could help, and for a superuser.
    """
    refuse_unless_theirs(person, by)
    person.refresh_from_db(fields=["role", "is_active"], from_queryset=User.objects.select_for_update())
    if person.is_active and not changes.get("is_active", True):
        shut_out(person, now)
    audit.change_row(person, changes, by=by)
    if not (person.is_active and person.is_admin):
        Invitation.objects.open(now=now).filter(by=person).update(expires_at=now)
    if not person.is_ml_staff:
        for membership in person.memberships.filter(role=PhaseRole.ML_STAFF).select_related("phase", "user"):
            remove_member(membership=membership, now=now, by=by)
    return person


@transaction.atomic
def change_password(*, person: User, password: str, by: User) -> None:
    """Changes the password, which ends all sessions and API tokens."""
    person.set_password(password)
    person.save(update_fields=["password"])
    audit.record(by=by, act=AuditAct.CHANGE_PASSWORD, on=person)


def give_password(*, person: User, by: User) -> str:
    """Sets a new password for somebody who forgot theirs. Returns it, to be shown once. Raises NotYours."""
    refuse_unless_theirs(person, by)
    password = secrets.token_urlsafe(12)
    change_password(person=person, password=password, by=by)
    return password


def refuse_unless_theirs(person: User, by: User | None) -> None:
    """Raises NotYours for oneself, and for a superuser unless a superuser asks. `by` is None on the command line."""
    if by is None:
        return
    if person == by or (person.is_superuser and not by.is_superuser):
        raise NotYours("You can't change your own role or access here; only a superuser can change a superuser.")


def shut_out(person: User, now: datetime) -> None:
    """Ends the person's leases, sessions and tokens, which a reactivation thus does not bring back."""
    _end_leases(now, annotator=person)
    person.api_tokens.all().delete()
    person.end_sessions()
    person.browser_sessions.all().delete()


def _end_leases(now: datetime, **of: Any) -> None:
    """Ends leases, so that others may claim the seats."""
    Assignment.objects.in_hand(now=now).filter(**of).update(lease_expires_at=now)


@transaction.atomic
def add_members(*, phase: Phase, users: Iterable[User], by: User | None = None) -> None:
    """Adds the users to the phase: ML staff to run it, others as annotators, or as what they were before; existing
    members stay as they are.
    """
    added = list(users)
    former = FormerMember.objects.filter(phase=phase, user__in=added)
    before = dict(former.values_list("user", "membership"))
    rows = [Membership(phase=phase, user=user, **_place_for(user, before.get(user.pk, {}))) for user in added]
    Membership.objects.bulk_create(rows, ignore_conflicts=True)
    former.delete()
    audit.record(by=by, act=AuditAct.ADD_MEMBERS, on=phase, after={"people": [row.user.username for row in rows]})


def _place_for(user: User, before: dict[str, Any]) -> dict[str, Any]:
    """Returns a membership's columns: as they were before, as far as the account's role still allows it."""
    role = PhaseRole.default_for(user.role)
    is_as_before = role == PhaseRole.ANNOTATOR and before.get("role") in LABELLING
    return before if is_as_before else before | {"role": role}


@transaction.atomic
def remove_member(*, membership: Membership, now: datetime, by: User) -> None:
    """Takes somebody out of a phase: their labels stay, what they have in hand goes back to the queue."""
    _end_leases(now, annotator=membership.user, round__phase=membership.phase_id)
    columns = {name: getattr(membership, name) for name in KEPT}
    FormerMember.objects.update_or_create(
        phase=membership.phase, user=membership.user, defaults={"membership": columns}
    )
    audit.record(by=by, act=AuditAct.REMOVE, on=membership, before=columns)
    membership.delete()


@transaction.atomic
def change_member(*, membership: Membership, changes: dict[str, Any], now: datetime, by: User) -> Membership:
    """Changes `role`, `is_let_in` (past the screening) and `is_paused`; after a pause, only new work on gold counts.
    What new ML staff had in hand goes back to the queue. Raises NotMlStaff.
    """
    if changes.get("role") == PhaseRole.ML_STAFF:
        if not membership.user.is_ml_staff:
            raise NotMlStaff(f"Only ML staff run a phase, and {membership.user} has another role.")
        _end_leases(now, annotator=membership.user, round__phase=membership.phase_id)
    as_it_is = Membership.objects.select_for_update()
    membership.refresh_from_db(fields=["role", "is_let_in", "paused_at", "judged_since"], from_queryset=as_it_is)
    columns = dict(changes)
    is_paused = columns.pop("is_paused", membership.is_paused)
    if is_paused != membership.is_paused:
        columns |= {"paused_at": now} if is_paused else {"paused_at": None, "judged_since": now}
    audit.change_row(membership, columns, by=by)
    return membership


def remember(*, user: User, preferences: dict[str, Any]) -> None:
    User.objects.filter(pk=user.pk).update(preferences=preferences)
