"""Forgets what is known about people once it has been kept for as long as the settings say."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, QuerySet

from labeling.models import BrowserSession, Change, FailedSignIns
from labeling.people import sign_in
from labeling.rules.audited import AuditAct

AT_ONCE = 1000
WITH_ADDRESS = [AuditAct.SIGN_IN.value, AuditAct.FAIL_TO_SIGN_IN.value]


def forget_old(*, now: datetime) -> None:
    """Deletes expired sessions and counts of wrong passwords; addresses, audit lines and drafts as the settings say."""
    _delete(Session.objects.filter(expire_date__lt=now))
    # Processes of an older version delete sessions without their rows in the list.
    _delete(BrowserSession.objects.filter(~Exists(Session.objects.filter(pk=OuterRef("session_id")))))
    _delete(FailedSignIns.objects.filter(since__lte=now - sign_in.WINDOW))
    addressed = Change.objects.filter(act__in=WITH_ADDRESS).exclude(after={})
    for some in _in_parts(_before(addressed, "at", settings.ADDRESSES_KEPT_DAYS, now)):
        some.update(after={})
    # A case's effects are part of how labels came to be.
    _delete(_before(Change.objects.filter(case=None), "at", settings.AUDIT_LOG_KEPT_DAYS, now))
    drafts = apps.get_model("annotate", "Draft")._default_manager.all()
    _delete(_before(drafts, "saved_at", settings.DRAFTS_KEPT_DAYS, now))


def _delete(rows: QuerySet[Any]) -> None:
    for some in _in_parts(rows):
        some.delete()


def _in_parts(rows: QuerySet[Any]) -> Iterator[QuerySet[Any]]:
    """Yields the rows in parts; the caller must make each part leave the filter of `rows`. So no statement takes so
    long that others who write on SQLite, or to the same rows, wait in vain.
    """
    while some := list(rows.values_list("pk", flat=True)[:AT_ONCE]):
        yield rows.model._default_manager.filter(pk__in=some)


def _before(rows: QuerySet[Any], column: str, days: int, now: datetime) -> QuerySet[Any]:
    """Selects the rows older than this many days; none if `days` is 0, which means forever."""
    return rows.filter(**{f"{column}__lt": now - timedelta(days=days)}) if days else rows.none()
