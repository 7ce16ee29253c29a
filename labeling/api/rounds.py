"""Rounds with their progress."""

from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling import rounds
from labeling.api.filters import filtered
from labeling.api.permissions import IsAdmin, IsStaff, signed_in
from labeling.models import Round


class RoundSerializer(serializers.ModelSerializer[Round]):
    phase_name = serializers.CharField(source="phase.name", read_only=True)
    task_count = serializers.IntegerField(read_only=True)
    labellings_wanted = serializers.IntegerField(read_only=True)
    labellings_done = serializers.IntegerField(read_only=True)

    class Meta:
        model = Round
        fields = [
            *["id", "phase", "phase_name", "number", "status", "opened_at", "closed_at"],
            *["task_count", "labellings_wanted", "labellings_done"],
        ]


@extend_schema(parameters=[OpenApiParameter("phase", OpenApiTypes.UUID)])
class RoundsView(generics.ListAPIView[Round]):
    permission_classes = [IsStaff]
    serializer_class = RoundSerializer

    def get_queryset(self) -> QuerySet[Round]:
        everything = Round.objects.visible_to(signed_in(self.request)).select_related("phase").with_progress()
        return filtered(everything, self.request, phase="phase").order_by("-opened_at", "-number")


class CloseRoundView(APIView):
    permission_classes = [IsAdmin]

    @extend_schema(request=None, responses=RoundSerializer)
    def post(self, request: Request, round_id: UUID) -> Response:
        visible = Round.objects.visible_to(signed_in(request))
        generics.get_object_or_404(visible, pk=round_id)
        rounds.close(round_id=round_id, now=timezone.now())
        return Response(RoundSerializer(visible.with_progress().get(pk=round_id)).data)
