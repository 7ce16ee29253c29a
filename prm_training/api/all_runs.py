"""Runs of all kinds: the list, and one run with its details, log, inputs, outputs and actions."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Any
from uuid import UUID

from django.db.models import JSONField, Model, QuerySet
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema, extend_schema_field, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from labeling import clock
from labeling.api.filters import ordered_by, ordering
from labeling.api.pagination import CountedPages
from labeling.api.permissions import signed_in
from labeling.api.requests import checked, visible
from labeling.jobs import lifecycle, run_log
from labeling.models import CompletionSet, Run, Status
from labeling.models.jobs import kinds
from labeling.rules.words import RunKind
from prm_training.api.files.data_releases import DataReleases
from prm_training.api.files.imports import Imports
from prm_training.api.runs import (
    EvaluationRuns,
    Generations,
    MayStart,
    PolicyReplays,
    Publications,
    RunsOfKind,
    ScoringRuns,
    Selections,
    TrainingRuns,
)
from prm_training.api.serializers import KIND_CHOICES, RUN_FIELDS, RunSerializer, resolved_field
from prm_training.models import Verification
from prm_training.starting import acts

# The views of the kinds that people start.
LISTED: tuple[type[RunsOfKind], ...] = (
    TrainingRuns,
    EvaluationRuns,
    PolicyReplays,
    ScoringRuns,
    Selections,
    Publications,
    Generations,
    Imports,
    DataReleases,
)


class InternalRunSerializer(RunSerializer):
    """A run that people don't start themselves."""

    class Meta(RunSerializer.Meta):
        model = Run


SERIALIZERS: dict[str, Any] = {
    **dict.fromkeys([CompletionSet.KIND, Verification.KIND], InternalRunSerializer),
    **{runs.serializer_class.Meta.model.KIND: runs.serializer_class for runs in LISTED},
}


class RunLinkSerializer(serializers.Serializer[Any]):
    """A row of another table, linked to a run; `kind` is the name of its table."""

    kind = serializers.CharField(source="_meta.model_name")
    id = serializers.CharField(source="pk")
    name = serializers.SerializerMethodField()

    def get_name(self, row: Model) -> str:
        return str(row)


class AnyRunSerializer(RunSerializer):
    name = serializers.CharField(default="", read_only=True)
    inputs = serializers.SerializerMethodField()
    outputs = serializers.SerializerMethodField()

    class Meta(RunSerializer.Meta):
        model = Run
        fields = [*RUN_FIELDS, "worker"]
        read_only_fields = fields

    @extend_schema_field(RunLinkSerializer(many=True))
    def get_inputs(self, run: Run) -> Any:
        return RunLinkSerializer(_related(run, run.INPUTS), many=True).data

    @extend_schema_field(RunLinkSerializer(many=True))
    def get_outputs(self, run: Run) -> Any:
        return RunLinkSerializer(_related(run, run.OUTPUTS), many=True).data


def _related(run: Any, names: Iterable[str]) -> Iterator[Model]:
    """Yields the existing rows among the run's relations, given by names such as `publication__round`."""
    for name in names:
        found = reduce(lambda row, part: getattr(row, part, None), name.split("__"), run)
        yield from found.all() if hasattr(found, "all") else filter(None, [found])


class AnyRunDetailSerializer(AnyRunSerializer):
    """A run of any kind; `details` has the fields that its own kind's list shows."""

    resolved = resolved_field()
    log = serializers.SerializerMethodField(help_text="The last lines of its log.")
    details = serializers.SerializerMethodField()

    def get_log(self, run: Run) -> str:
        return run_log.text_of(run)

    @extend_schema_field(PolymorphicProxySerializer("RunDetails", SERIALIZERS, "kind"))
    def get_details(self, run: Run) -> Any:
        return SERIALIZERS[run.kind](run, context=self.context).data


class RunFilterSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=KIND_CHOICES, required=False)
    status = serializers.ChoiceField(choices=Status.choices, required=False)
    owner = serializers.CharField(required=False)
    phase = serializers.UUIDField(required=False)


@extend_schema_view(list=extend_schema(parameters=[RunFilterSerializer, ordered_by("created_at")]))
class Runs(ListModelMixin, GenericViewSet[Any]):
    """Runs of all kinds, newest first."""

    lookup_value_converter = "uuid"
    permission_classes = [MayStart]
    pagination_class = CountedPages
    serializer_class = AnyRunSerializer
    kind = ""  # the row has it

    def get_queryset(self) -> Any:
        return Run.objects.visible_to(signed_in(self.request))

    def filter_queryset(self, rows: Any) -> Any:
        """Filters and sorts the runs, loading only the kind and the time of each."""
        wanted = checked(RunFilterSerializer(data=self.request.query_params))
        if "owner" in wanted:
            wanted["owner__username"] = wanted.pop("owner")
        if "kind" not in wanted:
            wanted["kind__in"] = [kind for kind in RunKind if kind.traits.is_listed]
        by = ordering(self.request, "created_at", default="-created_at")
        return rows.filter(**wanted).only("kind", "created_at").order_by(by, by.replace("created_at", "id"))

    def paginate_queryset(self, queryset: Any) -> Any:
        """Returns the page's rows, by one query per kind."""
        page: list[Run] = super().paginate_queryset(queryset) or []
        ids = defaultdict[str, list[UUID]](list)
        for run in page:
            ids[run.kind].append(run.pk)
        found = {run.pk: run for kind, pks in ids.items() for run in _listed_rows(kind).filter(pk__in=pks)}
        return [found[run.pk] for run in page if run.pk in found]  # a verification may have been deleted since

    @extend_schema(responses=AnyRunDetailSerializer)
    def retrieve(self, request: Request, pk: UUID) -> Response:
        """A run of any kind, with its details and its log."""
        return self._whole(visible(Run.objects, request, pk))

    @extend_schema(request=None, responses=AnyRunDetailSerializer)
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, pk: UUID) -> Response:
        """Cancels a run: a queued one ends at once, a running one within seconds; a finished one stays as it is."""
        run = visible(Run.objects, request, pk)
        lifecycle.cancel(run, now=clock.now())
        return self._whole(run)

    @extend_schema(request=None, responses=AnyRunDetailSerializer)
    @action(detail=True, methods=["post"])
    def retry(self, request: Request, pk: UUID) -> Response:
        """Queues a failed or cancelled run again; it resumes from its last checkpoint."""
        run = visible(Run.objects, request, pk)
        acts.retry(run.details)
        return self._whole(run)

    def _whole(self, run: Run) -> Response:
        model = kinds()[run.kind]
        whole = model.objects.whole().prefetch_related(*model.RECORDS).get(pk=run.pk)
        return Response(AnyRunDetailSerializer(whole, context=self.get_serializer_context()).data)


def _listed_rows(kind: str) -> QuerySet[Any]:
    """Returns the kind's rows, without JSON columns, which may be long."""
    model = kinds()[kind]
    return model.objects.whole().defer(*(field.name for field in model._meta.fields if type(field) is JSONField))
