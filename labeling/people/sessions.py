"""Signs people in by Django's own sessions and back end, with statements of our own."""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from labeling.models import User
from labeling.statements import Statement

SESSION = Statement(
    """
    SELECT session.* FROM django_session session
    WHERE session.session_key = %(key)s AND session.expire_date > %(now)s
    """,
    session=Session,
)
USER = Statement("SELECT person.* FROM labeling_user person WHERE person.id = %(id)s", person=User)


class SessionStore(db.SessionStore):
    def _get_session_from_db(self) -> Any:
        found = SESSION.first(key=self.session_key, now=timezone.now())
        if found is None:
            self._session_key = None
        return found and found[0]


class Backend(ModelBackend):
    def get_user(self, user_id: Any) -> User | None:
        found = USER.first(id=user_id)
        return found[0] if found and self.user_can_authenticate(found[0]) else None
