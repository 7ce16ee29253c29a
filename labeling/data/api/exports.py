"""Exports: a preview of the chosen labels, and the export itself."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.http import FileResponse, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling import audit, clock
from labeling.api.parsers import StrictJSONParser, UploadParser
from labeling.api.permissions import IsStaff, signed_in
from labeling.api.requests import body, checked
from labeling.data import exporting, snapshots
from labeling.data.api.label_filter import COUNTS, LabelCountsSerializer, LabelFilterSerializer, label_filter_of
from labeling.data.exporting import beside
from labeling.errors import DomainError
from labeling.jobs import files
from labeling.rules.audited import AuditAct


class ExportSerializer(LabelFilterSerializer):
    file_format = serializers.ChoiceField(choices=sorted(exporting.FORMATS), default="prm800k")

    def validate_file_format(self, file_format: str) -> str:
        exporting.check_format(file_format)
        return file_format


class LabelPreviewView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(parameters=[LabelFilterSerializer], responses=LabelCountsSerializer, examples=[COUNTS])
    def get(self, request: Request) -> Response:
        """Previews the labels that a training on this choice would use, and that an export holds."""
        asked = checked(LabelFilterSerializer(data=request.query_params))
        return Response(LabelCountsSerializer(snapshots.preview_snapshot(label_filter_of(asked))).data)


class NotHeldSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="As in the manifest.")
    title = serializers.CharField()
    count = serializers.IntegerField()


class ExportPreviewSerializer(serializers.Serializer[Any]):
    """The contents that a file would have."""

    looked_at = serializers.IntegerField(help_text="Labellings, rulings and consensuses that were looked at.")
    is_all = serializers.BooleanField(help_text="Whether these are all there are.")
    records = serializers.IntegerField(help_text="That are made of these.")
    not_held = NotHeldSerializer(many=True, help_text="What the format can't hold of these, counted.")


class ExportPreviewView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(parameters=[ExportSerializer], responses=ExportPreviewSerializer)
    def get(self, request: Request) -> Response:
        """The records that an export would write, and what its format can't hold."""
        asked = checked(ExportSerializer(data=request.query_params))
        found = exporting.preview_export(label_filter_of(asked), file_format=asked["file_format"])
        return Response(ExportPreviewSerializer(found).data)


class SourceSerializer(serializers.Serializer[Any]):
    file = serializers.FileField(max_length=200, help_text="The file that the traces or solutions came in.")


class NoLabels(DomainError, code="no_labels", status=409):
    """No solution in the file has such labels: its copy would be no different."""


class BesideView(APIView):
    permission_classes = [IsStaff]
    parser_classes = [UploadParser, StrictJSONParser]

    @extend_schema(
        parameters=[LabelFilterSerializer],
        request={"multipart/form-data": SourceSerializer},
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY},
    )
    def post(self, request: Request) -> FileResponse:
        """A copy of the file with the labels beside the text of its traces or solutions: 409 if it has none of them."""
        label_filter = label_filter_of(checked(LabelFilterSerializer(data=request.query_params)))
        upload, by = body(SourceSerializer, request)["file"], signed_in(request)
        name = upload.name  # without folders: Django sees to it
        with TemporaryDirectory(prefix="stepmark-", dir=settings.FILE_UPLOAD_TEMP_DIR) as folder:
            output = Path(folder) / name
            with files.uploaded(upload) as source:
                counts = beside.write_beside(label_filter, source=source, output=output)
            if not counts["labelled"]:
                raise NoLabels(f"No solution in this file has such labels. Solutions: {counts['solutions']:,}.")
            copy = output.open("rb")  # it lies there until it is closed
        audit.record(by=by, act=AuditAct.EXPORT, on=by, after={"into": name, **counts, **label_filter.as_json()})
        return FileResponse(copy, as_attachment=True, filename=f"labelled-{name}")


class ExportView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(parameters=[ExportSerializer], responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: Request) -> StreamingHttpResponse:
        """The labels in the requested format, with a manifest, as a ZIP archive."""
        asked = checked(ExportSerializer(data=request.query_params))
        label_filter, file_format = label_filter_of(asked), asked["file_format"]
        now, by = clock.now(), signed_in(request)
        pieces = exporting.stream_labels(label_filter, file_format=file_format, now=now)
        audit.record(by=by, act=AuditAct.EXPORT, on=by, after={"file_format": file_format, **label_filter.as_json()})
        answer = StreamingHttpResponse(pieces, content_type="application/zip")
        answer["Content-Disposition"] = f'attachment; filename="{file_format}-{now:%Y-%m-%d-%H%M}.zip"'
        return answer
