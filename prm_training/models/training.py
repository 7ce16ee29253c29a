"""Reward models: training, evaluation, promotion, verification."""

from __future__ import annotations

from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Prefetch, Q, Subquery

from labeling.data.exporting import LabelFilter
from labeling.models import Phase, Snapshot
from labeling.models.jobs import PhaseRun, StaffQuerySet
from labeling.models.origin import CreatedAt, Identified
from labeling.rules.words import RunKind


class Supervision(models.TextChoices):
    """The labels that a reward model learns from: ratings of steps (a PRM), or right and wrong answers (an ORM)."""

    PROCESS = "process", "Ratings of steps"
    OUTCOME = "outcome", "Final answers"


class TrainingRun(PhaseRun):
    """Trains a reward model for the phase, on a frozen snapshot of labels."""

    KIND = RunKind.TRAIN.value
    INPUTS = ("phase", "phases", "snapshot")
    OUTPUTS = ("reward_model",)
    RECORDS = ("loss_points",)

    name = models.CharField(max_length=100)
    base = models.CharField(
        max_length=500,
        blank=True,
        help_text="Hugging Face directory or hub name; empty: a small model is made.",
    )
    supervision = models.CharField(max_length=8, choices=Supervision, default=Supervision.PROCESS)
    phases = models.ManyToManyField(Phase, blank=True, related_name="+", help_text="Those whose labels it uses.")
    labels = models.JSONField(default=dict, blank=True, help_text="Which labels: a LabelFilter without its phases.")
    settings = models.JSONField(default=dict, blank=True, help_text="epochs, learning_rate, seed")
    snapshot = models.ForeignKey(Snapshot, models.PROTECT, null=True, blank=True, related_name="training_runs")
    metrics = models.JSONField(default=dict, blank=True)

    @property
    def label_filter(self) -> LabelFilter:
        return LabelFilter(phases=[phase.pk for phase in self.phases.all()], **self.labels)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(supervision__in=Supervision.values), name="supervision_is_known"),
        ]

    def __str__(self) -> str:
        return self.name


class LossPoint(models.Model):
    """The training loss of one optimiser step."""

    id = models.BigAutoField(primary_key=True)
    run = models.ForeignKey(TrainingRun, models.CASCADE, related_name="loss_points", db_index=False)
    step = models.PositiveIntegerField()
    loss = models.FloatField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "step"], name="one_loss_per_run_and_step")]

    def __str__(self) -> str:
        return f"{self.step}: {self.loss}"


class RewardModelQuerySet(StaffQuerySet):
    def with_evaluation(self) -> Self:
        """Adds `evaluated`, the metrics of its newest evaluation in its own phase; None if it has none."""
        runs = self.model._meta.get_field("evaluation_runs").related_model.objects.filter(status="done")
        own = runs.filter(reward_model=OuterRef("pk"), phase=OuterRef("training_run__phase"))
        newest = own.order_by("-finished_at")
        return self.annotate(evaluated=Subquery(newest.values("metrics")[:1]))

    def with_current_in(self) -> Self:
        """Adds `newest_promotions`: one for each phase whose current model it is."""
        rows = Promotion.objects.newest().with_way_back().select_related("phase")
        return self.prefetch_related(Prefetch("promotions", rows.order_by("phase__name"), "newest_promotions"))


class RewardModel(Identified):
    """A trained model, at `directory`. A phase has at most one current model, a PRM, which selects by default: the one
    that its newest promotion names.
    """

    name = models.CharField(max_length=100)
    training_run = models.OneToOneField(TrainingRun, models.PROTECT, related_name="reward_model")
    directory = models.CharField(max_length=500, help_text="Relative to MODELS_ROOT.")
    metrics = models.JSONField(default=dict, blank=True)
    created_at = CreatedAt()

    objects = RewardModelQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name

    @property
    def phase(self) -> Phase:
        """The phase that it was trained for; it may be current in others too."""
        return self.training_run.phase

    @property
    def is_orm(self) -> bool:
        return self.training_run.supervision == Supervision.OUTCOME


class PromotionQuerySet(StaffQuerySet):
    def newest(self) -> Self:
        """Selects each phase's newest promotion."""
        later = self.model._default_manager.filter(phase=OuterRef("phase"), pk__gt=OuterRef("pk"))
        return self.filter(~Exists(later))

    def with_way_back(self) -> Self:
        """Adds `rolls_back_to`: the name of the model that a rollback would make current again, or None."""
        came = self.model._default_manager.filter(
            phase=OuterRef("phase"), reward_model=OuterRef("reward_model"), is_rollback=False
        )
        return self.annotate(rolls_back_to=Subquery(came.order_by("-pk").values("previous__name")[:1]))


class Promotion(models.Model):
    """A change of a phase's current model, one row each, so that it stays known which one was current when."""

    id = models.BigAutoField(primary_key=True)
    phase = models.ForeignKey(Phase, models.PROTECT, related_name="promotions")
    reward_model = models.ForeignKey(RewardModel, models.PROTECT, related_name="promotions")
    previous = models.ForeignKey(RewardModel, models.PROTECT, null=True, blank=True, related_name="+")
    is_rollback = models.BooleanField(default=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    at = models.DateTimeField()
    reason = models.TextField(blank=True)
    overrode = models.TextField(blank=True, help_text="The obstacle that was overridden, if any.")

    objects = PromotionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(overrode="") | ~Q(reason=""), name="an_override_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.reward_model}, current in {self.phase} since {self.at:%Y-%m-%d %H:%M}"


class EvaluationRun(PhaseRun):
    """Measures a reward model, and the one it would replace in the phase, on the same held-out labels; and best-of-N on
    what the phase draws from.
    """

    KIND = RunKind.EVALUATE.value
    INPUTS = ("phase", "reward_model", "baseline", "snapshot")

    reward_model = models.ForeignKey(RewardModel, models.PROTECT, related_name="evaluation_runs")
    baseline = models.ForeignKey(
        RewardModel,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="The phase's current model when this was requested.",
    )
    snapshot = models.ForeignKey(Snapshot, models.PROTECT, related_name="evaluation_runs")
    metrics = models.JSONField(default=dict, blank=True)
    baseline_metrics = models.JSONField(default=dict, blank=True)


class PolicyReplay(PhaseRun):
    """Compares selection policies on the labels that a reward model learned from: had each picked among them, how good
    would the model be after so many labels?
    """

    KIND = RunKind.REPLAY.value
    INPUTS = ("phase", "reward_model")

    reward_model = models.ForeignKey(RewardModel, models.PROTECT, related_name="policy_replays")
    seeds = models.PositiveIntegerField(default=2, help_text="Each policy is tried with so many seeds.")
    metrics = models.JSONField(default=dict, blank=True)


class Verification(PhaseRun):
    """A request to judge solutions now: the model reads several waiting ones together."""

    KIND = RunKind.VERIFY.value
    INPUTS = ("reward_model",)

    reward_model = models.ForeignKey(RewardModel, models.CASCADE, related_name="verifications")
    problem = models.TextField()
    solutions = models.JSONField(help_text="The steps of each solution.")
    threshold = models.FloatField(default=0.5, help_text="A step with a lower P(right) is suspect.")
    results = models.JSONField(default=list, help_text="Per solution: step_log_probabilities, steps_left_out.")
