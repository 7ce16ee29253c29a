"""Long jobs as rows: settings, progress, result; and the workers that do them."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Count, DurationField, Exists, ExpressionWrapper, F, OuterRef, Q, Sum
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
        """Starts another attempt at each; the last attempt's time is kept. Returns how many there were."""
        worked = ExpressionWrapper(F("heartbeat_at") - F("started_at"), output_field=DurationField())
        return self.update(
            **{"status": "running", "worker": worker, "heartbeat_at": now, "started_at": now, "error": ""} | columns,
            worked_before=F("worked_before") + Coalesce(worked, timedelta()),
            attempts=F("attempts") + 1,
        )

    def whole(self) -> Self:
        """With their owners, and their input and output rows."""
        many = {field.name for field in self.model._meta.many_to_many}
        one = {"owner", *self.model.INPUTS, *self.model.OUTPUTS} - many
        named = [f"{name}__phase" if name.endswith("round") else name for name in one]  # a round's name has its phase
        return self.select_related(*named).prefetch_related(*many)


class BatchQuerySet(models.QuerySet[Any]):
    def not_done(self) -> Self:
        return self.filter(status__in=["queued", "running"])

    def free_for(self, worker: str, *, stale_before: datetime) -> Self:
        """Those that nobody works on: queued, held by a worker that fell silent, or this worker's own, which has one at
        a time and now asks for another.
        """
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


class Status(models.TextChoices):
    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


class Run(models.Model):
    """A job: only its worker may move `status` away from running, and only while `worker` is its name."""

    # The rows that it works on, its results, and the many rows that record how it went.
    INPUTS: ClassVar[tuple[str, ...]] = ()
    OUTPUTS: ClassVar[tuple[str, ...]] = ()
    TOLD: ClassVar[tuple[str, ...]] = ()

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    stage = models.CharField(max_length=100, blank=True)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    expected_at = models.DateTimeField(null=True, blank=True, help_text="When the stage will end at this pace.")
    error = models.TextField(blank=True)
    attempts = models.PositiveIntegerField(default=0)
    cancel_requested_at = models.DateTimeField(null=True, blank=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    worker = models.CharField(max_length=200, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True, help_text="When its last attempt started.")
    finished_at = models.DateTimeField(null=True, blank=True)
    worked_before = models.DurationField(default=timedelta, help_text="Of all attempts before the last.")
    resolved = models.JSONField(
        default=dict, blank=True, help_text="Its settings, chosen or automatic; code, versions, device."
    )

    objects = RunQuerySet.as_manager()

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(condition=Q(status__in=Status.values), name="%(class)s_status_is_known"),
        ]
        indexes = [
            models.Index(fields=["-created_at", "-id"], name="%(class)s_latest_first"),
            models.Index(
                fields=["created_at"],
                condition=Q(status__in=["queued", "running"]),
                name="%(class)s_unfinished",
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.id}: {self.status}"

    @property
    def elapsed(self) -> timedelta:
        """Running time of all its attempts, up to its last heartbeat."""
        if self.started_at is None or self.heartbeat_at is None:
            return self.worked_before
        return self.worked_before + (self.heartbeat_at - self.started_at)

    @property
    def is_finished(self) -> bool:
        return self.status in {Status.DONE, Status.FAILED, Status.CANCELLED}


class Batch(models.Model):
    """A part of a run's work, for whichever worker takes it: only that one may end it, and only while `worker` is its
    name.
    """

    id = models.BigAutoField(primary_key=True)
    run = models.UUIDField()
    number = models.PositiveIntegerField()
    work = models.JSONField(help_text="What is to be done; its form depends on the kind of run.")
    size = models.PositiveIntegerField(help_text="Its share of the run's total.")
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    worker = models.CharField(max_length=200, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    result = models.JSONField(default=dict, blank=True)

    objects = BatchQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="one_batch_per_run_and_number"),
            models.CheckConstraint(condition=Q(status__in=["queued", "running", "done"]), name="batch_status_is_known"),
        ]
        indexes = [
            models.Index(
                fields=["run", "number"], condition=Q(status__in=["queued", "running"]), name="batches_not_done"
            ),
        ]

    def __str__(self) -> str:
        return f"batch {self.number} of {self.run}: {self.status}"


class LogLine(models.Model):
    """One of the last log lines of a run of any kind."""

    id = models.BigAutoField(primary_key=True)
    run = models.UUIDField()
    text = models.TextField(blank=True)

    class Meta:
        indexes = [models.Index(fields=["run", "id"], name="log_of_a_run")]

    def __str__(self) -> str:
        return self.text


class Worker(models.Model):
    """A live worker process: its heartbeat thread writes `last_seen_at` every few seconds."""

    name = models.CharField(max_length=200, primary_key=True)
    queues = models.CharField(max_length=200)
    started_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
