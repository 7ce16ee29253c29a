"""What has been submitted in a round, counted as it comes in."""

from django.db import models
from django.db.models import Q

from labeling.models.campaign import Round
from labeling.models.people import User


class Tally(models.Model):
    """How much one annotator has submitted in a round: current labellings, kept in the transaction that stores them.

    Each annotator has a row of their own, so that no two submissions wait for one another.
    """

    id = models.BigAutoField(primary_key=True)
    # The unique constraint below begins with it, and is its index too.
    round = models.ForeignKey(Round, models.CASCADE, related_name="tallies", db_index=False)
    annotator = models.ForeignKey(
        User,
        models.CASCADE,
        null=True,
        related_name="tallies",
        help_text="Null where imported records do not say.",
    )
    done = models.PositiveIntegerField(default=0, help_text="On tasks that are no gold.")
    on_gold = models.PositiveIntegerField(default=0, help_text="On hidden gold.")
    day = models.DateField(null=True, help_text="The last one on which anything was submitted.")
    on_day = models.PositiveIntegerField(default=0, help_text="Submitted on that day, gold or not.")
    active_ms = models.BigIntegerField(default=0, help_text="Of all of them, gold too, as far as it is known.")
    last_at = models.DateTimeField(null=True, help_text="When the last of them was submitted, as far as it is known.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "annotator"], name="one_tally_per_round_and_annotator"),
            models.UniqueConstraint(
                fields=["round"], condition=Q(annotator=None), name="one_tally_per_round_of_unnamed_annotators"
            ),
        ]

    def __str__(self) -> str:
        return f"tally of {self.annotator_id} in {self.round_id}"
