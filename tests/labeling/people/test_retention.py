"""Personal data is deleted after the time in the settings."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotate import drafts
from annotate.models import Draft
from labeling.models import BrowserSession, Change, FailedSignIns, Labelling
from labeling.people import retention, sign_in
from labeling.people.sign_in import Visitor


@pytest.fixture
def kept(assignment, annotator, now):
    """A sign-in and a draft, both of today."""
    sign_in.record(person=annotator, visitor=Visitor("203.0.113.7"))
    drafts.save(assignment_id=assignment.pk, annotator=annotator, version=1, content={}, now=timezone.now())
    return Change.objects.get(act="sign in")


@pytest.mark.parametrize(
    ("setting", "is_forgotten"),
    [
        ("ADDRESSES_KEPT_DAYS", lambda: Change.objects.get(act="sign in").after == {}),
        ("AUDIT_LOG_KEPT_DAYS", lambda: not Change.objects.exists()),
        ("DRAFTS_KEPT_DAYS", lambda: not Draft.objects.exists()),
    ],
)
def test_rows_are_deleted_after_their_days_and_not_before(setting, is_forgotten, kept, settings):
    for days, later, expected in ((30, 29, False), (0, 9999, False), (30, 31, True)):
        for name in ("ADDRESSES_KEPT_DAYS", "AUDIT_LOG_KEPT_DAYS", "DRAFTS_KEPT_DAYS"):
            setattr(settings, name, days if name == setting else 0)
        retention.forget_old(now=timezone.now() + timedelta(days=later))
        assert is_forgotten() == expected


def test_labels_are_kept(labelling, settings):
    settings.AUDIT_LOG_KEPT_DAYS = settings.DRAFTS_KEPT_DAYS = 1
    retention.forget_old(now=timezone.now() + timedelta(days=999))
    assert Labelling.objects.get() == labelling


def test_ended_sessions_are_deleted_from_the_list(annotator):
    now = timezone.now()
    Session.objects.create(session_key="ended", session_data="", expire_date=now - timedelta(seconds=1))
    Session.objects.create(session_key="open", session_data="", expire_date=now + timedelta(days=1))
    for key in ("ended", "open", "deleted by an older version"):
        BrowserSession.objects.create(session_id=key, user=annotator, seen_at=now)
    retention.forget_old(now=now)
    assert [*BrowserSession.objects.values_list("session", flat=True)] == ["open"]


def test_the_network_that_a_wrong_password_came_from_is_forgotten(db, now):
    sign_in.attempt(username="ada", visitor=Visitor("203.0.113.7"), check=lambda: None, now=now)
    retention.forget_old(now=now + sign_in.WINDOW - timedelta(seconds=1))
    assert FailedSignIns.objects.count() == 2
    retention.forget_old(now=now + sign_in.WINDOW)
    assert not FailedSignIns.objects.exists()


def test_many_rows_are_forgotten_some_at_a_time(db, monkeypatch):
    """Statements are short because nobody else can write meanwhile on SQLite."""
    monkeypatch.setattr(retention, "AT_ONCE", 2)
    now = timezone.now()
    ended = now - timedelta(seconds=1)
    Session.objects.bulk_create(Session(session_key=f"{n}", session_data="", expire_date=ended) for n in range(5))
    with CaptureQueriesContext(connection) as asked:
        retention.forget_old(now=now)
    deletions = [
        query["sql"] for query in asked if query["sql"].startswith("DELETE") and "django_session" in query["sql"]
    ]
    assert (len(deletions), Session.objects.count()) == (3, 0)
