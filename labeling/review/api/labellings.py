"""Submitted labellings, for staff."""

from collections import Counter
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field, extend_schema_view
from rest_framework import serializers
from rest_framework.viewsets import ReadOnlyModelViewSet

from labeling.api.fields import RowSerializer, markup_field
from labeling.api.filters import filtered, ordered_by, ordering
from labeling.api.pagination import PagesInParts
from labeling.api.permissions import IsStaff, signed_in
from labeling.models import Critique, Labelling, RatedCompletion

LOOKUPS = {
    "phase": "task__round__phase",
    "round": "task__round",
    "annotator": "annotator__username",
    "finish_reason": "finish_reason",
}


class RatingCountsSerializer(serializers.Serializer[dict[str, int]]):
    positive = serializers.IntegerField()
    neutral = serializers.IntegerField()
    negative = serializers.IntegerField()
    unsure = serializers.IntegerField()


class LabellingSerializer(RowSerializer[Labelling]):
    annotator = serializers.CharField(source="annotator.username", allow_null=True, read_only=True, default=None)
    phase_name = serializers.CharField(source="task.round.phase.name", read_only=True)
    round_number = serializers.IntegerField(source="task.round.number", read_only=True)
    problem_statement = serializers.CharField(source="task.solution.problem.statement", read_only=True)
    statement_markup = markup_field("task.solution.problem.markup")
    rating_counts = serializers.SerializerMethodField()

    class Meta:
        model = Labelling
        fields = ["id", "task", "finish_reason", "finish_note", "active_ms", "submitted_at"]

    @extend_schema_field(RatingCountsSerializer)
    def get_rating_counts(self, labelling: Labelling) -> dict[str, int]:
        ratings = Counter(completion.rating for completion in labelling.completions.all())
        return {"positive": ratings[1], "neutral": ratings[0], "negative": ratings[-1], "unsure": ratings[None]}


class RatedCompletionSerializer(RowSerializer[RatedCompletion]):
    class Meta:
        model = RatedCompletion
        fields = [
            "step",
            "completion",
            "text",
            "rating",
            "is_flagged",
            "is_chosen",
            "is_human",
            "note",
            "active_ms",
        ]


class StoredCritiqueSerializer(RowSerializer[Critique]):
    class Meta:
        model = Critique
        fields = ["text", "rating", "is_human"]


class LabellingDetailSerializer(LabellingSerializer):
    completions = RatedCompletionSerializer(many=True, read_only=True)
    critiques = StoredCritiqueSerializer(many=True, read_only=True)
    checks = serializers.ListField(
        child=serializers.CharField(), read_only=True, help_text="Soft checks that the annotator was shown."
    )
    supersedes = serializers.SerializerMethodField()
    steps = serializers.ListField(source="task.solution.steps", child=serializers.CharField(), read_only=True)
    markup = markup_field("task.solution.markup")
    reference_answer = serializers.CharField(source="task.solution.problem.reference_answer", read_only=True)
    round = serializers.UUIDField(source="task.round_id", read_only=True)
    solution = serializers.UUIDField(source="task.solution_id", read_only=True)

    class Meta(LabellingSerializer.Meta):
        fields = [
            *LabellingSerializer.Meta.fields,
            "solution_progress",
            "guidelines_version",
            "history",
            "superseded_at",
        ]

    @extend_schema_field(serializers.ListField(child=serializers.UUIDField()))
    def get_supersedes(self, labelling: Labelling) -> list[UUID]:
        """Earlier labellings of the task by the same annotator, oldest first."""
        if labelling.assignment_id is None or labelling.submitted_at is None:
            return []
        earlier = Labelling.objects.filter(
            assignment=labelling.assignment_id, superseded_at__lte=labelling.submitted_at
        )
        return list(earlier.order_by("superseded_at").values_list("pk", flat=True))


@extend_schema_view(
    list=extend_schema(
        description="Current labellings, newest first; `annotator` is a user name.",
        parameters=[*(OpenApiParameter(name, OpenApiTypes.STR) for name in LOOKUPS), ordered_by("submitted_at")],
    )
)
class Labellings(ReadOnlyModelViewSet[Labelling]):
    """One labelling, also one that a revision superseded."""

    permission_classes = [IsStaff]
    pagination_class = PagesInParts
    serializer_class = LabellingDetailSerializer

    def get_serializer_class(self) -> Any:
        return LabellingSerializer if self.action == "list" else LabellingDetailSerializer

    def get_queryset(self) -> QuerySet[Any]:
        rows = Labelling.objects.visible_to(signed_in(self.request))
        rows = rows.select_related("annotator", "task__round__phase", "task__solution__problem")
        if self.action == "retrieve":
            return rows.in_full()
        return filtered(rows.current().prefetch_related("completions"), self.request, **LOOKUPS)

    def paginate_queryset(self, queryset: Any) -> Any:
        """Those of which an import does not say when they were submitted come last."""
        dated, undated = queryset.exclude(submitted_at=None), queryset.filter(submitted_at=None)
        by = ordering(self.request, "submitted_at", default="-submitted_at")
        return super().paginate_queryset([dated.order_by(by, "pk"), undated.order_by("pk")])
