"""Labels out: what an export would hold, and the export itself."""

from typing import Any

from django.db.models import Count
from django.http import StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling import audit, exporting
from labeling.api.permissions import IsStaff, signed_in
from labeling.exporting import LabelFilter
from labeling.models import RatedCompletion, Split, User
from labeling.querysets import LEFT_OUT_REASONS


class ExportSerializer(serializers.Serializer[Any]):
    """Which labels, and how; each list may be empty, for all."""

    file_format = serializers.ChoiceField(choices=sorted(exporting.FORMATS), default="prm800k")
    phase = serializers.ListField(child=serializers.UUIDField(), default=list)
    round = serializers.ListField(child=serializers.UUIDField(), default=list)
    split = serializers.ChoiceField(choices=Split.choices, default="", allow_blank=True)
    without = serializers.ListField(child=serializers.ChoiceField(choices=LEFT_OUT_REASONS), default=list)
    without_annotator = serializers.ListField(child=serializers.CharField(), default=list, help_text="User names.")

    def validate_without_annotator(self, usernames: list[str]) -> list[str]:
        """A name with a slip in it would leave nobody out."""
        known = User.objects.filter(username__in=usernames).values_list("username", flat=True)
        if unknown := sorted({*usernames} - {*known}):
            raise serializers.ValidationError(f"There is nobody called “{unknown[0]}”.")
        return usernames

    def wanted(self) -> LabelFilter:
        self.is_valid(raise_exception=True)
        given = self.validated_data
        lists = {name: tuple(given[name]) for name in ("phase", "round", "without", "without_annotator")}
        return LabelFilter(lists["phase"], given["split"], lists["without"], lists["without_annotator"], lists["round"])


class ExportCountsSerializer(serializers.Serializer[Any]):
    labellings = serializers.IntegerField()
    positive = serializers.IntegerField()
    neutral = serializers.IntegerField()
    negative = serializers.IntegerField()
    unrated = serializers.IntegerField(help_text="Unsure, or without a rating.")
    left_out = serializers.DictField(child=serializers.IntegerField(), help_text="Labellings, by reason.")


EXAMPLE = OpenApiExample(
    "Training data of one phase",
    {"labellings": 400, "positive": 1204, "neutral": 180, "negative": 187, "unrated": 9, "left_out": {"gold": 31}},
    response_only=True,
)


class ExportCountsView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(parameters=[ExportSerializer], responses=ExportCountsSerializer, examples=[EXAMPLE])
    def get(self, request: Request) -> Response:
        """What this export would hold."""
        asked = ExportSerializer(data=request.query_params)
        label_filter = asked.wanted()
        exporting.check(asked.validated_data["file_format"])
        chosen = label_filter.chosen()
        mix = RatedCompletion.objects.filter(labelling__in=chosen).values_list("rating").annotate(Count("pk"))
        ratings = dict(mix.order_by())
        names = {"positive": 1, "neutral": 0, "negative": -1, "unrated": None}
        counts = {name: ratings.get(rating, 0) for name, rating in names.items()}
        found = {"labellings": chosen.count(), "left_out": label_filter.left_out(), **counts}
        return Response(ExportCountsSerializer(found).data)


class ExportView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(parameters=[ExportSerializer], responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: Request) -> StreamingHttpResponse:
        """The labels in the format that is asked for, with a manifest beside them, as a ZIP archive."""
        asked = ExportSerializer(data=request.query_params)
        label_filter, file_format, now = asked.wanted(), asked.validated_data["file_format"], timezone.now()
        pieces = exporting.stream_labels(label_filter, file_format=file_format, now=now)
        by = signed_in(request)
        audit.record(by=by, act="export", on=by, after={"file_format": file_format, **label_filter.as_json()})
        answer = StreamingHttpResponse(pieces, content_type="application/zip")
        answer["Content-Disposition"] = f'attachment; filename="{file_format}-{now:%Y-%m-%d-%H%M}.zip"'
        return answer
