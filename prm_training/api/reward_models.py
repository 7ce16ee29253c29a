"""Reward models and the workers that train them."""

from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling.api.permissions import IsMlStaff, IsStaff, signed_in
from labeling.api.requests import body, visible
from labeling.jobs import lifecycle
from labeling.models import Worker
from prm_training.api.serializers import (
    PromoteSerializer,
    PromotionSerializer,
    RewardModelSerializer,
    RollBackSerializer,
)
from prm_training.models import Promotion, RewardModel
from prm_training.reward_models import promotion

OVERRIDE = OpenApiExample(
    "Insist", {"is_override": True, "reason": "The held-out problems changed."}, request_only=True
)


class RewardModelsView(generics.ListAPIView[RewardModel]):
    """All reward models with their newest evaluations, newest first."""

    permission_classes = [IsStaff]
    serializer_class = RewardModelSerializer

    def get_queryset(self) -> QuerySet[RewardModel]:
        visible = RewardModel.objects.visible_to(signed_in(self.request))
        return visible.with_evaluation().select_related("training_run__snapshot").order_by("-created_at")


class PromoteView(APIView):
    permission_classes = [IsMlStaff]

    @extend_schema(request=PromoteSerializer, responses=RewardModelSerializer, examples=[OVERRIDE])
    def post(self, request: Request, pk: UUID) -> Response:
        """Makes this the current model. 409 if held-out metrics fell; `is_override` with a reason insists."""
        model, asked = visible(RewardModel.objects, request, pk), body(PromoteSerializer, request)
        promotion.promote(reward_model=model, by=signed_in(request), now=timezone.now(), **asked)
        model.refresh_from_db()
        return Response(RewardModelSerializer(model).data)


class PromotionsView(generics.ListAPIView[Promotion]):
    """Which model was current when, who changed it and why; newest first."""

    permission_classes = [IsStaff]
    serializer_class = PromotionSerializer

    def get_queryset(self) -> QuerySet[Promotion]:
        visible = Promotion.objects.visible_to(signed_in(self.request))
        return visible.select_related("reward_model", "previous", "by").order_by("-pk")


class RollBackView(APIView):
    permission_classes = [IsMlStaff]

    @extend_schema(request=RollBackSerializer, responses=RewardModelSerializer)
    def post(self, request: Request) -> Response:
        """Makes the previously current model current again."""
        asked = body(RollBackSerializer, request)
        model = promotion.roll_back(by=signed_in(request), now=timezone.now(), **asked)
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
        """Whether any worker is running to carry out queued jobs."""
        workers = WorkerSerializer(Worker.objects.order_by("-last_seen_at"), many=True).data
        return Response({"is_alive": any(worker["is_alive"] for worker in workers), "workers": workers})
