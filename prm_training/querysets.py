"""Filters and visibility for reward models and jobs."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

from django.db import models
from django.db.models import Count, DurationField, Exists, ExpressionWrapper, F, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce

if TYPE_CHECKING:
    from labeling.models import User


class StaffQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        return self if user.sees_everything else self.none()


class RunQuerySet(StaffQuerySet):
    def unfinished(self) -> Self:
        return self.filter(status__in=["queued", "running"])

    def waiting(self, *, stale_before: datetime) -> Self:
        """Runs that nobody works on: queued, or running under a worker whose heartbeat stopped."""
        return self.filter(Q(status="queued") | Q(status="running", heartbeat_at__lt=stale_before))

    def begun(self, *, worker: str, now: datetime, **columns: Any) -> int:
        """Another attempt of each begins; what the last one worked stays counted. Returns how many there were."""
        worked = ExpressionWrapper(F("heartbeat_at") - F("started_at"), output_field=DurationField())
        return self.update(
            **{"status": "running", "worker": worker, "heartbeat_at": now, "started_at": now, "error": ""} | columns,
            worked_before=F("worked_before") + Coalesce(worked, timedelta()),
            attempts=F("attempts") + 1,
        )

    def whole(self) -> Self:
        """With their owners, and with the rows that they work on and that come of them."""
        many = {field.name for field in self.model._meta.many_to_many}
        one = {"owner", *self.model.INPUTS, *self.model.OUTPUTS} - many
        named = [f"{name}__phase" if name.endswith("round") else name for name in one]  # a round's name has its phase
        return self.select_related(*named).prefetch_related(*many)


class BatchQuerySet(models.QuerySet[Any]):
    def not_done(self) -> Self:
        return self.filter(status__in=["queued", "running"])

    def free_for(self, worker: str, *, stale_before: datetime) -> Self:
        """Those that nobody works on: queued, in the hands of a worker that fell silent, or in this one's own, which
        has one at a time and asks for another."""
        workers = self.model._meta.apps.get_model("prm_training", "Worker").objects
        heard_of = workers.filter(name=OuterRef("worker"), last_seen_at__gte=stale_before)
        left = Q(started_at__lt=stale_before) & ~Exists(heard_of)
        return self.not_done().filter(Q(status="queued") | Q(worker=worker) | left)

    def progress(self) -> dict[str, int]:
        """`done` of `total`, and how many batches are `left`."""
        is_done = Q(status="done")
        return self.aggregate(
            done=Coalesce(Sum("size", filter=is_done), 0),
            total=Coalesce(Sum("size"), 0),
            left=Count("pk", filter=~is_done),
        )


class RewardModelQuerySet(StaffQuerySet):
    def with_evaluation(self) -> Self:
        """Adds `evaluated`, the metrics of its newest evaluation; None without one."""
        runs = self.model._meta.get_field("evaluation_runs").related_model.objects.filter(status="done")
        newest = runs.filter(reward_model=OuterRef("pk")).order_by("-finished_at")
        return self.annotate(evaluated=Subquery(newest.values("metrics")[:1]))


class SelectionItemQuerySet(models.QuerySet[Any]):
    def picked(self) -> Self:
        """The best first, without those that were set aside."""
        return self.filter(is_set_aside=False).order_by("rank")
