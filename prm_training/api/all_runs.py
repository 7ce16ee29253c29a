"""Jobs of all kinds in one list, and one of any kind: its log, its inputs and outputs, its acts."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Any
from uuid import UUID

from django.db.models import JSONField, Model, QuerySet
from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling.api.pagination import MergedPages
from labeling.api.permissions import IsStaff, signed_in
from labeling.api.requests import visible
from prm_training.api.runs import MayStart
from prm_training.api.serializers import RUN_FIELDS, RunSerializer, resolved_field
from prm_training.jobs import acts
from prm_training.models import Run, Status, TrainingRun
from prm_training.runs import lifecycle, run_log


class RunLinkSerializer(serializers.Serializer[Any]):
    """Another row linked to a run; `kind` is the name of its table."""

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
        model = TrainingRun  # any kind's will do: all have these fields
        fields = [*RUN_FIELDS, "name", "worker", "inputs", "outputs"]
        read_only_fields = fields

    @extend_schema_field(RunLinkSerializer(many=True))
    def get_inputs(self, run: Run) -> Any:
        return RunLinkSerializer(_related(run, run.INPUTS), many=True).data

    @extend_schema_field(RunLinkSerializer(many=True))
    def get_outputs(self, run: Run) -> Any:
        return RunLinkSerializer(_related(run, run.OUTPUTS), many=True).data


def _related(run: Any, names: Iterable[str]) -> Iterator[Model]:
    """The rows that exist, by names such as `publication__round`."""
    for name in names:
        found = reduce(lambda row, part: getattr(row, part, None), name.split("__"), run)
        yield from found.all() if hasattr(found, "all") else filter(None, [found])


class AnyRunDetailSerializer(AnyRunSerializer):
    resolved = resolved_field()
    log = serializers.SerializerMethodField(help_text="The last lines of its log.")

    class Meta(AnyRunSerializer.Meta):
        fields = [*AnyRunSerializer.Meta.fields, "log", "resolved"]
        read_only_fields = fields

    def get_log(self, run: Run) -> str:
        return run_log.text_of(run)


class AskedSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=lifecycle.KIND_CHOICES, required=False)
    status = serializers.ChoiceField(choices=Status.choices, required=False)
    owner = serializers.CharField(required=False)


class AllRunsView(generics.ListAPIView[Any]):
    """All jobs, newest first."""

    permission_classes = [IsStaff]
    pagination_class = MergedPages
    serializer_class = AnyRunSerializer

    def get_queryset(self) -> Any:
        """The runs of each kind, with only what places them in the list."""
        asked = AskedSerializer(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        wanted = dict(asked.validated_data)
        kind = wanted.pop("kind", None)
        if "owner" in wanted:
            wanted["owner__username"] = wanted.pop("owner")
        of_kinds = (lifecycle.KINDS[name] for name in ([kind] if kind else lifecycle.KINDS))
        seen = (model.objects.visible_to(signed_in(self.request)) for model in of_kinds)
        return [runs.filter(**wanted).only("created_at").order_by("-created_at", "-pk") for runs in seen]

    @extend_schema(parameters=[AskedSerializer])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def paginate_queryset(self, queryset: Any) -> Any:
        """The rows themselves, in one query per kind."""
        page: list[Run] = super().paginate_queryset(queryset) or []
        ids = defaultdict[str, list[UUID]](list)
        for run in page:
            ids[lifecycle.kind_of(run)].append(run.pk)
        found = {run.pk: run for kind, pks in ids.items() for run in _listed(kind).filter(pk__in=pks)}
        return [found[run.pk] for run in page if run.pk in found]  # a verification may have been forgotten


def _listed(kind: str) -> QuerySet[Any]:
    """Without the JSON columns, which may be long."""
    model = lifecycle.KINDS[kind]
    return model.objects.whole().defer(*(field.name for field in model._meta.fields if type(field) is JSONField))


class AnyRunView(APIView):
    permission_classes = [MayStart]

    @extend_schema(responses=AnyRunDetailSerializer)
    def get(self, request: Request, kind: str, pk: UUID) -> Response:
        """A job of any kind, with its log."""
        return Response(AnyRunDetailSerializer(self.found(request, kind, pk)).data)

    def found(self, request: Request, kind: str, pk: UUID) -> Run:
        if kind not in lifecycle.KINDS:
            raise Http404
        run: Run = visible(lifecycle.KINDS[kind].objects.whole(), request, pk)
        return run


class CancelRunView(AnyRunView):
    http_method_names = ["post"]

    @extend_schema(request=None, responses=AnyRunDetailSerializer)
    def post(self, request: Request, kind: str, pk: UUID) -> Response:
        """A queued run ends at once, a running one within seconds; a finished one stays as it is."""
        lifecycle.cancel(self.found(request, kind, pk), now=timezone.now())
        return self.get(request, kind, pk)


class RetryRunView(AnyRunView):
    http_method_names = ["post"]

    @extend_schema(request=None, responses=AnyRunDetailSerializer)
    def post(self, request: Request, kind: str, pk: UUID) -> Response:
        """Queues a failed or cancelled run again; it resumes from its last checkpoint."""
        acts.retry(self.found(request, kind, pk))
        return self.get(request, kind, pk)
