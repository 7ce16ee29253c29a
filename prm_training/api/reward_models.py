"""Reward models and the workers that train them."""

from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling.api.permissions import IsMlStaff, IsStaff, signed_in
from prm_training import jobs, lifecycle
from prm_training.api.serializers import RewardModelSerializer
from prm_training.models import RewardModel, Worker


class RewardModelsView(generics.ListAPIView[RewardModel]):
    permission_classes = [IsStaff]
    serializer_class = RewardModelSerializer

    def get_queryset(self) -> QuerySet[RewardModel]:
        visible = RewardModel.objects.visible_to(signed_in(self.request))
        return visible.select_related("training_run__snapshot").order_by("-created_at")


class PromoteView(APIView):
    permission_classes = [IsMlStaff]

    @extend_schema(request=None, responses=RewardModelSerializer)
    def post(self, request: Request, pk: UUID) -> Response:
        """Makes this the model that selects. Rolling back is promoting the earlier model again."""
        model = generics.get_object_or_404(RewardModel.objects.visible_to(signed_in(request)), pk=pk)
        jobs.promote(model)
        model.refresh_from_db()
        return Response(RewardModelSerializer(model).data)


class WorkerSerializer(serializers.ModelSerializer[Worker]):
    is_alive = serializers.SerializerMethodField()

    class Meta:
        model = Worker
        fields = ["name", "queues", "started_at", "last_seen_at", "is_alive"]

    def get_is_alive(self, worker: Worker) -> bool:
        return worker.last_seen_at > lifecycle.stale_before(timezone.now())


class WorkersSerializer(serializers.Serializer[dict[str, object]]):
    is_alive = serializers.BooleanField()
    workers = WorkerSerializer(many=True)


class WorkersView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(responses=WorkersSerializer)
    def get(self, request: Request) -> Response:
        """Whether any worker is alive to carry out what is queued."""
        workers = WorkerSerializer(Worker.objects.order_by("-last_seen_at"), many=True).data
        return Response({"is_alive": any(worker["is_alive"] for worker in workers), "workers": workers})
