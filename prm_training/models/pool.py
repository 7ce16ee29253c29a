"""Imports into the pool, generations, and how reward models score it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from labeling.models import Markup, Solution, Split
from labeling.models.jobs import Run
from labeling.rules.words import FileFormat, Grader, RunKind, StepRule
from prm_training.models.training import RewardModel


def split_by_field() -> models.CharField[str, str]:
    return models.CharField(
        max_length=16,
        choices=StepRule.choices,
        default=StepRule.USUAL.value,
        db_default=StepRule.USUAL.value,
        help_text="The rule that cuts texts into steps.",
    )


def mark_field() -> models.CharField[str, str]:
    told = "What stands between steps; empty: <extra_0>."
    return models.CharField(max_length=50, blank=True, default="", db_default="", help_text=told)


def split_version_field(until: str) -> models.PositiveSmallIntegerField[int | None, int | None]:
    told = f"Of the rules that cut its texts; {until}."
    return models.PositiveSmallIntegerField(null=True, blank=True, editable=False, help_text=told)


class Generation(Run):
    """Has a generator write solutions of the problems, for selections to pick from."""

    KIND = RunKind.GENERATE.value

    name = models.CharField(max_length=100, help_text="The solutions' source in the pool.")
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
    split_by = split_by_field()
    mark = mark_field()
    split_version = split_version_field("null until it has written something")
    markup = models.CharField(
        max_length=12,
        choices=Markup.choices,
        blank=True,
        help_text="How steps are shown; empty until guessed from the first.",
    )
    is_markup_guessed = models.BooleanField(default=False, editable=False)
    written_until = models.UUIDField(null=True, blank=True, editable=False, help_text="The last problem done.")
    summary = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(samples__gte=1), name="a_generation_writes_something"),
            models.CheckConstraint(condition=Q(temperature__range=(0, 2)), name="temperature_is_0_to_2"),
            models.CheckConstraint(condition=Q(split_by__in=StepRule.values), name="generation_split_by_is_known"),
        ]

    def __str__(self) -> str:
        return self.name


class Import(Run):
    """Inspects an uploaded file; once somebody has confirmed what that found, imports it batch by batch, so that an
    interrupted import can resume.
    """

    KIND = RunKind.IMPORT.value

    file = models.FileField(upload_to="uploads", max_length=200)
    name = models.CharField(max_length=200, help_text="The uploaded file's name.")
    file_format = models.CharField(max_length=32, choices=FileFormat.choices)
    target = models.CharField(
        max_length=100, blank=True, help_text="The source of solutions, the phase of PRM800K labels, or the gold set."
    )
    split = models.CharField(
        max_length=8,
        choices=Split,
        blank=True,
        help_text="Of the problems of which the file doesn't say it; empty: test for ProcessBench, train for others.",
    )
    benchmark = models.CharField(
        max_length=100, blank=True, help_text="Registers the problems under this name: no model is trained on them."
    )
    graded_by = models.CharField(
        max_length=16,
        choices=Grader.choices,
        default=Grader.MATHEMATICS.value,
        db_default=Grader.MATHEMATICS.value,
        help_text="What compares answers with reference answers; a verdict of a record’s own comes first.",
    )
    columns = models.JSONField(
        default=dict, blank=True, help_text="Of solutions: columns of other names, each with the field it stands for."
    )
    generator = models.CharField(max_length=100, blank=True, help_text="Of solutions that name none.")
    licence = models.CharField(
        max_length=100,
        blank=True,
        default="",
        db_default="",
        help_text="Under which the file may be passed on, such as MIT or CC-BY-4.0; releases of data say it.",
    )
    provenance = models.CharField(
        max_length=500,
        blank=True,
        default="",
        db_default="",
        help_text="Where the file comes from: an address, a paper; releases of data say it.",
    )
    is_atomic = models.BooleanField(default=False, help_text="Import nothing if any line is bad.")
    markup = models.CharField(
        max_length=12,
        choices=Markup.choices,
        blank=True,
        help_text="How steps are shown; empty until guessed from the first.",
    )
    statement_markup = models.CharField(
        max_length=12, choices=Markup.choices, blank=True, help_text="How statements are shown; empty until guessed."
    )
    is_markup_guessed = models.BooleanField(default=False, editable=False, help_text="Either of the two.")
    split_by = split_by_field()
    mark = mark_field()
    split_version = split_version_field("null until it was inspected")
    split_model = models.CharField(
        max_length=200,
        blank=True,
        default="",
        db_default="",
        editable=False,
        help_text="The model that split its texts, by the rule `model`.",
    )
    hand_cuts = models.JSONField(
        null=True,
        blank=True,
        editable=False,
        help_text="Texts whose steps were changed by hand: line, text_hash, steps; null: none.",
    )
    head = models.JSONField(default=list, blank=True, help_text="[line, record or reason] pairs: the first 20.")
    findings = models.JSONField(
        default=dict, blank=True, help_text="What the inspection found; once imported, what the import found."
    )
    confirmed_at = models.DateTimeField(null=True, blank=True, help_text="Until then it is only inspected.")
    counts = models.JSONField(default=dict, blank=True, help_text="How many were imported, were duplicates, were bad.")
    errors = models.JSONField(default=list, blank=True, help_text="[line, reason] pairs: the first 10,000.")
    undo_requested_at = models.DateTimeField(null=True, blank=True, help_text="When undoing it was requested.")
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(file_format__in=FileFormat.values), name="import_format_is_known"),
            models.CheckConstraint(condition=Q(split__in=["", *Split.values]), name="import_split_is_known"),
            models.CheckConstraint(condition=Q(split_by__in=StepRule.values), name="import_split_by_is_known"),
            models.CheckConstraint(condition=Q(graded_by__in=Grader.values), name="import_grader_is_known"),
        ]

    def __str__(self) -> str:
        return self.name


class ScoringRun(Run):
    """Scores every pool solution that the reward model has not scored yet; with a phase, those of its sources."""

    KIND = RunKind.SCORE.value
    INPUTS = ("reward_model", "phase")

    reward_model = models.ForeignKey(RewardModel, models.PROTECT, related_name="scoring_runs")
    summary = models.JSONField(default=dict, blank=True)


class Score(models.Model):
    """One reward model's score of one solution."""

    id = models.BigAutoField(primary_key=True)
    reward_model = models.ForeignKey(RewardModel, models.CASCADE, related_name="scores", db_index=False)
    solution = models.ForeignKey(Solution, models.CASCADE, related_name="scores")
    log_score = models.FloatField(
        null=True,
        help_text="Sum over steps of log P(right), neutral counted as right; null if the text is too long.",
    )
    mean_log_score = models.FloatField(null=True, help_text="Mean over steps of the same.")
    least_log_score = models.FloatField(null=True, help_text="The least of them.")
    step_log_probabilities = models.JSONField(help_text="log P(right) of each step that was read.")
    confidence = models.FloatField(
        null=True,
        help_text="The ensemble's least, up to the first predicted error; null: it has none.",
    )
    deviation = models.FloatField(null=True, help_text="The greatest between its heads, of the same steps.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["reward_model", "solution"], name="one_score_per_model_and_solution"),
        ]
        indexes = [models.Index(fields=["reward_model", "-log_score"], name="scores_best_first")]

    def __str__(self) -> str:
        return str(self.log_score)
