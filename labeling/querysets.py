"""Filters and visibility: every view starts from `.visible_to(user)`."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID

from django.db import models
from django.db.models import Case, Count, Exists, F, OuterRef, Prefetch, Q, Sum, When
from django.db.models.functions import Coalesce

from labeling import models as tables  # they import this module: the name alone is safe
from labeling.formats.labelled import SCREENING

if TYPE_CHECKING:
    from labeling.models import Phase, User

DAY = timedelta(days=1)


class ProblemQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        return self if user.sees_everything else self.none()


class SolutionQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        """Experts choose gold from what their phases put up, and from the sources that these name; nothing that they
        label elsewhere.
        """
        if user.sees_everything:
            return self
        put_up = tables.Task.objects.filter(solution=OuterRef("pk"))
        own = tables.Phase.objects.judged_by(user)
        elsewhere = put_up.filter(round__phase__in=tables.Phase.objects.only_labelled_by(user))
        here = Q(Exists(put_up.filter(round__phase__in=own)))
        if naming := [phase for phase in own if phase.sources]:
            here |= Q(pk__in=self.model.objects.drawn_by(*naming).values("pk"))
        return self.filter(here, ~Exists(elsewhere))

    def in_pool(self) -> Self:
        return self.filter(in_pool=True)

    def drawn_by(self, *phases: Phase) -> Self:
        """What rounds of these phases (none: of any) draw from: solutions from a phase's sources by its generators.

        A phase that names none draws from all.
        """
        drawn = Q()
        for phase in phases:
            named = {"source__in": phase.sources, "generator__in": phase.generators}
            own = Q(**{lookup: names for lookup, names in named.items() if names})
            if not own:
                return self
            drawn |= own
        return self.filter(drawn)

    def not_put_up_in(self, phase: Phase | None, *, at: datetime) -> Self:
        """Solutions that no round of the phase (None: of any) had put up for labelling by then, and that were no gold.

        A solution that came later is none of them.
        """
        put_up = tables.Task.objects.filter(solution=OuterRef("pk"), round__opened_at__lte=at)
        put_up = put_up if phase is None else put_up.filter(round__phase=phase)
        gold = tables.Gold.objects.filter(solution=OuterRef("pk"), created_at__lte=at)
        return self.filter(~Exists(put_up), ~Exists(gold), created_at__lte=at)


def _new_to(annotator: User | UUID | OuterRef) -> Q:
    """On a solution that they have never had, in whatever phase and round (screening too), and that is no gold of
    theirs: what comes twice would be known for gold.
    """
    had = tables.Assignment.objects.filter(annotator=annotator, task__solution=OuterRef("solution"))
    said = tables.Labelling.objects.filter(annotator=annotator, task__solution=OuterRef("solution"))
    own = tables.Gold.objects.filter(author=annotator, solution=OuterRef("solution"))
    return Q(~Exists(had), ~Exists(said), ~Exists(own))


class GoldQuerySet(models.QuerySet[Any]):
    def new_to(self, annotator: User | OuterRef) -> Self:
        return self.filter(_new_to(annotator))

    def visible_to(self, user: User) -> Self:
        """Experts see their phases' gold, but none that may be hidden among tasks which they label elsewhere.

        A set that phases name is theirs; gold in any other is of the phases that put its solution up, and its author's.
        """
        if user.sees_everything:
            return self
        own, elsewhere = tables.Phase.objects.judged_by(user), tables.Phase.objects.only_labelled_by(user)
        named = tables.Phase.objects.exclude(gold_set="").values("gold_set")
        put_up = tables.Task.objects.filter(solution=OuterRef("solution"))
        here = Exists(put_up.filter(round__phase__in=own)) | Q(author=user)
        hidden = put_up.filter(Q(is_gold=True) | Q(round__number=SCREENING), round__phase__in=elsewhere)
        theirs = Q(gold_set__in=named.filter(pk__in=own)) | (here & ~Q(gold_set__in=named))
        return self.filter(theirs, ~Exists(hidden)).exclude(gold_set__in=named.filter(pk__in=elsewhere))

    def newest(self) -> Self:
        """The last version of each solution's gold."""
        later = self.model.objects.filter(solution=OuterRef("solution"), version__gt=OuterRef("version"))
        return self.filter(~Exists(later))

    def in_service(self) -> Self:
        return self.newest().exclude(gold_set="")


class PhaseQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        if user.sees_everything:
            return self
        return self.filter(memberships__user=user).exclude(status__in=["draft", "archived"])

    def judged_by(self, user: User) -> Self:
        """Those that the user is an expert of; admins are of all."""
        return self if user.is_admin else self.filter(memberships__user=user, memberships__role="expert")

    def only_labelled_by(self, user: User) -> Self:
        """Those in which the user labels without being an expert."""
        return self.none() if user.is_admin else self.filter(memberships__user=user, memberships__role="annotator")


class RoundQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        if user.sees_everything:
            return self
        return self.filter(phase__memberships__user=user)

    def with_progress(self) -> Self:
        """Adds `labellings_wanted` and `labellings_done`, by what is kept. Every member labels every screening task.

        Gold doesn't count; withdrawn tasks count as far as they are labelled or in hand.
        """
        members = tables.Membership.objects.filter(phase=OuterRef("phase")).order_by().values("phase")
        tallies = tables.Tally.objects.filter(round=OuterRef("pk")).order_by().values("round")
        return self.annotate(
            labellings_wanted=Case(
                When(number__lt=0, then=F("task_count") * _number_of(members)),
                default=F("seat_count"),
                output_field=models.IntegerField(),
            ),
            labellings_done=Coalesce(models.Subquery(tallies.annotate(n=Sum("done")).values("n")), 0),
        )

    def full(self, *, now: datetime) -> Self:
        """Rounds of real work that have labels, and no seat left; a seat that shows gold meanwhile is one."""
        left = tables.Assignment.objects.open().filter(round=OuterRef("pk"), seat__isnull=False)  # gold has none
        labelled = tables.Tally.objects.filter(round=OuterRef("pk"), done__gt=0)
        return self.filter(Exists(labelled), ~Exists(left), number__gte=0)

    def with_funnel(self, *, now: datetime) -> Self:
        """Adds what `with_progress` does, `in_hand`, and `last_day`: the labellings of the last 24 hours. Where gold
        took a task's place, its seat is no number; in screening none is.
        """
        real = tables.Assignment.objects.filter(Q(seat__isnull=False) | Q(round__number__lt=0), round=OuterRef("pk"))
        in_hand = real.in_hand(now=now).order_by().values("round")
        recent = real.filter(submitted_at__gt=now - DAY).order_by().values("round")
        return self.with_progress().annotate(in_hand=_number_of(in_hand), last_day=_number_of(recent))


def _number_of(grouped: models.QuerySet[Any]) -> Coalesce:
    return Coalesce(models.Subquery(grouped.annotate(n=Count("pk")).values("n")), 0)


class TaskQuerySet(models.QuerySet[Any]):
    def new_to(self, annotator: User | UUID) -> Self:
        return self.filter(_new_to(annotator))

    def visible_to(self, user: User) -> Self:
        if user.sees_everything:
            return self
        return self.filter(assignments__annotator=user)

    def without_open_seat(self) -> Self:
        return self.filter(~Exists(tables.Assignment.objects.open().filter(task=OuterRef("pk"))))

    def adjudicated_by(self, user: User) -> Self:
        """Admins settle everything, a phase's experts what is in it."""
        return self if user.is_admin else self.filter(round__phase__in=tables.Phase.objects.judged_by(user))


class AssignmentQuerySet(models.QuerySet[Any]):
    def whole(self) -> Self:
        """With all that its annotator is to see, in one query."""
        return self.select_related("round__phase", "task__solution__problem", "shown__solution__problem")

    def visible_to(self, user: User) -> Self:
        """Only the holder ever sees an assignment: what others do with a task stays theirs."""
        return self.filter(annotator=user)

    def open(self) -> Self:
        return self.filter(submitted_at__isnull=True)

    def first_open_of_task(self) -> Self:
        """The open seat of each task that is served first."""
        before = Q(position__lt=OuterRef("position")) | Q(position=OuterRef("position"), pk__lt=OuterRef("pk"))
        others = self.model.objects.open().filter(before, task=OuterRef("task"))
        return self.open().filter(~Exists(others))

    def in_hand(self, *, now: datetime) -> Self:
        """Leased, and not for longer than agreed. Whoever has one is named, and names of open seats have an index."""
        return self.open().filter(annotator__isnull=False, lease_expires_at__gte=now)

    def claimable(self, *, now: datetime) -> Self:
        """Seats that are free, or whose lease has run out. Nobody can take over gold."""
        free = Q(lease_expires_at__isnull=True) | Q(lease_expires_at__lt=now)
        return self.open().filter(free, task__is_gold=False)


class LabellingQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        if user.sees_everything:
            return self
        return self.filter(annotator=user)

    def adjudicated_by(self, user: User) -> Self:
        """Those on tasks which are the user's to settle."""
        return self if user.is_admin else self.filter(task__in=tables.Task.objects.adjudicated_by(user))

    def current(self) -> Self:
        return self.filter(superseded_at__isnull=True)

    def complete(self) -> Self:
        """Those that judge a solution to the first error, or to the end."""
        return self.filter(finish_reason__in=["found_error", "solution"])

    def in_full(self) -> Self:
        """With their ratings and critiques, in order."""
        completions = Prefetch("completions", tables.RatedCompletion.objects.order_by("step", "completion"))
        return self.prefetch_related(completions, Prefetch("critiques", tables.Critique.objects.order_by("number")))

    def comparable(self) -> Self:
        """What named people say of the same solution's own steps, hidden gold aside: of that the truth is known."""
        shared = {"task__round__phase__kind": "solutions", "task__is_gold": False}
        return self.current().complete().filter(annotator__isnull=False, **shared)

    def with_first_error(self) -> Self:
        """Adds `first_error`: the step of the first negative, -1 where there is none."""
        negatives = tables.RatedCompletion.objects.filter(labelling=OuterRef("pk"), completion=0, rating=-1)
        step = negatives.order_by("step").values("step")[:1]
        first = models.Subquery(step, output_field=models.IntegerField())
        return self.annotate(first_error=Coalesce(first, -1))

    def judged(self) -> Self:
        """What people's quality goes by: real work on gold in service, since they were last judged in the phase."""
        said = self.current().complete().filter(task__round__number__gte=0)
        gold = tables.Gold.objects.in_service().filter(solution=OuterRef("task__solution"))
        member = tables.Membership.objects.filter(phase=OuterRef("task__round__phase"), user=OuterRef("annotator"))
        since = member.filter(judged_since__gte=OuterRef("submitted_at"))
        return said.filter(Exists(gold), ~Exists(since))


class ReportQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        return self if user.is_admin else self.filter(annotator=user)


class InvitationQuerySet(models.QuerySet[Any]):
    def open(self, *, now: datetime) -> Self:
        return self.filter(accepted_at=None, expires_at__gt=now)
