"""Rulings of admins and experts on tasks that need a second look."""

from django.db import models
from django.db.models import Q

from labeling.models.origin import CreatedAt, Identified
from labeling.models.people import User
from labeling.models.rounds import Task
from labeling.rules.words import Queue


class Outcome(models.TextChoices):
    RATINGS = "ratings", "The right ratings: they stand for the task"
    VERDICT = "verdict", "The right verdict on the final answer"
    FIX = "fix", "A new version of the problem, its solutions graded again"
    GOLD = "gold", "The right ratings, which become gold, too"
    DISMISS = "dismiss", "Nothing changes"


class Case(Identified):
    """Somebody's note or ruling on a task in a queue. Its effects are lines of the audit log."""

    task = models.ForeignKey(Task, models.PROTECT, related_name="cases")
    queue = models.CharField(max_length=16, choices=Queue.choices)
    note = models.TextField(blank=True)
    outcome = models.CharField(max_length=8, choices=Outcome, blank=True, help_text="Empty while it is open.")
    by = models.ForeignKey(User, models.PROTECT, related_name="cases")
    created_at = CreatedAt()
    settled_at = models.DateTimeField(null=True, blank=True)
    reopens = models.OneToOneField(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="reopened_as",
        help_text="The settled case that this one opens again.",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["task", "queue"], condition=Q(settled_at=None), name="one_open_case_per_task_and_queue"
            ),
            models.CheckConstraint(condition=Q(queue__in=Queue.values), name="case_queue_is_known"),
            models.CheckConstraint(
                condition=Q(settled_at=None, outcome="") | Q(settled_at__isnull=False, outcome__in=Outcome.values),
                name="a_settled_case_has_its_outcome",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.queue} on {self.task}"
