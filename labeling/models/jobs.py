"""Long jobs as rows: life, progress, shared work, log; and the workers that do them."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self

from django.apps import apps
from django.conf import settings
from django.db import models
from django.db.models import Count, DurationField, Exists, ExpressionWrapper, F, OuterRef, Q, Sum
from django.db.models.functions import Coalesce, Greatest

from labeling.models.origin import CreatedAt, Identified
from labeling.rules.words import RunKind

if TYPE_CHECKING:
    from labeling.models import Phase, User


# Working time of all attempts of a run, including the last.
WORKED = F("worked_before") + Coalesce(
    ExpressionWrapper(F("heartbeat_at") - F("started_at"), output_field=DurationField()), timedelta()
)


class StaffQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        return self if user.sees_everything else self.none()


class RunQuerySet(StaffQuerySet):
    def known(self) -> Self:
        """Leaves out runs of kinds that only a newer version knows, whose processes work on the same database."""
        return self.filter(kind__in=RunKind.values)

    def unfinished(self) -> Self:
        return self.filter(status__in=["queued", "running"])

    def waiting(self, *, stale_before: datetime) -> Self:
        """Runs that nobody works on: queued, or running under a worker whose heartbeat stopped."""
        return self.filter(Q(status="queued") | Q(status="running", heartbeat_at__lt=stale_before))

    def postponed(self, *, now: datetime) -> Self:
        """Queued runs that met a full disk, and are not yet to be tried again."""
        return self.filter(status="queued", next_try_at__gt=now)

    def begun(self, *, worker: str, now: datetime, **columns: Any) -> int:
        """Starts another attempt at each run; the last attempt's time is kept. Returns the number of runs."""
        taken = {"status": "running", "worker": worker, "heartbeat_at": now, "started_at": now}
        return self.update(
            **taken | {"expected_at": None, "next_try_at": None, "error": ""} | columns,
            worked_before=WORKED,
            attempts=F("attempts") + 1,
        )

    def with_waiting_since(self) -> Self:
        """Adds `waiting_since` to queued runs: when each was last queued or, after a full disk, is tried again."""
        others = [Coalesce(name, "created_at") for name in ("heartbeat_at", "next_try_at")]
        return self.annotate(waiting_since=Greatest("created_at", *others))

    def whole(self) -> Self:
        """Loads owners, phases, and input and output rows too."""
        many = {field.name for field in self.model._meta.many_to_many}
        one = {"owner", "phase", *self.model.INPUTS, *self.model.OUTPUTS} - many
        named = [f"{name}__phase" if name.endswith("round") else name for name in one]  # a round's name has its phase
        return self.select_related(*named).prefetch_related(*many)


class BatchQuerySet(models.QuerySet[Any]):
    def not_done(self) -> Self:
        return self.filter(status__in=["queued", "running"])

    def free_for(self, worker: str, *, stale_before: datetime) -> Self:
        """Selects the batches that nobody works on: queued, held by a worker that fell silent, or this worker's own,
        which has one at a time and now asks for another.
        """
        heard_of = Worker.objects.filter(name=OuterRef("worker"), last_seen_at__gte=stale_before)
        left = Q(started_at__lt=stale_before) & ~Exists(heard_of)
        return self.not_done().filter(Q(status="queued") | Q(worker=worker) | left)

    def progress(self) -> dict[str, int]:
        """Returns the sizes `done` and `total`, and the number of batches `left`."""
        is_done = Q(status="done")
        return self.aggregate(
            done=Coalesce(Sum("size", filter=is_done), 0),
            total=Coalesce(Sum("size"), 0),
            left=Count("pk", filter=~is_done),
        )


class Status(models.TextChoices):
    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    READY = "ready", "Ready to confirm"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


class Run(Identified):
    """A job of any kind: its life, progress, owner and heartbeat; each kind has a table of details beside this one.

    Only its worker may move `status` away from running, and only while `worker` is its name. Such conditions hold in
    an UPDATE of this table alone (`Run.objects`): through a table of details, Django selects ids first.
    """

    KIND: ClassVar[str] = ""  # a RunKind, with what belongs to it
    # The rows that the run works on, its results, and the many rows that record how it went.
    INPUTS: ClassVar[tuple[str, ...]] = ()
    OUTPUTS: ClassVar[tuple[str, ...]] = ()
    RECORDS: ClassVar[tuple[str, ...]] = ()

    kind = models.CharField(max_length=10, editable=False)
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    stage = models.CharField(max_length=100, blank=True)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    expected_at = models.DateTimeField(null=True, blank=True, help_text="When the stage will end at this pace.")
    error = models.TextField(blank=True)
    attempts = models.PositiveIntegerField(default=0)
    postponements = models.PositiveIntegerField(default=0, db_default=0, help_text="How often it met a full disk.")
    next_try_at = models.DateTimeField(null=True, blank=True, help_text="Queued, it waits until then for room.")
    cancel_requested_at = models.DateTimeField(null=True, blank=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    phase = models.ForeignKey(
        "labeling.Phase",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="runs",
        help_text="The one that it works for; null: it works for the whole installation, or pool.",
    )
    is_automatic = models.BooleanField(default=False, help_text="The phase's autopilot started it.")
    worker = models.CharField(max_length=200, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    created_at = CreatedAt()
    started_at = models.DateTimeField(null=True, blank=True, help_text="When its last attempt started.")
    finished_at = models.DateTimeField(null=True, blank=True)
    worked_before = models.DurationField(default=timedelta, help_text="Of all attempts before the last.")
    resolved = models.JSONField(
        default=dict, blank=True, help_text="Its settings, chosen or automatic; code, versions, device."
    )

    device_slot = models.CharField(max_length=200, blank=True, help_text="Which device it fills: a machine's, one of.")

    objects = RunQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(kind=""), name="a_run_has_a_kind"),
            models.CheckConstraint(condition=Q(status__in=Status.values), name="run_status_is_known"),
            models.CheckConstraint(
                condition=~Q(kind__in=[kind.value for kind in RunKind if kind.traits.of_phase])
                | Q(phase__isnull=False),
                name="what_belongs_to_a_phase_has_one",
            ),
            models.UniqueConstraint(
                fields=["device_slot"],
                condition=Q(status="running") & ~Q(device_slot=""),
                name="one_run_fills_a_device",
            ),
        ]
        indexes = [
            models.Index(fields=["-created_at", "-id"], name="runs_latest_first"),
            models.Index(fields=["kind", "-created_at", "-id"], name="runs_of_a_kind"),
            models.Index(fields=["created_at"], condition=Q(status__in=["queued", "running"]), name="runs_unfinished"),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.id}: {self.status}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.kind = self.KIND or self.kind
        super().save(*args, **kwargs)

    @property
    def details(self) -> Any:
        """The run as a row of its kind, with everything."""
        return kinds()[self.kind].objects.get(pk=self.pk)

    @property
    def elapsed(self) -> timedelta:
        """Running time of all its attempts, up to its last heartbeat."""
        if self.started_at is None or self.heartbeat_at is None:
            return self.worked_before
        return self.worked_before + (self.heartbeat_at - self.started_at)

    @property
    def is_finished(self) -> bool:
        return self.status in {Status.DONE, Status.FAILED, Status.CANCELLED}


class PhaseRun(Run):
    """A run that works for one phase, as a constraint of runs demands."""

    phase: models.ForeignKey[Phase, Phase]

    class Meta:
        abstract = True


@cache
def kinds() -> dict[str, type[Run]]:
    """The table of each kind of run."""
    return {model.KIND: model for model in apps.get_models() if issubclass(model, Run) and model is not Run}


class Batch(models.Model):
    """A part of a run's work, for whichever worker takes it: only that one may end it, and only while `worker` is its
    name.
    """

    id = models.BigAutoField(primary_key=True)
    run = models.ForeignKey(Run, models.CASCADE, related_name="batches", db_index=False)
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
        return f"batch {self.number} of {self.run_id}: {self.status}"


class LogLine(models.Model):
    """One of the last log lines of a run of any kind."""

    id = models.BigAutoField(primary_key=True)
    run = models.ForeignKey(Run, models.CASCADE, related_name="log_lines", db_index=False)
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
