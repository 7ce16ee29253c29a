"""Starts and lists jobs of the loop, kind by kind; `all_runs` reads, cancels and retries any of them."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db.models import FloatField, Model, QuerySet, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from labeling import clock
from labeling.api.filters import filtered, flag, listed_by, ordered_by, ordering
from labeling.api.pagination import LongPages
from labeling.api.permissions import IsMlStaff, IsStaff, signed_in
from labeling.api.requests import body, visible
from labeling.models import Run, Verdict
from labeling.rules.words import RunKind
from prm_training.api import serializers
from prm_training.api.rounds import SelectionItemSerializer
from prm_training.models import Selection, SelectionItem
from prm_training.starting import acts


class MayStart(BasePermission):
    """Lets all staff read; people who may start a kind of run may also cancel and retry it."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return self._rule(request, view.kind).has_permission(request, view)

    def has_object_permission(self, request: Request, view: Any, row: Model) -> bool:
        rule = self._rule(request, row.kind if isinstance(row, Run) else view.kind)
        return rule.has_permission(request, view) and rule.has_object_permission(request, view, row)

    def _rule(self, request: Request, kind: str) -> IsStaff | IsMlStaff:
        is_for_ml_staff = request.method not in SAFE_METHODS and kind != "" and RunKind(kind).traits.is_for_ml_staff
        return IsMlStaff() if is_for_ml_staff else IsStaff()


class RunsOfKind(ListModelMixin, GenericViewSet[Any]):
    """The runs of this kind, newest first."""

    lookup_value_converter = "uuid"
    permission_classes = [MayStart]
    pagination_class = LongPages
    serializer_class: Any
    start: Callable[..., Run]

    @property
    def kind(self) -> str:
        return str(self.serializer_class.Meta.model.KIND)

    def get_queryset(self) -> QuerySet[Any]:
        """Returns the runs, with all rows that their pages show."""
        model = self.serializer_class.Meta.model
        rows: QuerySet[Any] = model.objects.visible_to(signed_in(self.request)).whole().prefetch_related(*model.RECORDS)
        return rows.order_by("-created_at", "-id")

    def filter_queryset(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        return filtered(rows, self.request, phase="phase")

    def create(self, request: Request) -> Response:
        """Queues a new run."""
        run = self.start(owner=signed_in(request), **body(self.get_serializer_class(), request))
        return Response(self.get_serializer(run).data, status=201)


@listed_by(ordered_by("created_at", "name", "step_auc"), phase=OpenApiTypes.UUID)
class TrainingRuns(RunsOfKind):
    serializer_class = serializers.TrainingRunSerializer
    start = staticmethod(acts.start_training)

    def filter_queryset(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Sorts by `step_auc`, on the held-out labels, if requested; runs without one come last."""
        by = ordering(self.request, "created_at", "name", "step_auc", default="-created_at")
        measured = Cast(KT("metrics__held_out__step_auc"), FloatField())
        none = Value(-1.0 if by.startswith("-") else 2.0)
        found: QuerySet[Any] = rows.annotate(step_auc=Coalesce(measured, none)).order_by(by, "-id")
        return super().filter_queryset(found)


@listed_by(phase=OpenApiTypes.UUID)
class EvaluationRuns(RunsOfKind):
    serializer_class = serializers.EvaluationRunSerializer
    start = staticmethod(acts.start_evaluation)


@listed_by(phase=OpenApiTypes.UUID, reward_model=OpenApiTypes.UUID)
class PolicyReplays(RunsOfKind):
    serializer_class = serializers.PolicyReplaySerializer
    start = staticmethod(acts.start_policy_replay)

    def filter_queryset(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        return filtered(super().filter_queryset(rows), self.request, reward_model="reward_model")


@listed_by(phase=OpenApiTypes.UUID)
class ScoringRuns(RunsOfKind):
    serializer_class = serializers.ScoringRunSerializer
    start = staticmethod(acts.start_scoring)


@listed_by(phase=OpenApiTypes.UUID)
class Publications(RunsOfKind):
    serializer_class = serializers.PublicationSerializer
    start = staticmethod(acts.start_publication)


class Generations(RunsOfKind):
    serializer_class = serializers.GenerationSerializer
    start = staticmethod(acts.start_generation)


@listed_by(phase=OpenApiTypes.UUID)
class Selections(RunsOfKind):
    serializer_class = serializers.SelectionSerializer
    start = staticmethod(acts.start_selection)

    @extend_schema(request=None)
    @action(detail=True, methods=["post"], permission_classes=[IsStaff])
    def discard(self, request: Request, pk: UUID) -> Response:
        """Marks this selection as not to be published."""
        selection = visible(Selection.objects, request, pk)
        acts.discard(selection=selection, now=clock.now(), by=signed_in(request))
        selection.refresh_from_db()
        return Response(self.get_serializer(selection).data)


@listed_by(OpenApiParameter("verdict", enum=Verdict.values), set_aside=bool, random=bool)
class SelectionItems(ListModelMixin, GenericViewSet[SelectionItem]):
    """A selection's picks, best first; with `?set_aside=true`, the grader's probable mistakes; with
    `?random=true`, the random arm alone.
    """

    permission_classes = [IsStaff]
    pagination_class = LongPages
    serializer_class = SelectionItemSerializer

    def get_queryset(self) -> QuerySet[SelectionItem]:
        is_set_aside = flag(self.request, "set_aside")
        selection = visible(Selection.objects, self.request, self.kwargs["selection_id"])
        listed = selection.items.filter(is_set_aside=is_set_aside)
        listed = listed.filter(is_random=True) if flag(self.request, "random") else listed
        items: QuerySet[SelectionItem] = filtered(listed, self.request, verdict="solution__verdict")
        return items.select_related("solution__problem").order_by("rank")
