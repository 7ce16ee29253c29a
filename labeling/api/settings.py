"""All settings of a phase, for staff; a change can be tried out before it is made."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import generics, serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling import phases
from labeling.api.permissions import AdminWrites, IsAdmin, IsStaff, signed_in
from labeling.api.phases import SETTINGS, PhaseSerializer
from labeling.models import Guidelines, Phase


class PhaseSettingsSerializer(PhaseSerializer):
    """What staff set; annotators see the part of it that `Phase` has."""

    class Meta(PhaseSerializer.Meta):
        fields = [
            *["id", "name", "kind", "status", "instructions", "guidelines_version", "created_at"],
            *SETTINGS,
            *["overlap", "overlap_cap", "lease_minutes", "time_limit_minutes", "screening_attempts"],
            *["gold_set", "gold_rate", "pause_below"],
        ]
        extra_kwargs = {
            **PhaseSerializer.Meta.extra_kwargs,
            **{
                name: {"min_value": 1}
                for name in ("overlap", "overlap_cap", "time_limit_minutes", "screening_attempts")
            },
            **{name: {"min_value": 0, "max_value": 1} for name in ("gold_rate", "pause_below")},
        }


class EffectSerializer(serializers.Serializer[phases.Effect]):
    """`tasks_in_hand` are asked for by the new setting; `people` of the phase are touched (`pass_mark`: whose
    screening would end the other way)."""

    setting = serializers.CharField()
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)
    applies = serializers.ChoiceField(choices=["at_once", "next_claim", "next_round"])
    tasks_in_hand = serializers.IntegerField()
    people = serializers.IntegerField()


class ChangedSettingsSerializer(serializers.Serializer[Any]):
    effects = EffectSerializer(many=True)
    settings = PhaseSettingsSerializer()


def _found(request: Request, phase_id: UUID) -> Phase:
    found: Phase = generics.get_object_or_404(Phase.objects.visible_to(signed_in(request)), pk=phase_id)
    return found


class SettingsView(APIView):
    permission_classes = [AdminWrites]

    @extend_schema(responses=PhaseSettingsSerializer)
    def get(self, request: Request, phase_id: UUID) -> Response:
        return Response(PhaseSettingsSerializer(_found(request, phase_id), context={"request": request}).data)

    @extend_schema(
        request=PhaseSettingsSerializer(partial=True),
        responses=ChangedSettingsSerializer,
        parameters=[OpenApiParameter("dry_run", bool, description="Say what it would affect, and change nothing.")],
        examples=[
            OpenApiExample("Pause", {"status": "paused"}, request_only=True),
            OpenApiExample("Ask for more", {"overlap": 3, "time_limit_minutes": 60}, request_only=True),
        ],
    )
    def patch(self, request: Request, phase_id: UUID) -> Response:
        """Changes settings, and says what that affects. Starting, pausing, closing and archiving are a `status`."""
        phase, context = _found(request, phase_id), {"request": request}
        body = PhaseSettingsSerializer(phase, data=request.data, partial=True, context=context)
        body.is_valid(raise_exception=True)
        effects = phases.effects(phase=phase, settings=body.validated_data, now=timezone.now())
        shown = phase if request.query_params.get("dry_run") == "true" else body.save()
        return Response(ChangedSettingsSerializer({"effects": effects, "settings": shown}, context=context).data)


class GuidelinesSerializer(serializers.ModelSerializer[Guidelines]):
    class Meta:
        model = Guidelines
        fields = ["version", "text", "created_at"]


class GuidelinesView(generics.ListAPIView[Guidelines]):
    """Every version of the phase's guidelines, the newest first."""

    permission_classes = [IsStaff]
    serializer_class = GuidelinesSerializer

    def get_queryset(self) -> QuerySet[Guidelines]:
        return _found(self.request, self.kwargs["phase_id"]).guidelines.order_by("-version")


class CloneSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=100)
    with_members = serializers.BooleanField(default=False)

    def validate_name(self, value: str) -> str:
        if Phase.objects.filter(name=value).exists():
            raise ValidationError("There is a phase of this name already.")
        return value


class CloneView(APIView):
    permission_classes = [IsAdmin]

    @extend_schema(request=CloneSerializer, responses={201: PhaseSettingsSerializer})
    def post(self, request: Request, phase_id: UUID) -> Response:
        """Makes a draft with the same settings."""
        phase = _found(request, phase_id)
        body = CloneSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        made = phases.clone(phase=phase, by=signed_in(request), **body.validated_data)
        return Response(PhaseSettingsSerializer(made, context={"request": request}).data, status=201)
