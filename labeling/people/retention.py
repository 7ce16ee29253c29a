"""Forgets what is known about people once it has been kept for as long as the settings say."""

from datetime import datetime, timedelta
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, QuerySet

from labeling.models import BrowserSession, Change
from labeling.rules.audited import AuditAct

WITH_ADDRESS = [AuditAct.SIGN_IN.value, AuditAct.FAIL_TO_SIGN_IN.value]


def forget_old(*, now: datetime) -> None:
    """Deletes ended sessions; network addresses, lines of the audit log and drafts after their time."""
    Session.objects.filter(expire_date__lt=now).delete()
    # An older version deletes sessions without their place in the list.
    BrowserSession.objects.filter(~Exists(Session.objects.filter(pk=OuterRef("session_id")))).delete()
    addressed = Change.objects.filter(act__in=WITH_ADDRESS).exclude(after={})
    _before(addressed, "at", settings.ADDRESSES_KEPT_DAYS, now).update(after={})
    # A case's effects are part of how labels came to be.
    _before(Change.objects.filter(case=None), "at", settings.AUDIT_LOG_KEPT_DAYS, now).delete()
    drafts = apps.get_model("annotate", "Draft")._default_manager.all()
    _before(drafts, "saved_at", settings.DRAFTS_KEPT_DAYS, now).delete()


def _before(rows: QuerySet[Any], column: str, days: int, now: datetime) -> QuerySet[Any]:
    """The rows that are older than so many days; none if it is 0, which is forever."""
    return rows.filter(**{f"{column}__lt": now - timedelta(days=days)}) if days else rows.none()
