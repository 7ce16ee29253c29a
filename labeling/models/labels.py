"""What people said: labellings, their ratings, and the frozen snapshots that models are trained on."""

import uuid

from django.db import models
from django.db.models import Q

from labeling import querysets
from labeling.models.campaign import Assignment, Task
from labeling.models.origin import Imported, by_origin
from labeling.models.people import User


class Rating(models.IntegerChoices):
    NEGATIVE = -1, "Bad"
    NEUTRAL = 0, "Okay"
    POSITIVE = 1, "Great"


class FinishReason(models.TextChoices):
    FOUND_ERROR = "found_error", "Found an error"
    SOLUTION = "solution", "Reached the end"
    BAD_PROBLEM = "bad_problem", "Bad problem"
    GIVE_UP = "give_up", "Gave up"


class SolutionProgress(models.TextChoices):
    """How far a solution had got before its first negative step."""

    NONE = "none", "Nowhere yet"
    SOME = "some", "Some of the way"
    MOST = "most", "Most of the way"
    ALMOST = "almost", "Almost there"


class Labelling(Imported):
    """What one annotator submitted for a task. A revision supersedes it; it is never overwritten."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey(Task, models.PROTECT, related_name="labellings")
    assignment = models.ForeignKey(
        Assignment, models.PROTECT, null=True, blank=True, related_name="labellings", db_index=False
    )
    annotator = models.ForeignKey(
        User,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="labellings",
        db_index=False,
        help_text="Null where an imported record does not say.",
    )
    finish_reason = models.CharField(  # noqa: DJ001  empty is no reason; null is an import that does not say
        max_length=16, choices=FinishReason, null=True, help_text="Null where an imported record does not say."
    )
    finish_note = models.TextField(blank=True)
    solution_progress = models.CharField(max_length=8, choices=SolutionProgress, blank=True)
    guidelines_version = models.PositiveIntegerField(null=True, blank=True)
    checks = models.JSONField(default=list, blank=True, help_text="Soft checks that the annotator was shown.")
    active_ms = models.PositiveBigIntegerField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True, help_text="Null where an import does not say.")
    superseded_at = models.DateTimeField(null=True, blank=True)
    history = models.JSONField(default=list, blank=True, help_text="Every rating given, corrections included.")
    overruled_by = models.ForeignKey(
        "labeling.Case",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="overruled",
        db_index=False,
        help_text="Not trained on.",
    )
    source_hash = models.CharField(max_length=64, null=True, blank=True, unique=True)
    source_record = models.JSONField(null=True, blank=True, help_text="What an import's columns can't hold.")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = querysets.LabellingQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment"],
                condition=Q(superseded_at__isnull=True, assignment__isnull=False),
                name="one_current_labelling_per_assignment",
            ),
            models.UniqueConstraint(
                fields=["task", "annotator"],
                condition=Q(superseded_at__isnull=True, assignment__isnull=False),
                name="one_current_labelling_per_task_and_annotator",
            ),
            models.CheckConstraint(condition=Q(finish_reason__in=FinishReason.values), name="finish_reason_is_known"),
            models.CheckConstraint(
                condition=Q(finish_reason__isnull=False) | Q(assignment__isnull=True),
                name="only_an_import_has_no_finish_reason",
            ),
        ]
        indexes = [
            models.Index(fields=["-submitted_at"], name="labellings_latest_first"),
            models.Index(fields=["annotator", "-submitted_at"], name="own_labellings_latest_first"),
            models.Index(fields=["assignment"], condition=Q(assignment__isnull=False), name="labellings_by_assignment"),
            models.Index(fields=["overruled_by"], condition=Q(overruled_by__isnull=False), name="overruled_labellings"),
            models.Index(
                fields=["task"],
                condition=Q(finish_reason__in=["bad_problem", "give_up"]),
                name="labellings_without_end",
            ),
            by_origin("labellings_by_origin"),
        ]

    def __str__(self) -> str:
        return f"labelling {self.id}"


class RatedCompletion(models.Model):
    """One candidate text for a step, with the rating it got.

    Phase kind `solutions` has completion 0 at each rated step; `alternatives` has several, one chosen.
    """

    id = models.BigAutoField(primary_key=True)
    # The unique constraint below begins with it, and is its index too.
    labelling = models.ForeignKey(Labelling, models.CASCADE, related_name="completions", db_index=False)
    step = models.PositiveIntegerField()
    completion = models.PositiveIntegerField()
    text = models.TextField()
    rating = models.SmallIntegerField(choices=Rating, null=True, blank=True)
    is_flagged = models.BooleanField(default=False)
    is_chosen = models.BooleanField(default=True)
    is_human = models.BooleanField(default=False, help_text="Written by the annotator, not by a generator.")
    note = models.TextField(blank=True)
    active_ms = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["labelling", "step", "completion"], name="one_rating_per_completion_and_labelling"
            ),
            models.CheckConstraint(
                condition=Q(rating__isnull=True) | Q(rating__in=Rating.values),
                name="rating_is_negative_neutral_or_positive",
            ),
        ]
        indexes = [
            models.Index(fields=["labelling"], condition=Q(is_flagged=True), name="flagged_completions"),
        ]

    def __str__(self) -> str:
        return f"step {self.step}, completion {self.completion}: {self.rating}"


class Critique(models.Model):
    """What is wrong with the first negative step: rated if it was offered, written if none was good."""

    labelling = models.ForeignKey(Labelling, models.CASCADE, related_name="critiques")
    number = models.PositiveIntegerField()
    text = models.TextField()
    rating = models.SmallIntegerField(choices=Rating, null=True, blank=True)
    is_human = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["labelling", "number"], name="one_critique_per_number"),
            models.CheckConstraint(
                condition=Q(rating__isnull=True) | Q(rating__in=Rating.values),
                name="critique_rating_is_negative_neutral_or_positive",
            ),
        ]

    def __str__(self) -> str:
        return f"critique {self.number} of {self.labelling_id}"


class ReportKind(models.TextChoices):
    REFERENCE_ANSWER = "reference_answer", "The reference answer looks wrong"
    GOLD = "gold", "The experts' labels look wrong"


class Report(models.Model):
    """An annotator's word to the admins: the reference answer of a task looks wrong, or its gold, after screening."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey(Task, models.PROTECT, related_name="reports")
    annotator = models.ForeignKey(User, models.PROTECT, related_name="reports")
    kind = models.CharField(max_length=16, choices=ReportKind, default=ReportKind.REFERENCE_ANSWER)
    note = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    resolved_at = models.DateTimeField(null=True, blank=True)
    resolved_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="resolved_reports")
    resolution = models.TextField(blank=True)

    objects = querysets.ReportQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["task", "annotator", "kind"], name="one_report_per_task_annotator_and_kind"
            ),
            models.CheckConstraint(condition=Q(kind__in=ReportKind.values), name="report_kind_is_known"),
        ]

    def __str__(self) -> str:
        return f"report on {self.task}"


class Snapshot(models.Model):
    """The exact labels a reward model is trained on, frozen: the same labels give the same hash."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    labels_hash = models.CharField(max_length=64, unique=True)
    file = models.FileField(upload_to="snapshots", max_length=200)
    counts = models.JSONField(help_text="Labellings, labels, rating mix, what was left out and why.")
    labellings = models.ManyToManyField(Labelling, related_name="snapshots")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"snapshot {self.labels_hash[:12]}"
