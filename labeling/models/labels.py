"""The labels: labellings, their ratings, and the frozen snapshots that models are trained on."""

from __future__ import annotations

from typing import Any, Self

from django.db import models
from django.db.models import Exists, OuterRef, Prefetch, Q
from django.db.models.functions import Coalesce

from labeling.models.origin import CreatedAt, Identified, Imported, by_origin
from labeling.models.people import User
from labeling.models.rounds import Assignment, Task
from labeling.models.tables import rows_of
from labeling.rules.words import COMPLETE, GIVEN_UP, FinishReason, SolutionProgress, Verdict


class Rating(models.IntegerChoices):
    NEGATIVE = -1, "Bad"
    NEUTRAL = 0, "Okay"
    POSITIVE = 1, "Great"


class LabellingQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        if user.sees_everything:
            return self
        return self.filter(annotator=user)

    def adjudicated_by(self, user: User) -> Self:
        """Selects rows on tasks that the user may settle."""
        return self if user.is_admin else self.filter(task__in=rows_of("Task").adjudicated_by(user))

    def current(self) -> Self:
        return self.filter(superseded_at__isnull=True)

    def as_first_submitted(self) -> Self:
        """Selects each person's first labelling of a task, also if it was revised or requested again since.

        If a later one were judged, a change of the quality shown would tell that the task was gold.
        """
        own = {"task": OuterRef("task"), "annotator": OuterRef("annotator")}
        before = self.model.objects.filter(**own, superseded_at__lte=OuterRef("submitted_at"))
        return self.filter(~Exists(before.exclude(pk=OuterRef("pk"))))

    def as_last_submitted(self) -> Self:
        """Selects the last labelling in each seat: the current ones, and those that were requested again."""
        later = self.model.objects.filter(
            assignment=OuterRef("assignment"), submitted_at__gte=OuterRef("superseded_at")
        )
        return self.filter(~Exists(later), assignment__isnull=False)

    def complete(self) -> Self:
        """Selects labellings that rate a solution up to the first error, or to the end."""
        return self.filter(finish_reason__in=COMPLETE)

    def in_full(self) -> Self:
        """Loads ratings and critiques too, in order."""
        completions = Prefetch("completions", rows_of("RatedCompletion").order_by("step", "completion"))
        return self.prefetch_related(completions, Prefetch("critiques", rows_of("Critique").order_by("number")))

    def independent(self) -> Self:
        """Selects complete labellings by known people, without hidden gold, whose truth is known."""
        return self.current().complete().filter(annotator__isnull=False, task__is_gold=False)

    def comparable(self) -> Self:
        """Selects independent labellings of the same steps: in kind `alternatives` paths differ."""
        return self.independent().filter(task__round__phase__kind="solutions")

    def with_first_error(self) -> Self:
        """Adds `first_error`: the step of the first negative, -1 if there is none."""
        negatives = rows_of("RatedCompletion").filter(labelling=OuterRef("pk"), completion=0, rating=-1)
        step = negatives.order_by("step").values("step")[:1]
        first = models.Subquery(step, output_field=models.IntegerField())
        return self.annotate(first_error=Coalesce(first, -1))

    def judged(self) -> Self:
        """Selects the labellings that people's quality is measured on, with `first_error`: first submissions on gold in
        service, outside of screening, since the person was last judged in the phase.
        """
        labellings = self.as_first_submitted().complete().filter(task__round__number__gte=0).with_first_error()
        gold = rows_of("Gold").in_service().filter(solution=OuterRef("task__solution"))
        member = rows_of("Membership").filter(phase=OuterRef("task__round__phase"), user=OuterRef("annotator"))
        since = member.filter(judged_since__gte=OuterRef("submitted_at"))
        # Gold that an expert made of a task's labellings measures neither those who gave them nor, however it was made,
        # those who disagreed on the task.
        made_of_it = rows_of("Case").filter(task=OuterRef("task"), outcome="gold")
        others = self.model.objects.filter(task=OuterRef("task")).exclude(annotator=OuterRef("annotator"))
        differ = others.complete().with_first_error().exclude(first_error=OuterRef("first_error"))
        is_hidden = Q(task__is_gold=True)
        return labellings.filter(Exists(gold), ~Exists(since), is_hidden | ~(Exists(made_of_it) | Exists(differ)))


class Labelling(Imported):
    """One annotator's submission for a task. A revision supersedes it; it is never overwritten."""

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
        help_text="Null if an imported record does not say.",
    )
    finish_reason = models.CharField(  # noqa: DJ001  empty: no reason; null: an import does not say
        max_length=16, choices=FinishReason.choices, null=True, help_text="Null if an imported record does not say."
    )
    finish_note = models.TextField(blank=True)
    solution_progress = models.CharField(max_length=8, choices=SolutionProgress.choices, blank=True)
    result = models.CharField(
        max_length=8,
        choices=Verdict.choices,
        blank=True,
        default="",
        db_default="",
        help_text="The annotator's verdict on the final result; empty if the phase doesn't ask for one.",
    )
    guidelines_version = models.PositiveIntegerField(
        null=True, blank=True, help_text="That the annotator was given; null if an import does not say."
    )
    checks = models.JSONField(default=list, blank=True, help_text="Soft checks that the annotator was shown.")
    active_ms = models.PositiveBigIntegerField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True, help_text="Null if an import does not say.")
    superseded_at = models.DateTimeField(null=True, blank=True)
    history = models.JSONField(default=list, blank=True, help_text="Every rating given, including corrected ones.")
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
    source_record = models.JSONField(null=True, blank=True, help_text="What no column of an import holds.")
    created_at = CreatedAt()

    objects = LabellingQuerySet.as_manager()

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
            models.CheckConstraint(
                condition=Q(guidelines_version__isnull=False) | Q(assignment__isnull=True),
                name="only_an_import_has_no_guidelines_version",
            ),
        ]
        indexes = [
            models.Index(fields=["-submitted_at"], name="labellings_latest_first"),
            models.Index(fields=["annotator", "-submitted_at"], name="own_labellings_latest_first"),
            models.Index(fields=["assignment"], condition=Q(assignment__isnull=False), name="labellings_by_assignment"),
            models.Index(fields=["overruled_by"], condition=Q(overruled_by__isnull=False), name="overruled_labellings"),
            models.Index(
                fields=["task"],
                condition=Q(finish_reason__in=GIVEN_UP),
                name="labellings_without_end",
            ),
            by_origin("labellings_by_origin"),
        ]

    def __str__(self) -> str:
        return f"labelling {self.id}"


class RatedCompletion(models.Model):
    """One candidate text for a step, with its rating.

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
    error_kind = models.CharField(
        max_length=1, blank=True, default="", db_default="", help_text="Its key in the phase's list; of Bad steps."
    )
    error_start = models.PositiveIntegerField(null=True, blank=True, help_text="Where its words begin, in characters.")
    error_end = models.PositiveIntegerField(null=True, blank=True, help_text="Where they end.")
    root_cause = models.PositiveIntegerField(null=True, blank=True, help_text="The earlier step that is to blame.")

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
    """An explanation of the first negative step: rated if it was offered, written if none was good."""

    labelling = models.ForeignKey(Labelling, models.CASCADE, related_name="critiques", db_index=False)
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
    QUESTION = "question", "A question"
    STEPS = "steps", "The steps are cut wrongly"


class ReportQuerySet(models.QuerySet[Any]):
    def adjudicated_by(self, user: User) -> Self:
        """Selects rows on tasks that the user may settle."""
        return self if user.is_admin else self.filter(task__in=rows_of("Task").adjudicated_by(user))

    def questions(self) -> Self:
        return self.filter(kind=ReportKind.QUESTION)

    def answered(self) -> Self:
        """Questions with an answer; one that was closed without any has none."""
        return self.questions().filter(resolved_at__isnull=False).exclude(resolution="")

    def unread(self) -> Self:
        return self.answered().filter(read_at=None)


class Report(Identified):
    """An annotator's message to the admins about a task: its reference answer or, after screening, its gold looks
    wrong; its steps are cut wrongly; or a question. The resolution of a question is its answer, which the annotator
    reads.
    """

    task = models.ForeignKey(Task, models.PROTECT, related_name="reports")
    annotator = models.ForeignKey(User, models.PROTECT, related_name="reports")
    kind = models.CharField(max_length=16, choices=ReportKind, default=ReportKind.REFERENCE_ANSWER)
    note = models.TextField(blank=True)
    step = models.PositiveSmallIntegerField(null=True, blank=True, help_text="That is cut wrongly, counted from 0.")
    place = models.PositiveIntegerField(
        null=True, blank=True, help_text="The character before which it should be cut; null: it is one with the next."
    )
    created_at = CreatedAt()
    resolved_at = models.DateTimeField(null=True, blank=True)
    resolved_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="resolved_reports")
    resolution = models.TextField(blank=True)
    read_at = models.DateTimeField(null=True, blank=True, help_text="When the annotator read the answer.")

    objects = ReportQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["task", "annotator", "kind"],
                condition=~Q(kind="question"),
                name="one_report_per_task_annotator_and_kind",
            ),
            models.UniqueConstraint(
                fields=["task", "annotator"],
                condition=Q(kind="question", resolved_at__isnull=True),
                name="one_open_question_per_task_and_annotator",
            ),
            models.CheckConstraint(condition=Q(kind__in=ReportKind.values), name="report_kind_is_known"),
        ]

    def __str__(self) -> str:
        return f"report on {self.task}"


class Snapshot(Identified):
    """The exact labels that a reward model is trained on, frozen: equal labels have the same hash."""

    labels_hash = models.CharField(max_length=64, unique=True)
    file = models.FileField(upload_to="snapshots", max_length=200)
    counts = models.JSONField(help_text="Labellings, labels, ratings, what was left out and why.")
    labellings = models.ManyToManyField(Labelling, related_name="snapshots")
    created_at = CreatedAt()

    def __str__(self) -> str:
        return f"snapshot {self.labels_hash[:12]}"
