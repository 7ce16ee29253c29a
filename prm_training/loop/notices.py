"""News of an autopilot, by signed webhooks and e-mails: rows that are retried until they are sent."""

import hashlib
import hmac
import json
import logging
from datetime import datetime, timedelta

import httpx
from django.conf import settings
from django.core.mail import send_mail
from django.db.models import F, QuerySet

from labeling.completions import outgoing
from prm_training.models import Autopilot, Notice, NoticeStatus

logger = logging.getLogger(__name__)
MAX_ATTEMPTS = 8
FIRST_WAIT = timedelta(seconds=10)  # doubled each time: the last try comes after about 20 minutes
SEND_WITHIN_SECONDS = 10


class NotSent(Exception):
    """A notice that did not arrive, and why."""


def announce(pilot: Autopilot, event: str, *, now: datetime, **more: str) -> None:
    """Queues the news for every address, in the transaction of the event itself."""
    news = {
        "event": event,
        "phase": str(pilot.pk),
        "phase_name": pilot.phase.name,
        "at": now.isoformat(),
        **more,
    }
    for to in filter(None, [pilot.webhook_url, *pilot.emails]):
        Notice.objects.create(autopilot=pilot, to=to, news=news, next_try_at=now)


def is_any_due(*, now: datetime) -> bool:
    return _due(now).exists()


def send_due(*, now: datetime) -> int:
    """Sends what is due; failures are retried later. Returns how many were sent."""
    return sum(_send(notice, now) for notice in _due(now).select_related("autopilot__phase").order_by("created_at"))


def _due(now: datetime) -> QuerySet[Notice]:
    return Notice.objects.filter(status=NoticeStatus.WAITING, next_try_at__lte=now)


def _send(notice: Notice, now: datetime) -> bool:
    taken = Notice.objects.filter(pk=notice.pk, status=NoticeStatus.WAITING, attempts=notice.attempts)
    wait = FIRST_WAIT * 2**notice.attempts
    # Counted before sending, so that a notice that kills its worker is retried later, but not for ever.
    if not taken.update(attempts=F("attempts") + 1, next_try_at=now + wait):
        return False  # another worker has it
    row = Notice.objects.filter(pk=notice.pk)
    try:
        _deliver(notice, now)
    except (NotSent, outgoing.Unreachable, OSError, httpx.HTTPError, httpx.InvalidURL) as error:
        is_last = notice.attempts + 1 >= MAX_ATTEMPTS
        row.update(error=str(error)[:1000], status=NoticeStatus.FAILED if is_last else NoticeStatus.WAITING)
        logger.warning("%s was not sent: %s", notice, error)
        return False
    row.update(status=NoticeStatus.SENT, error="")
    return True


def _deliver(notice: Notice, now: datetime) -> None:
    if notice.to.startswith(("http://", "https://")):
        _post(notice, now)
    else:
        news = notice.news
        subject = f"Autopilot of {news['phase_name']}: {news.get('act', '')} {news['event']}"
        lines = [f"{name}: {value}" for name, value in news.items()]
        send_mail(" ".join(subject.split()), "\n".join(lines), None, [notice.to])


def signature(secret: str, sent_at: str, body: bytes) -> str:
    """HMAC-SHA256 of `<sent_at>.<body>`, as sent in X-Stepmark-Signature."""
    return "sha256=" + hmac.new(secret.encode(), sent_at.encode() + b"." + body, hashlib.sha256).hexdigest()


def _post(notice: Notice, now: datetime) -> None:
    body, sent_at = json.dumps(notice.news, sort_keys=True).encode(), str(int(now.timestamp()))
    headers = {
        "Content-Type": "application/json",
        "X-Stepmark-Id": str(notice.pk),
        "X-Stepmark-Timestamp": sent_at,
        "X-Stepmark-Signature": signature(notice.autopilot.webhook_secret, sent_at, body),
    }
    http = outgoing.client(unless=lambda _: private_webhooks(), timeout=SEND_WITHIN_SECONDS)
    with http, http.stream("POST", notice.to, content=body, headers=headers) as reply:
        if not reply.is_success:  # only the status: the body may be endless
            raise NotSent(f"The webhook answered {reply.status_code}.")


def private_webhooks() -> str:
    """The name of the setting that would allow webhooks at private addresses; empty if they are allowed."""
    return "" if settings.WEBHOOK_MAY_BE_PRIVATE else "WEBHOOK_MAY_BE_PRIVATE"
