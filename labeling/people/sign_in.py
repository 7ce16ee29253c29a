"""Signing in, and how often it may fail.

Every attempt is logged, and is in the audit log. Wrong passwords count against the network that they come from, and
against the name, whoever sends them. A browser that has signed in before is counted separately: a stranger's guesses at
a name keep its owner out of new browsers for WINDOW, and never out of their own. Right passwords don't count: a whole
class may sign in at once.
"""

import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models import F

from labeling import audit
from labeling.errors import DomainError
from labeling.models import Change, FailedSignIns, User
from labeling.rules import names
from labeling.rules.audited import AuditAct, Audited

logger = logging.getLogger(__name__)
WINDOW = timedelta(minutes=15)
FAILURES_KEPT = 10_000  # lines of the audit log about failed attempts
Known = TypeVar("Known", bound=User | None)


class TooManyFailures(DomainError, code="throttled", status=429):
    def __init__(self, wait: timedelta) -> None:
        super().__init__("Too many wrong passwords. Try again later.")
        self.wait = wait


@dataclass(frozen=True)
class Visitor:
    """Where an attempt comes from: an IP address; and the browser, if it has signed in to this name before."""

    address: str
    browser: str = ""


def attempt(*, username: str, visitor: Visitor, check: Callable[[], Known], now: datetime) -> Known:
    """Returns the result of `check`: the person whose name and password match, or None. Raises TooManyFailures."""
    limits = _limits(username, visitor)
    _refuse_if_too_many(limits, now)
    person = check()
    if person is None:
        _count_failure(limits, now)
        _record_failure(username, visitor)
    return person


def record(*, person: User, visitor: Visitor) -> None:
    """Records a successful sign-in."""
    logger.info("%r signed in from %s", person.username, visitor.address)
    audit.record(by=person, act=AuditAct.SIGN_IN, on=person, after={"address": visitor.address})


def network(address: str) -> str:
    """Returns the network of one customer: an IPv4 address, or an IPv6 /64."""
    try:
        found = ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(found, IPv6Address) and found.ipv4_mapped is None:
        return str(IPv6Network((found, 64), strict=False))
    return str(getattr(found, "ipv4_mapped", None) or found)


def hashed(username: str) -> str:
    return hashlib.sha256(names.key(username).encode()).hexdigest()


def _limits(username: str, visitor: Visitor) -> dict[str, int]:
    # A known browser counts for itself alone: strangers' wrong passwords for the same name don't lock it out.
    if visitor.browser:
        return {f"browser {visitor.browser}": settings.SIGN_IN_FAILURES_PER_NAME}
    return {
        f"name {hashed(username)}": settings.SIGN_IN_FAILURES_PER_NAME,
        f"address {network(visitor.address)}": settings.SIGN_IN_FAILURES_PER_ADDRESS,
    }


def _refuse_if_too_many(limits: dict[str, int], now: datetime) -> None:
    # The window is that of the first failure: trying again does not prolong it.
    counted = FailedSignIns.objects.filter(pk__in=limits, since__gt=now - WINDOW)
    waits = [row.since + WINDOW - now for row in counted if row.times >= limits[row.key]]
    if waits:
        raise TooManyFailures(max(waits))


def _count_failure(limits: dict[str, int], now: datetime) -> None:
    FailedSignIns.objects.filter(since__lte=now - WINDOW).delete()
    for key, limit in limits.items():
        FailedSignIns.objects.get_or_create(pk=key, defaults={"since": now})
        # Relative, so that guesses sent all at once are all counted.
        FailedSignIns.objects.filter(pk=key).update(times=F("times") + 1)
        # Exactly at the limit, so that each block is logged once.
        if FailedSignIns.objects.filter(pk=key, times=limit).exists():
            logger.warning("Too many wrong passwords: %s is blocked until %s", key, now + WINDOW)


@transaction.atomic
def _record_failure(username: str, visitor: Visitor) -> None:
    """Adds the failure to the audit log, which keeps the newest FAILURES_KEPT."""
    logger.warning("%r failed to sign in from %s", username, visitor.address)
    meant = User.objects.filter(name_key=names.key(username)).first()
    subject = str(meant.pk) if meant else ""
    after = {"address": visitor.address}
    line = {"act": AuditAct.FAIL_TO_SIGN_IN.value, "kind": Audited.USER.value}
    Change.objects.create(**line, subject=subject, name=username[:150], after=after)
    failures = Change.objects.filter(act=AuditAct.FAIL_TO_SIGN_IN)
    # Guesses by the million must not fill the disk, nor bury all else in the log.
    oldest_kept = failures.order_by("-at").values_list("at", flat=True)[FAILURES_KEPT - 1 : FAILURES_KEPT].first()
    if oldest_kept:
        failures.filter(at__lt=oldest_kept).delete()
