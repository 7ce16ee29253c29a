"""What is in the pool: counted, and one by one."""

from collections import Counter, defaultdict
from typing import Any

from django.db.models import Count, QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling.api.filters import filtered
from labeling.api.permissions import IsStaff, IsStaffOrExpert, signed_in
from labeling.models import Phase, Solution, Verdict


class CountsSerializer(serializers.Serializer[dict[str, object]]):
    solutions = serializers.IntegerField()
    right = serializers.IntegerField()
    wrong = serializers.IntegerField()
    unsure = serializers.IntegerField()


class SourceSerializer(CountsSerializer):
    source = serializers.CharField()  # type: ignore[assignment]  # Field has an attribute of this name


class PoolSerializer(CountsSerializer):
    problems = serializers.IntegerField()
    labelled = serializers.IntegerField()
    sources = SourceSerializer(many=True)
    generators = serializers.ListField(child=serializers.CharField())


class PoolView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(responses=PoolSerializer)
    def get(self, request: Request) -> Response:
        user = signed_in(request)
        pool = Solution.objects.visible_to(user).in_pool()
        body = _counted(pool) | {
            "problems": pool.values("problem").distinct().count(),
            "labelled": pool.filter(tasks__labellings__isnull=False).distinct().count(),
        }
        return Response(PoolSerializer(body).data)


def _counted(pool: QuerySet[Solution]) -> dict[str, Any]:
    """By verdict, in all and of each source; and who wrote them. One pass: the pool may have a million rows."""
    verdicts, sources, generators = Counter[str](), defaultdict[str, Counter[str]](Counter), set[str]()
    counted = pool.values_list("source", "generator", "verdict").annotate(number=Count("pk"))
    for source, generator, verdict, number in counted:
        verdicts[verdict] += number
        sources[source][verdict] += number
        generators.add(generator)
    told = [{"source": name} | _numbers(found) for name, found in sorted(sources.items())]
    return _numbers(verdicts) | {"sources": told, "generators": sorted(filter(None, generators))}


def _numbers(verdicts: Counter[str]) -> dict[str, Any]:
    return {"solutions": verdicts.total()} | {verdict: verdicts[verdict] for verdict in Verdict.values}


class SolutionSerializer(serializers.ModelSerializer[Solution]):
    statement = serializers.CharField(source="problem.statement", read_only=True)
    reference_answer = serializers.CharField(source="problem.reference_answer", read_only=True)
    steps = serializers.ListField(child=serializers.CharField(), read_only=True)

    class Meta:
        model = Solution
        fields = [
            *["id", "problem", "statement", "reference_answer", "steps", "answer", "verdict", "grader_version"],
            *["generator", "source", "external_id"],
        ]


LOOKUPS = {
    **{"problem": "problem", "verdict": "verdict", "generator": "generator", "subject": "problem__subject"},
    **{"source": "source", "external_id": "external_id", "search": "problem__statement__icontains"},
}


@extend_schema(
    parameters=[
        *(OpenApiParameter(name, OpenApiTypes.STR) for name in LOOKUPS),
        OpenApiParameter("drawn_by", OpenApiTypes.UUID, description="Only what rounds of this phase draw from."),
    ]
)
class SolutionsView(generics.ListAPIView[Solution]):
    """Solutions of the pool, to look at or to label as an expert. `search` finds words of the problem."""

    permission_classes = [IsStaffOrExpert]
    serializer_class = SolutionSerializer

    def get_queryset(self) -> QuerySet[Solution]:
        pool = Solution.objects.visible_to(signed_in(self.request)).in_pool().select_related("problem")
        if self.request.query_params.get("drawn_by"):
            phases = filtered(Phase.objects.visible_to(signed_in(self.request)), self.request, drawn_by="pk")
            pool = pool.drawn_by(generics.get_object_or_404(phases))
        return filtered(pool, self.request, **LOOKUPS).order_by("pk")
