"""Endpoints of imports: upload, preview, confirmation, undo."""

from typing import Any, ClassVar
from uuid import UUID

import msgspec
from django.conf import settings
from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from labeling import clock
from labeling.api.fields import RowSerializer
from labeling.api.parsers import StrictJSONParser, UploadParser, upload_limit
from labeling.api.permissions import signed_in
from labeling.api.requests import body, visible
from labeling.api.spreadsheets import csv_reply
from labeling.api.traces import ConversationField, TurnsField, shown_parts, shown_turns
from labeling.data.formats import columns
from labeling.data.importing import undo as import_undo
from labeling.data.inspecting import model_splitting
from labeling.data.inspecting.model_splitting import NoSplitter
from labeling.models import Markup, Split
from labeling.rules.words import FileFormat, StepRule
from prm_training.api.bases import with_rule
from prm_training.api.runs import RunsOfKind
from prm_training.api.serializers import RUN_FIELDS, RunSerializer, counts_so_far
from prm_training.models import Import
from prm_training.pool import importing, undoing
from prm_training.starting import acts

SHOWN = 100
FIELDS = sorted(columns.OWN)
UNDO_FIELDS = ["undo_requested_at", "undone_at"]
OPTIONS = ["file_format", "target", "split", "benchmark", "generator", "is_atomic", "markup", "statement_markup"]
OPTIONS += ["licence", "provenance", "split_by", "mark", "graded_by"]
SOURCES = ["given", "blank_lines", *(rule for rule in StepRule.values if rule != StepRule.USUAL)]
KEPT = {"trim_whitespace": False}  # a mark may be white space


class ImportCountsSerializer(serializers.Serializer[Any]):
    """Counts, empty at first. Solutions are new texts, draws their samples and those of known texts; shared are known
    texts, now also in this source; duplicates are records that were there already; errors are bad lines.
    """

    problems = serializers.IntegerField(required=False)
    solutions = serializers.IntegerField(required=False)
    draws = serializers.IntegerField(required=False)
    shared = serializers.IntegerField(required=False)
    labellings = serializers.IntegerField(required=False)
    ratings = serializers.IntegerField(required=False)
    golds = serializers.IntegerField(required=False)
    held_out = serializers.IntegerField(required=False)
    duplicates = serializers.IntegerField(required=False)
    errors = serializers.IntegerField(required=False)  # type: ignore[assignment]


def columns_field() -> serializers.DictField:
    """Returns a field that maps columns of a file of solutions to our fields."""
    return serializers.DictField(child=serializers.ChoiceField(FIELDS), required=False)


def check_rule(rule: str) -> None:
    """Refuses the rule `model` where no model is set up."""
    if rule == StepRule.MODEL:
        try:
            model_splitting.check_model()
        except NoSplitter as error:
            raise serializers.ValidationError(str(error)) from None


class HasRule(serializers.Serializer[Any]):
    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return with_rule(attrs)


class OptionsSerializer(HasRule, RowSerializer[Import]):
    """The options that may be changed until the import is confirmed."""

    columns = columns_field()

    class Meta:
        model = Import
        fields = OPTIONS
        extra_kwargs: ClassVar[dict[str, Any]] = {"mark": KEPT, "split_by": {"validators": [check_rule]}}


class ImportSerializer(HasRule, RunSerializer):
    columns = columns_field()
    file = serializers.FileField(write_only=True, max_length=200)
    file_format = serializers.ChoiceField(FileFormat.choices, required=False, help_text="Default: guessed.")
    confirm = serializers.BooleanField(
        write_only=True, default=False, help_text="Import at once, without waiting for a person to confirm."
    )
    counts = ImportCountsSerializer(read_only=True)

    class Meta:
        model = Import
        read_only_fields = [*RUN_FIELDS, "name", "is_markup_guessed", "split_version", "split_model", "confirmed_at"]
        read_only_fields += UNDO_FIELDS
        fields = [*read_only_fields, *OPTIONS]
        extra_kwargs = OptionsSerializer.Meta.extra_kwargs


class ExampleSerializer(serializers.Serializer[Any]):
    line = serializers.IntegerField()
    text = serializers.CharField()


class DoubtSerializer(serializers.Serializer[Any]):
    """A loss or a doubt, with its consequences."""

    kind = serializers.CharField()
    title = serializers.CharField()
    consequence = serializers.CharField()
    count = serializers.IntegerField()
    examples = ExampleSerializer(many=True)


class BadLineSerializer(serializers.Serializer[Any]):
    line = serializers.IntegerField()
    reason = serializers.CharField()


class StepCountsSerializer(serializers.Serializer[Any]):
    """Steps of a solution, of equal texts one counting; `single`: how many solutions have one step."""

    smallest = serializers.IntegerField()
    median = serializers.IntegerField()
    largest = serializers.IntegerField()
    single = serializers.IntegerField()


class FindingsSerializer(serializers.Serializer[Any]):
    """Findings in the whole file. `counts`: imported, or to be imported; `steps`: solutions by the steps' origin."""

    counts = ImportCountsSerializer()
    records = serializers.IntegerField(help_text="Good ones.")
    steps = counts_so_far("StepSources", *SOURCES, help_text="As in the file, or split there, or by the rule.")
    step_counts = StepCountsSerializer(allow_null=True, required=False)
    doubts = DoubtSerializer(many=True)


class PreviewRecordSerializer(serializers.Serializer[Any]):
    """A solution as it will look; `ratings` of its steps, if the file has labels."""

    line = serializers.IntegerField()
    problem = serializers.CharField()
    reference_answer = serializers.CharField()
    split = serializers.ChoiceField(Split.choices)
    generator = serializers.CharField()
    answer = serializers.CharField()
    is_correct = serializers.BooleanField(allow_null=True, help_text="The file's own verdict.")
    steps = serializers.ListField(child=serializers.CharField())
    turns = TurnsField("*")
    conversation = ConversationField("*")
    ratings = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    text_hash = serializers.CharField(help_text="Of the text that was cut into steps; empty if they were given.")
    is_cut_by_hand = serializers.BooleanField()


class ColumnSerializer(serializers.Serializer[Any]):
    """A key of the records, the field that it is read as (empty: not imported), and its first value."""

    name = serializers.CharField()
    field = serializers.ChoiceField(["", *FIELDS])
    example = serializers.CharField()


class PreviewSerializer(serializers.Serializer[Any]):
    """The file's first lines, read with the chosen options."""

    records = PreviewRecordSerializer(many=True)
    markup = serializers.ChoiceField(Markup.choices, help_text="Of steps, as chosen or guessed.")
    statement_markup = serializers.ChoiceField(Markup.choices, help_text="Of problems, as chosen or guessed.")
    bad_lines = BadLineSerializer(many=True)
    columns = ColumnSerializer(many=True, help_text="Of a file of solutions.")
    doubts = DoubtSerializer(many=True)


class ImportDetailSerializer(ImportSerializer):
    preview = serializers.SerializerMethodField()
    findings = serializers.SerializerMethodField(help_text="Null until the file has been inspected.")
    destination = serializers.SerializerMethodField(help_text="Empty: a phase named after the labels.")
    splitter = serializers.SerializerMethodField(help_text="The model that can split texts; empty: none is set up.")

    class Meta(ImportSerializer.Meta):
        pass

    @extend_schema_field(PreviewSerializer)
    def get_preview(self, run: Import) -> dict[str, Any]:
        preview = importing.preview_import(run)
        for record in preview["records"]:
            record["turns"] = msgspec.to_builtins(shown_turns(record["turns"]))
            record["conversation"] = msgspec.to_builtins(shown_parts(record["conversation"]))
        return preview

    @extend_schema_field(FindingsSerializer(allow_null=True))
    def get_findings(self, run: Import) -> dict[str, Any] | None:
        return run.findings or None

    def get_destination(self, run: Import) -> str:
        return importing.options_of(run).target

    def get_splitter(self, run: Import) -> str:
        return model_splitting.model()


class HandCutSerializer(serializers.Serializer[Any]):
    """A change to the steps of a text of the preview: a step, counted from 0, is cut before its character `at`, in code
    points; without `at`, it is joined to the next one. Without a step, the text is cut by the rule again.
    """

    line = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
    text_hash = serializers.RegexField("^[0-9a-f]{64}$", help_text="As the preview has it.")
    step = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    at = serializers.IntegerField(min_value=1, max_value=2**31 - 1, required=False)


class LimitSerializer(serializers.Serializer[Any]):
    max_bytes = serializers.IntegerField()
    is_by_disk = serializers.BooleanField(help_text="The disk has room for no more; else, the installation's limit.")


class UndoSerializer(serializers.Serializer[Any]):
    """The rows that would be deleted, and why they can't be (empty if they can)."""

    problems = serializers.IntegerField()
    solutions = serializers.IntegerField()
    draws = serializers.IntegerField()
    labellings = serializers.IntegerField()
    golds = serializers.IntegerField()
    reason = serializers.CharField()


class Imports(RunsOfKind):
    parser_classes = [UploadParser, StrictJSONParser]
    serializer_class = ImportSerializer

    def get_queryset(self) -> QuerySet[Any]:
        return super().get_queryset().defer("errors", "findings", "head")

    @extend_schema(request={"multipart/form-data": ImportSerializer}, responses={201: ImportDetailSerializer})
    def create(self, request: Request) -> Response:
        """Uploads a file (JSON Lines or ProcessBench, plain or compressed), to be inspected and then confirmed; with
        `confirm`, to be imported at once.
        """
        run = acts.start_import(owner=signed_in(request), now=clock.now(), **body(ImportSerializer, request))
        return self._whole(request, run.pk, status=201)

    @extend_schema(responses=ImportDetailSerializer)
    def retrieve(self, request: Request, pk: UUID) -> Response:
        """An import with its first records as they will look, and with the findings in its file."""
        return self._whole(request, pk)

    @extend_schema(request=OptionsSerializer, responses=ImportDetailSerializer)
    def partial_update(self, request: Request, pk: UUID) -> Response:
        """Changes how the file is read and where it goes; inspects it again if its findings may differ then."""
        run = visible(Import.objects, request, pk)
        acts.change_import(run=run, **body(OptionsSerializer, request, of=run))
        return self._whole(request, pk)

    @extend_schema(request=None, responses=ImportDetailSerializer)
    @action(detail=True, methods=["post"])
    def confirm(self, request: Request, pk: UUID) -> Response:
        """Imports the inspected file."""
        run = visible(Import.objects, request, pk)
        acts.confirm_import(run=run, now=clock.now(), by=signed_in(request))
        return self._whole(request, pk)

    @extend_schema(request=HandCutSerializer, responses=ImportDetailSerializer)
    @action(detail=True, methods=["post"])
    def steps(self, request: Request, pk: UUID) -> Response:
        """Cuts a step of the preview in two, or joins two, for this file alone; inspects the file again."""
        run = visible(Import.objects, request, pk)
        acts.cut_by_hand(run=run, **body(HandCutSerializer, request))
        return self._whole(request, pk)

    def _whole(self, request: Request, pk: UUID, status: int = 200) -> Response:
        run = visible(Import.objects.select_related("owner").defer("errors"), request, pk)
        return Response(ImportDetailSerializer(run).data, status=status)

    @extend_schema(responses=LimitSerializer)
    @action(detail=False)
    def limit(self, request: Request) -> Response:
        """The largest file that can be uploaded now."""
        most = upload_limit()
        return Response({"max_bytes": most, "is_by_disk": most < settings.UPLOAD_LIMIT_MB << 20})

    @extend_schema(responses=UndoSerializer)
    @action(detail=True)
    def undo(self, request: Request, pk: UUID) -> Response:
        """Previews what undoing the import would delete, and what prevents it."""
        run = visible(Import.objects, request, pk)
        return Response(import_undo.brought(run.pk) | {"reason": import_undo.reason(undoing.uses(run))})

    @extend_schema(request=None, responses=ImportSerializer)
    @undo.mapping.post
    def start_undo(self, request: Request, pk: UUID) -> Response:
        """Undoes the import, as a job: deletes what it alone added, unless something of it is in use."""
        run = visible(Import.objects, request, pk)
        acts.undo_import(run=run, now=clock.now(), by=signed_in(request))
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
