"""The consensus of several people on a task."""

from django.db import models
from django.db.models import Q

from labeling.models.campaign import ConsensusMethod
from labeling.models.origin import Identified
from labeling.models.rounds import Task
from labeling.rules.words import Verdict

OF_ERRORS = ("error_kinds", "error_words", "root_causes")  # columns that say what is wrong with each step


class Consensus(Identified):
    """The consensus of a task's labellings. It is stored beside them, and never changes them."""

    task = models.ForeignKey(Task, models.PROTECT, related_name="consensuses", db_index=False)
    method = models.CharField(max_length=16, choices=ConsensusMethod)
    ratings = models.JSONField(
        help_text="Per step up to the first negative, or to null: nobody can say; or of every step."
    )
    error_kinds = models.JSONField(
        null=True, blank=True, help_text="Of a ruling: the key of each step's kind of error, empty where there is none."
    )
    error_words = models.JSONField(
        null=True,
        blank=True,
        help_text="Of a ruling: where the wrong words of each step begin and end, in characters; null where none are.",
    )
    root_causes = models.JSONField(
        null=True, blank=True, help_text="Of a ruling: the earlier step to blame for each step; null where none is."
    )
    result = models.CharField(
        max_length=8,
        choices=Verdict.choices,
        blank=True,
        default="",
        db_default="",
        help_text="Of a ruling: whether the final result is right; empty where it leaves that to the labellings.",
    )
    confidence = models.JSONField(help_text="Per step, from 0 to 1; the last is that of the whole path.")
    labellings = models.PositiveIntegerField(help_text="How many it is made from.")
    case = models.ForeignKey(
        "labeling.Case", models.PROTECT, null=True, blank=True, related_name="rulings", help_text="Who made the ruling."
    )
    computed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["task", "method"], name="one_consensus_per_task_and_method"),
            models.CheckConstraint(condition=Q(method__in=ConsensusMethod.values), name="consensus_method_is_known"),
            models.CheckConstraint(condition=Q(result__in=["", *Verdict.values]), name="consensus_result_is_known"),
            models.CheckConstraint(
                condition=Q(method=ConsensusMethod.ADJUDICATED) ^ Q(case__isnull=True), name="a_ruling_has_its_case"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.method} on {self.task}"
