"""Reward models, their scores of a solution, and the workers that train them."""

import math
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.utils.text import slugify
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import generics, serializers
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import GenericViewSet

from labeling import clock
from labeling.api.fields import RowSerializer
from labeling.api.filters import filtered, listed_by
from labeling.api.permissions import IsMlStaff, IsStaff, signed_in
from labeling.api.requests import body, checked, visible
from labeling.jobs import files, lifecycle
from labeling.models import Phase, Solution, Worker
from prm_training.api.lineage import RewardModelDetailSerializer, tar_of
from prm_training.api.serializers import (
    PromoteSerializer,
    PromotionSerializer,
    RewardModelSerializer,
    RollBackSerializer,
)
from prm_training.models import Promotion, RewardModel, Score
from prm_training.reward_models import promotion

OVERRIDE = OpenApiExample(
    "Insist", {"is_override": True, "reason": "The held-out problems changed."}, request_only=True
)


class InPhaseSerializer(serializers.Serializer[Any]):
    phase = serializers.PrimaryKeyRelatedField(
        queryset=Phase.objects.all(), required=False, help_text="Where it is compared; default: the model's own."
    )


@listed_by(phase=OpenApiTypes.UUID)
class RewardModels(ListModelMixin, GenericViewSet[RewardModel]):
    """All reward models with their newest evaluations, newest first."""

    lookup_value_converter = "uuid"
    permission_classes = [IsStaff]
    serializer_class = RewardModelSerializer

    def get_queryset(self) -> QuerySet[RewardModel]:
        visible = RewardModel.objects.visible_to(signed_in(self.request)).with_evaluation().with_current_in()
        return visible.select_related("training_run__snapshot", "training_run__phase").order_by("-created_at")

    def filter_queryset(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Filters by `phase`: models trained for it."""
        return filtered(rows, self.request, phase="training_run__phase")

    @extend_schema(parameters=[InPhaseSerializer], responses=RewardModelDetailSerializer)
    def retrieve(self, request: Request, pk: UUID) -> Response:
        """One model: its evaluation in a phase, obstacles to its promotion there, its lineage both ways."""
        rows = self.get_queryset().select_related("training_run__owner").prefetch_related("scoring_runs__owner")
        model = get_object_or_404(rows, pk=pk)
        phase = checked(InPhaseSerializer(data=request.query_params)).get("phase", model.phase)
        gate = promotion.gate(model, phase=phase, current=promotion.current(phase))
        return Response(RewardModelDetailSerializer(model, context={"phase": phase, "gate": gate}).data)

    @extend_schema(request=PromoteSerializer, responses=RewardModelSerializer, examples=[OVERRIDE])
    @action(detail=True, methods=["post"], permission_classes=[IsMlStaff])
    def promote(self, request: Request, pk: UUID) -> Response:
        """Makes this the phase's current model. 409 if held-out metrics fell; `is_override` with a reason insists."""
        model = visible(RewardModel.objects, request, pk)
        asked = body(PromoteSerializer, request, phase=model.phase)
        promotion.promote(reward_model=model, by=signed_in(request), at=clock.now(), **asked)
        return Response(RewardModelSerializer(self.get_queryset().get(pk=pk)).data)

    @extend_schema(responses={(200, "application/x-tar"): OpenApiTypes.BINARY})
    @action(detail=True)
    def download(self, request: Request, pk: UUID) -> StreamingHttpResponse:
        """The model's directory as a tar file; transformers loads what is in it unchanged."""
        model = visible(RewardModel.objects, request, pk)
        folder = files.model_folder(model.directory)
        if not folder.is_dir():
            raise Http404
        name = slugify(model.name) or str(model.pk)
        headers = {"Content-Disposition": f'attachment; filename="{name}.tar"'}
        return StreamingHttpResponse(tar_of(folder, name), content_type="application/x-tar", headers=headers)


@listed_by(phase=OpenApiTypes.UUID)
class Promotions(ListModelMixin, GenericViewSet[Promotion]):
    """Changes of a phase's current model, each with its time, author and reason; newest first."""

    permission_classes = [IsStaff]
    serializer_class = PromotionSerializer

    def get_queryset(self) -> QuerySet[Promotion]:
        visible = Promotion.objects.visible_to(signed_in(self.request))
        return visible.select_related("phase", "reward_model", "previous", "by").order_by("-pk")

    def filter_queryset(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        return filtered(rows, self.request, phase="phase")

    @extend_schema(request=RollBackSerializer, responses=RewardModelSerializer)
    @action(detail=False, methods=["post"], url_path="roll-back", permission_classes=[IsMlStaff])
    def roll_back(self, request: Request) -> Response:
        """Makes the phase's previously current model current again."""
        asked = body(RollBackSerializer, request)
        model = promotion.roll_back(by=signed_in(request), at=clock.now(), **asked)
        shown = RewardModel.objects.with_evaluation().with_current_in().get(pk=model.pk)
        return Response(RewardModelSerializer(shown).data)


class SolutionScoreSerializer(RowSerializer[Score]):
    model_name = serializers.CharField(source="reward_model.name")
    steps = serializers.SerializerMethodField(help_text="P(right) of each step that was read.")

    class Meta:
        model = Score
        fields = ["reward_model"]

    @extend_schema_field(serializers.ListField(child=serializers.FloatField()))
    def get_steps(self, score: Score) -> list[float]:
        return [math.exp(value) for value in score.step_log_probabilities]


class SolutionScoresView(generics.ListAPIView[Score]):
    """One row for each model that has scored the solution: current ones first, then the newest."""

    permission_classes = [IsStaff]
    serializer_class = SolutionScoreSerializer
    pagination_class = None

    def get_queryset(self) -> Any:
        solution = visible(Solution.objects, self.request, self.kwargs["pk"])
        named = Exists(Promotion.objects.newest().filter(reward_model=OuterRef("reward_model")))
        rows = solution.scores.select_related("reward_model").annotate(is_current=named)
        return rows.order_by("-is_current", "-reward_model__created_at")


class WorkerSerializer(RowSerializer[Worker]):
    is_alive = serializers.SerializerMethodField()

    class Meta:
        model = Worker
        fields = ["name", "queues", "started_at", "last_seen_at"]

    def get_is_alive(self, worker: Worker) -> bool:
        return bool(worker.last_seen_at > self.context["stale_before"])


class WorkersSerializer(serializers.Serializer[dict[str, object]]):
    is_alive = serializers.BooleanField()
    workers = WorkerSerializer(many=True)


class WorkersView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(responses=WorkersSerializer)
    def get(self, request: Request) -> Response:
        """Lists the workers, and says whether any is alive to carry out queued jobs."""
        told = {"stale_before": lifecycle.stale_before(clock.now())}
        workers = WorkerSerializer(Worker.objects.order_by("-last_seen_at"), many=True, context=told).data
        return Response({"is_alive": any(worker["is_alive"] for worker in workers), "workers": workers})
