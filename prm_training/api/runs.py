"""Start, watch, cancel and retry the jobs of the loop."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from labeling.api.filters import filtered
from labeling.api.permissions import IsMlStaff, IsStaff, MlStaffWrites, signed_in
from prm_training import jobs, picking
from prm_training.api import serializers
from prm_training.models import (
    EvaluationRun,
    Generation,
    Publication,
    Run,
    ScoringRun,
    Selection,
    SelectionItem,
    TrainingRun,
)


class RunsView(generics.ListCreateAPIView[Any]):
    """The latest first; a POST queues a new run."""

    permission_classes: Any = [MlStaffWrites]
    act_permissions: Any = [IsMlStaff]  # who may cancel and retry
    model: type[Run]

    def get_queryset(self) -> QuerySet[Any]:
        visible = self.model.objects.visible_to(signed_in(self.request))
        return visible.select_related("owner").order_by("-created_at")

    def perform_create(self, serializer: BaseSerializer[Any]) -> None:
        serializer.instance = self.start(serializer.validated_data | {"owner": signed_in(self.request)})

    def start(self, data: dict[str, Any]) -> Run:
        raise NotImplementedError


class TrainingRunsView(RunsView):
    model = TrainingRun
    serializer_class = serializers.TrainingRunSerializer

    def get_queryset(self) -> QuerySet[Any]:
        return super().get_queryset().select_related("snapshot", "reward_model").prefetch_related("phases")

    def start(self, data: dict[str, Any]) -> Run:
        return jobs.start_training(**data)


class EvaluationRunsView(RunsView):
    model = EvaluationRun
    serializer_class = serializers.EvaluationRunSerializer

    def get_queryset(self) -> QuerySet[Any]:
        return super().get_queryset().select_related("reward_model", "baseline")

    def start(self, data: dict[str, Any]) -> Run:
        return jobs.start_evaluation(**data)


class ScoringRunsView(RunsView):
    model = ScoringRun
    serializer_class = serializers.ScoringRunSerializer

    def start(self, data: dict[str, Any]) -> Run:
        return jobs.start_scoring(**data)


class SelectionsView(RunsView):
    permission_classes = [IsStaff]  # admins put a campaign's rounds up, too
    model = Selection
    serializer_class = serializers.SelectionSerializer

    def get_queryset(self) -> QuerySet[Any]:
        return super().get_queryset().select_related("phase", "publication", "reward_model")

    def start(self, data: dict[str, Any]) -> Run:
        return jobs.start_selection(**data)


class PublicationsView(RunsView):
    permission_classes = [IsStaff]
    model = Publication
    serializer_class = serializers.PublicationSerializer

    def get_queryset(self) -> QuerySet[Any]:
        return super().get_queryset().select_related("round")

    def start(self, data: dict[str, Any]) -> Run:
        return jobs.start_publication(**data)


class GenerationsView(RunsView):
    model = Generation
    serializer_class = serializers.GenerationSerializer

    def start(self, data: dict[str, Any]) -> Run:
        return jobs.start_generation(**data)


class RunView(generics.RetrieveAPIView[Any]):
    """One run; `runs` is the list view it belongs to."""

    permission_classes = [IsStaff]
    runs: type[RunsView] = RunsView

    def get_queryset(self) -> QuerySet[Any]:
        return self.runs.model.objects.visible_to(signed_in(self.request))

    def get_serializer_class(self) -> Any:
        return self.runs.serializer_class


class RunActView(APIView):
    runs: type[RunsView] = RunsView

    def found(self, request: Request, pk: UUID) -> Run:
        run: Run = generics.get_object_or_404(self.runs.model.objects.visible_to(signed_in(request)), pk=pk)
        return run

    def answer(self, run: Run) -> Response:
        run.refresh_from_db()
        serializer: Any = self.runs.serializer_class
        return Response(serializer(run).data)


class CancelRunView(RunActView):
    def post(self, request: Request, pk: UUID) -> Response:
        """A queued run ends at once, a running one within seconds; a finished one stays as it is."""
        run = self.found(request, pk)
        jobs.cancel(run, now=timezone.now())
        return self.answer(run)


class RetryRunView(RunActView):
    def post(self, request: Request, pk: UUID) -> Response:
        """Queues a failed or cancelled run again; it goes on from its last checkpoint."""
        run = self.found(request, pk)
        jobs.retry(run)
        return self.answer(run)


class DiscardView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(request=None, responses=serializers.SelectionSerializer)
    def post(self, request: Request, pk: UUID) -> Response:
        """Says that this selection will not be published."""
        selection = _selection(request, pk)
        jobs.discard(selection=selection, now=timezone.now(), by=signed_in(request))
        selection.refresh_from_db()
        return Response(serializers.SelectionSerializer(selection).data)


class ReplayView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(request=None, responses=serializers.ReplaySerializer)
    def post(self, request: Request, pk: UUID) -> Response:
        """Picks again from the pool as it was then, and compares; nothing is stored."""
        return Response(picking.replay(_selection(request, pk)))


def _selection(request: Request, pk: UUID) -> Selection:
    found: Selection = generics.get_object_or_404(Selection.objects.visible_to(signed_in(request)), pk=pk)
    return found


@extend_schema(
    parameters=[OpenApiParameter("set_aside", bool), OpenApiParameter("verdict", enum=["right", "wrong", "unsure"])]
)
class SelectionItemsView(generics.ListAPIView[SelectionItem]):
    """What a selection picked, the best first; with `?set_aside=true`, the grader's probable mistakes."""

    permission_classes = [IsStaff]
    serializer_class = serializers.SelectionItemSerializer

    def get_queryset(self) -> QuerySet[SelectionItem]:
        is_set_aside = self.request.query_params.get("set_aside") == "true"
        listed = _selection(self.request, self.kwargs["pk"]).items.filter(is_set_aside=is_set_aside)
        items: QuerySet[SelectionItem] = filtered(listed, self.request, verdict="solution__verdict")
        return items.select_related("solution__problem").order_by("rank")


def detail(runs: type[RunsView]) -> Any:
    """The view of one run of this kind."""
    view: Any = type(f"{runs.model.__name__}View", (RunView,), {"runs": runs, "__doc__": "One run."})
    return view.as_view()


def act(view: type[RunActView], runs: type[RunsView]) -> Any:
    """The act's view for one kind of run, documented with that kind's fields."""
    bound_to = {"runs": runs, "permission_classes": runs.act_permissions}
    bound: Any = type(f"{runs.model.__name__}{view.__name__}", (view,), bound_to)
    return extend_schema(request=None, responses=runs.serializer_class)(bound).as_view()
