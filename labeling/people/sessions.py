"""Signs people in by Django's sessions and back end, with statements of our own; lists sessions, and ends them.

A session ends after a time without requests, and at the latest after a time since the sign-in.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db import transaction

from labeling import audit, clock
from labeling.models import BrowserSession, User
from labeling.rules.audited import AuditAct
from labeling.statements import Statement

SESSION = Statement(
    """
    SELECT session.* FROM django_session session
    WHERE session.session_key = %(key)s AND session.expire_date > %(now)s
    """,
    session=Session,
)
USER = Statement("SELECT person.* FROM labeling_user person WHERE person.id = %(id)s", person=User)

# In a session's data.
STARTED_AT, IS_SHARED = "started_at", "is_shared"
SHARED_IDLE = timedelta(minutes=30)
# A session's end is put off only once this much of its time is over, since each time writes a row.
PUT_OFF_AFTER = timedelta(minutes=5)


class SessionStore(db.SessionStore):
    _expires_at: datetime | None = None

    def _get_session_from_db(self) -> Any:
        found = SESSION.first(key=self.session_key, now=clock.now())
        if found is None:
            self._session_key = None
            return None
        self._expires_at = found[0].expire_date
        return found[0]

    def load(self) -> dict[str, Any]:
        data: dict[str, Any] = super().load()
        now = clock.now()
        if data and self._expires_at and now + _left(data, now) > self._expires_at + PUT_OFF_AFTER:
            data.setdefault(STARTED_AT, now.timestamp())
            self.modified = True
        return data

    def save(self, must_create: bool = False) -> None:
        super().save(must_create)
        if not must_create:
            BrowserSession.objects.filter(session=self.session_key).update(seen_at=clock.now())

    def get_expiry_age(self, **kwargs: Any) -> int:
        return int(_left(dict(self.items()), clock.now()).total_seconds())

    def get_expiry_date(self, **kwargs: Any) -> datetime:
        now = clock.now()
        return now + _left(dict(self.items()), now)

    def get_expire_at_browser_close(self) -> bool:
        return bool(self.get(IS_SHARED))


def _left(data: dict[str, Any], now: datetime) -> timedelta:
    """Returns how long a session with this data lasts without another request."""
    idle = timedelta(minutes=settings.SESSION_IDLE_MINUTES)
    longest = timedelta(hours=settings.SESSION_LONGEST_HOURS)
    since = now - datetime.fromtimestamp(data.get(STARTED_AT, now.timestamp()), now.tzinfo)
    return max(timedelta(), min(idle, SHARED_IDLE if data.get(IS_SHARED) else idle, longest - since))


class Backend(ModelBackend):
    def get_user(self, user_id: Any) -> User | None:
        found = USER.first(id=user_id)
        return found[0] if found and self.user_can_authenticate(found[0]) else None


def note(*, session: Any, user: User, address: str, browser: str) -> None:
    """Lists a session that has just been signed in to; if it is listed already, updates it."""
    if session.session_key is None:
        session.save()
    seen = {"user": user, "address": address, "browser": browser[:300], "seen_at": clock.now()}
    BrowserSession.objects.update_or_create(session_id=session.session_key, defaults=seen)


@transaction.atomic
def end(*, listed: BrowserSession, by: User) -> None:
    """Ends one session. Its browser is signed out with its next request."""
    audit.record(by=by, act=AuditAct.END_SESSIONS, on=listed.user)
    Session.objects.filter(pk=listed.session_id).delete()


@transaction.atomic
def end_others(*, person: User, but: str | None) -> None:
    """Ends all of the person's sessions but the one with this key, also those that are not listed."""
    audit.record(by=person, act=AuditAct.END_SESSIONS, on=person)
    person.end_sessions()
    Session.objects.filter(browser_session__user=person).exclude(pk=but).delete()


@contextmanager
def listed_again(session: Any) -> Iterator[None]:
    """Keeps the session listed through a block that gives it a new key."""
    listed = BrowserSession.objects.filter(session=session.session_key).first()
    yield
    if listed is not None:
        started_at, listed.session_id = listed.started_at, session.session_key
        listed.save(force_insert=True)  # sets the time anew
        listed.started_at = started_at
        listed.save(update_fields=["started_at"])
