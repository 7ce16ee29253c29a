"""Phases: everyone lists those they may see, admins make them and let people in."""

from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, OuterRef, Prefetch, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import generics, serializers
from rest_framework.permissions import BasePermission, IsAuthenticated
from rest_framework.request import Request

from labeling import phases, screening
from labeling.api.filters import filtered
from labeling.api.permissions import IsAdmin, signed_in
from labeling.models import Assignment, Labelling, Membership, Phase, PhaseStatus, Round, RoundStatus, User

SETTINGS = [
    *["later_steps", "asks_alternatives", "asks_critiques", "asks_progress", "shows_reference_answer"],
    *["alternatives_per_step", "generator_url", "generator_model", "pass_mark", "gives_feedback"],
]


class OpenRoundSerializer(serializers.ModelSerializer[Round]):
    class Meta:
        model = Round
        fields = ["id", "number"]


class PhaseSerializer(serializers.ModelSerializer[Phase]):
    open_round = serializers.SerializerMethodField()
    my_labellings = serializers.IntegerField(read_only=True, default=0)
    my_labellings_today = serializers.IntegerField(read_only=True, default=0)
    tasks_available = serializers.SerializerMethodField()
    generator_url = serializers.RegexField(  # not Django's rule for URLs, which knows no bare host names
        r"^https?://[^\s/?#]+(/[^\s?#]*)?$",
        max_length=200,
        allow_blank=True,
        required=False,
        help_text="Such as http://host:8000/v1.",
    )
    is_member = serializers.BooleanField(read_only=True, default=False)
    screening = serializers.SerializerMethodField()

    class Meta:
        model = Phase
        fields = [
            *["id", "name", "kind", "status", "instructions", "guidelines_version", "lease_minutes", "created_at"],
            *SETTINGS,
            *["open_round", "my_labellings", "my_labellings_today", "tasks_available", "is_member", "screening"],
        ]
        read_only_fields = ["guidelines_version"]
        extra_kwargs = {
            "lease_minutes": {"min_value": 1},
            "alternatives_per_step": {"min_value": 1, "max_value": 20},
            "pass_mark": {"min_value": 0, "max_value": 1},
        }

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        url, model = (
            attrs.get(name, getattr(self.instance, name, "")) for name in ("generator_url", "generator_model")
        )
        if url and not model:
            raise serializers.ValidationError({"generator_model": "Name the model that the endpoint serves."})
        return attrs

    def create(self, validated_data: dict[str, Any]) -> Phase:
        return phases.create(by=signed_in(self.context["request"]), **validated_data)

    def update(self, instance: Phase, validated_data: dict[str, Any]) -> Phase:
        by = signed_in(self.context["request"])
        return phases.change(phase=instance, settings=validated_data, now=timezone.now(), by=by)

    def to_representation(self, instance: Phase) -> dict[str, Any]:
        """Where the generator is, is staff's business."""
        shown: dict[str, Any] = super().to_representation(instance)
        if not signed_in(self.context["request"]).sees_everything:
            shown |= {"generator_url": "", "generator_model": ""}
        return shown

    @extend_schema_field(serializers.ChoiceField(choices=["", "pending", "passed", "failed"]))
    def get_screening(self, phase: Phase) -> str:
        user = signed_in(self.context["request"])
        own = next((item for item in phase.memberships.all() if item.user_id == user.pk), None)
        opened = [item.number for item in phase.rounds.all() if item.status == RoundStatus.OPEN]
        return screening.state(phase=phase, membership=own, has_round=screening.SCREENING in opened) if own else ""

    def get_tasks_available(self, phase: Phase) -> bool:
        """Whether a claim would give a task."""
        state = self.get_screening(phase)
        if state == "pending":
            return phase.status == PhaseStatus.RUNNING
        return state != "failed" and getattr(phase, "has_seats", False)

    @extend_schema_field(OpenRoundSerializer(allow_null=True))
    def get_open_round(self, phase: Phase) -> Any:
        found = [item for item in phase.rounds.all() if item.status == RoundStatus.OPEN and item.number >= 0]
        return OpenRoundSerializer(found[0]).data if found else None


def with_own_counts(rows: QuerySet[Phase], *, user: User, now: datetime) -> QuerySet[Phase]:
    """Adds what the user did and could do in each phase; midnight is the server's time zone's."""
    midnight = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    mine = Labelling.objects.current().filter(annotator=user, task__round__phase=OuterRef("pk"))
    running = Round.objects.filter(status=RoundStatus.OPEN, number__gte=0, phase__status=PhaseStatus.RUNNING)
    seats = Assignment.objects.open().filter(round__in=running, round__phase=OuterRef("pk"))
    own_part = Assignment.objects.filter(task=OuterRef("task"), annotator=user)
    free = seats.claimable(now=now).filter(~Exists(own_part))
    return rows.annotate(
        my_labellings=_count(mine),
        my_labellings_today=_count(mine.filter(submitted_at__gte=midnight)),
        has_seats=Exists(seats.filter(annotator=user)) | Exists(free),
        is_member=Exists(user.memberships.filter(phase=OuterRef("pk"))),
    )


def _count(labellings: QuerySet[Labelling]) -> Coalesce:
    """The number of labellings as a subquery, which reads this user's rows only."""
    counted = labellings.order_by().values("task__round__phase").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted), 0)


@extend_schema(parameters=[OpenApiParameter("status", OpenApiTypes.STR), OpenApiParameter("kind", OpenApiTypes.STR)])
class PhasesView(generics.ListCreateAPIView[Phase]):
    serializer_class = PhaseSerializer

    def get_permissions(self) -> list[BasePermission]:
        return [IsAdmin()] if self.request.method == "POST" else [IsAuthenticated()]

    def get_queryset(self) -> QuerySet[Phase]:
        return filtered(_phases(self.request), self.request, status="status", kind="kind").order_by("-created_at")


class PhaseView(generics.RetrieveUpdateAPIView[Phase]):
    serializer_class = PhaseSerializer
    http_method_names = ["get", "patch", "head", "options"]

    def get_permissions(self) -> list[BasePermission]:
        return [IsAdmin()] if self.request.method == "PATCH" else [IsAuthenticated()]

    def get_queryset(self) -> QuerySet[Phase]:
        return _phases(self.request)

    def perform_update(self, serializer: serializers.BaseSerializer[Phase]) -> None:
        """The answer has the viewer's own counts, as every other has."""
        serializer.instance = self.get_queryset().get(pk=serializer.save().pk)


def _phases(request: Request) -> QuerySet[Phase]:
    user = signed_in(request)
    own = Prefetch("memberships", Membership.objects.filter(user=user))
    rows = Phase.objects.visible_to(user).prefetch_related("rounds", own)
    return with_own_counts(rows, user=user, now=timezone.now())
