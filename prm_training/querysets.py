"""Filters and visibility for reward models and jobs."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Self

from django.db import models
from django.db.models import Q

if TYPE_CHECKING:
    from labeling.models import User


class RunQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        return self if user.sees_everything else self.none()

    def unfinished(self) -> Self:
        return self.filter(status__in=["queued", "running"])

    def waiting(self, *, stale_before: datetime) -> Self:
        """Runs that nobody works on: queued, or running under a worker whose heartbeat stopped."""
        return self.filter(Q(status="queued") | Q(status="running", heartbeat_at__lt=stale_before))


class SelectionItemQuerySet(models.QuerySet[Any]):
    def picked(self) -> Self:
        """The best first, without those that were set aside."""
        return self.filter(is_set_aside=False).order_by("rank")


class AutopilotQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        return self if user.sees_everything else self.none()


class RewardModelQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        return self if user.sees_everything else self.none()
