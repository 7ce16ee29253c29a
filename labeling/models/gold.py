"""Expert labels on solutions, hidden among tasks to measure annotators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from django.db import models
from django.db.models import Exists, OuterRef, Q

from labeling.models.origin import CreatedAt, Imported, by_origin
from labeling.models.pool import Solution, not_withdrawn
from labeling.models.tables import rows_of
from labeling.rules.labelled import SCREENING

if TYPE_CHECKING:
    from labeling.models.people import User


def hidden_from(user: User, solution: str = "solution") -> Q:
    """Selects solutions whose gold is, or may be, hidden in phases where the user only labels: as an expert in others,
    they could have read the labels there.
    """
    elsewhere = rows_of("Phase").only_labelled_by(user)
    tasks = rows_of("Task").filter(solution=OuterRef(solution), round__phase__in=elsewhere)
    sets = elsewhere.exclude(gold_set="").values("gold_set")
    golds = rows_of("Gold").in_service().filter(solution=OuterRef(solution), gold_set__in=sets)
    return Exists(tasks.filter(Q(is_gold=True) | Q(round__number=SCREENING))) | Exists(golds)


class GoldQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        """Experts see their phases' gold, but none that may be hidden among tasks that they label elsewhere.

        A set that phases name is theirs; gold in any other belongs to the phases that published its solution, and its
        author.
        """
        if user.sees_everything:
            return self
        own, elsewhere = rows_of("Phase").judged_by(user), rows_of("Phase").only_labelled_by(user)
        named = rows_of("Phase").exclude(gold_set="").values("gold_set")
        published = rows_of("Task").filter(solution=OuterRef("solution"))
        here = Exists(published.filter(round__phase__in=own)) | Q(author=user)
        theirs = Q(gold_set__in=named.filter(pk__in=own)) | (here & ~Q(gold_set__in=named))
        return self.filter(theirs, ~hidden_from(user)).exclude(gold_set__in=named.filter(pk__in=elsewhere))

    def newest(self) -> Self:
        """The last version of each solution's gold."""
        later = self.model.objects.filter(solution=OuterRef("solution"), version__gt=OuterRef("version"))
        return self.filter(~Exists(later))

    def in_service(self) -> Self:
        return self.newest().filter(not_withdrawn("solution")).exclude(gold_set="")


class Gold(Imported):
    """Expert labels on a solution; a correction is a new version, never an overwrite."""

    solution = models.ForeignKey(Solution, models.PROTECT, related_name="golds", db_index=False)
    ratings = models.JSONField(help_text="-1, 0 or 1 per step, up to and including the first negative.")
    mistakes = models.JSONField(
        default=list,
        db_default=[],
        blank=True,
        help_text="What is said of mistakes: the `step`, the name of its `kind`, empty where it has none, and the step "
        "that is the `root_cause`, itself or an earlier one, null where none is.",
    )
    rationale = models.TextField(blank=True)
    gold_set = models.CharField(max_length=100, blank=True, default="gold", help_text="Empty: out of service.")
    author = models.ForeignKey("labeling.User", models.PROTECT, null=True, blank=True, related_name="golds")
    version = models.PositiveIntegerField(default=1)
    created_at = CreatedAt()

    objects = GoldQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["solution", "version"], name="one_gold_per_solution_and_version")
        ]
        indexes = [by_origin("golds_by_origin")]

    def __str__(self) -> str:
        return f"gold {self.version} on {self.solution_id}"
