"""The settings of a round: what is picked for it, and how it is published. The same wherever a round is made."""

from typing import Any

from django.db import models
from django.db.models import Q

from labeling.rules.words import Policy

WITHOUT_MODEL = tuple(policy.value for policy in Policy if not policy.traits.needs_model)


class RankBy(models.TextChoices):
    """The ways to compute a solution's score from its steps' log P(right)."""

    PRODUCT = "product", "All steps are right (product)"
    MEAN = "mean", "Mean of the steps"
    MINIMUM = "minimum", "Weakest step"


SCORE_COLUMNS = {
    RankBy.PRODUCT.value: "log_score",
    RankBy.MEAN.value: "mean_log_score",
    RankBy.MINIMUM.value: "least_log_score",
}


class QuotaBy(models.TextChoices):
    SUBJECT = "subject", "Subject"
    LEVEL = "level", "Level"
    GENERATOR = "generator", "Generator"


class RoundSettings(models.Model):
    """The settings that a selection and an autopilot share. A random draw is a round like any other."""

    policy = models.CharField(max_length=16, choices=Policy.choices, default=Policy.CONVINCING.value)
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
    rank_by = models.CharField(
        max_length=8, choices=RankBy, default=RankBy.PRODUCT, help_text="Which score of the model ranks."
    )
    random_share = models.FloatField(
        default=0.1,
        help_text="Share drawn uniformly from all candidates, to compare the policy with; staff alone see it.",
    )
    takes_unfinished = models.BooleanField(
        default=False, help_text="Also pick solutions without a final answer, such as those that were cut off."
    )
    quota_by = models.CharField(max_length=9, choices=QuotaBy, blank=True, help_text="Empty: no quotas.")
    quotas = models.JSONField(
        default=dict,
        blank=True,
        help_text="Share of the policy's picks by value, such as a subject; the rest has any other value. Empty: the "
        "same number of each value.",
    )
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
            models.CheckConstraint(
                condition=Q(random_share__gte=0, random_share__lte=1), name="%(class)s_random_share_is_a_share"
            ),
            models.CheckConstraint(condition=Q(rank_by__in=RankBy.values), name="%(class)s_rank_is_known"),
            models.CheckConstraint(
                condition=Q(quota_by="") | Q(quota_by__in=QuotaBy.values, size__isnull=False),
                name="%(class)s_quotas_are_of_a_size",
            ),
            models.CheckConstraint(condition=Q(overlap__gte=1), name="%(class)s_overlap_is_one_or_more"),
        ]

    def round_settings(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ROUND_SETTINGS}


ROUND_SETTINGS = tuple(field.name for field in RoundSettings._meta.fields)
