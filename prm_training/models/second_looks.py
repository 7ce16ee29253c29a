"""Experts' second looks at labels that a model found unlikely."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from labeling.models import Labelling, Rating
from labeling.models.origin import CreatedAt, Identified
from prm_training.models.training import RewardModel


class SecondLook(Identified):
    """An expert's rating of a step whose label the model found unlikely, given without seeing that label."""

    labelling = models.ForeignKey(Labelling, models.CASCADE, related_name="second_looks", db_index=False)
    step = models.PositiveIntegerField()
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="second_looks")
    reward_model = models.ForeignKey(RewardModel, models.PROTECT, related_name="second_looks")
    first_rating = models.SmallIntegerField(choices=Rating)
    rating = models.SmallIntegerField(choices=Rating)
    chance = models.FloatField(help_text="P(first label) under the model.")
    created_at = CreatedAt()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["labelling", "step"], name="one_second_look_per_label"),
            models.CheckConstraint(condition=Q(rating__in=Rating.values), name="second_look_rating_is_known"),
        ]

    def __str__(self) -> str:
        return f"second look at step {self.step} of {self.labelling_id}"

    @property
    def is_changed(self) -> bool:
        """Great and Okay are both right: only Bad or not matters."""
        return (self.first_rating < 0) != (self.rating < 0)
