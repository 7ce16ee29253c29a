"""The pool: problems, the solutions that models wrote for them, and expert labels on some."""

import uuid

from django.db import models

from labeling import querysets
from labeling.models.ids import new_id
from labeling.models.origin import Imported, by_origin


class Split(models.TextChoices):
    TRAIN = "train", "Train"
    TEST = "test", "Test (held out)"


class Verdict(models.TextChoices):
    RIGHT = "right", "Right"
    WRONG = "wrong", "Wrong"
    UNSURE = "unsure", "Unsure"


class Problem(Imported):
    """A statement with its reference answer. `text_hash` makes a problem unique whatever file it came in."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    statement = models.TextField()
    reference_answer = models.TextField(blank=True)
    reference_solution = models.TextField(blank=True)
    subject = models.CharField(max_length=100, blank=True)
    level = models.CharField(max_length=50, blank=True)
    split = models.CharField(max_length=8, choices=Split, default=Split.TRAIN)
    source = models.CharField(max_length=100, blank=True)
    external_id = models.CharField(max_length=200, blank=True)
    text_hash = models.CharField(max_length=64, unique=True)
    version = models.PositiveIntegerField(default=1)
    replaced_by = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="replaces", help_text="The newest version."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = querysets.ProblemQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(split__in=Split.values), name="problem_split_is_known"),
        ]
        indexes = [by_origin("problems_by_origin")]

    def __str__(self) -> str:
        return self.statement[:60]


class Solution(Imported):
    """One model-written attempt: ordered steps, a final answer and the grader's verdict on it."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    # The unique constraint below begins with it, and is its index too.
    problem = models.ForeignKey(Problem, models.PROTECT, related_name="solutions", db_index=False)
    generator = models.CharField(max_length=100, blank=True)
    steps = models.JSONField(help_text="Step texts in order, at least one.")
    answer = models.TextField(blank=True)
    verdict = models.CharField(max_length=8, choices=Verdict, default=Verdict.UNSURE)
    grader_version = models.CharField(max_length=50, help_text="`given` where the record brought its verdict.")
    source = models.CharField(max_length=100, blank=True)
    external_id = models.CharField(max_length=200, blank=True)
    in_pool = models.BooleanField(default=True, help_text="False: known through its labels only, never selected.")
    text_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = querysets.SolutionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["problem", "text_hash"], name="one_solution_per_text_and_problem"),
            models.CheckConstraint(condition=models.Q(verdict__in=Verdict.values), name="solution_verdict_is_known"),
        ]
        indexes = [
            models.Index(fields=["source", "verdict"], name="solution_by_source_and_verdict"),
            models.Index(fields=["generator"], condition=models.Q(in_pool=True), name="pool_by_generator"),
            models.Index(fields=["text_hash", "problem"], condition=models.Q(in_pool=True), name="pool_by_text"),
            models.Index(fields=["created_at"], condition=models.Q(in_pool=True), name="pool_by_time"),
            by_origin("solutions_by_origin"),
        ]

    def __str__(self) -> str:
        return f"{self.generator or 'a solution'} on {self.problem_id}"


class CompletionPurpose(models.TextChoices):
    STEP = "step", "Next step"
    CRITIQUE = "critique", "Critique of the last step"


class CompletionStatus(models.TextChoices):
    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"


class CompletionSet(models.Model):
    """What a generator wrote to go on from a path of steps: asked for once, kept for all who come to that place."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    problem = models.ForeignKey(Problem, models.CASCADE, related_name="completion_sets")
    purpose = models.CharField(max_length=8, choices=CompletionPurpose)
    path = models.JSONField(help_text="The texts of the steps so far.")
    path_hash = models.CharField(max_length=64)
    generator_url = models.CharField(max_length=200, blank=True)
    generator_model = models.CharField(max_length=200)
    wanted = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=8, choices=CompletionStatus, default=CompletionStatus.QUEUED)
    texts = models.JSONField(default=list)
    error = models.TextField(blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["problem", "path_hash", "purpose", "generator_url", "generator_model"],
                name="one_completion_set_per_path_and_generator",
            ),
            models.CheckConstraint(
                condition=models.Q(status__in=CompletionStatus.values), name="completion_status_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} completions after {len(self.path)} steps of {self.problem_id}"


class Gold(Imported):
    """Expert labels on a solution; a correction is a new version, never an overwrite."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    solution = models.ForeignKey(Solution, models.PROTECT, related_name="golds")
    ratings = models.JSONField(help_text="-1, 0 or 1 per step, up to and including the first negative.")
    rationale = models.TextField(blank=True)
    gold_set = models.CharField(max_length=100, blank=True, default="gold", help_text="Empty: out of service.")
    author = models.ForeignKey("labeling.User", models.PROTECT, null=True, blank=True, related_name="golds")
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = querysets.GoldQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["solution", "version"], name="one_gold_per_solution_and_version"),
        ]
        indexes = [by_origin("golds_by_origin")]

    def __str__(self) -> str:
        return f"gold {self.version} on {self.solution_id}"
