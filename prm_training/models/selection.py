"""Tables of selections: the solutions picked for a phase, published as a round."""

from __future__ import annotations

from typing import Any, Self

from django.db import models
from django.db.models import Q

from labeling.models import Round, Solution
from labeling.models.jobs import PhaseRun, Run
from labeling.rules.words import Policy, RunKind
from prm_training.models.round_settings import WITHOUT_MODEL, RoundSettings


class Selection(RoundSettings, PhaseRun):
    """Picks what to label next in a phase."""

    KIND = RunKind.SELECT.value
    INPUTS = ("phase", "reward_model")
    OUTPUTS = ("publication__round",)

    # No reverse name: `Run.selection` would clash with the field of Publication, which is a run too.
    run_ptr = models.OneToOneField(Run, models.CASCADE, parent_link=True, primary_key=True, related_name="+")
    summary = models.JSONField(default=dict, blank=True)
    discarded_at = models.DateTimeField(null=True, blank=True, help_text="It will not be published.")

    class Meta:
        constraints = [
            *RoundSettings.Meta.constraints,
            models.CheckConstraint(
                condition=Q(policy__in=WITHOUT_MODEL) | Q(reward_model__isnull=False),
                name="only_a_random_policy_selects_without_a_model",
            ),
        ]

    def __str__(self) -> str:
        return str(Policy(self.policy).label)


class SelectionItemQuerySet(models.QuerySet[Any]):
    def picked(self) -> Self:
        """Selects the picked solutions, best first, without those set aside."""
        return self.filter(is_set_aside=False).order_by("rank")


class SelectionItem(models.Model):
    """One picked solution, with the score that ranked it; or one set aside, as a probable mistake of the grader.

    Only staff know which ones are the random arm.
    """

    id = models.BigAutoField(primary_key=True)
    selection = models.ForeignKey(Selection, models.CASCADE, related_name="items", db_index=False)
    solution = models.ForeignKey(Solution, models.PROTECT, related_name="selection_items")
    rank = models.PositiveIntegerField()
    log_score = models.FloatField(null=True, blank=True)
    reason = models.CharField(max_length=200)
    is_set_aside = models.BooleanField(default=False)
    is_random = models.BooleanField(
        default=False, help_text="Drawn uniformly from all candidates, to compare the policy with."
    )

    objects = SelectionItemQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["selection", "is_set_aside", "rank"], name="one_item_per_selection_and_rank"
            ),
            models.UniqueConstraint(fields=["selection", "solution"], name="a_solution_is_selected_once"),
        ]

    def __str__(self) -> str:
        return f"{self.rank}: {self.solution_id}"


class Publication(PhaseRun):
    """Publishes a selection as the phase's next round."""

    KIND = RunKind.PUBLISH.value
    INPUTS = ("selection",)
    OUTPUTS = ("round",)

    run_ptr = models.OneToOneField(Run, models.CASCADE, parent_link=True, primary_key=True, related_name="+")
    selection = models.OneToOneField(Selection, models.PROTECT, related_name="publication")
    overlap = models.PositiveIntegerField(default=1)
    gold_set = models.CharField(  # noqa: DJ001  empty means something else
        max_length=100, null=True, blank=True, help_text="Hidden among the tasks; null: the phase's; empty: none."
    )
    round = models.OneToOneField(Round, models.PROTECT, null=True, blank=True, related_name="publication")
