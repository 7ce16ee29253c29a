"""The pool: problems, solutions that models wrote for them, and expert labels on some."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID

from django.core import signing
from django.db import models
from django.db.models import Count, Exists, OuterRef, Q

from labeling.models.jobs import Run, StaffQuerySet
from labeling.models.origin import CreatedAt, Identified, Imported, by_origin, new_id
from labeling.models.tables import rows_of
from labeling.rules.traces import rendering
from labeling.rules.words import Markup, RunKind, Verdict

if TYPE_CHECKING:
    from labeling.models.campaign import Phase
    from labeling.models.people import User


class Split(models.TextChoices):
    TRAIN = "train", "Train"
    TEST = "test", "Test (held out)"


class Overlap(models.TextChoices):
    """A problem's relation to the registered benchmarks: its labels are left out of training and exports, unless they
    are included by name.
    """

    BENCHMARK = "benchmark", "On a benchmark"
    NEAR = "near_benchmark", "Near a benchmark"


OF_A_TASK = Q(conversation__isnull=False) & ~Q(external_id="")  # traces whose file names their task


class ProblemQuerySet(StaffQuerySet):
    def with_versions(self) -> Self:
        """Selects these problems in all versions, earlier and later: labels stay with the version that people saw. For
        some thousands at most: their ids are read.
        """
        newest = {newer or pk for pk, newer in self.order_by().values_list("pk", "replaced_by")}
        found: Self = self.model._default_manager.filter(Q(pk__in=newest) | Q(replaced_by__in=newest))
        return found

    def with_trials(self) -> Self:
        """Selects these problems and the other trials of their tasks, in all versions. A trace's task is named by its
        file, and is the same within one source only. For some thousands at most: their ids are read.
        """
        named = {*self.order_by().filter(OF_A_TASK).values_list("source", "external_id")}
        if not named:
            return self.with_versions()
        trials = self.model._default_manager.filter(OF_A_TASK, external_id__in={task for _, task in named})
        found = {pk for pk, *task in trials.values_list("pk", "source", "external_id") if tuple(task) in named}
        both: Self = self.model._default_manager.filter(pk__in=found | {*self.order_by().values_list("pk", flat=True)})
        return both.with_versions()


class Problem(Imported):
    """A statement with its reference answer. `text_hash` identifies a problem whatever file it came in."""

    statement = models.TextField()
    conversation = models.JSONField(null=True, help_text="The parts before the first turn of a trace; else null.")
    reference_answer = models.TextField(blank=True)
    reference_solution = models.TextField(blank=True)
    subject = models.CharField(max_length=100, blank=True)
    level = models.CharField(max_length=50, blank=True)
    split = models.CharField(max_length=8, choices=Split, default=Split.TRAIN)
    markup = models.CharField(max_length=12, choices=Markup.choices, default=Markup.MATHEMATICS.value)
    source = models.CharField(max_length=100, blank=True)
    external_id = models.CharField(max_length=200, blank=True)
    text_hash = models.CharField(max_length=64, unique=True)
    version = models.PositiveIntegerField(default=1)
    replaced_by = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="replaces", help_text="The newest version."
    )
    overlap = models.CharField(max_length=16, choices=Overlap, blank=True)
    trained_on_at = models.DateTimeField(null=True, help_text="When a snapshot first had it for training.")
    held_out_at = models.DateTimeField(
        null=True, help_text="When a snapshot first drew it, of split train, as held out."
    )
    created_at = CreatedAt()

    objects = ProblemQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(split__in=Split.values), name="problem_split_is_known"),
            models.CheckConstraint(condition=models.Q(markup__in=Markup.values), name="problem_markup_is_known"),
            models.CheckConstraint(condition=models.Q(overlap__in=["", *Overlap]), name="problem_overlap_is_known"),
            models.CheckConstraint(
                condition=models.Q(split=Split.TEST) | ~models.Q(overlap=Overlap.BENCHMARK),
                name="a_benchmark_is_held_out",
            ),
        ]
        indexes = [
            by_origin("problems_by_origin"),
            models.Index(fields=["overlap"], condition=~models.Q(overlap=""), name="problems_by_overlap"),
            models.Index(fields=["external_id"], condition=OF_A_TASK, name="problems_by_task"),
        ]

    def __str__(self) -> str:
        return self.statement[:60]

    @property
    def text_read(self) -> str:
        """The problem as a reward model reads it."""
        return rendering.problem_text(self.statement, rendering.parts(self.conversation))

    @property
    def drawn_by(self) -> str:
        """Key for drawing held-out problems: a trace's task, so that its trials go together, else the text hash."""
        return f"{self.source} {self.external_id}" if self.conversation and self.external_id else self.text_hash

    @property
    def is_drawn(self) -> bool:
        """True if the problem is held out though its split is train."""
        return self.split == Split.TRAIN and self.held_out_at is not None


class ProblemBand(models.Model):
    """A part of a problem's MinHash signature: problems with a part in common may be near-duplicates."""

    id = models.BigAutoField(primary_key=True)
    problem = models.ForeignKey(Problem, models.CASCADE, related_name="bands")
    band = models.BigIntegerField()

    class Meta:
        indexes = [models.Index(fields=["band", "problem"], name="problems_by_band")]

    def __str__(self) -> str:
        return f"{self.band} of {self.problem_id}"


class Benchmark(Identified):
    """A registered set of problems that no reward model is trained on."""

    name = models.CharField(max_length=100, unique=True)
    problems = models.ManyToManyField(Problem, through="Registration", related_name="benchmarks")
    created_at = CreatedAt()

    objects = StaffQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


class Registration(models.Model):
    """A problem of a benchmark."""

    id = models.BigAutoField(primary_key=True)
    benchmark = models.ForeignKey(Benchmark, models.CASCADE, related_name="registrations", db_index=False)
    problem = models.ForeignKey(Problem, models.CASCADE, related_name="registrations")
    origin = models.UUIDField(null=True, editable=False, help_text="The import that registered it.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "problem"], name="a_problem_is_on_a_benchmark_once")
        ]

    def __str__(self) -> str:
        return f"{self.problem_id} on {self.benchmark_id}"


def draws_of(*phases: Phase) -> Q:
    """Selects samples that any of these phases draws from.

    Returns an empty condition, which selects all, if no phase is given, or one names neither sources nor generators.
    """
    drawn = Q()
    for phase in phases:
        named = {"source__in": phase.sources, "generator__in": phase.generators}
        own = Q(**{lookup: names for lookup, names in named.items() if names})
        if not own:
            return own
        drawn |= own
    return drawn


@cache
def not_withdrawn(solution: str = "pk", task: str = "") -> Q:
    """True if neither the solution at the path, nor its problem, nor the task at the path is withdrawn."""
    of = {"solution": solution, "problem": "problem" if solution == "pk" else f"{solution}__problem", "task": task}
    rows = rows_of("Withdrawal")
    return Q(*(~Exists(rows.filter(**{kind: OuterRef(path)})) for kind, path in of.items() if path))


class SolutionQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        """Selects what an expert may make gold of: solutions that their phases published, or of these phases' sources,
        but none that they label elsewhere.
        """
        if user.sees_everything:
            return self
        published = rows_of("Task").filter(solution=OuterRef("pk"))
        own = rows_of("Phase").judged_by(user)
        elsewhere = published.filter(round__phase__in=rows_of("Phase").only_labelled_by(user))
        here = Q(Exists(published.filter(round__phase__in=own)))
        if naming := [phase for phase in own if phase.sources]:
            here |= Q(pk__in=self.model.objects.drawn_by(*naming).values("pk"))
        return self.filter(here, ~Exists(elsewhere))

    def in_pool(self) -> Self:
        """Leaves out withdrawn solutions."""
        return self.filter(not_withdrawn(), in_pool=True)

    def drawn_by(self, *phases: Phase, **of: Any) -> Self:
        """Solutions with a sample from the sources and generators of any of these phases (none given: all), and with
        these other columns, such as `source`.
        """
        wanted = draws_of(*phases) & Q(**of)
        return self.filter(Exists(rows_of("Sample").filter(wanted, solution=OuterRef("pk")))) if wanted else self

    def not_published_in(self, phase: Phase | None, *, at: datetime) -> Self:
        """Selects solutions that existed at that time, and were then neither published in the phase's rounds nor in its
        gold sets (None: of any phase).
        """
        published = rows_of("Task").filter(solution=OuterRef("pk"), round__opened_at__lte=at)
        gold = rows_of("Gold").filter(solution=OuterRef("pk"), created_at__lte=at)
        if phase is not None:
            rounds = rows_of("Round").filter(phase=phase)
            named = Q(gold_set=phase.gold_set) | Q(gold_set__in=rounds.values("gold_set"))
            published, gold = published.filter(round__in=rounds), gold.filter(named).exclude(gold_set="")
        return self.filter(~Exists(published), ~Exists(gold), created_at__lte=at)


class Solution(Imported):
    """One model-written attempt: ordered steps, a final answer and the grader's verdict on it.

    Its generator, source, external id and origin are those of its first sample.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    # The unique constraint below begins with it, and is its index too.
    problem = models.ForeignKey(Problem, models.PROTECT, related_name="solutions", db_index=False)
    generator = models.CharField(max_length=100, blank=True)
    steps = models.JSONField(help_text="Step texts in order, at least one.")
    turns = models.JSONField(null=True, help_text="The steps of a trace with their typed parts; else null.")
    markup = models.CharField(
        max_length=12, choices=Markup.choices, default=Markup.MATHEMATICS.value, help_text="Of its steps."
    )
    answer = models.TextField(blank=True)
    verdict = models.CharField(max_length=8, choices=Verdict.choices, default=Verdict.UNSURE.value)
    grader_version = models.CharField(max_length=50, help_text="`given` if the record came with its verdict.")
    source = models.CharField(max_length=100, blank=True)
    external_id = models.CharField(max_length=200, blank=True)
    in_pool = models.BooleanField(
        default=True, help_text="False: it has no sample, or its problem has a newer version; never selected."
    )
    text_hash = models.CharField(max_length=64)
    created_at = CreatedAt()

    objects = SolutionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["problem", "text_hash"], name="one_solution_per_text_and_problem"),
            models.CheckConstraint(condition=models.Q(verdict__in=Verdict.values), name="solution_verdict_is_known"),
            models.CheckConstraint(condition=models.Q(markup__in=Markup.values), name="solution_markup_is_known"),
        ]
        indexes = [
            models.Index(fields=["text_hash", "problem"], condition=models.Q(in_pool=True), name="pool_by_text"),
            models.Index(fields=["created_at"], condition=models.Q(in_pool=True), name="pool_by_time"),
            by_origin("solutions_by_origin"),
        ]

    def __str__(self) -> str:
        return f"{self.generator or 'a solution'} on {self.problem_id}"

    @property
    def contexts(self) -> list[str]:
        """The text between each step of a trace and the next one; empty for plain texts."""
        return rendering.contexts(self.turns)


class SampleQuerySet(models.QuerySet[Any]):
    def drawn_by(self, *phases: Phase) -> Self:
        return self.filter(draws_of(*phases), repeat=0)

    def numbers(self) -> dict[UUID, int]:
        """The number of samples of each solution that has any."""
        return dict(self.filter(repeat=0).order_by().values_list("solution").annotate(number=Count("pk")))


class Sample(models.Model):
    """One draw of a solution from a generator, as a source has it. Equal texts are one solution with several samples.

    `draw` tells equal ones of a source apart: the record's id, else the number of equal records before it in the file.
    So a file that is imported again adds nothing.
    """

    id = models.BigAutoField(primary_key=True)
    # The unique constraint below begins with it, and is its index too.
    solution = models.ForeignKey(Solution, models.CASCADE, related_name="samples", db_index=False)
    source = models.CharField(max_length=100, blank=True)
    generator = models.CharField(max_length=100, blank=True)
    external_id = models.CharField(max_length=200, blank=True)
    draw = models.BigIntegerField()
    repeat = models.PositiveIntegerField(
        default=0, help_text="0: counted. Others are later imports of the same draw into the same source."
    )
    origin = models.UUIDField(
        null=True, editable=False, help_text="The import or generation that added it; null: neither."
    )

    objects = SampleQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["solution", "source", "generator", "draw", "repeat"], name="one_sample_per_draw_and_source"
            ),
        ]
        indexes = [
            models.Index(fields=["source", "solution"], name="samples_by_source"),
            models.Index(fields=["generator", "source"], name="samples_by_generator"),
            by_origin("samples_by_origin"),
        ]

    def __str__(self) -> str:
        return f"a sample of {self.solution_id} by {self.generator or 'nobody'}"


class CompletionPurpose(models.TextChoices):
    STEP = "step", "Next step"
    CRITIQUE = "critique", "Critique of the last step"


class CompletionSet(Run):
    """A generator's texts after a path of steps: requested once in a round, kept for everybody who gets to that step.

    Each round requests its own: gold known from an earlier round must not be answered sooner than a real task.
    """

    KIND = RunKind.COMPLETE.value
    INPUTS = ("problem",)

    problem = models.ForeignKey(Problem, models.CASCADE, related_name="completion_sets", db_index=False)
    round = models.ForeignKey("labeling.Round", models.CASCADE, null=True, related_name="+", db_index=False)
    purpose = models.CharField(max_length=8, choices=CompletionPurpose)
    path = models.JSONField(help_text="The texts of the steps so far.")
    path_hash = models.CharField(max_length=64)
    generator_url = models.CharField(max_length=200, blank=True)
    generator_model = models.CharField(max_length=200)
    wanted = models.PositiveSmallIntegerField()
    texts = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["problem", "path_hash", "purpose", "round", "generator_url", "generator_model"],
                name="one_completion_set_per_path_and_generator",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} completions after {len(self.path)} steps of {self.problem_id}"


class Image(Imported):
    """An image of a trace, one row for each import that brought it; equal ones are one file."""

    FOLDER = "images"
    # Whoever is shown a trace gets a ticket for each of its images: a SHA-256 alone opens nothing.
    TICKETS = signing.Signer(salt="images")
    sha256 = models.CharField(max_length=64)
    file = models.FileField(upload_to=FOLDER)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["sha256", "origin"], name="one_image_per_import")]
        indexes = [by_origin("image_origin")]


class StepAnswer(models.Model):
    """A model's answer about a text: which of its parts begin a step. It is kept so that the steps imported are those
    previewed, and no text is asked about twice.
    """

    key = models.CharField(max_length=64, primary_key=True, help_text="Of the text, the model and our rules' version.")
    numbers = models.JSONField(null=True, help_text="Null: no answer was any use.")
    created_at = CreatedAt(db_index=True)

    def __str__(self) -> str:
        return self.key
