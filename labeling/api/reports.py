"""Reports by annotators: listed for admins, who resolve them; annotators see their own."""

from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling import reports
from labeling.api.filters import filtered
from labeling.api.permissions import IsAdmin, signed_in
from labeling.models import Report


class ReportSerializer(serializers.ModelSerializer[Report]):
    annotator = serializers.CharField(source="annotator.username", read_only=True)
    resolved_by = serializers.CharField(source="resolved_by.username", read_only=True, allow_null=True)
    phase = serializers.CharField(source="task.round.phase.name", read_only=True)
    statement = serializers.CharField(source="task.solution.problem.statement", read_only=True)
    reference_answer = serializers.CharField(source="task.solution.problem.reference_answer", read_only=True)
    given_answer = serializers.CharField(source="task.solution.answer", read_only=True)

    class Meta:
        model = Report
        fields = [
            *["id", "kind", "annotator", "note", "created_at", "resolved_at", "resolved_by", "resolution"],
            *["phase", "statement", "reference_answer", "given_answer"],
        ]


class ResolutionSerializer(serializers.Serializer[dict[str, str]]):
    resolution = serializers.CharField(max_length=5000)


class ReportsView(generics.ListAPIView[Report]):
    serializer_class = ReportSerializer
    permission_classes = [IsAdmin]

    @extend_schema(
        parameters=[
            OpenApiParameter("is_open", bool, description="Only those that nobody resolved."),
            OpenApiParameter("kind", OpenApiTypes.STR),
        ]
    )
    def get(self, request: Request) -> Response:
        """What annotators reported, newest first."""
        return self.list(request)

    def get_queryset(self) -> QuerySet[Report]:
        rows = filtered(Report.objects.visible_to(signed_in(self.request)), self.request, kind="kind")
        if self.request.query_params.get("is_open") == "true":
            rows = rows.filter(resolved_at__isnull=True)
        return rows.select_related(
            "annotator", "resolved_by", "task__round__phase", "task__solution__problem"
        ).order_by("-created_at", "pk")


class ResolveView(APIView):
    permission_classes = [IsAdmin]

    @extend_schema(request=ResolutionSerializer, responses=ReportSerializer)
    def post(self, request: Request, pk: UUID) -> Response:
        user = signed_in(request)
        report = generics.get_object_or_404(Report.objects.visible_to(user), pk=pk)
        body = ResolutionSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        resolved = reports.resolve(report=report, admin=user, now=timezone.now(), **body.validated_data)
        return Response(ReportSerializer(resolved).data)
