"""Which labels a training takes, and what they hold before it starts."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling import snapshots
from labeling.api.permissions import IsStaff
from labeling.models import ConsensusMethod


class LabelChoiceSerializer(serializers.Serializer[Any]):
    """Which labels; what is empty chooses nothing out. `consensus` empty: what each person said."""

    round_ids = serializers.ListField(child=serializers.UUIDField(), required=False, max_length=1000)
    annotators = serializers.ListField(child=serializers.CharField(max_length=150), required=False, max_length=1000)
    without_annotators = serializers.ListField(
        child=serializers.CharField(max_length=150), required=False, max_length=1000
    )
    consensus = serializers.ChoiceField(choices=ConsensusMethod.choices, required=False, allow_blank=True)


class AskedLabelsSerializer(LabelChoiceSerializer):
    phase_ids = serializers.ListField(child=serializers.UUIDField(), required=False, max_length=1000)


class AnnotatorLabelsSerializer(serializers.Serializer[Any]):
    username = serializers.CharField()
    labellings = serializers.IntegerField()


class LabelPreviewSerializer(serializers.Serializer[Any]):
    """`split` counts labellings, `left_out` labellings by reason; `annotators` are those to choose from."""

    labellings = serializers.IntegerField()
    labels = serializers.IntegerField()
    positive = serializers.IntegerField()
    neutral = serializers.IntegerField()
    negative = serializers.IntegerField()
    unsure = serializers.IntegerField()
    split = serializers.DictField(child=serializers.IntegerField())
    left_out = serializers.DictField(child=serializers.IntegerField())
    labels_hash = serializers.CharField()
    annotators = AnnotatorLabelsSerializer(many=True)


class LabelPreviewView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(parameters=[AskedLabelsSerializer], responses=LabelPreviewSerializer)
    def get(self, request: Request) -> Response:
        """What a snapshot of these labels would hold, read from the labels themselves."""
        asked = AskedLabelsSerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        return Response(LabelPreviewSerializer(snapshots.preview(**asked.validated_data)).data)
