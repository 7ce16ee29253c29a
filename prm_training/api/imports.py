"""Import files from the browser."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from labeling.api.parsers import StrictJSONParser, UploadParser, upload_limit
from labeling.api.permissions import signed_in
from labeling.api.requests import visible
from labeling.api.spreadsheets import csv_reply
from labeling.data.importing import undo as import_undo
from prm_training.api.runs import RunsOfKind
from prm_training.api.serializers import RUN_FIELDS, RunSerializer, counts_so_far
from prm_training.models import Import
from prm_training.pool import undoing
from prm_training.starting import acts

SHOWN = 100
MARKUP_FIELDS = ["markup", "statement_markup", "is_markup_guessed"]
UNDO_FIELDS = ["undo_requested_at", "undone_at"]


class ImportSerializer(RunSerializer):
    file = serializers.FileField(write_only=True, max_length=200)
    counts = counts_so_far(
        "ImportCounts",
        "problems",
        "solutions",
        "draws",
        "shared",
        "labellings",
        "ratings",
        "golds",
        "held_out",
        "duplicates",
        "errors",
        help_text=(
            "Solutions are new texts, draws their samples and those of known texts; shared are known texts, now also "
            "in this source; held out are known problems that moved to split "
            "test; duplicates are records that were there already; errors are bad lines."
        ),
    )

    class Meta:
        model = Import
        fields = [
            *RUN_FIELDS,
            *("name", "file_format", "target", "split", "benchmark", "is_atomic"),
            *MARKUP_FIELDS,
            *UNDO_FIELDS,
        ]
        read_only_fields = [*RUN_FIELDS, "name", "is_markup_guessed", *UNDO_FIELDS]


class LimitSerializer(serializers.Serializer[Any]):
    max_bytes = serializers.IntegerField()


class UndoSerializer(serializers.Serializer[Any]):
    """What would be deleted, and why it can't be (empty if it can)."""

    problems = serializers.IntegerField()
    solutions = serializers.IntegerField()
    draws = serializers.IntegerField()
    labellings = serializers.IntegerField()
    golds = serializers.IntegerField()
    reason = serializers.CharField()


class BadLineSerializer(serializers.Serializer[Any]):
    line = serializers.IntegerField()
    reason = serializers.CharField()


class Imports(RunsOfKind):
    parser_classes = [UploadParser, StrictJSONParser]
    serializer_class = ImportSerializer
    start = staticmethod(acts.start_import)

    def get_queryset(self) -> QuerySet[Any]:
        return super().get_queryset().defer("errors")

    @extend_schema(request={"multipart/form-data": ImportSerializer})
    def create(self, request: Request) -> Response:
        """Uploads a file (JSON Lines or ProcessBench, plain or gzipped) and queues its import."""
        return super().create(request)

    @extend_schema(responses=LimitSerializer)
    @action(detail=False)
    def limit(self, request: Request) -> Response:
        """The largest file that can be uploaded now."""
        return Response({"max_bytes": upload_limit()})

    @extend_schema(responses=UndoSerializer)
    @action(detail=True)
    def undo(self, request: Request, pk: UUID) -> Response:
        """What undoing the import would delete, and what prevents it."""
        run = visible(Import.objects, request, pk)
        return Response(import_undo.brought(run.pk) | {"reason": import_undo.reason(undoing.uses(run))})

    @extend_schema(request=None, responses=ImportSerializer)
    @undo.mapping.post
    def start_undo(self, request: Request, pk: UUID) -> Response:
        """Undoes the import, as a job: deletes what it alone added, unless something of it is in use."""
        run = visible(Import.objects, request, pk)
        acts.undo_import(run=run, now=timezone.now(), by=signed_in(request))
        run.refresh_from_db()
        return Response(ImportSerializer(run).data)

    @extend_schema(responses=BadLineSerializer(many=True))
    @action(detail=True, url_path="bad-lines", pagination_class=None)
    def bad_lines(self, request: Request, pk: UUID) -> Response:
        """The first hundred bad lines; `errors/` has more."""
        run = visible(Import.objects, request, pk)
        return Response([{"line": line, "reason": reason} for line, reason in run.errors[:SHOWN]])

    @extend_schema(responses={(200, "text/csv"): OpenApiTypes.STR})
    @action(detail=True)
    def errors(self, request: Request, pk: UUID) -> StreamingHttpResponse:
        """The first 10,000 bad lines as CSV, each with its number and what is wrong."""
        run = visible(Import.objects, request, pk)
        return csv_reply(f"errors-{run.pk}.csv", ["line", "reason"], run.errors)
