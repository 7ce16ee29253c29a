"""A labelling campaign: phases, rounds, tasks and the leases on them."""

import uuid

from django.db import models
from django.db.models import Q

from labeling import querysets
from labeling.models.origin import Imported
from labeling.models.people import User
from labeling.models.pool import Solution


class PhaseKind(models.TextChoices):
    SOLUTIONS = "solutions", "Whole solutions (PRM800K phase 2)"
    ALTERNATIVES = "alternatives", "Alternatives per step (PRM800K phase 1)"


class PhaseStatus(models.TextChoices):
    DRAFT = "draft", "Draft"
    RUNNING = "running", "Running"
    PAUSED = "paused", "Paused"
    CLOSED = "closed", "Closed"
    ARCHIVED = "archived", "Archived"


class LaterSteps(models.TextChoices):
    SHOWN = "shown", "Shown"
    DIMMED = "dimmed", "Dimmed until reached"
    HIDDEN = "hidden", "Hidden until reached"


class Phase(Imported):
    """A labelling campaign with one protocol and its settings."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=100, unique=True)
    kind = models.CharField(max_length=16, choices=PhaseKind, default=PhaseKind.SOLUTIONS)
    status = models.CharField(max_length=8, choices=PhaseStatus, default=PhaseStatus.RUNNING)
    instructions = models.TextField(blank=True, help_text="The guidelines: Markdown, shown to annotators.")
    guidelines_version = models.PositiveIntegerField(default=1, help_text="Rises when the guidelines change.")
    sources = models.JSONField(
        default=list, blank=True, help_text="The imports and generations that rounds draw from; empty: the whole pool."
    )
    generators = models.JSONField(
        default=list, blank=True, help_text="Of those, only solutions by these generators; empty: by any."
    )
    overlap = models.PositiveSmallIntegerField(default=1, help_text="Labellings that a task of a new round needs.")
    overlap_cap = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Where people disagree, one more is asked, up to so many; null: nobody."
    )
    lease_minutes = models.PositiveIntegerField(default=30)
    time_limit_minutes = models.PositiveIntegerField(
        null=True, blank=True, help_text="No lease is renewed beyond it; null: without limit."
    )
    later_steps = models.CharField(max_length=8, choices=LaterSteps, default=LaterSteps.DIMMED)
    asks_alternatives = models.BooleanField(default=False, help_text="Rate alternatives for the first negative step.")
    asks_critiques = models.BooleanField(default=False, help_text="Rate or write critiques of the first negative step.")
    asks_progress = models.BooleanField(default=False, help_text="Say how far the solution had got before it.")
    shows_reference_answer = models.BooleanField(default=True, help_text="As the “current guess”.")
    alternatives_per_step = models.PositiveSmallIntegerField(default=4)
    generator_url = models.CharField(
        max_length=200, blank=True, help_text="An OpenAI-compatible endpoint, such as http://host:8000/v1."
    )
    generator_model = models.CharField(
        max_length=200, blank=True, help_text="The endpoint's model; without a URL, a local path or hub name."
    )
    pass_mark = models.FloatField(default=0.75, help_text="The screening agreement with gold that lets people in.")
    screening_attempts = models.PositiveSmallIntegerField(default=1, help_text="How often it may be tried.")
    gold_set = models.CharField(
        max_length=100, blank=True, help_text="Expert labels hidden among the tasks of new rounds; empty: none."
    )
    gold_rate = models.FloatField(default=0, help_text="The share of an annotator's tasks that is gold.")
    pause_below = models.FloatField(
        null=True, blank=True, help_text="The accuracy on gold under which people are paused; null: nobody is."
    )
    gives_feedback = models.BooleanField(default=True, help_text="Show the gold labels after each screening task.")
    closes_full_rounds = models.BooleanField(
        default=False, help_text="Close a round by itself once everything in it is labelled."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = querysets.PhaseQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=PhaseKind.values), name="phase_kind_is_known"),
            models.CheckConstraint(condition=Q(status__in=PhaseStatus.values), name="phase_status_is_known"),
            models.CheckConstraint(condition=Q(overlap__gte=1), name="phase_overlap_is_one_or_more"),
            models.CheckConstraint(condition=Q(lease_minutes__gte=1), name="phase_lease_is_a_minute_or_more"),
            models.CheckConstraint(condition=Q(time_limit_minutes__gte=1), name="time_limit_is_a_minute_or_more"),
            models.CheckConstraint(condition=Q(later_steps__in=LaterSteps.values), name="later_steps_is_known"),
            models.CheckConstraint(
                condition=Q(alternatives_per_step__range=(1, 20)), name="alternatives_per_step_is_1_to_20"
            ),
            models.CheckConstraint(condition=Q(pass_mark__range=(0, 1)), name="pass_mark_is_a_share"),
            models.CheckConstraint(condition=Q(gold_rate__range=(0, 1)), name="gold_rate_is_a_share"),
            models.CheckConstraint(condition=Q(pause_below__range=(0, 1)), name="pause_below_is_a_share"),
            models.CheckConstraint(condition=Q(screening_attempts__gte=1), name="screening_may_be_tried_once"),
        ]

    def __str__(self) -> str:
        return self.name


class Guidelines(models.Model):
    """A version of a phase's guidelines, kept because labels were given under it."""

    phase = models.ForeignKey(Phase, models.CASCADE, related_name="guidelines")
    version = models.PositiveIntegerField()
    text = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["phase", "version"], name="one_text_per_guidelines_version"),
        ]

    def __str__(self) -> str:
        return f"guidelines {self.version} of {self.phase}"


class RoundStatus(models.TextChoices):
    PUBLISHING = "publishing", "Being published"
    OPEN = "open", "Open"
    CLOSED = "closed", "Closed"


class Round(Imported):
    """One batch of tasks inside a phase (PRM800K's `generation`), selected by one PRM."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    phase = models.ForeignKey(Phase, models.PROTECT, related_name="rounds")
    number = models.IntegerField(help_text="0, 1, 2, ...; -1 is screening.")
    status = models.CharField(max_length=10, choices=RoundStatus, default=RoundStatus.OPEN)
    asked_for = models.PositiveIntegerField(
        null=True, blank=True, help_text="How many tasks it was to have; null: as many as there are."
    )
    gold_set = models.CharField(max_length=100, blank=True, help_text="Hidden among its tasks; empty: none.")
    gold_in_set = models.PositiveIntegerField(default=0, help_text="How many the set had at publication.")
    gold_hidden = models.PositiveIntegerField(default=0, help_text="How many of them were hidden then.")
    task_count = models.PositiveIntegerField(default=0, help_text="Gold aside. Kept: see labeling/tallies.py.")
    seat_count = models.PositiveIntegerField(default=0, help_text="Of those tasks; withdrawn ones that are taken, too.")
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = querysets.RoundQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["phase", "number"], name="one_round_per_phase_and_number"),
            models.UniqueConstraint(
                fields=["phase"], condition=Q(status="open", number__gte=0), name="one_open_round_per_phase"
            ),
            models.CheckConstraint(condition=Q(status__in=RoundStatus.values), name="round_status_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.phase}, round {self.number}"


class Task(models.Model):
    """One solution put up for labelling in a round, with how many independent labellings it needs."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # An index below begins with it.
    round = models.ForeignKey(Round, models.PROTECT, related_name="tasks", db_index=False)
    solution = models.ForeignKey(Solution, models.PROTECT, related_name="tasks")
    overlap = models.PositiveIntegerField(default=1)
    rank = models.PositiveIntegerField(
        null=True, blank=True, help_text="Its place in the selection, the best first; it is not served in this order."
    )
    is_gold = models.BooleanField(default=False, help_text="Expert labels hidden among the others.")
    withdrawn_at = models.DateTimeField(null=True, blank=True, help_text="Nobody new gets it; what was said stays.")

    objects = querysets.TaskQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(overlap__gte=1), name="task_overlap_is_one_or_more"),
        ]
        indexes = [
            models.Index(fields=["round", "id"], name="tasks_of_a_round"),
            models.Index(fields=["round"], condition=Q(is_gold=True), name="hidden_gold_of_a_round"),
        ]

    def __str__(self) -> str:
        return f"task {self.id}"


class Assignment(models.Model):
    """One of a task's N seats: free, leased by one annotator until `lease_expires_at`, or labelled.

    The seats are made when the round is published, so a task can't have more labellings than its overlap;
    in screening every annotator gets a seat of their own, without a number. Gold has no seats: it is shown in the
    place of a task whose seat somebody holds, and takes a seat of its own, without a number, once it is labelled.
    A lease that ran out needs no clean-up: whoever claims next may take the seat over.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # The unique constraint below begins with it, and is its index too.
    task = models.ForeignKey(Task, models.PROTECT, related_name="assignments", db_index=False)
    round = models.ForeignKey(Round, models.PROTECT, related_name="assignments")
    seat = models.PositiveIntegerField(
        null=True, blank=True, help_text="0 to overlap - 1; null in screening and on gold."
    )
    position = models.IntegerField(help_text="Order in which the round's seats are served.")
    annotator = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="assignments")
    leased_at = models.DateTimeField(null=True, blank=True)
    lease_expires_at = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    is_ahead = models.BooleanField(default=False, help_text="Fetched ahead of need, while another is in hand.")
    shown = models.ForeignKey(
        Task,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        help_text="What its holder sees: the task itself, or gold in its place. Null where no gold is hidden.",
    )

    objects = querysets.AssignmentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["task", "seat"], name="one_assignment_per_task_and_seat"),
            models.UniqueConstraint(fields=["task", "annotator"], name="one_assignment_per_task_and_annotator"),
            models.UniqueConstraint(
                fields=["round", "annotator", "is_ahead"],
                condition=Q(submitted_at__isnull=True, annotator__isnull=False),
                name="one_assignment_in_hand_and_one_ahead",
            ),
            models.CheckConstraint(
                condition=Q(annotator__isnull=False) | Q(lease_expires_at__isnull=True),
                name="a_lease_has_an_annotator",
            ),
        ]
        indexes = [
            models.Index(
                fields=["round", "position"],
                condition=Q(submitted_at__isnull=True),
                name="open_seats_in_serving_order",
            ),
            models.Index(
                fields=["round", "submitted_at"],
                condition=Q(submitted_at__isnull=False),
                name="submitted_seats_by_time",
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} of {self.task}"

    @property
    def shown_task(self) -> Task:
        return self.shown or self.task
