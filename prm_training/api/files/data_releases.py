"""Releases of data: made, listed, downloaded, withdrawn."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.http import Http404, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from labeling import audit, clock
from labeling.api.fields import TextField
from labeling.api.permissions import IsAdmin, signed_in
from labeling.api.requests import body, visible
from labeling.data import exporting
from labeling.data.api.label_filter import LabelFilterSerializer, label_filter_of
from labeling.rules.audited import AuditAct
from prm_training.api.runs import RunsOfKind
from prm_training.api.serializers import RUN_FIELDS, RunSerializer, counts_so_far
from prm_training.data_releases import card
from prm_training.models import DataRelease
from prm_training.starting import acts

ARCHIVE = ["size", "sha256", "withdrawn_at", "withdrawn_because"]


class DataReleaseSerializer(RunSerializer):
    """A release, with how much it holds; empty until it is done."""

    labels = LabelFilterSerializer(required=False, help_text="Which labels; default: all as they stand.")
    file_formats = serializers.ListField(
        child=serializers.ChoiceField(sorted(exporting.FORMATS)),
        allow_empty=False,
        default=["prm800k", "trl"],
        help_text="The first is the one that opens by default.",
    )
    counts = serializers.SerializerMethodField()

    class Meta:
        model = DataRelease
        fields = [*RUN_FIELDS, "name", "notes", "licence", *ARCHIVE]
        read_only_fields = [*RUN_FIELDS, *ARCHIVE]

    @extend_schema_field(counts_so_far("DataReleaseCounts", *card.COUNTS, help_text="Empty until it is done."))
    def get_counts(self, run: DataRelease) -> dict[str, int]:
        return dict(run.card.get("counts", {}))

    def validate_labels(self, labels: dict[str, Any]) -> dict[str, Any]:
        """Returns the labels as stored in the row: JSON has no UUIDs."""
        return label_filter_of(labels).as_json()

    def validate_file_formats(self, file_formats: list[str]) -> list[str]:
        for file_format in file_formats:
            exporting.check_format(file_format)
        return list(dict.fromkeys(file_formats))


class CardSerializer(serializers.Serializer[Any]):
    """The card of a finished release, as in its README."""

    text = serializers.CharField(help_text="In Markdown.")


class BecauseSerializer(serializers.Serializer[Any]):
    because = TextField(max_length=1000, help_text="Its card says so to those who look for it.")


def _pieces(run: DataRelease) -> Iterator[bytes]:
    with run.file.open() as file:
        yield from file.chunks()


class DataReleases(RunsOfKind):
    serializer_class = DataReleaseSerializer
    start = staticmethod(acts.start_data_release)

    def retrieve(self, request: Request, pk: UUID) -> Response:
        """A release, with how much it holds."""
        return Response(self.get_serializer(self._one(request, pk)).data)

    @extend_schema(responses=CardSerializer)
    @action(detail=True)
    def card(self, request: Request, pk: UUID) -> Response:
        """Its card: contents, guidelines, origins, agreement, noise, overlap with benchmarks."""
        run = self._one(request, pk)
        if not run.card:
            raise Http404
        return Response(CardSerializer({"text": card.text(run.card)}).data)

    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY})
    @action(detail=True)
    def download(self, request: Request, pk: UUID) -> StreamingHttpResponse:
        """The archive: labels, card, guidelines and checksums; `datasets` opens its folder."""
        run = self._one(request, pk)
        if not run.file.name or not run.file.storage.exists(run.file.name):
            raise Http404
        audit.record(by=signed_in(request), act=AuditAct.EXPORT, on=run)
        headers = {"Content-Disposition": f'attachment; filename="{run.name}.zip"', "Content-Length": str(run.size)}
        return StreamingHttpResponse(_pieces(run), content_type="application/zip", headers=headers)

    @extend_schema(request=BecauseSerializer)
    @action(detail=True, methods=["post"], permission_classes=[IsAdmin])
    def withdraw(self, request: Request, pk: UUID) -> Response:
        """Deletes its archive. Its name and its card stay, with the reason; copies that others have stay theirs."""
        run = self._one(request, pk)
        acts.withdraw_data_release(run=run, now=clock.now(), by=signed_in(request), **body(BecauseSerializer, request))
        run.refresh_from_db()
        return Response(self.get_serializer(run).data)

    def _one(self, request: Request, pk: UUID) -> DataRelease:
        run: DataRelease = visible(DataRelease.objects.select_related("owner", "phase"), request, pk)
        return run
