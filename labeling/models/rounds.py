"""Rounds of a phase: their tasks, and the seats that people take."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Self

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Case, Count, Exists, F, OuterRef, Q, Sum, When
from django.db.models.functions import Coalesce

from labeling.models.campaign import Phase
from labeling.models.gold import hidden_from
from labeling.models.origin import Identified, Imported
from labeling.models.people import User
from labeling.models.pool import Problem, Solution
from labeling.models.tables import rows_of


class RoundStatus(models.TextChoices):
    PUBLISHING = "publishing", "Being published"
    OPEN = "open", "Open"
    CLOSED = "closed", "Closed"


class AssignmentKind(models.TextChoices):
    """The kind of an assignment, which no annotator ever receives."""

    WORK = "work", "A seat of a task"
    SCREENING = "screening", "An annotator's own in screening"
    GOLD = "gold", "A seat of hidden gold"
    RETIRED = "retired", "Labelled, and asked for again: another seat took its place"


DAY = timedelta(days=1)
AHEAD = 2  # tasks that one annotator may have fetched ahead


class RoundQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        if user.sees_everything:
            return self
        return self.filter(phase__memberships__user=user)

    def locked(self) -> Self:
        """Locks the rounds until the transaction ends. Rows may refer to them meanwhile: submissions need not wait."""
        return self.select_for_update(of=("self",), no_key=True)

    def with_progress(self) -> Self:
        """Adds `labellings_wanted` and `labellings_done`, from the counters.

        Every member labels every screening task. Gold doesn't count; withdrawn tasks count as far as they are labelled
        or in hand.
        """
        members = rows_of("Membership").labelling().filter(phase=OuterRef("phase")).order_by().values("phase")
        tallies = rows_of("Tally").filter(round=OuterRef("pk")).order_by().values("round")
        return self.annotate(
            labellings_wanted=Case(
                When(number__lt=0, then=F("task_count") * _number_of(members)),
                default=F("seat_count"),
                output_field=models.IntegerField(),
            ),
            labellings_done=Coalesce(models.Subquery(tallies.annotate(n=Sum("done")).values("n")), 0),
        )

    def full(self, *, now: datetime) -> Self:
        """Selects rounds with labels but no open seat of work, nor of gold in somebody's hand; screening aside."""
        gold_in_hand = Q(kind=AssignmentKind.GOLD, lease_expires_at__gte=now)
        left = rows_of("Assignment").open().filter(gold_in_hand | Q(kind=AssignmentKind.WORK), round=OuterRef("pk"))
        labelled = rows_of("Tally").filter(round=OuterRef("pk"), done__gt=0)
        return self.filter(Exists(labelled), ~Exists(left), number__gte=0)

    def with_funnel(self, *, now: datetime) -> Self:
        """Adds what `with_progress` does and, without gold, `in_hand` and `last_day`: the last 24 hours' labellings."""
        kinds = [AssignmentKind.WORK, AssignmentKind.SCREENING]
        real = rows_of("Assignment").filter(round=OuterRef("pk"), kind__in=kinds)
        in_hand = real.in_hand(now=now).order_by().values("round")
        recent = real.filter(submitted_at__gt=now - DAY).order_by().values("round")
        return self.with_progress().annotate(in_hand=_number_of(in_hand), last_day=_number_of(recent))


def _number_of(grouped: models.QuerySet[Any]) -> Coalesce:
    return Coalesce(models.Subquery(grouped.annotate(n=Count("pk")).values("n")), 0)


class Round(Imported):
    """One batch of tasks inside a phase (PRM800K's `generation`), selected by one PRM."""

    phase = models.ForeignKey(Phase, models.PROTECT, related_name="rounds", db_index=False)
    number = models.IntegerField(help_text="0, 1, 2, ...; -1 is screening.")
    status = models.CharField(max_length=10, choices=RoundStatus, default=RoundStatus.OPEN)
    requested = models.PositiveIntegerField(
        null=True, blank=True, help_text="Tasks requested; null: as many as it has."
    )
    gold_set = models.CharField(max_length=100, blank=True, help_text="Gold set hidden among its tasks; empty: none.")
    gold_in_set = models.PositiveIntegerField(default=0, help_text="Size of the set at publication.")
    gold_hidden = models.PositiveIntegerField(default=0, help_text="How many of these were hidden.")
    gold_seats = models.PositiveIntegerField(default=0, help_text="Seats of hidden gold.")
    task_count = models.PositiveIntegerField(default=0, help_text="Without gold; see labeling/counts/tallies.py.")
    seat_count = models.PositiveIntegerField(default=0, help_text="Without gold; also of withdrawn tasks, if taken.")
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = RoundQuerySet.as_manager()

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


class TaskQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        if user.sees_everything:
            return self
        return self.filter(assignments__annotator=user)

    def without_open_seat(self) -> Self:
        return self.filter(~Exists(rows_of("Assignment").open().filter(task=OuterRef("pk"))))

    def adjudicated_by(self, user: User) -> Self:
        """Selects tasks that the user may settle: admins all, experts their phases' unless hidden elsewhere."""
        own = rows_of("Phase").judged_by(user)
        return self if user.is_admin else self.filter(~hidden_from(user), round__phase__in=own)


class Task(Identified):
    """One solution published for labelling in a round, with the number of independent labellings it needs."""

    # An index below begins with it.
    round = models.ForeignKey(Round, models.PROTECT, related_name="tasks", db_index=False)
    solution = models.ForeignKey(Solution, models.PROTECT, related_name="tasks")
    overlap = models.PositiveIntegerField(default=1)
    rank = models.PositiveIntegerField(
        null=True, blank=True, help_text="Its place in the selection, best first; not the serving order."
    )
    is_gold = models.BooleanField(default=False, help_text="Its expert labels are hidden among the other tasks.")
    withdrawn_at = models.DateTimeField(null=True, blank=True, help_text="Nobody new gets it; its labels stay.")

    objects = TaskQuerySet.as_manager()

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


class Withdrawal(Identified):
    """Withdraws a problem, a solution or a task from everywhere: nobody gets it any more, it is neither scored nor
    selected, and its labels leave training and exports. All rows stay; deleting this one gives them back.
    """

    problem = models.OneToOneField(Problem, models.CASCADE, null=True, blank=True, related_name="withdrawal")
    solution = models.OneToOneField(Solution, models.CASCADE, null=True, blank=True, related_name="withdrawal")
    task = models.OneToOneField(Task, models.CASCADE, null=True, blank=True, related_name="withdrawal")
    by = models.ForeignKey(User, models.PROTECT, related_name="withdrawals")
    why = models.TextField()
    at = models.DateTimeField()
    seats = models.JSONField(default=list, encoder=DjangoJSONEncoder, help_text="The free ones that it removed.")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(problem__isnull=False, solution=None, task=None)
                | Q(problem=None, solution__isnull=False, task=None)
                | Q(problem=None, solution=None, task__isnull=False),
                name="a_withdrawal_is_of_one_thing",
            ),
            models.CheckConstraint(condition=~Q(why=""), name="a_withdrawal_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"withdrawal of {self.problem or self.solution or self.task}"

    @property
    def of(self) -> str:
        return next(name for name in ("problem", "solution", "task") if getattr(self, f"{name}_id"))


class AssignmentQuerySet(models.QuerySet[Any]):
    def whole(self) -> Self:
        """Loads everything that the annotator sees, in one query."""
        return self.select_related("round__phase", "task__solution__problem")

    def visible_to(self, user: User) -> Self:
        """Shows assignments to their holder alone."""
        return self.filter(annotator=user)

    def open(self) -> Self:
        return self.filter(submitted_at__isnull=True)

    def first_open_of_task(self) -> Self:
        """Selects each task's open seat that is served first."""
        before = Q(position__lt=OuterRef("position")) | Q(position=OuterRef("position"), pk__lt=OuterRef("pk"))
        others = self.model.objects.open().filter(before, task=OuterRef("task"))
        return self.open().filter(~Exists(others))

    def in_hand(self, *, now: datetime) -> Self:
        """Selects leased seats that are not overdue. Filters by annotator, so that the index of open seats is used."""
        return self.open().filter(annotator__isnull=False, lease_expires_at__gte=now)

    def claimable(self, *, now: datetime) -> Self:
        """Seats that are free, or whose lease has run out."""
        free = Q(lease_expires_at__isnull=True) | Q(lease_expires_at__lt=now)
        return self.open().filter(free).exclude(kind=AssignmentKind.SCREENING)


class Assignment(Identified):
    """One of a task's N seats: free, leased by one annotator until `lease_expires_at`, or labelled.

    The seats are made when the round is published, so a task can't have more labellings than its overlap;
    in screening every annotator gets an assignment of their own. Hidden gold has seats like any other task. Where a
    labelling is asked for again, its seat is retired, without annotator or number, and a new one takes its place.
    A lease that ran out needs no clean-up: whoever claims next may take the seat over.
    """

    # The unique constraint below begins with it, and is its index too.
    task = models.ForeignKey(Task, models.PROTECT, related_name="assignments", db_index=False)
    round = models.ForeignKey(Round, models.PROTECT, related_name="assignments")
    kind = models.CharField(max_length=9, choices=AssignmentKind, default=AssignmentKind.WORK)
    seat = models.PositiveIntegerField(
        null=True, blank=True, help_text="0 to overlap - 1; null in screening, and once it is retired."
    )
    position = models.IntegerField(help_text="Serving order within the round.")
    annotator = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="assignments")
    leased_at = models.DateTimeField(null=True, blank=True)
    lease_expires_at = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    place = models.PositiveSmallIntegerField(default=0, help_text="0 in hand; 1 or 2: fetched ahead, in either order.")

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["task", "seat"], name="one_assignment_per_task_and_seat"),
            models.UniqueConstraint(fields=["task", "annotator"], name="one_assignment_per_task_and_annotator"),
            models.UniqueConstraint(
                fields=["round", "annotator", "place"],
                condition=Q(submitted_at__isnull=True, annotator__isnull=False),
                name="one_assignment_per_annotator_and_place",
            ),
            models.CheckConstraint(condition=Q(place__lte=AHEAD), name="one_assignment_in_hand_and_two_ahead"),
            models.CheckConstraint(
                condition=Q(annotator__isnull=False) | Q(lease_expires_at__isnull=True),
                name="a_lease_has_an_annotator",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["screening", "retired"], seat=None)
                | Q(kind__in=["work", "gold"], seat__isnull=False),
                name="seats_have_numbers_unless_screening_or_retired",
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
