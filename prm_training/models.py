"""The kinds of jobs, and what comes of them."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from labeling.exporting import LabelFilter
from labeling.models import Phase, Round, Snapshot, Solution, Split
from prm_training import querysets
from prm_training.round_settings import Policy, RoundSettings
from prm_training.run_models import Run


class Supervision(models.TextChoices):
    """What a reward model learns from: people's ratings of steps (a PRM), or right and wrong answers (an ORM)."""

    PROCESS = "process", "Ratings of steps"
    OUTCOME = "outcome", "Final answers"


class TrainingRun(Run):
    """Trains a reward model on a frozen snapshot of the labels."""

    INPUTS = ("phases", "snapshot")
    OUTPUTS = ("reward_model",)
    TOLD = ("loss_points",)

    name = models.CharField(max_length=100)
    base = models.CharField(
        max_length=500,
        blank=True,
        help_text="Hugging Face directory or hub name; empty: a small model made on the spot.",
    )
    supervision = models.CharField(max_length=8, choices=Supervision, default=Supervision.PROCESS)
    phases = models.ManyToManyField(Phase, blank=True, help_text="Whose labels to use; none: all.")
    labels = models.JSONField(default=dict, blank=True, help_text="Which of them: a LabelFilter but for its phases.")
    settings = models.JSONField(default=dict, blank=True, help_text="epochs, learning_rate, seed")
    snapshot = models.ForeignKey(Snapshot, models.PROTECT, null=True, blank=True, related_name="training_runs")
    metrics = models.JSONField(default=dict, blank=True)
    device_slot = models.CharField(max_length=200, blank=True, help_text="Where it runs: a machine and its device.")

    @property
    def label_filter(self) -> LabelFilter:
        return LabelFilter(phases=[phase.pk for phase in self.phases.all()], **self.labels)

    class Meta(Run.Meta):
        constraints = [
            *Run.Meta.constraints,
            models.CheckConstraint(condition=Q(supervision__in=Supervision.values), name="supervision_is_known"),
            models.UniqueConstraint(
                fields=["device_slot"],
                condition=Q(status="running") & ~Q(device_slot=""),
                name="one_training_per_device_slot",
            ),
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


class RewardModel(models.Model):
    """A trained model, at `directory`. At most one, a PRM, is current: the one that selects unless told otherwise."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=100)
    training_run = models.OneToOneField(TrainingRun, models.PROTECT, related_name="reward_model")
    directory = models.CharField(max_length=500, help_text="Relative to MODELS_ROOT.")
    metrics = models.JSONField(default=dict, blank=True)
    is_current = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = querysets.RewardModelQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["is_current"], condition=Q(is_current=True), name="one_current_reward_model"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_orm(self) -> bool:
        return self.training_run.supervision == Supervision.OUTCOME


class Promotion(models.Model):
    """A change of the current model: a row each, so that what was current when stays known."""

    id = models.BigAutoField(primary_key=True)
    reward_model = models.ForeignKey(RewardModel, models.PROTECT, related_name="promotions")
    previous = models.ForeignKey(RewardModel, models.PROTECT, null=True, blank=True, related_name="+")
    is_rollback = models.BooleanField(default=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    at = models.DateTimeField()
    reason = models.TextField(blank=True)
    overrode = models.TextField(blank=True, help_text="What spoke against it; empty: nothing did.")

    objects = querysets.StaffQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(overrode="") | ~Q(reason=""), name="an_override_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.reward_model}, current since {self.at:%Y-%m-%d %H:%M}"


class EvaluationRun(Run):
    """Measures a reward model, and the one it would replace, on the same held-out labels; and best-of-N on the pool."""

    INPUTS = ("reward_model", "baseline", "snapshot")

    reward_model = models.ForeignKey(RewardModel, models.PROTECT, related_name="evaluation_runs")
    baseline = models.ForeignKey(
        RewardModel,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="The model that was current when this was asked for.",
    )
    snapshot = models.ForeignKey(Snapshot, models.PROTECT, related_name="evaluation_runs")
    metrics = models.JSONField(default=dict, blank=True)
    baseline_metrics = models.JSONField(default=dict, blank=True)


class ScoringRun(Run):
    """Scores every pool solution that the reward model has not scored yet; for a phase, those that it draws from."""

    INPUTS = ("reward_model", "phase")

    reward_model = models.ForeignKey(RewardModel, models.PROTECT, related_name="scoring_runs")
    phase = models.ForeignKey(
        Phase,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="scoring_runs",
        help_text="Only what its rounds draw from; null: the whole pool.",
    )
    summary = models.JSONField(default=dict, blank=True)


class Score(models.Model):
    """What one reward model gives one solution."""

    id = models.BigAutoField(primary_key=True)
    reward_model = models.ForeignKey(RewardModel, models.CASCADE, related_name="scores")
    solution = models.ForeignKey(Solution, models.CASCADE, related_name="scores")
    log_score = models.FloatField(
        null=True,
        help_text="Sum over steps of log P(right), neutral counted as right; null for too long a text.",
    )
    step_log_probabilities = models.JSONField(help_text="log P(right) of each step that was read.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["reward_model", "solution"], name="one_score_per_model_and_solution"),
        ]
        indexes = [models.Index(fields=["reward_model", "-log_score"], name="scores_best_first")]

    def __str__(self) -> str:
        return str(self.log_score)


class Selection(RoundSettings, Run):
    """Picks what to label next in a phase."""

    INPUTS = ("phase", "reward_model")
    OUTPUTS = ("publication__round",)

    phase = models.ForeignKey(Phase, models.PROTECT, related_name="selections")
    summary = models.JSONField(default=dict, blank=True)
    discarded_at = models.DateTimeField(null=True, blank=True, help_text="It will not be published.")

    class Meta(Run.Meta):
        constraints = [
            *Run.Meta.constraints,
            *RoundSettings.Meta.constraints,
            models.CheckConstraint(
                condition=Q(policy="uniform") | Q(reward_model__isnull=False),
                name="only_uniform_selects_without_a_model",
            ),
        ]

    def __str__(self) -> str:
        return str(Policy(self.policy).label)


class SelectionItem(models.Model):
    """One picked solution, with the score behind it; or one that was set aside, as a probable mistake of the grader."""

    id = models.BigAutoField(primary_key=True)
    selection = models.ForeignKey(Selection, models.CASCADE, related_name="items")
    solution = models.ForeignKey(Solution, models.PROTECT, related_name="selection_items")
    rank = models.PositiveIntegerField()
    log_score = models.FloatField(null=True, blank=True)
    reason = models.CharField(max_length=200)
    is_set_aside = models.BooleanField(default=False)

    objects = querysets.SelectionItemQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["selection", "is_set_aside", "rank"], name="one_item_per_selection_and_rank"
            ),
            models.UniqueConstraint(fields=["selection", "solution"], name="a_solution_is_selected_once"),
        ]

    def __str__(self) -> str:
        return f"{self.rank}: {self.solution_id}"


class Publication(Run):
    """Puts a selection up as the phase's next round."""

    INPUTS = ("selection",)
    OUTPUTS = ("round",)

    selection = models.OneToOneField(Selection, models.PROTECT, related_name="publication")
    overlap = models.PositiveIntegerField(default=1)
    gold_set = models.CharField(  # noqa: DJ001  empty says something else
        max_length=100, null=True, blank=True, help_text="Hidden among the tasks; null: the phase's; empty: none."
    )
    round = models.OneToOneField(Round, models.PROTECT, null=True, blank=True, related_name="publication")


class Generation(Run):
    """Lets a generator write solutions of the problems: the pool that selections pick from."""

    name = models.CharField(max_length=100, help_text="The source of the solutions in the pool.")
    generator_url = models.CharField(
        max_length=200, blank=True, help_text="An OpenAI-compatible endpoint, such as http://host:8000/v1."
    )
    generator_model = models.CharField(
        max_length=200, help_text="The endpoint's model; without a URL, a local path or hub name."
    )
    problem_source = models.CharField(max_length=100, blank=True, help_text="Only problems of this source; empty: all.")
    split = models.CharField(max_length=8, choices=Split, blank=True, default=Split.TRAIN, help_text="Empty: both.")
    most_problems = models.PositiveIntegerField(null=True, blank=True, help_text="Null: all of them.")
    samples = models.PositiveSmallIntegerField(default=8, help_text="Solutions of each problem.")
    temperature = models.FloatField(default=0.8)
    max_tokens = models.PositiveIntegerField(default=1024, help_text="Of one solution.")
    stop = models.JSONField(default=list, blank=True, help_text="Texts at which a solution ends.")
    written_until = models.UUIDField(null=True, blank=True, editable=False, help_text="The last problem that is done.")
    summary = models.JSONField(default=dict, blank=True)

    class Meta(Run.Meta):
        constraints = [
            *Run.Meta.constraints,
            models.CheckConstraint(condition=Q(samples__gte=1), name="a_generation_writes_something"),
            models.CheckConstraint(condition=Q(temperature__range=(0, 2)), name="temperature_is_0_to_2"),
        ]

    def __str__(self) -> str:
        return self.name


class ImportFormat(models.TextChoices):
    SOLUTIONS = "solutions", "Solutions JSONL"
    PRM800K = "prm800k", "PRM800K labels"
    GSM8K = "gsm8k", "GSM8K model solutions"
    PROCESSBENCH = "processbench", "ProcessBench"


class Import(Run):
    """Brings an uploaded file in: batch by batch, so that one that is broken off goes on where it was."""

    file = models.FileField(upload_to="uploads", max_length=200)
    name = models.CharField(max_length=200, help_text="What the file was called where it came from.")
    file_format = models.CharField(max_length=16, choices=ImportFormat)
    target = models.CharField(
        max_length=100, blank=True, help_text="The source of solutions, the phase of PRM800K labels, or the gold set."
    )
    split = models.CharField(max_length=8, choices=Split, default=Split.TRAIN, help_text="Of problems in PRM800K.")
    is_atomic = models.BooleanField(default=False, help_text="Bring nothing in where any line is bad.")
    counts = models.JSONField(default=dict, blank=True, help_text="What came in, what was there, what was bad.")
    errors = models.JSONField(default=list, blank=True, help_text="[line, reason] pairs: the first 10,000.")
    undo_requested_at = models.DateTimeField(null=True, blank=True, help_text="Since then it is being undone.")
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta(Run.Meta):
        constraints = [
            *Run.Meta.constraints,
            models.CheckConstraint(condition=Q(file_format__in=ImportFormat.values), name="import_format_is_known"),
            models.CheckConstraint(condition=Q(split__in=Split.values), name="import_split_is_known"),
        ]

    def __str__(self) -> str:
        return self.name


class Verification(Run):
    """Solutions that somebody wants judged now: several that wait are read by the model together."""

    INPUTS = ("reward_model",)

    reward_model = models.ForeignKey(RewardModel, models.CASCADE, related_name="verifications")
    problem = models.TextField()
    solutions = models.JSONField(help_text="The steps of each solution.")
    threshold = models.FloatField(default=0.5, help_text="A step with a lower P(right) is suspect.")
    results = models.JSONField(default=list, help_text="Per solution: step_log_probabilities, steps_left_out.")


class Worker(models.Model):
    """A live worker process: its pulse thread writes `last_seen_at` every few seconds."""

    name = models.CharField(max_length=200, primary_key=True)
    queues = models.CharField(max_length=200)
    started_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


from prm_training import autopilot_models, second_look_models  # noqa: E402, F401  Django looks for models here
