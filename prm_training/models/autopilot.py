"""Autopilot's rows: a phase's settings, and the notices sent."""

from urllib.parse import urlsplit

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q

from labeling.models import Phase
from labeling.models.jobs import StaffQuerySet
from labeling.models.origin import CreatedAt, Identified
from prm_training.models.round_settings import RoundSettings


class PilotStatus(models.TextChoices):
    OFF = "off", "Off"
    ON = "on", "On"
    STOPPED = "stopped", "Stopped"


class Autopilot(RoundSettings):
    """Runs a phase's loop by itself, until its budget is used up or something unexpected happens."""

    phase = models.OneToOneField(Phase, models.PROTECT, primary_key=True, related_name="autopilot")
    status = models.CharField(max_length=8, choices=PilotStatus, default=PilotStatus.OFF)
    reason = models.TextField(blank=True, help_text="Why it stopped.")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    switched_on_at = models.DateTimeField(null=True, blank=True, help_text="The last time.")
    left_out = models.ForeignKey(
        "prm_training.RewardModel",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="A model that was held back and that it goes on without.",
    )
    base = models.CharField(max_length=500, blank=True, help_text="Base of the model; empty: a small one is made.")
    training = models.JSONField(default=dict, blank=True, help_text="epochs, learning_rate, seed")
    least_candidates = models.PositiveIntegerField(default=1, help_text="It stops if fewer can be picked.")
    most_rounds = models.PositiveIntegerField(default=5, help_text="Rounds that it may publish.")
    most_labellings = models.PositiveIntegerField(
        null=True, blank=True, help_text="In its rounds, at most; null: no limit."
    )
    patience_minutes = models.PositiveIntegerField(default=60, help_text="Minutes that a job may wait for a worker.")
    webhook_url = models.CharField(max_length=500, blank=True)
    webhook_secret = models.CharField(max_length=64, blank=True, editable=False)
    emails = models.JSONField(default=list, blank=True)

    objects = StaffQuerySet.as_manager()

    class Meta:
        constraints = [
            *RoundSettings.Meta.constraints,
            models.CheckConstraint(condition=Q(status__in=PilotStatus.values), name="autopilot_status_is_known"),
            models.CheckConstraint(condition=Q(size__gte=1), name="an_autopilot_round_has_a_task"),
        ]

    def __str__(self) -> str:
        return f"autopilot of {self.phase}"


class NoticeStatus(models.TextChoices):
    WAITING = "waiting", "Waiting"
    SENT = "sent", "Sent"
    FAILED = "failed", "Failed"


class Notice(Identified):
    """News of an autopilot for one address, a webhook or an e-mail; kept as the log of what was sent."""

    autopilot = models.ForeignKey(Autopilot, models.CASCADE, related_name="notices")
    to = models.CharField(max_length=500, help_text="A URL or an e-mail address.")
    news = models.JSONField(encoder=DjangoJSONEncoder)
    status = models.CharField(max_length=8, choices=NoticeStatus, default=NoticeStatus.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    next_try_at = models.DateTimeField()
    error = models.TextField(blank=True)
    created_at = CreatedAt()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(status__in=NoticeStatus.values), name="notice_status_is_known"),
        ]
        indexes = [
            models.Index(fields=["next_try_at"], condition=Q(status="waiting"), name="notices_to_be_sent"),
        ]

    def __str__(self) -> str:
        return f"{self.news.get('event', '')} to {urlsplit(self.to).hostname or self.to}"  # a webhook's path is secret
