"""Filters and visibility: every view starts from `.visible_to(user)`."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Self

from django.db import models
from django.db.models import Case, Count, Exists, F, OuterRef, Q, When
from django.db.models.functions import Coalesce

if TYPE_CHECKING:
    from labeling.models import Phase, User


class ProblemQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        return self if user.sees_everything else self.none()


class SolutionQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        return self if user.sees_everything else self.none()

    def in_pool(self) -> Self:
        return self.filter(in_pool=True)

    def not_put_up_in(self, phase: Phase) -> Self:
        """Solutions that no round of the phase has put up for labelling yet."""
        from labeling.models import Task  # noqa: PLC0415  the models import this module

        put_up = Task.objects.filter(round__phase=phase, solution=OuterRef("pk"))
        return self.filter(~Exists(put_up))


class PhaseQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        if user.sees_everything:
            return self
        return self.filter(memberships__user=user)


class RoundQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        if user.sees_everything:
            return self
        return self.filter(phase__memberships__user=user)

    def with_progress(self) -> Self:
        """Adds `task_count`, `labellings_wanted` and `labellings_done`. Every member labels every screening task."""
        from labeling.models import Assignment, Labelling, Membership, Task  # noqa: PLC0415  they import this module

        tasks = Task.objects.filter(round=OuterRef("pk")).order_by().values("round")
        seats = Assignment.objects.filter(round=OuterRef("pk")).order_by().values("round")
        members = Membership.objects.filter(phase=OuterRef("phase")).order_by().values("phase")
        labellings = Labelling.objects.current().filter(task__round=OuterRef("pk")).order_by().values("task__round")
        return self.annotate(task_count=_number_of(tasks)).annotate(
            labellings_wanted=Case(
                When(number__lt=0, then=F("task_count") * _number_of(members)), default=_number_of(seats)
            ),
            labellings_done=_number_of(labellings),
        )


def _number_of(grouped: models.QuerySet[Any]) -> Coalesce:
    return Coalesce(models.Subquery(grouped.annotate(n=Count("pk")).values("n")), 0)


class TaskQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        if user.sees_everything:
            return self
        return self.filter(assignments__annotator=user)


class AssignmentQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        """Only the holder ever sees an assignment: what others do with a task stays theirs."""
        return self.filter(annotator=user)

    def open(self) -> Self:
        return self.filter(submitted_at__isnull=True)

    def claimable(self, *, now: datetime) -> Self:
        """Seats that are free, or whose lease has run out."""
        return self.open().filter(Q(lease_expires_at__isnull=True) | Q(lease_expires_at__lt=now))


class LabellingQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        if user.sees_everything:
            return self
        return self.filter(annotator=user)

    def current(self) -> Self:
        return self.filter(superseded_at__isnull=True)

    def for_training(self) -> Self:
        """Current labellings that say something about steps: no screening, no give-ups, no bad problems."""
        return self.current().filter(task__round__number__gte=0, finish_reason__in=["found_error", "solution"])


class ReportQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        return self if user.is_admin else self.filter(annotator=user)
