"""Long jobs as rows: what was asked, how far it is, how it ended."""

import uuid
from datetime import timedelta
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from prm_training import querysets


class Status(models.TextChoices):
    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


class Run(models.Model):
    """A job: only its own worker writes `status` away from running, and only while `worker` is its name."""

    # The rows that it works on, those that come of it, and those that tell how it went, which may be many.
    INPUTS: ClassVar[tuple[str, ...]] = ()
    OUTPUTS: ClassVar[tuple[str, ...]] = ()
    TOLD: ClassVar[tuple[str, ...]] = ()

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    stage = models.CharField(max_length=100, blank=True)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    expected_at = models.DateTimeField(null=True, blank=True, help_text="When the stage will be over at this pace.")
    error = models.TextField(blank=True)
    attempts = models.PositiveIntegerField(default=0)
    cancel_requested_at = models.DateTimeField(null=True, blank=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    worker = models.CharField(max_length=200, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True, help_text="When its last attempt began.")
    finished_at = models.DateTimeField(null=True, blank=True)
    worked_before = models.DurationField(default=timedelta, help_text="Of the attempts before that one, in all.")
    resolved = models.JSONField(
        default=dict, blank=True, help_text="The settings it works with, chosen or automatic; code, versions, device."
    )

    objects = querysets.RunQuerySet.as_manager()

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
        """Working time of all its attempts, up to its last sign of life."""
        if self.started_at is None or self.heartbeat_at is None:
            return self.worked_before
        return self.worked_before + (self.heartbeat_at - self.started_at)

    @property
    def is_finished(self) -> bool:
        return self.status in {Status.DONE, Status.FAILED, Status.CANCELLED}


class Batch(models.Model):
    """A part of a run's work, for whichever worker takes it: only while `worker` is its name may that one end it."""

    id = models.BigAutoField(primary_key=True)
    run = models.UUIDField()
    number = models.PositiveIntegerField()
    work = models.JSONField(help_text="What there is to do, in the terms of the run's kind.")
    size = models.PositiveIntegerField(help_text="How much it is of the run's total.")
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    worker = models.CharField(max_length=200, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    result = models.JSONField(default=dict, blank=True)

    objects = querysets.BatchQuerySet.as_manager()

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
    """One of the last lines of what happened in a run of any kind."""

    id = models.BigAutoField(primary_key=True)
    run = models.UUIDField()
    text = models.TextField(blank=True)

    class Meta:
        indexes = [models.Index(fields=["run", "id"], name="log_of_a_run")]

    def __str__(self) -> str:
        return self.text
