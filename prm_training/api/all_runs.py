"""Jobs of all kinds in one list, and one of any kind: its log, what it works on, what came of it."""

from collections import defaultdict
from functools import reduce
from typing import Any
from uuid import UUID

from django.db.models import Model, QuerySet, Value
from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling.api.permissions import IsMlStaff, IsStaff, signed_in
from prm_training import jobs, lifecycle
from prm_training.api.serializers import RUN_FIELDS, RunSerializer
from prm_training.models import Run, Status, TrainingRun


class RunLinkSerializer(serializers.Serializer[Any]):
    """Another row that a run has to do with; `kind` is the name of its table."""

    kind = serializers.CharField(source="_meta.model_name")
    id = serializers.CharField(source="pk")
    name = serializers.SerializerMethodField()

    def get_name(self, row: Model) -> str:
        return str(row)


class AnyRunSerializer(RunSerializer):
    kind = serializers.SerializerMethodField()
    name = serializers.CharField(default="", read_only=True)
    inputs = serializers.SerializerMethodField()
    outputs = serializers.SerializerMethodField()

    class Meta(RunSerializer.Meta):
        model = TrainingRun  # every kind has these fields
        fields = ["kind", "name", *RUN_FIELDS, "worker", "inputs", "outputs"]
        read_only_fields = fields

    @extend_schema_field(serializers.ChoiceField(choices=lifecycle.KIND_CHOICES))
    def get_kind(self, run: Run) -> str:
        return next(kind for kind, model in lifecycle.KINDS.items() if isinstance(run, model))

    @extend_schema_field(RunLinkSerializer(many=True))
    def get_inputs(self, run: Run) -> Any:
        return RunLinkSerializer([row for row in run.inputs if row], many=True).data

    @extend_schema_field(RunLinkSerializer(many=True))
    def get_outputs(self, run: Run) -> Any:
        return RunLinkSerializer([row for row in run.outputs if row], many=True).data


class AnyRunDetailSerializer(AnyRunSerializer):
    class Meta(AnyRunSerializer.Meta):
        fields = [*AnyRunSerializer.Meta.fields, "log"]
        read_only_fields = fields


class AskedSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=lifecycle.KIND_CHOICES, required=False)
    status = serializers.ChoiceField(choices=Status.choices, required=False)
    owner = serializers.CharField(required=False)


class AllRunsView(generics.ListAPIView[Any]):
    """All jobs, the newest first."""

    permission_classes = [IsStaff]
    serializer_class = AnyRunSerializer

    def get_queryset(self) -> QuerySet[Any]:
        asked = AskedSerializer(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        wanted = dict(asked.validated_data)
        kind = wanted.pop("kind", None)
        if "owner" in wanted:
            wanted["owner__username"] = wanted.pop("owner")
        rows = [
            model.objects.visible_to(signed_in(self.request))
            .filter(**wanted)
            .order_by()
            .values("pk", "created_at", of_kind=Value(name))
            for name, model in lifecycle.KINDS.items()
            if kind in (None, name)
        ]
        return reduce(lambda left, right: left.union(right, all=True), rows).order_by("-created_at")

    @extend_schema(parameters=[AskedSerializer])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def paginate_queryset(self, queryset: Any) -> Any:
        """The rows themselves, a query for each kind."""
        page: list[dict[str, Any]] = super().paginate_queryset(queryset) or []
        ids = defaultdict[str, list[UUID]](list)
        for row in page:
            ids[row["of_kind"]].append(row["pk"])
        found = {run.pk: run for kind, pks in ids.items() for run in whole(kind).filter(pk__in=pks)}
        return [found[row["pk"]] for row in page]


def whole(kind: str) -> QuerySet[Any]:
    """Runs of a kind with all that the list tells about them."""
    model = lifecycle.KINDS[kind]
    related = [field.name for field in model._meta.fields if field.many_to_one or field.one_to_one]
    return model.objects.select_related(*related)


class AnyRunView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(responses=AnyRunDetailSerializer)
    def get(self, request: Request, kind: str, pk: UUID) -> Response:
        """A job of any kind, with its log."""
        return Response(AnyRunDetailSerializer(self.found(request, kind, pk)).data)

    def found(self, request: Request, kind: str, pk: UUID) -> Run:
        if kind not in lifecycle.KINDS:
            raise Http404
        run: Run = generics.get_object_or_404(whole(kind).visible_to(signed_in(request)), pk=pk)  # type: ignore[attr-defined]
        return run


class CancelAnyRunView(AnyRunView):
    http_method_names = ["post"]
    permission_classes = [IsMlStaff]

    @extend_schema(request=None, responses=AnyRunDetailSerializer)
    def post(self, request: Request, kind: str, pk: UUID) -> Response:
        """A queued run ends at once, a running one within seconds; a finished one stays as it is."""
        jobs.cancel(self.found(request, kind, pk), now=timezone.now())
        return self.get(request, kind, pk)


class RetryAnyRunView(AnyRunView):
    http_method_names = ["post"]
    permission_classes = [IsMlStaff]

    @extend_schema(request=None, responses=AnyRunDetailSerializer)
    def post(self, request: Request, kind: str, pk: UUID) -> Response:
        """Queues a failed or cancelled run again; it goes on from its last checkpoint."""
        jobs.retry(self.found(request, kind, pk))
        return self.get(request, kind, pk)
