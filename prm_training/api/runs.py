"""Start, watch, cancel and retry the jobs of the loop."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from labeling.api.permissions import IsMlStaff, IsStaff, MlStaffWrites, signed_in
from prm_training import jobs
from prm_training.api import serializers
from prm_training.models import EvaluationRun, Publication, Run, ScoringRun, Selection, SelectionItem, TrainingRun


class RunsView(generics.ListCreateAPIView[Any]):
    """The latest first; a POST queues a new run."""

    permission_classes = [MlStaffWrites]
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
        return jobs.start_training(**{"base": "", "phases": [], "settings": {}} | data)


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
    model = Selection
    serializer_class = serializers.SelectionSerializer

    def get_queryset(self) -> QuerySet[Any]:
        return super().get_queryset().select_related("phase", "publication")

    def start(self, data: dict[str, Any]) -> Run:
        return jobs.start_selection(**data)


class PublicationsView(RunsView):
    model = Publication
    serializer_class = serializers.PublicationSerializer

    def get_queryset(self) -> QuerySet[Any]:
        return super().get_queryset().select_related("round")

    def start(self, data: dict[str, Any]) -> Run:
        return jobs.start_publication(**data)


class RunView(generics.RetrieveAPIView[Any]):
    """One run; `runs` is the list view it belongs to."""

    permission_classes = [IsStaff]
    runs: type[RunsView] = RunsView

    def get_queryset(self) -> QuerySet[Any]:
        return self.runs.model.objects.visible_to(signed_in(self.request))

    def get_serializer_class(self) -> Any:
        return self.runs.serializer_class


class RunActView(APIView):
    permission_classes = [IsMlStaff]
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


class SelectionItemsView(generics.ListAPIView[SelectionItem]):
    """What a selection picked, the best first."""

    permission_classes = [IsStaff]
    serializer_class = serializers.SelectionItemSerializer

    def get_queryset(self) -> QuerySet[SelectionItem]:
        visible = Selection.objects.visible_to(signed_in(self.request))
        selection = generics.get_object_or_404(visible, pk=self.kwargs["pk"])
        items: QuerySet[SelectionItem] = selection.items.select_related("solution__problem").order_by("rank")
        return items


def detail(runs: type[RunsView]) -> Any:
    """The view of one run of this kind."""
    view: Any = type(f"{runs.model.__name__}View", (RunView,), {"runs": runs, "__doc__": "One run."})
    return view.as_view()


def act(view: type[RunActView], runs: type[RunsView]) -> Any:
    """The act's view for one kind of run, documented with that kind's fields."""
    bound: Any = type(f"{runs.model.__name__}{view.__name__}", (view,), {"runs": runs})
    return extend_schema(request=None, responses=runs.serializer_class)(bound).as_view()
