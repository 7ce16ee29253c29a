"""A phase's progress."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling import clock
from labeling.api.fields import RolledSerializer
from labeling.api.permissions import IsStaff
from labeling.api.requests import visible
from labeling.campaign import dashboard
from labeling.counts import rollups
from labeling.models import Phase


class LabelledDaySerializer(serializers.Serializer[Any]):
    day = serializers.DateField()
    labellings = serializers.IntegerField()
    annotators = serializers.IntegerField()


class MixSerializer(serializers.Serializer[Any]):
    round = serializers.IntegerField()
    positive = serializers.IntegerField()
    neutral = serializers.IntegerField()
    negative = serializers.IntegerField()
    unrated = serializers.IntegerField()


class StepTimeSerializer(serializers.Serializer[Any]):
    below = serializers.IntegerField(allow_null=True, help_text="Seconds; each class begins where the last one ends.")
    steps = serializers.IntegerField()


class FirstErrorStepSerializer(serializers.Serializer[Any]):
    step = serializers.IntegerField()
    labellings = serializers.IntegerField()


class KindCountSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    steps = serializers.IntegerField()


class FunnelSerializer(serializers.Serializer[Any]):
    """Tasks of a round."""

    round = serializers.IntegerField()
    tasks = serializers.IntegerField()
    begun = serializers.IntegerField(help_text="Started by somebody.")
    labelled = serializers.IntegerField(help_text="At least once.")
    complete = serializers.IntegerField(help_text="By as many people as needed.")
    agreed = serializers.IntegerField(help_text="Complete, with the first error at the same step.")
    trained_on = serializers.IntegerField(help_text="With a labelling in a snapshot.")


class DashboardSerializer(RolledSerializer):
    days = LabelledDaySerializer(many=True)
    mix = MixSerializer(many=True)
    step_times = StepTimeSerializer(many=True)
    first_errors = FirstErrorStepSerializer(
        many=True, help_text="In a phase that rates all steps, every Bad one counts."
    )
    kinds = KindCountSerializer(many=True, help_text="Of errors, the most frequent first.")
    funnel = FunnelSerializer(many=True)


EMPTY: dict[str, Any] = {name: [] for name in ("days", "mix", "step_times", "first_errors", "kinds", "funnel")}


class DashboardView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(responses=DashboardSerializer)
    def get(self, request: Request, phase_id: UUID) -> Response:
        """The phase in numbers: labellings a day, ratings by round, time per step, first errors, and the funnel."""
        phase = visible(Phase.objects, request, phase_id)
        found = rollups.read_counts(dashboard.ROLLED, phase.pk, now=clock.now())
        return Response(DashboardSerializer(EMPTY | (found.value or {}) | found.freshness).data)
