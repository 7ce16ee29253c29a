"""Jobs of all kinds in one list, and one of any kind: its log, its inputs and outputs, its acts."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Any
from uuid import UUID

from django.db.models import JSONField, Model, QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling.api.pagination import LongPages
from labeling.api.permissions import IsStaff, signed_in
from labeling.api.requests import visible
from labeling.jobs import lifecycle, run_log
from labeling.models import Run, Status
from labeling.models.jobs import kinds
from prm_training.api.runs import MayStart
from prm_training.api.serializers import KIND_CHOICES, RUN_FIELDS, RunSerializer, resolved_field
from prm_training.starting import acts


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
        model = Run
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
    kind = serializers.ChoiceField(choices=KIND_CHOICES, required=False)
    status = serializers.ChoiceField(choices=Status.choices, required=False)
    owner = serializers.CharField(required=False)


class AllRunsView(generics.ListAPIView[Any]):
    """All jobs, newest first."""

    permission_classes = [IsStaff]
    pagination_class = LongPages
    serializer_class = AnyRunSerializer

    def get_queryset(self) -> Any:
        """With only what places them in the list."""
        asked = AskedSerializer(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        wanted = dict(asked.validated_data)
        if "owner" in wanted:
            wanted["owner__username"] = wanted.pop("owner")
        if "kind" not in wanted:
            wanted["kind__in"] = [kind for kind, model in kinds().items() if model.IS_LISTED]
        rows = Run.objects.visible_to(signed_in(self.request)).filter(**wanted)
        return rows.only("kind", "created_at").order_by("-created_at", "-id")

    @extend_schema(parameters=[AskedSerializer])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def paginate_queryset(self, queryset: Any) -> Any:
        """The rows themselves, in one query per kind."""
        page: list[Run] = super().paginate_queryset(queryset) or []
        ids = defaultdict[str, list[UUID]](list)
        for run in page:
            ids[run.kind].append(run.pk)
        found = {run.pk: run for kind, pks in ids.items() for run in _listed(kind).filter(pk__in=pks)}
        return [found[run.pk] for run in page if run.pk in found]  # a verification may have been forgotten


def _listed(kind: str) -> QuerySet[Any]:
    """Without the JSON columns, which may be long."""
    model = kinds()[kind]
    return model.objects.whole().defer(*(field.name for field in model._meta.fields if type(field) is JSONField))


class AnyRunView(APIView):
    permission_classes = [MayStart]
    kind = ""  # the row has it

    @extend_schema(responses=AnyRunDetailSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        """A job of any kind, with its log."""
        run = self.found(request, pk)
        whole = kinds()[run.kind].objects.whole().get(pk=run.pk)
        return Response(AnyRunDetailSerializer(whole).data)

    def found(self, request: Request, pk: UUID) -> Run:
        run = visible(Run.objects, request, pk)
        self.check_object_permissions(request, run)
        return run


class CancelRunView(AnyRunView):
    http_method_names = ["post"]

    @extend_schema(request=None, responses=AnyRunDetailSerializer)
    def post(self, request: Request, pk: UUID) -> Response:
        """A queued run ends at once, a running one within seconds; a finished one stays as it is."""
        lifecycle.cancel(self.found(request, pk), now=timezone.now())
        return self.get(request, pk)


class RetryRunView(AnyRunView):
    http_method_names = ["post"]

    @extend_schema(request=None, responses=AnyRunDetailSerializer)
    def post(self, request: Request, pk: UUID) -> Response:
        """Queues a failed or cancelled run again; it resumes from its last checkpoint."""
        acts.retry(self.found(request, pk).details)
        return self.get(request, pk)
