"""The pool: its counts, and its solutions."""

from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling import clock
from labeling.api.fields import RolledSerializer, RowSerializer, markup_field
from labeling.api.filters import filtered
from labeling.api.pagination import LongPages
from labeling.api.permissions import IsExpert, IsStaff, IsStaffOrExpert, signed_in
from labeling.api.traces import (
    ConversationField,
    PartRequestSerializer,
    PartTextSerializer,
    TurnsField,
    part_response,
)
from labeling.counts import pool_counts, rollups
from labeling.models import Gold, Phase, Sample, Solution, Task


class CountsSerializer(serializers.Serializer[dict[str, object]]):
    solutions = serializers.IntegerField()
    right = serializers.IntegerField()
    wrong = serializers.IntegerField()
    unsure = serializers.IntegerField()


class GeneratorSerializer(serializers.Serializer[dict[str, object]]):
    """A generator with its draws: equal texts count as often as it wrote them."""

    generator = serializers.CharField()
    draws = serializers.IntegerField()
    right = serializers.IntegerField()
    wrong = serializers.IntegerField()
    unsure = serializers.IntegerField()


class SourceSerializer(CountsSerializer):
    draws = serializers.IntegerField()
    source = serializers.CharField()  # type: ignore[assignment]  # Field has an attribute of this name


class PoolSerializer(RolledSerializer, CountsSerializer):
    problems = serializers.IntegerField()
    labelled = serializers.IntegerField()
    sources = SourceSerializer(many=True)
    problem_sources = serializers.ListField(
        child=serializers.CharField(), help_text="Names that problems were imported under, with solutions or without."
    )
    generators = GeneratorSerializer(many=True)


class PoolView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(responses=PoolSerializer)
    def get(self, request: Request) -> Response:
        """The pool in numbers: solutions by source and verdict, and their generators.

        Sources are few, and read at once: a fresh import can be chosen before it is counted.
        """
        found = rollups.read_counts(pool_counts.ROLLED, now=clock.now())
        value = pool_counts.NONE | (found.value or {})  # an older version may have counted less
        if found.as_of or found.value is None:
            value = value | pool_counts.named_now(value)
        return Response(PoolSerializer(value | found.freshness).data)


class SolutionSerializer(RowSerializer[Solution]):
    statement = serializers.CharField(source="problem.statement", read_only=True)
    statement_markup = markup_field("problem.markup")
    reference_answer = serializers.CharField(source="problem.reference_answer", read_only=True)
    steps = serializers.ListField(child=serializers.CharField(), read_only=True)

    class Meta:
        model = Solution
        fields = [
            "id",
            "problem",
            "markup",
            "answer",
            "verdict",
            "grader_version",
            "generator",
            "source",
            "external_id",
        ]

    def to_representation(self, instance: Solution) -> dict[str, Any]:
        """Hides source and id from people who aren't staff: they may be those of another campaign."""
        row = super().to_representation(instance)
        is_staff = signed_in(self.context["request"]).sees_everything
        return row if is_staff else row | {"source": "", "external_id": ""}


class GoldCandidateSerializer(SolutionSerializer):
    reference_solution = serializers.CharField(source="problem.reference_solution", read_only=True)
    turns = TurnsField("*")
    conversation = ConversationField("problem")


class PartView(APIView):
    permission_classes = [IsStaffOrExpert]

    @extend_schema(parameters=[PartRequestSerializer], responses=PartTextSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        """The text of a part of a trace, from `start` on, in stretches of 100,000 characters."""
        user = signed_in(request)
        judged = Task.objects.filter(solution=OuterRef("pk"), round__phase__in=Phase.objects.judged_by(user))
        shown = Solution.objects.filter(Q(pk__in=Solution.objects.visible_to(user)) | Exists(judged))
        return part_response(request, generics.get_object_or_404(shown.select_related("problem"), pk=pk))


LOOKUPS = {
    "problem": "problem",
    "verdict": "verdict",
    "subject": "problem__subject",
    "external_id": "external_id",
    "search": "problem__statement__icontains",
}


SAMPLED = {"generator": "generator", "source": "source"}


@extend_schema(
    parameters=[
        *(OpenApiParameter(name, OpenApiTypes.STR) for name in (*LOOKUPS, *SAMPLED)),
        OpenApiParameter("drawn_by", OpenApiTypes.UUID, description="Only the sources of this phase."),
    ]
)
class SolutionsView(generics.ListAPIView[Solution]):
    """Solutions of the pool, to look at or to label as an expert. `search` finds words in the problem."""

    permission_classes = [IsStaffOrExpert]
    pagination_class = LongPages
    serializer_class = SolutionSerializer

    def get_queryset(self) -> QuerySet[Solution]:
        pool = Solution.objects.visible_to(signed_in(self.request)).in_pool().select_related("problem")
        if self.request.query_params.get("drawn_by"):
            phases = filtered(Phase.objects.visible_to(signed_in(self.request)), self.request, drawn_by="pk")
            pool = pool.drawn_by(generics.get_object_or_404(phases))
        if any(self.request.query_params.get(name) for name in SAMPLED):
            user = signed_in(self.request)
            own = [] if user.sees_everything else list(Phase.objects.judged_by(user))
            samples = Sample.objects.drawn_by(*own).filter(solution=OuterRef("pk"))
            pool = pool.filter(Exists(filtered(samples, self.request, **SAMPLED)))
        return filtered(pool, self.request, **LOOKUPS).order_by("pk")


class GoldCandidatesView(SolutionsView):
    """Solutions without gold, for experts to label one after the other: in an order that mixes problems and stays the
    same.
    """

    permission_classes = [IsExpert]
    serializer_class = GoldCandidateSerializer

    def get_queryset(self) -> QuerySet[Solution]:
        golds = Gold.objects.visible_to(signed_in(self.request)).filter(solution=OuterRef("pk"))
        return super().get_queryset().filter(~Exists(golds)).order_by("text_hash", "problem")
