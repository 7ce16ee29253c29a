"""The settings of a round: what is picked for it, and how it is published. The same wherever a round is made."""

from typing import Any

from django.db import models
from django.db.models import Q


class Policy(models.TextChoices):
    """What each one does is in `prm_training.selection.rules.POLICIES`."""

    CONVINCING = "convincing", "Most convincing wrong answers of random problems"
    WHOLE_POOL = "whole_pool", "Most convincing wrong answers of the whole pool"
    UNCERTAINTY = "uncertainty", "Most uncertain of random problems"
    RANDOM_WRONG = "random_wrong", "Wrong answers at random"
    UNIFORM = "uniform", "Uniformly at random"


WITHOUT_MODEL = (Policy.RANDOM_WRONG, Policy.UNIFORM)


class RoundSettings(models.Model):
    """The settings that a selection and an autopilot share. A random draw is a round like any other."""

    policy = models.CharField(max_length=16, choices=Policy, default=Policy.CONVINCING)
    reward_model = models.ForeignKey(
        "prm_training.RewardModel",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="%(class)ss",
        help_text="The model to pick by; null: the current one, or none if the policy draws at random.",
    )
    size = models.PositiveIntegerField(
        null=True, blank=True, default=100, help_text="Solutions to pick, at most; null: any number."
    )
    per_problem = models.PositiveIntegerField(
        null=True, blank=True, default=1, help_text="Solutions per problem, at most; null: any number."
    )
    wrong_share = models.FloatField(default=0.8, help_text="Share picked among wrong answers; the rest among all.")
    source = models.CharField(max_length=100, blank=True, help_text="Only this one of the phase's sources; empty: all.")
    is_fresh = models.BooleanField(default=False, help_text="Only solutions that no phase has published.")
    sets_suspects_aside = models.BooleanField(default=True, help_text="Don't pick probable mistakes of the grader.")
    seed = models.PositiveIntegerField(default=0)
    overlap = models.PositiveIntegerField(
        null=True, blank=True, help_text="How many people label a task; null: the phase's."
    )
    gold_set = models.CharField(  # noqa: DJ001  empty means something else
        max_length=100, null=True, blank=True, help_text="Hidden among the tasks; null: the phase's; empty: none."
    )

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(size__isnull=False) | Q(per_problem__isnull=False), name="%(class)s_has_a_limit"
            ),
            models.CheckConstraint(
                condition=Q(wrong_share__gte=0, wrong_share__lte=1), name="%(class)s_wrong_share_is_a_share"
            ),
            models.CheckConstraint(condition=Q(overlap__gte=1), name="%(class)s_overlap_is_one_or_more"),
        ]

    def round_settings(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ROUND_SETTINGS}


ROUND_SETTINGS = tuple(field.name for field in RoundSettings._meta.fields)
