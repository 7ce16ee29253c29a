"""What is in the pool: counted, and one by one."""

from django.db.models import Count, Q, QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling.api.filters import filtered
from labeling.api.permissions import IsStaff, IsStaffOrExpert, signed_in
from labeling.models import Problem, Solution, Verdict

COUNTS = {
    "solutions": Count("pk"),
    "right": Count("pk", filter=Q(verdict=Verdict.RIGHT)),
    "wrong": Count("pk", filter=Q(verdict=Verdict.WRONG)),
    "unsure": Count("pk", filter=Q(verdict=Verdict.UNSURE)),
}


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


class PoolView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(responses=PoolSerializer)
    def get(self, request: Request) -> Response:
        user = signed_in(request)
        pool = Solution.objects.visible_to(user).in_pool()
        body = pool.aggregate(**COUNTS) | {
            "problems": Problem.objects.visible_to(user).filter(solutions__in_pool=True).distinct().count(),
            "labelled": pool.filter(tasks__labellings__isnull=False).distinct().count(),
            "sources": pool.values("source").annotate(**COUNTS).order_by("source"),
        }
        return Response(PoolSerializer(body).data)


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


@extend_schema(parameters=[OpenApiParameter(name, OpenApiTypes.STR) for name in LOOKUPS])
class SolutionsView(generics.ListAPIView[Solution]):
    """Solutions of the pool, to look at or to label as an expert. `search` finds words of the problem."""

    permission_classes = [IsStaffOrExpert]
    serializer_class = SolutionSerializer

    def get_queryset(self) -> QuerySet[Solution]:
        pool = Solution.objects.visible_to(signed_in(self.request)).in_pool().select_related("problem")
        return filtered(pool, self.request, **LOOKUPS).order_by("pk")
