"""Start jobs of the loop and read them, kind by kind; `all_runs` cancels and retries them."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling.api.filters import filtered, flag
from labeling.api.pagination import LongPages
from labeling.api.permissions import IsMlStaff, IsStaff, signed_in
from labeling.api.requests import body, visible
from labeling.models import Run
from labeling.models.jobs import kinds
from prm_training.api import serializers
from prm_training.models import Selection, SelectionItem
from prm_training.starting import acts

FOR_ML_STAFF = {"train", "evaluate", "score", "generate"}  # admins, too, import files and publish a campaign's rounds


class MayStart(BasePermission):
    """All staff may read; whoever may start a kind of run may also cancel and retry it."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return self._may(request, view, view.kind)

    def has_object_permission(self, request: Request, view: Any, run: Run) -> bool:
        return self._may(request, view, run.kind)

    def _may(self, request: Request, view: Any, kind: str) -> bool:
        is_for_ml_staff = request.method not in SAFE_METHODS and kind in FOR_ML_STAFF
        return (IsMlStaff if is_for_ml_staff else IsStaff)().has_permission(request, view)


def _shown(kind: str, request: Request) -> QuerySet[Any]:
    """The runs of a kind that the user may see, with everything their pages show."""
    model = kinds()[kind]
    seen = model.objects.filter(kind=kind).visible_to(signed_in(request))
    rows: QuerySet[Any] = seen.whole().prefetch_related(*model.RECORDS)
    return rows


class RunsView(generics.ListCreateAPIView[Any]):
    """The runs of this kind, newest first."""

    permission_classes = [MayStart]
    pagination_class = LongPages
    kind: str
    start: Callable[..., Run]

    def get_queryset(self) -> QuerySet[Any]:
        return _shown(self.kind, self.request).order_by("-created_at", "-id")

    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Queues a new run."""
        run = self.start(owner=signed_in(request), **body(self.get_serializer_class(), request))
        return Response(self.get_serializer(run).data, status=201)


class TrainingRunsView(RunsView):
    kind = "train"
    serializer_class = serializers.TrainingRunSerializer
    start = staticmethod(acts.start_training)


class EvaluationRunsView(RunsView):
    kind = "evaluate"
    serializer_class = serializers.EvaluationRunSerializer
    start = staticmethod(acts.start_evaluation)


class ScoringRunsView(RunsView):
    kind = "score"
    serializer_class = serializers.ScoringRunSerializer
    start = staticmethod(acts.start_scoring)


@extend_schema(parameters=[OpenApiParameter("phase", OpenApiTypes.UUID)], methods=["GET"])
class SelectionsView(RunsView):
    kind = "select"
    serializer_class = serializers.SelectionSerializer
    start = staticmethod(acts.start_selection)

    def get_queryset(self) -> QuerySet[Any]:
        return filtered(super().get_queryset(), self.request, phase="phase")


class PublicationsView(RunsView):
    kind = "publish"
    serializer_class = serializers.PublicationSerializer
    start = staticmethod(acts.start_publication)


class GenerationsView(RunsView):
    kind = "generate"
    serializer_class = serializers.GenerationSerializer
    start = staticmethod(acts.start_generation)


class RunView(generics.RetrieveAPIView[Any]):
    """One run of this kind."""

    permission_classes = [IsStaff]
    runs: type[RunsView] = RunsView  # whose it is

    def get_queryset(self) -> QuerySet[Any]:
        return _shown(self.runs.kind, self.request)

    def get_serializer_class(self) -> Any:
        return self.runs.serializer_class


class DiscardView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(request=None, responses=serializers.SelectionSerializer)
    def post(self, request: Request, pk: UUID) -> Response:
        """Marks this selection as not to be published."""
        selection = visible(Selection.objects, request, pk)
        acts.discard(selection=selection, now=timezone.now(), by=signed_in(request))
        selection.refresh_from_db()
        return Response(serializers.SelectionSerializer(selection).data)


@extend_schema(
    parameters=[OpenApiParameter("set_aside", bool), OpenApiParameter("verdict", enum=["right", "wrong", "unsure"])]
)
class SelectionItemsView(generics.ListAPIView[SelectionItem]):
    """What a selection picked, best first; with `?set_aside=true`, the grader's probable mistakes."""

    permission_classes = [IsStaff]
    pagination_class = LongPages
    serializer_class = serializers.SelectionItemSerializer

    def get_queryset(self) -> QuerySet[SelectionItem]:
        is_set_aside = flag(self.request, "set_aside")
        selection = visible(Selection.objects, self.request, self.kwargs["pk"])
        listed = selection.items.filter(is_set_aside=is_set_aside)
        items: QuerySet[SelectionItem] = filtered(listed, self.request, verdict="solution__verdict")
        return items.select_related("solution__problem").order_by("rank")
