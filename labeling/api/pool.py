"""What is in the pool: counted, and one by one."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db.models import Count, QuerySet
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling import rollups
from labeling.api.fields import RolledSerializer
from labeling.api.filters import filtered
from labeling.api.pagination import LongPages
from labeling.api.permissions import IsStaff, IsStaffOrExpert, signed_in
from labeling.models import Phase, Solution, Verdict


class CountsSerializer(serializers.Serializer[dict[str, object]]):
    solutions = serializers.IntegerField()
    right = serializers.IntegerField()
    wrong = serializers.IntegerField()
    unsure = serializers.IntegerField()


class SourceSerializer(CountsSerializer):
    source = serializers.CharField()  # type: ignore[assignment]  # Field has an attribute of this name


class PoolSerializer(RolledSerializer, CountsSerializer):
    problems = serializers.IntegerField()
    labelled = serializers.IntegerField()
    sources = SourceSerializer(many=True)
    generators = serializers.ListField(child=serializers.CharField())


class PoolView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(responses=PoolSerializer)
    def get(self, request: Request) -> Response:
        """Sources are few, and read at once: what was just imported can be asked for, before it is counted."""
        found = rollups.read(COUNTED, now=timezone.now())
        value = found.value or _numbers(Counter()) | {"problems": 0, "labelled": 0, "sources": [], "generators": []}
        if found.as_of or found.value is None:
            value |= _named_now(value["sources"])
        return Response(PoolSerializer(value | found.told).data)


def _named_now(counted: list[dict[str, Any]]) -> dict[str, Any]:
    """The sources and generators that there are now, with what is counted of them."""
    pool, known = Solution.objects.in_pool(), {row["source"]: row for row in counted}
    told = [known.get(name, {"source": name} | _numbers(Counter())) for name in _distinct(pool, "source")]
    return {"sources": told, "generators": [name for name in _distinct(pool, "generator") if name]}


def _distinct(pool: QuerySet[Solution], name: str) -> Iterator[str]:
    """From one to the next through the column's index: DISTINCT would read every row."""
    found = pool.order_by(name).values_list(name, flat=True)
    value = found.first()
    while value is not None:
        yield value
        value = found.filter(**{f"{name}__gt": value}).first()


def _count(_: UUID) -> dict[str, Any]:
    pool = Solution.objects.in_pool()
    return _counted(pool) | {
        "problems": pool.values("problem").distinct().count(),
        "labelled": pool.filter(tasks__labellings__isnull=False).distinct().count(),
    }


def _has_many(_: UUID) -> bool:
    return Solution.objects.order_by("pk")[rollups.FEW :].exists()


COUNTED = rollups.Kind("pool", _count, _has_many)


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
    pagination_class = LongPages
    serializer_class = SolutionSerializer

    def get_queryset(self) -> QuerySet[Solution]:
        pool = Solution.objects.visible_to(signed_in(self.request)).in_pool().select_related("problem")
        if self.request.query_params.get("drawn_by"):
            phases = filtered(Phase.objects.visible_to(signed_in(self.request)), self.request, drawn_by="pk")
            pool = pool.drawn_by(generics.get_object_or_404(phases))
        return filtered(pool, self.request, **LOOKUPS).order_by("pk")
