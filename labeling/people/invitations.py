"""Invitations: an admin makes a link that admits one person, once."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from labeling import audit
from labeling.errors import DomainError
from labeling.models import Invitation, Membership, User
from labeling.people import accounts, tokens
from labeling.rules.audited import AuditAct

OVER = "This link has been used or has expired. Ask for a new one."


class InvitationOver(DomainError, code="invitation_over", status=410):
    """The invitation was accepted or revoked, or has expired."""


@transaction.atomic
def invite(*, days: int, now: datetime, by: User, **admission: Any) -> tuple[Invitation, str]:
    """Makes an invitation with columns `admission`. Returns it and its link's secret, which can't be shown again."""
    secret = tokens.new_secret()
    made = Invitation.objects.create(
        **admission, secret_hash=tokens.hashed(secret), by=by, expires_at=now + timedelta(days=days)
    )
    audit.record(by=by, act=AuditAct.INVITE, on=made, after={"expires_at": made.expires_at})
    return made, secret


@transaction.atomic
def revoke(*, invitation: Invitation, now: datetime, by: User) -> None:
    """Revokes the invitation. Raises InvitationOver if it was accepted or has expired."""
    if not Invitation.objects.open(now=now).filter(pk=invitation.pk).update(expires_at=now):
        raise InvitationOver("This invitation has been accepted, or has expired.")
    audit.record(by=by, act=AuditAct.REVOKE, on=invitation)


@transaction.atomic
def offer_account(*, person: User, days: int, now: datetime, by: User) -> str:
    """Returns the secret of a link with which the person chooses a password, which nobody else ever knows."""
    return invite(person=person, role=person.role, days=days, now=now, by=by)[1]


@transaction.atomic
def accept(*, invitation: Invitation, password: str, now: datetime, username: str = "") -> User:
    """Adds a new person of that name, or the account's owner, to the invitation's phase. Returns the person. Raises
    InvitationOver, and IntegrityError if the name is taken.
    """
    person = _owner(invitation, password) or accounts.add_person(
        username=username, password=password, role=invitation.role, by=invitation.by
    )
    outcome = {"accepted_at": now, "accepted_by": person}
    if not Invitation.objects.open(now=now).filter(pk=invitation.pk).update(**outcome):
        raise InvitationOver(OVER)
    if invitation.phase:
        Membership.objects.create(phase=invitation.phase, user=person, role=invitation.phase_role)
    audit.record(by=person, act=AuditAct.ACCEPT, on=invitation)
    return person


def _owner(invitation: Invitation, password: str) -> User | None:
    """Returns the account's owner, the password set, or None. Raises InvitationOver if it has one or is deactivated."""
    person = invitation.person
    if person is not None:
        if person.has_usable_password() or not person.is_active:
            raise InvitationOver(OVER)
        accounts.change_password(person=person, password=password, by=person)
    return person
