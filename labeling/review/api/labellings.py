"""Submitted labellings, for staff, with acts on many."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field, extend_schema_view
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ReadOnlyModelViewSet

from labeling import audit, clock
from labeling.api import days
from labeling.api.fields import RowSerializer, markup_field
from labeling.api.filters import flag, ordered_by, ordering
from labeling.api.pagination import PagesInParts
from labeling.api.permissions import AdminWrites, signed_in
from labeling.api.requests import body
from labeling.api.spreadsheets import csv_reply
from labeling.api.traces import ConversationField, TurnsField
from labeling.campaign import relabelling, withdrawals
from labeling.campaign.api.profiles import ErrorKindSerializer
from labeling.errors import DomainError
from labeling.models import Critique, Labelling, RatedCompletion, Task
from labeling.review.api import searching
from labeling.review.api.searching import LabellingSearchSerializer
from labeling.rules.audited import AuditAct

MOST_AT_ONCE = 10_000
MOST_WITHDRAWN = 300  # 25 ms each, mostly to count what is affected, for the audit log
SEARCHED: list[Any] = [LabellingSearchSerializer, *days.PERIOD]
NAMES = OpenApiParameter("names", bool, description="Annotators by their user names instead.")
COLUMNS = {
    "labelling": "pk",
    "task": "task",
    "phase": "task__round__phase__name",
    "round": "task__round__number",
    "annotator": "annotator",
    "submitted_at": "submitted_at",
    "guidelines_version": "guidelines_version",
    "finish_reason": "finish_reason",
    "first_error": "first_error",
    "result": "result",
    "active_ms": "active_ms",
    "note": "finish_note",
    "problem": "task__solution__problem__statement",
}


class RatingCountsSerializer(serializers.Serializer[dict[str, int]]):
    positive = serializers.IntegerField()
    neutral = serializers.IntegerField()
    negative = serializers.IntegerField()
    unsure = serializers.IntegerField()


class LabellingSerializer(RowSerializer[Labelling]):
    annotator = serializers.CharField(source="annotator.username", allow_null=True, read_only=True, default=None)
    phase_name = serializers.CharField(source="task.round.phase.name", read_only=True)
    round_number = serializers.IntegerField(source="task.round.number", read_only=True)
    problem_statement = serializers.CharField(source="task.solution.problem.statement", read_only=True)
    statement_markup = markup_field("task.solution.problem.markup")
    rating_counts = serializers.SerializerMethodField()

    class Meta:
        model = Labelling
        fields = [
            "id",
            "task",
            "finish_reason",
            "finish_note",
            "active_ms",
            "submitted_at",
            "guidelines_version",
            "superseded_at",
        ]

    @extend_schema_field(RatingCountsSerializer)
    def get_rating_counts(self, labelling: Labelling) -> dict[str, int]:
        ratings = Counter(completion.rating for completion in labelling.completions.all())
        return {"positive": ratings[1], "neutral": ratings[0], "negative": ratings[-1], "unsure": ratings[None]}


class RatedCompletionSerializer(RowSerializer[RatedCompletion]):
    class Meta:
        model = RatedCompletion
        fields = [
            "step",
            "completion",
            "text",
            "rating",
            "is_flagged",
            "is_chosen",
            "is_human",
            "note",
            "active_ms",
            "error_kind",
            "error_start",
            "error_end",
            "root_cause",
        ]


class StoredCritiqueSerializer(RowSerializer[Critique]):
    class Meta:
        model = Critique
        fields = ["text", "rating", "is_human"]


class LabellingDetailSerializer(LabellingSerializer):
    completions = RatedCompletionSerializer(many=True, read_only=True)
    critiques = StoredCritiqueSerializer(many=True, read_only=True)
    checks = serializers.ListField(
        child=serializers.CharField(), read_only=True, help_text="Soft checks that the annotator was shown."
    )
    supersedes = serializers.SerializerMethodField()
    steps = serializers.ListField(source="task.solution.steps", child=serializers.CharField(), read_only=True)
    turns = TurnsField("task.solution")
    conversation = ConversationField("task.solution.problem")
    markup = markup_field("task.solution.markup")
    reference_answer = serializers.CharField(source="task.solution.problem.reference_answer", read_only=True)
    error_kinds = ErrorKindSerializer(
        source="task.round.phase.error_kinds", many=True, read_only=True, help_text="The phase's list."
    )
    round = serializers.UUIDField(source="task.round_id", read_only=True)
    solution = serializers.UUIDField(source="task.solution_id", read_only=True)

    class Meta(LabellingSerializer.Meta):
        fields = [
            *LabellingSerializer.Meta.fields,
            "solution_progress",
            "result",
            "history",
        ]

    @extend_schema_field(serializers.ListField(child=serializers.UUIDField()))
    def get_supersedes(self, labelling: Labelling) -> list[UUID]:
        """Earlier labellings of the task by the same annotator, oldest first."""
        if labelling.assignment_id is None or labelling.submitted_at is None:
            return []
        own = {"task": labelling.task_id, "annotator": labelling.annotator_id}
        earlier = Labelling.objects.filter(**own, superseded_at__lte=labelling.submitted_at)
        return list(earlier.order_by("superseded_at").values_list("pk", flat=True))


class ChosenLabellingsSerializer(serializers.Serializer[Any]):
    """A choice among the labellings that the query finds."""

    labellings = serializers.ListField(
        child=serializers.UUIDField(), required=False, max_length=MOST_AT_ONCE, help_text="All of them, if missing."
    )


class WithdrawnTasksSerializer(ChosenLabellingsSerializer):
    why = serializers.CharField(max_length=2000)


class LeftSerializer(serializers.Serializer[Any]):
    reason = serializers.ChoiceField(choices=relabelling.Left.choices)
    title = serializers.CharField()
    number = serializers.IntegerField()


class AskedSerializer(serializers.Serializer[Any]):
    asked = serializers.IntegerField(help_text="Labellings that will be given again.")
    left = LeftSerializer(many=True, help_text="Labellings that stay as they are.")


class WithdrawnCountsSerializer(serializers.Serializer[Any]):
    withdrawn = serializers.IntegerField(help_text="Tasks.")
    left = serializers.IntegerField(help_text="Tasks that were withdrawn before.")


class TooMany(DomainError, code="too_many"):
    """The choice is larger than one request can process."""


@extend_schema_view(
    list=extend_schema(
        description="Current labellings, newest first; or those that were superseded.",
        parameters=[*SEARCHED, ordered_by("submitted_at")],
    )
)
class Labellings(ReadOnlyModelViewSet[Labelling]):
    """One labelling, also one that was superseded."""

    permission_classes = [AdminWrites]
    pagination_class = PagesInParts
    serializer_class = LabellingDetailSerializer

    def get_serializer_class(self) -> Any:
        return LabellingSerializer if self.action == "list" else LabellingDetailSerializer

    def get_queryset(self) -> Any:
        rows = Labelling.objects.visible_to(signed_in(self.request))
        whole = rows.select_related("annotator", "task__round__phase", "task__solution__problem")
        if self.action == "retrieve":
            return whole.in_full()
        if self.action == "list":
            return searching.found(whole.prefetch_related("completions"), self.request)
        return searching.found(rows, self.request)

    def paginate_queryset(self, queryset: Any) -> Any:
        """Returns the page; imported labellings without a time of submission come last."""
        dated, undated = queryset.exclude(submitted_at=None), queryset.filter(submitted_at=None)
        by = ordering(self.request, "submitted_at", default="-submitted_at")
        return super().paginate_queryset([dated.order_by(by, "pk"), undated.order_by("pk")])

    @extend_schema(parameters=[*SEARCHED, NAMES], responses={(200, "text/csv"): OpenApiTypes.STR})
    @action(detail=False)
    def table(self, request: Request) -> StreamingHttpResponse:
        """The labellings that the query finds, newest first, as CSV; annotators by their ids."""
        rows = self.get_queryset().with_first_error().order_by("-submitted_at", "pk")
        columns = COLUMNS | ({"annotator": "annotator__username"} if flag(request, "names") else {})
        by = signed_in(request)
        audit.record(by=by, act=AuditAct.EXPORT, on=by, after={"file_format": "csv", **request.query_params.dict()})
        return csv_reply("labellings.csv", list(columns), _cells(rows, columns))

    @extend_schema(parameters=SEARCHED, request=ChosenLabellingsSerializer, responses=AskedSerializer)
    @action(detail=False, methods=["post"])
    def relabel(self, request: Request) -> Response:
        """Asks for labellings again, in open rounds: they no longer count, and their seats are free for whoever claims
        first.
        """
        chosen = self._chosen(body(ChosenLabellingsSerializer, request), most=MOST_AT_ONCE)
        asked = relabelling.request_again(labelling_ids=chosen, now=clock.now(), by=signed_in(request))
        left = [{"reason": why, "title": why.label, "number": number} for why, number in asked.left.items()]
        return Response(AskedSerializer({"asked": asked.number, "left": left}).data)

    @extend_schema(parameters=SEARCHED, request=WithdrawnTasksSerializer, responses=WithdrawnCountsSerializer)
    @action(detail=False, methods=["post"])
    def withdraw(self, request: Request) -> Response:
        """Withdraws the labellings' tasks from serving, training and exports; all labellings of these tasks stop
        counting, and can be given back one by one.
        """
        asked = body(WithdrawnTasksSerializer, request)
        chosen = self._chosen(asked, most=MOST_WITHDRAWN)
        tasks = list(Task.objects.filter(labellings__in=chosen).distinct().order_by("pk"))
        number = withdrawals.withdraw_tasks(tasks, why=asked["why"], now=clock.now(), by=signed_in(request))
        return Response(WithdrawnCountsSerializer({"withdrawn": number, "left": len(tasks) - number}).data)

    def _chosen(self, asked: dict[str, Any], *, most: int) -> Sequence[UUID]:
        """Returns the ids of the chosen labellings. Raises TooMany if there are more than `most`."""
        rows = self.get_queryset().order_by()
        if "labellings" in asked:
            rows = rows.filter(pk__in=asked["labellings"])
        found = list(rows.values_list("pk", flat=True)[: most + 1])
        if len(found) > most:
            raise TooMany(f"These are more than {most:,} labellings. Narrow them with the filters.")
        return found


def _cells(rows: QuerySet[Labelling], columns: dict[str, str]) -> Iterator[tuple[object, ...]]:
    yield from rows.values_list(*columns.values()).iterator(chunk_size=1000)
