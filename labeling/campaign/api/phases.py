"""Phases: everyone lists those they may see, admins create them. For their settings, see settings.py."""

from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.lookups import IsNull
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.mixins import ListModelMixin
from rest_framework.permissions import BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from labeling import clock
from labeling.api.fields import RowSerializer
from labeling.api.filters import filtered, listed_by
from labeling.api.permissions import IsAdmin, signed_in
from labeling.api.requests import body
from labeling.campaign import phases, screening
from labeling.campaign.api.settings import PhaseSettingsSerializer
from labeling.models import Assignment, Membership, Phase, PhaseStatus, Round, RoundStatus, User

SHOWN = [
    "id",
    "name",
    "kind",
    "status",
    "instructions",
    "guidelines_version",
    "lease_minutes",
    "created_at",
    "later_steps",
    "rates_all_steps",
    "asks_alternatives",
    "asks_critiques",
    "asks_progress",
    "asks_why_unsure",
    "shows_reference_answer",
    "alternatives_per_step",
    "pass_mark",
    "gives_feedback",
]


class OpenRoundSerializer(RowSerializer[Round]):
    class Meta:
        model = Round
        fields = ["id", "number"]


class PhaseSerializer(RowSerializer[Phase]):
    """A phase as its members see it, with their own work in it."""

    open_round = serializers.SerializerMethodField()
    tasks_available = serializers.SerializerMethodField()
    is_member = serializers.BooleanField(read_only=True, default=False, help_text="Whether you label here.")
    is_paused = serializers.SerializerMethodField(help_text="By staff, or for poor work on gold.")
    screening = serializers.SerializerMethodField()
    compares = serializers.SerializerMethodField(help_text="Whether you may see where you differ from the others.")

    class Meta:
        model = Phase
        fields = [*SHOWN]

    @extend_schema_field(serializers.ChoiceField(choices=["", "pending", "passed", "failed"]))
    def get_screening(self, phase: Phase) -> str:
        own = self._membership(phase)
        opened = [item.number for item in phase.rounds.all() if item.status == RoundStatus.OPEN]
        return screening.state(phase=phase, membership=own, has_round=screening.SCREENING in opened) if own else ""

    def get_compares(self, phase: Phase) -> bool:
        closed = any(item.status == RoundStatus.CLOSED and item.number >= 0 for item in phase.rounds.all())
        return closed and (phase.shows_consensus or phase.shows_gold)

    def get_is_paused(self, phase: Phase) -> bool:
        own = self._membership(phase)
        return own is not None and own.is_paused

    def _membership(self, phase: Phase) -> Membership | None:
        user = signed_in(self.context["request"])
        return next((item for item in phase.memberships.all() if item.user_id == user.pk), None)

    def get_tasks_available(self, phase: Phase) -> bool:
        """Returns whether a claim would return a task."""
        state = self.get_screening(phase)
        if state == "pending":
            return phase.status == PhaseStatus.RUNNING
        return state != "failed" and not self.get_is_paused(phase) and getattr(phase, "has_seats", False)

    @extend_schema_field(OpenRoundSerializer(allow_null=True))
    def get_open_round(self, phase: Phase) -> Any:
        found = [item for item in phase.rounds.all() if item.status == RoundStatus.OPEN and item.number >= 0]
        return OpenRoundSerializer(found[0]).data if found else None


def with_own_part(rows: QuerySet[Phase], *, user: User, now: datetime) -> QuerySet[Phase]:
    """Adds whether the user labels in each phase, or runs it; has or could have a task; when they last labelled."""
    held, free = _seats(user, now)
    own = user.tallies.filter(round__phase=OuterRef("pk"), last_at__isnull=False).order_by("-last_at")
    return rows.annotate(
        labelled_at=Subquery(own.values("last_at")[:1]),
        has_seats=Q(Exists(held)) | Q(IsNull(Subquery(free), False)),
        is_member=Exists(Membership.objects.labelling().filter(user=user, phase=OuterRef("pk"))),
        is_run=Exists(Phase.objects.run_by(user).filter(pk=OuterRef("pk"))),
    )


def _seats(user: User, now: datetime) -> tuple[QuerySet[Assignment], QuerySet[Any, Any]]:
    """Returns the open seats in a phase's open round: the user's own, and the first free one.

    Free seats are read in the order of an index: in any other, the database reads all seats if none is free.
    """
    running = Round.objects.filter(status=RoundStatus.OPEN, number__gte=0, phase__status=PhaseStatus.RUNNING)
    current = running.filter(phase=OuterRef(OuterRef("pk"))).values("pk")[:1]
    seats = Assignment.objects.open().filter(round=Subquery(current))
    own_part = Assignment.objects.filter(task=OuterRef("task"), annotator=user)
    free = seats.claimable(now=now).filter(~Exists(own_part))
    return seats.filter(annotator=user), free.order_by("position").values("pk")[:1]


@listed_by(status=OpenApiTypes.STR, kind=OpenApiTypes.STR)
class Phases(ListModelMixin, GenericViewSet[Phase]):
    """The phases that you may see, with your work in each: those that you run first, then where you labelled last, then
    the newest.
    """

    serializer_class = PhaseSerializer

    def get_permissions(self) -> list[BasePermission]:
        return [IsAdmin()] if self.action == "create" else [IsAuthenticated()]

    def get_queryset(self) -> QuerySet[Phase]:
        user = signed_in(self.request)
        own = Prefetch("memberships", Membership.objects.labelling().filter(user=user))
        rows = with_own_part(Phase.objects.visible_to(user), user=user, now=clock.now())
        found = filtered(rows, self.request, status="status", kind="kind")
        return found.prefetch_related("rounds", own).order_by(
            F("is_run").desc(), F("labelled_at").desc(nulls_last=True), "-created_at"
        )

    @extend_schema(request=PhaseSettingsSerializer, responses={201: PhaseSettingsSerializer})
    def create(self, request: Request) -> Response:
        """Creates a phase, which runs at once unless `status` says otherwise."""
        made = phases.create(by=signed_in(request), **body(PhaseSettingsSerializer, request))
        return Response(PhaseSettingsSerializer(made).data, status=201)
