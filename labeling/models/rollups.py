"""Counts that take long, kept with their time."""

from uuid import UUID

from django.db import models

ALL = UUID(int=0)


class Rollup(models.Model):
    """A worker's count over many rows. Nobody waits for it: pages show it with its time."""

    id = models.BigAutoField(primary_key=True)
    kind = models.CharField(max_length=20)
    subject = models.UUIDField(default=ALL, help_text="A phase or a round; all zeros: everything.")
    value = models.JSONField(null=True, help_text="Null until it is counted once.")
    counted_at = models.DateTimeField(null=True, help_text="When the counting started.")
    took_ms = models.PositiveIntegerField(default=0)
    requested_at = models.DateTimeField(null=True, help_text="When a new count was requested.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["kind", "subject"], name="one_rollup_per_kind_and_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.subject}"
