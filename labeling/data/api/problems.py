"""Problems: the split that they are in, and the benchmarks that they are on."""

from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.db.models import Count, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling.api.fields import RowSerializer
from labeling.api.permissions import IsStaff, signed_in
from labeling.api.requests import body, visible
from labeling.data.problems import near, register, splits
from labeling.models import Benchmark, Overlap, Problem, Split

EXAMPLES = 20


class SplitSerializer(serializers.Serializer[Any]):
    """Problems, and the split that they move to: one problem, or all that a source has brought or has solutions of."""

    problem = serializers.UUIDField(required=False)
    source = serializers.CharField(required=False, max_length=100)  # type: ignore[assignment]
    split = serializers.ChoiceField(choices=Split.choices)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("problem" in attrs) == ("source" in attrs):
            raise ValidationError("Name either a problem or a source.")
        return attrs


class TouchedSerializer(serializers.Serializer[Any]):
    """The rows that a change of split concerns, counted."""

    problems = serializers.IntegerField(help_text="That are not in this split yet.")
    labellings = serializers.IntegerField(help_text="On them.")
    tasks = serializers.IntegerField(help_text="With their solutions.")
    trained_on = serializers.IntegerField(help_text="Those of which a snapshot had labels for training.")
    held_out = serializers.IntegerField(help_text="Those that are held out now.")
    benchmarks = serializers.ListField(child=serializers.CharField(), help_text="Which keep them held out.")


class SplitPreviewView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(request=SplitSerializer, responses=TouchedSerializer)
    def post(self, request: Request) -> Response:
        """Previews what moving these problems to the split would touch. Nothing is changed."""
        asked = body(SplitSerializer, request)
        return Response(asdict(splits.touched(_problems(asked, request), asked["split"])))


class SplitsView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(request=SplitSerializer, responses=TouchedSerializer)
    def post(self, request: Request) -> Response:
        """Moves the problems to the split. Problems on a benchmark can't be moved to training."""
        asked = body(SplitSerializer, request)
        name = f"source “{asked['source']}”" if "source" in asked else "one problem"
        found = splits.change_split(_problems(asked, request), asked["split"], on=name, by=signed_in(request))
        return Response(asdict(found))


def _problems(asked: dict[str, Any], request: Request) -> set[UUID]:
    if "source" in asked:
        return splits.of_source(asked["source"])
    return {visible(Problem.objects, request, asked["problem"]).pk}


class BenchmarkSerializer(RowSerializer[Benchmark]):
    problems = serializers.IntegerField(source="number", read_only=True)

    class Meta:
        model = Benchmark
        fields = ["id", "name", "created_at"]


class NearSerializer(serializers.Serializer[Any]):
    """A problem of the pool that is much like one of the benchmark's. `likeness`: from 0.6 to 1."""

    problem = serializers.UUIDField()
    statement = serializers.CharField()
    benchmark_statement = serializers.CharField()
    likeness = serializers.FloatField()


class BenchmarkDetailSerializer(BenchmarkSerializer):
    """`near` and `labellings` count what taking it off the register would give back to training and exports; its
    problems stay held out.
    """

    near = serializers.IntegerField(help_text="Problems of the pool that are near one of its.")
    labellings = serializers.IntegerField(help_text="On its problems and on those near them.")
    examples = NearSerializer(many=True)

    class Meta(BenchmarkSerializer.Meta):
        pass


class BenchmarksView(generics.ListAPIView[Benchmark]):
    """The register of benchmarks, on which no reward model is trained. Imports put problems on it."""

    permission_classes = [IsStaff]
    serializer_class = BenchmarkSerializer
    pagination_class = None

    def get_queryset(self) -> QuerySet[Benchmark]:
        rows: QuerySet[Benchmark] = Benchmark.objects.visible_to(signed_in(self.request))
        return rows.annotate(number=Count("registrations")).order_by("name")


class BenchmarkView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(responses=BenchmarkDetailSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        """One benchmark, with problems of the pool that are near its own."""
        benchmark = visible(Benchmark.objects.annotate(number=Count("registrations")), request, pk)
        freed = register.freed(benchmark)
        about = {"near": freed.near, "labellings": freed.labellings, "examples": _examples(benchmark)}
        return Response(BenchmarkSerializer(benchmark).data | about)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: UUID) -> Response:
        """Takes the benchmark off the register. Its problems stay in the pool, and held out."""
        register.remove(visible(Benchmark.objects, request, pk), by=signed_in(request))
        return Response(status=204)


def _examples(benchmark: Benchmark) -> list[dict[str, Any]]:
    own = list(benchmark.problems.order_by("pk").values_list("statement", flat=True))
    alike = zip(own, near.of(own, overlap=Overlap.NEAR), strict=True)
    found = [each._asdict() | {"benchmark_statement": statement} for statement, many in alike for each in many]
    return sorted(found, key=lambda each: -each["likeness"])[:EXAMPLES]
