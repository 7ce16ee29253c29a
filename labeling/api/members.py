"""Who labels in a phase, how well and how fast."""

from typing import Any
from uuid import UUID

from django.db.models import Avg, Count, Max, Q, QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling import people, quality, screening
from labeling.api.fields import UsernamesField, interval_field
from labeling.api.permissions import AdminWrites, IsAdmin, signed_in
from labeling.api.reading import body, visible
from labeling.models import Membership, Phase, PhaseRole, RoundStatus, User


class MembersSerializer(serializers.Serializer[dict[str, list[str]]]):
    usernames = UsernamesField()


class QualitySerializer(serializers.Serializer[quality.Quality]):
    """On gold hidden among real tasks. `outcomes` counts exact, early, late, missed and false_alarm."""

    tasks = serializers.IntegerField()
    outcomes = serializers.DictField(child=serializers.IntegerField())
    accuracy = serializers.FloatField(allow_null=True, help_text="Share with the first error where gold has it.")
    low = serializers.FloatField(help_text="Of the 95 % interval.")
    high = serializers.FloatField()
    step_agreement = serializers.FloatField(allow_null=True)
    step_agreement_interval = interval_field(allow_null=True)
    is_drifting = serializers.BooleanField(help_text="The last ten are clearly worse than what came before.")


class MemberSerializer(serializers.ModelSerializer[Membership]):
    id = serializers.UUIDField(source="user_id", read_only=True)
    username = serializers.CharField(source="user.username", read_only=True)
    is_active = serializers.BooleanField(source="user.is_active", read_only=True)
    is_paused = serializers.BooleanField(required=False)
    role = serializers.ChoiceField(choices=PhaseRole.choices, required=False)
    screening = serializers.SerializerMethodField()
    labellings = serializers.IntegerField(read_only=True)
    mean_ms = serializers.FloatField(read_only=True, allow_null=True, help_text="Active time of a labelling.")
    last_at = serializers.DateTimeField(read_only=True, allow_null=True)
    quality = serializers.SerializerMethodField()

    class Meta:
        model = Membership
        fields = [
            *["id", "username", "is_active", "role", "is_let_in", "is_paused", "paused_at"],
            *["screening", "screening_agreement", "attempts", "labellings", "mean_ms", "last_at", "quality"],
        ]
        read_only_fields = ["paused_at", "screening_agreement", "attempts"]

    @extend_schema_field(serializers.ChoiceField(choices=["", "pending", "passed", "failed"]))
    def get_screening(self, member: Membership) -> str:
        phase = member.phase
        return screening.state(phase=phase, membership=member, has_round=self.context["has_screening"])

    @extend_schema_field(QualitySerializer)
    def get_quality(self, member: Membership) -> Any:
        return QualitySerializer(self.context["quality"].get(member.user_id) or quality.summed_up([])).data


def _members(phase: Phase) -> QuerySet[Any]:
    own = Q(user__labellings__task__round__phase=phase, user__labellings__superseded_at=None)
    rows = phase.memberships.select_related("user", "phase").annotate(
        labellings=Count("user__labellings", filter=own),
        mean_ms=Avg("user__labellings__active_ms", filter=own),
        last_at=Max("user__labellings__submitted_at", filter=own),
    )
    return rows.order_by("user__username")


def _context(phase: Phase, person: User | None = None) -> dict[str, Any]:
    opened = phase.rounds.filter(number=screening.SCREENING, status=RoundStatus.OPEN)
    return {"quality": quality.of_people(phase, annotator=person), "has_screening": opened.exists()}


class MembersView(generics.ListAPIView[Membership]):
    """The people of the phase: their screening, and how much and how well they label."""

    permission_classes = [AdminWrites]
    serializer_class = MemberSerializer

    def get_queryset(self) -> QuerySet[Any]:
        return _members(visible(Phase.objects, self.request, self.kwargs["phase_id"]))

    def get_serializer_context(self) -> dict[str, Any]:
        phase = visible(Phase.objects, self.request, self.kwargs["phase_id"])
        return {**super().get_serializer_context(), **_context(phase)}

    @extend_schema(request=MembersSerializer, responses={204: None})
    def post(self, request: Request, phase_id: UUID) -> Response:
        """Adds people to the phase, as annotators."""
        phase = visible(Phase.objects, request, phase_id)
        named = body(MembersSerializer, request)["usernames"]
        people.add_members(phase=phase, users=named, by=signed_in(request))
        return Response(status=204)


class MemberView(APIView):
    permission_classes = [IsAdmin]

    @extend_schema(
        request=MemberSerializer(partial=True),
        responses=MemberSerializer,
        examples=[OpenApiExample("Go on after a pause", {"is_paused": False}, request_only=True)],
    )
    def patch(self, request: Request, phase_id: UUID, user_id: UUID) -> Response:
        """Changes a member's role, pauses or resumes them, or lets them past the screening."""
        phase = visible(Phase.objects, request, phase_id)
        member = generics.get_object_or_404(_members(phase), user=user_id)
        given = MemberSerializer(member, data=request.data, partial=True)
        given.is_valid(raise_exception=True)
        changes = dict(given.validated_data)
        people.change_member(membership=member, changes=changes, now=timezone.now(), by=signed_in(request))
        return Response(MemberSerializer(member, context=_context(phase, member.user)).data)
