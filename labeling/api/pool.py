"""What is in the pool, counted."""

from django.db.models import Count, Q
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling.api.permissions import IsStaff, signed_in
from labeling.models import Problem, Solution, Verdict

COUNTS = {
    "solutions": Count("pk"),
    "right": Count("pk", filter=Q(verdict=Verdict.RIGHT)),
    "wrong": Count("pk", filter=Q(verdict=Verdict.WRONG)),
    "unsure": Count("pk", filter=Q(verdict=Verdict.UNSURE)),
}


class SourceSerializer(serializers.Serializer[dict[str, object]]):
    source = serializers.CharField()  # type: ignore[assignment]  # Field has an attribute of this name
    solutions = serializers.IntegerField()
    right = serializers.IntegerField()
    wrong = serializers.IntegerField()
    unsure = serializers.IntegerField()


class PoolSerializer(serializers.Serializer[dict[str, object]]):
    problems = serializers.IntegerField()
    solutions = serializers.IntegerField()
    right = serializers.IntegerField()
    wrong = serializers.IntegerField()
    unsure = serializers.IntegerField()
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
