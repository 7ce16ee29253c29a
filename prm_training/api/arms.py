"""Compares, for a phase, what the policies picked with the random arm of the same rounds."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling import clock
from labeling.api.fields import RolledSerializer, interval_field
from labeling.api.permissions import IsStaff
from labeling.api.requests import visible
from labeling.counts import rollups
from labeling.models import Phase
from prm_training.models import Policy
from prm_training.selection import arms


class MeasuredSerializer(serializers.Serializer[Any]):
    """A figure with its 95 % interval; none if all problems say the same, or there are too few."""

    value = serializers.FloatField()
    interval = interval_field(allow_null=True)


class LabelledNumbersSerializer(serializers.Serializer[Any]):
    """The numbers of labellings, steps and problems behind the figures."""

    labellings = serializers.IntegerField()
    steps = serializers.IntegerField()
    problems = serializers.IntegerField()


class ArmSerializer(LabelledNumbersSerializer):
    """An arm's labels and errors per hour of active time."""

    labels_per_hour = MeasuredSerializer(allow_null=True)
    errors_per_hour = MeasuredSerializer(allow_null=True)


class MoreSerializer(serializers.Serializer[Any]):
    """The policy's gain per hour over the random arm of the same rounds."""

    labels_per_hour = MeasuredSerializer(allow_null=True)
    errors_per_hour = MeasuredSerializer(allow_null=True)


class PolicyArmsSerializer(serializers.Serializer[Any]):
    """`is_enough`: both arms have labellings enough to compare them."""

    policy = serializers.ChoiceField(choices=Policy.choices)
    rounds = serializers.IntegerField()
    picked = ArmSerializer()
    random = ArmSerializer()
    more = MoreSerializer()
    is_enough = serializers.BooleanField()


class GeneratorErrorsSerializer(LabelledNumbersSerializer):
    """The share of a generator's solutions (null: of all) in which people found an error, drawn uniformly."""

    generator = serializers.CharField(allow_null=True)
    with_error = MeasuredSerializer(allow_null=True)


class AnnotatorOnRandomSerializer(LabelledNumbersSerializer):
    """An annotator's pace, and the share of solutions in which they found an error, drawn uniformly."""

    annotator = serializers.CharField()
    labels_per_hour = MeasuredSerializer(allow_null=True)
    with_error = MeasuredSerializer(allow_null=True)


class ModelOnRandomSerializer(serializers.Serializer[Any]):
    """A model's step AUC in rounds that it selected, on their random arm; and that of a step's place alone."""

    model = serializers.CharField()
    steps = serializers.IntegerField()
    negative = serializers.IntegerField()
    problems = serializers.IntegerField()
    auc = MeasuredSerializer(allow_null=True)
    place_alone = MeasuredSerializer(allow_null=True)


class ArmsSerializer(RolledSerializer):
    policies = PolicyArmsSerializer(many=True)
    generators = GeneratorErrorsSerializer(many=True)
    annotators = AnnotatorOnRandomSerializer(many=True)
    models = ModelOnRandomSerializer(many=True)


NOTHING: dict[str, Any] = {"policies": [], "generators": [], "annotators": [], "models": []}


class ArmsView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(responses=ArmsSerializer)
    def get(self, request: Request, phase_id: UUID) -> Response:
        """Results by arm of the phase's rounds: labels and errors per hour of each policy, and the random arm's
        estimates for the pool, its generators, the annotators and the models."""
        phase = visible(Phase.objects, request, phase_id)
        counted = rollups.read_counts(arms.ROLLED, phase.pk, now=clock.now())
        return Response(ArmsSerializer((counted.value or NOTHING) | counted.freshness).data)
