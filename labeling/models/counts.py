"""Tables of counts: a round's submissions as they come in, and counts that take long."""

from uuid import UUID

from django.db import models
from django.db.models import Q

from labeling.models.people import User
from labeling.models.rounds import Round

ALL = UUID(int=0)


class Tally(models.Model):
    """Counts one annotator's current labellings in a round, in the transaction that stores them.

    Each annotator has a row of their own, so that no submission waits for another person's.
    """

    id = models.BigAutoField(primary_key=True)
    # The unique constraint below begins with it, and is its index too.
    round = models.ForeignKey(Round, models.CASCADE, related_name="tallies", db_index=False)
    annotator = models.ForeignKey(
        User,
        models.CASCADE,
        null=True,
        related_name="tallies",
        help_text="Null if imported records do not say.",
    )
    done = models.PositiveIntegerField(default=0, help_text="On tasks other than gold.")
    on_gold = models.PositiveIntegerField(default=0, help_text="On hidden gold.")
    day = models.DateField(null=True, help_text="The last day with a submission.")
    on_day = models.PositiveIntegerField(default=0, help_text="Submitted on that day, including gold.")
    active_ms = models.BigIntegerField(default=0, help_text="Of all, including gold, as far as known.")
    last_at = models.DateTimeField(null=True, help_text="When the last one was submitted, if known.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "annotator"], name="one_tally_per_round_and_annotator"),
            models.UniqueConstraint(
                fields=["round"], condition=Q(annotator=None), name="one_tally_per_round_of_unnamed_annotators"
            ),
        ]

    def __str__(self) -> str:
        return f"tally of {self.annotator_id} in {self.round_id}"


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
