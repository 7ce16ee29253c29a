"""What has been submitted in a round, counted as it comes in."""

from django.db import models
from django.db.models import Q

from labeling.models.people import User
from labeling.models.rounds import Round


class Tally(models.Model):
    """How much one annotator has submitted in a round: current labellings, counted in the transaction that stores them.

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
