"""Ends a person's account for good: their labels stay together under a pseudonym, or become nobody's."""

import secrets
from datetime import datetime
from typing import Any
from uuid import UUID

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.apps import apps
from django.db import models, transaction

from labeling import audit
from labeling.counts import recounts
from labeling.models import Assignment, AssignmentKind, FailedSignIns, Invitation, Labelling, Report, Round, User
from labeling.people import accounts, sign_in
from labeling.rules.audited import AuditAct

# What erased staff decided stays, as decisions of this account, which nobody can sign in to or create.
NOBODY = UUID(int=0)
NOBODYS_NAME = "[erased]"
# Columns of runs and autopilots that may name people as a filter of labels.
FILTERS = ("labels", "training")


@transaction.atomic
def pseudonymise(*, person: User, now: datetime, by: User | None = None) -> str:
    """Replaces the person's name by a random one, which is returned, and deletes what else is known about them.

    Their labels stay together under the new name; what they wrote to staff is blank. They can't sign in any more.
    Raises NotYours as `change_person` does.
    """
    accounts.refuse_unless_theirs(person, by)
    new = f"person-{secrets.token_hex(4)}"
    _forget(person, new, now)
    audit.record(by=by, act=AuditAct.PSEUDONYMISE, on=person)
    return new


@transaction.atomic
def erase(*, person: User, now: datetime, by: User | None = None) -> None:
    """Deletes the person, with their drafts, reports, questions, and notes.

    Their labels stay and are nobody's, as imported ones of unknown people are; what they decided as staff stays and is
    that of an account called NOBODYS_NAME. Raises NotYours as `change_person` does.
    """
    accounts.refuse_unless_theirs(person, by)
    _forget(person, NOBODYS_NAME, now)
    rounds = _without_annotator(person)
    Invitation.objects.filter(accepted_by=person).delete()
    nobody = _nobody()
    for column in _columns_of_people():
        if column.remote_field.on_delete is models.PROTECT:
            column.model._default_manager.filter(**{column.name: person}).update(**{column.name: nobody})
    audit.record(by=by, act=AuditAct.ERASE, on=person)
    person.delete()
    for round_id in rounds:
        recounts.mend(round_id)


def _forget(person: User, new: str, now: datetime) -> None:
    """Deletes all that is about the person rather than by them, and replaces their name by the new one."""
    accounts.shut_out(person, now)
    audit.rename(person, new)
    _rename_in_filters(person, new)
    FailedSignIns.objects.filter(pk=f"name {sign_in.hashed(person.username)}").delete()
    Authenticator.objects.filter(user=person).delete()
    SocialAccount.objects.filter(user=person).delete()
    person.links.all().delete()
    person.invitations.filter(accepted_at=None).delete()
    person.refresh_from_db()
    for rows in (person.drafts, person.releases):  # annotate's
        rows.all().delete()
    person.reports.update(note="", resolution="")
    person.labellings.update(finish_note="")
    person.username = new if new != NOBODYS_NAME else f"erased-{secrets.token_hex(8)}"
    person.first_name = person.last_name = person.email = ""
    person.last_login, person.preferences, person.is_active = None, {}, False
    person.set_unusable_password()
    person.save()


def _without_annotator(person: User) -> set[UUID]:
    """Makes the person's labels nobody's. Returns the rounds that they are in."""
    theirs = Assignment.objects.filter(annotator=person)
    theirs.open().filter(kind=AssignmentKind.SCREENING, labellings=None).delete()
    rounds = set(theirs.values_list("round", flat=True)) | set(
        Round.objects.filter(tasks__labellings__annotator=person).values_list("pk", flat=True)
    )
    # In one statement: while they have an annotator, no two of them can have the same place.
    theirs.open().update(place=0, leased_at=None, annotator=None, lease_expires_at=None)
    theirs.update(annotator=None, lease_expires_at=None)
    Labelling.objects.filter(annotator=person).update(annotator=None)
    Report.objects.filter(annotator=person).delete()
    return rounds


def _nobody() -> User:
    found, _ = User.objects.get_or_create(pk=NOBODY, defaults={"username": NOBODYS_NAME, "is_active": False})
    return found


def _columns_of_people() -> list[Any]:
    """Returns every foreign key to a person, of any package."""
    found = User._meta.get_fields(include_hidden=True)
    return [each.field for each in found if isinstance(each, models.ManyToOneRel)]


def _rename_in_filters(person: User, new: str) -> None:
    """Renames the person where a run's filter of labels names them."""
    is_theirs = audit.spellings(person)
    for model in apps.get_models():
        for column in FILTERS:
            if column not in {field.name for field in model._meta.local_fields}:
                continue
            if not isinstance(model._meta.get_field(column), models.JSONField):
                continue
            for row in model._default_manager.all().iterator():
                kept = getattr(row, column)
                if (changed := audit.renamed(kept, new, is_theirs)) != kept:
                    setattr(row, column, changed)
                    row.save(update_fields=[column])
