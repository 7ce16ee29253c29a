"""Everything that is kept about one person, as records that they may be given.

Columns are named one by one: none holds a secret, tells gold from real work, or says what others decided.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import F, Q, QuerySet

from labeling import audit
from labeling.models import Change, FormerMember, Membership, Run, User
from labeling.rules.audited import AuditAct

ACCOUNT = (
    *("id", "username", "first_name", "last_name", "email", "role", "is_superuser", "is_active"),
    *("date_joined", "last_login", "preferences"),
)
LABELLING = (
    *("id", "finish_reason", "finish_note", "solution_progress", "result", "guidelines_version", "active_ms"),
    *("submitted_at", "superseded_at", "history"),
)
RATING = (
    *("step", "completion", "text", "rating", "is_flagged", "is_chosen", "is_human", "note", "active_ms"),
    *("error_kind", "error_start", "error_end", "root_cause"),
)
Record = dict[str, Any]


@transaction.atomic
def record_export(*, person: User, by: User | None) -> None:
    audit.record(by=by, act=AuditAct.EXPORT_PERSON, on=person)


def lines(person: User) -> Iterator[str]:
    """Yields the records as JSON, one a line."""
    return (json.dumps(record, cls=DjangoJSONEncoder, ensure_ascii=False) + "\n" for record in records(person))


def records(person: User) -> Iterator[Record]:
    """Yields the account, then one record for each row about the person, each with its `kind`."""
    yield {"kind": "account"} | {name: getattr(person, name) for name in ACCOUNT}
    for kind, rows in _rows(person).items():
        for row in rows:
            yield {"kind": kind} | row
    yield from _labelling_records(person)


def _rows(person: User) -> dict[str, Iterable[Any]]:
    """Returns the rows about the person, by the kind of their records."""
    phase = F("phase__name")
    reports = person.reports.values("note", "step", "place", "created_at", "resolution", "read_at", about=F("kind"))
    social = SocialAccount.objects.filter(user=person)
    factors = Authenticator.objects.filter(user=person)
    return {
        "membership": Membership.objects.filter(user=person).values(
            "role", "screened_at", "screening_agreement", "attempts", "paused_at", "created_at", phase_name=phase
        ),
        "former membership": FormerMember.objects.filter(user=person).values("membership", phase_name=phase),
        "browser session": person.browser_sessions.values("started_at", "seen_at", "address", "browser"),
        "single sign-on": social.values("provider", "uid", "date_joined", "last_login"),
        "second factor": factors.values("type", "created_at", "last_used_at"),
        "token": person.api_tokens.values("name", "is_read_only", "created_at", "expires_at", "last_used_at"),
        "invitation": person.invitations.values("role", "created_at", "expires_at", "accepted_at"),
        "draft": person.drafts.values("task", "content", "saved_at"),  # annotate's
        "report": reports,
        "second look": person.second_looks.values("labelling", "step", "rating", "created_at"),  # prm_training's
        "run": Run.objects.filter(owner=person).values("status", "created_at", about=F("kind")),
        "log line": _log_lines(person),
    }


def _log_lines(person: User) -> Iterable[Record]:
    """Yields what the person did; and what was done to their account, without saying by whom."""
    of_account = Q(kind="user", subject=str(person.pk))
    found: QuerySet[Change] = Change.objects.filter(Q(by=person) | of_account).order_by("at")
    for line in found.iterator():
        address = line.after.get("address") if line.kind == "user" and line.subject == str(person.pk) else None
        yield {"at": line.at, "act": line.act, "on": line.kind, "address": address}


def _labelling_records(person: User) -> Iterator[Record]:
    named: dict[str, Any] = {"phase": F("task__round__phase__name"), "solution": F("task__solution")}
    labellings = person.labellings.annotate(**named).select_related("task").order_by("submitted_at", "pk").in_full()
    for labelling in labellings.iterator(chunk_size=200):
        yield {
            "kind": "labelling",
            **{name: getattr(labelling, name) for name in (*LABELLING, "phase", "solution")},
            "ratings": [_rating(each) for each in labelling.completions.all()],
            "critiques": [
                {"text": each.text, "rating": each.rating, "is_own": each.is_human}
                for each in labelling.critiques.all()
            ],
        }


def _rating(rated: Any) -> Record:
    return {name: getattr(rated, name) for name in RATING}
