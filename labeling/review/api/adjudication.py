"""Adjudication: queues of tasks that need a second look, each with all its labels."""

from typing import Any
from uuid import UUID

from django.db.models import Count, OuterRef, Prefetch, QuerySet, Subquery
from django.db.models.functions import Coalesce
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    extend_schema,
    extend_schema_field,
)
from rest_framework import serializers
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.generics import get_object_or_404
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import GenericViewSet

from labeling import clock
from labeling.api.audit import ChangeSerializer
from labeling.api.fields import RowSerializer, TextField, markup_field
from labeling.api.filters import filtered, flag, listed_by
from labeling.api.pagination import LongPages
from labeling.api.permissions import IsExpert, signed_in
from labeling.api.requests import body
from labeling.api.traces import ConversationField, TurnsField
from labeling.campaign.api.gold import GoldSerializer
from labeling.campaign.api.profiles import ErrorKindSerializer
from labeling.models import (
    Case,
    Change,
    Consensus,
    Gold,
    Labelling,
    Outcome,
    Phase,
    PhaseKind,
    Problem,
    Queue,
    Report,
    Solution,
    Task,
    Verdict,
)
from labeling.review import adjudication, cases
from labeling.review.adjudication import Ruling
from labeling.review.api.labellings import RatedCompletionSerializer, StoredCritiqueSerializer
from labeling.review.corrections import TEXTS


class QueueSerializer(serializers.Serializer[Any]):
    queue = serializers.ChoiceField(choices=Queue.choices)
    waiting = serializers.IntegerField()


class WaitingSerializer(RowSerializer[Task]):
    phase_name = serializers.CharField(source="round.phase.name", read_only=True)
    round_number = serializers.IntegerField(source="round.number", read_only=True)
    statement = serializers.CharField(source="solution.problem.statement", read_only=True)
    statement_markup = markup_field("solution.problem.markup")
    labellings = serializers.IntegerField(source="labellings_done", read_only=True)
    waiting_since = serializers.DateTimeField(read_only=True, allow_null=True, default=None)
    settled_at = serializers.DateTimeField(read_only=True, allow_null=True, default=None)
    note = serializers.CharField(
        read_only=True,
        allow_null=True,
        help_text="Of the open case, else of the last report; once settled, of the ruling.",
    )

    class Meta:
        model = Task
        fields = ["id"]


class ProblemTextsSerializer(RowSerializer[Problem]):
    conversation = ConversationField("*")

    class Meta:
        model = Problem
        fields = ["id", "version", "replaced_by", "subject", "level", "markup", *TEXTS]


class JudgedSolutionSerializer(RowSerializer[Solution]):
    steps = serializers.ListField(child=serializers.CharField(), read_only=True)
    turns = TurnsField("*")

    class Meta:
        model = Solution
        fields = ["id", "markup", "answer", "verdict", "grader_version", "generator"]


class OpinionSerializer(RowSerializer[Labelling]):
    annotator = serializers.CharField(source="annotator.username", default=None, allow_null=True, read_only=True)
    completions = RatedCompletionSerializer(many=True, read_only=True)
    critiques = StoredCritiqueSerializer(many=True, read_only=True)

    class Meta:
        model = Labelling
        fields = [
            "id",
            "finish_reason",
            "finish_note",
            "solution_progress",
            "result",
            "active_ms",
            "submitted_at",
            "overruled_by",
        ]


class ReportedSerializer(RowSerializer[Report]):
    annotator = serializers.CharField(source="annotator.username", read_only=True, allow_null=True)

    class Meta:
        model = Report
        fields = ["id", "kind", "note", "step", "place", "created_at", "resolved_at", "resolution"]


def _span() -> serializers.ListField:
    number = serializers.IntegerField(min_value=0)
    return serializers.ListField(child=number, min_length=2, max_length=2, allow_null=True)


class AgreedRatingsSerializer(RowSerializer[Consensus]):
    ratings = serializers.ListField(child=serializers.IntegerField(allow_null=True), read_only=True)
    error_kinds = serializers.ListField(child=serializers.CharField(allow_blank=True), read_only=True, allow_null=True)
    error_words = serializers.ListField(child=_span(), read_only=True, allow_null=True)
    root_causes = serializers.ListField(
        child=serializers.IntegerField(allow_null=True), read_only=True, allow_null=True
    )

    class Meta:
        model = Consensus
        fields = ["method", "result"]


class CaseSerializer(RowSerializer[Case]):
    by = serializers.CharField(source="by.username", read_only=True)
    effects = ChangeSerializer(many=True, read_only=True)

    class Meta:
        model = Case
        fields = ["id", "queue", "note", "outcome", "created_at", "settled_at", "reopens"]


class TaskCaseSerializer(RowSerializer[Task]):
    """A task with all its labels, and the outcome. While it waits for a ruling nobody is named: opinions are weighed,
    not people.
    """

    phase_name = serializers.CharField(source="round.phase.name", read_only=True)
    phase_kind = serializers.ChoiceField(PhaseKind.choices, source="round.phase.kind", read_only=True)
    rates_all_steps = serializers.BooleanField(source="round.phase.rates_all_steps", read_only=True)
    error_kinds = ErrorKindSerializer(
        source="round.phase.error_kinds", many=True, read_only=True, help_text="The phase's list."
    )
    asks_error_words = serializers.BooleanField(source="round.phase.asks_error_words", read_only=True)
    asks_root_cause = serializers.BooleanField(source="round.phase.asks_root_cause", read_only=True)
    asks_result = serializers.BooleanField(source="round.phase.asks_result", read_only=True)
    round_number = serializers.IntegerField(source="round.number", read_only=True)
    is_waiting = serializers.BooleanField(read_only=True)
    is_own_disagreement = serializers.SerializerMethodField(help_text="You are one of those who disagree: others rule.")
    problem = ProblemTextsSerializer(source="solution.problem", read_only=True)
    solution = JudgedSolutionSerializer(read_only=True)
    labellings = OpinionSerializer(many=True, read_only=True)
    reports = ReportedSerializer(many=True, read_only=True)
    consensuses = AgreedRatingsSerializer(many=True, read_only=True)
    gold = serializers.SerializerMethodField()
    cases = CaseSerializer(many=True, read_only=True)

    class Meta:
        model = Task
        fields = ["id"]

    def to_representation(self, task: Task) -> dict[str, Any]:
        shown: dict[str, Any] = super().to_representation(task)
        waits = shown["is_waiting"] or cases.is_waiting(task)  # here, as most that are looked at, or in another queue
        return _without_names(shown) if waits else shown

    def get_is_own_disagreement(self, task: Task) -> bool:
        return adjudication.is_own_disagreement(task, signed_in(self.context["request"]))

    @extend_schema_field(GoldSerializer(allow_null=True))
    def get_gold(self, task: Task) -> Any:
        """Returns the newest version, in service or not; null if it belongs to other phases."""
        golds = Gold.objects.newest().visible_to(signed_in(self.context["request"]))
        found = golds.filter(solution=task.solution).select_related("solution__problem", "author")
        return GoldSerializer(newest).data if (newest := found.first()) else None


def _without_names(shown: dict[str, Any]) -> dict[str, Any]:
    for row in (*shown["labellings"], *shown["reports"], *(line["after"] for line in _effects(shown))):
        if "annotator" in row:
            row["annotator"] = None
    return shown


def _effects(shown: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the effects of rulings on settled cases, with the names of those overruled."""
    return [line for case in shown["cases"] for line in case["effects"]]


class TextsSerializer(serializers.Serializer[Any]):
    statement = TextField(required=False, max_length=100_000)
    reference_answer = TextField(required=False, allow_blank=True, max_length=10_000)
    reference_solution = TextField(required=False, allow_blank=True, max_length=100_000)


class RulingSerializer(serializers.Serializer[Any]):
    """A ruling; without an outcome, the note is kept and the case stays open."""

    note = serializers.CharField(default="", allow_blank=True, max_length=10_000, help_text="Why.")
    outcome = serializers.ChoiceField(choices=Outcome.choices, default="", allow_blank=True)
    ratings = serializers.ListField(child=serializers.IntegerField(min_value=-1, max_value=1), default=list)
    error_kinds = serializers.ListField(
        child=serializers.CharField(max_length=1, allow_blank=True),
        default=list,
        help_text="With ratings: of each step, the key of its kind of error; empty where there is none.",
    )
    error_words = serializers.ListField(
        child=_span(),
        default=list,
        help_text="With ratings: of each step, where its wrong words begin and end, in characters of its text.",
    )
    root_causes = serializers.ListField(
        child=serializers.IntegerField(min_value=0, allow_null=True),
        default=list,
        help_text="With ratings: of each step, the earlier step that is to blame, from 0.",
    )
    result = serializers.ChoiceField(
        choices=Verdict.choices,
        default="",
        allow_blank=True,
        help_text="With ratings: whether the final result is right; empty: as all labellings say, if they agree.",
    )
    gold_set = serializers.CharField(default="gold", max_length=100)
    verdict = serializers.ChoiceField(choices=Verdict.choices, default="", allow_blank=True)
    texts = TextsSerializer(default=dict, help_text="Of the problem: those that change.")


def _phases(request: Request) -> QuerySet[Phase]:
    found: QuerySet[Phase] = filtered(Phase.objects.judged_by(signed_in(request)), request, phase="pk")
    return found


class QueuesView(APIView):
    permission_classes = [IsExpert]

    @extend_schema(
        operation_id="adjudication_queues",
        responses=QueueSerializer(many=True),
        parameters=[OpenApiParameter("phase", OpenApiTypes.UUID)],
    )
    def get(self, request: Request) -> Response:
        """Counts the tasks waiting in each queue; for experts, those of their own phases."""
        sizes = cases.sizes(_phases(request), now=clock.now())
        counts = [{"queue": queue, "waiting": number} for queue, number in sizes.items()]
        return Response(QueueSerializer(counts, many=True).data)


@listed_by(phase=OpenApiTypes.UUID, settled=bool)
class Cases(ListModelMixin, GenericViewSet[Task]):
    """The tasks of a queue, longest waiting first; with `?settled=true`, those settled there, newest first."""

    permission_classes = [IsExpert]
    pagination_class = LongPages
    serializer_class = WaitingSerializer

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if kwargs["queue"] not in Queue.values:
            raise NotFound

    def get_queryset(self) -> QuerySet[Any]:
        queue, phases = self.kwargs["queue"], _phases(self.request)
        theirs = Task.objects.adjudicated_by(signed_in(self.request))
        labelled = Labelling.objects.current().filter(task=OuterRef("pk")).order_by().values("task")
        noted = Case.objects.filter(task=OuterRef("pk"), queue=queue)
        reported = Report.objects.filter(task=OuterRef("pk"), kind=queue, resolved_at=None).order_by("-created_at")
        if flag(self.request, "settled"):
            noted = noted.exclude(settled_at=None).order_by("-settled_at")
            tasks = cases.settled(queue, theirs.filter(round__phase__in=phases))
        else:
            noted = noted.filter(settled_at=None).exclude(note="")
            likely = cases.likely(queue, phases, now=clock.now()).values("pk")
            tasks = cases.in_order(cases.waiting(queue, theirs.filter(pk__in=likely)))
        rows = tasks.annotate(
            note=Coalesce(Subquery(noted.values("note")[:1]), Subquery(reported.values("note")[:1])),
            labellings_done=Coalesce(Subquery(labelled.annotate(n=Count("pk")).values("n")), 0),
        )
        found: QuerySet[Any] = rows.select_related("round__phase", "solution__problem")
        return found

    @extend_schema(responses=TaskCaseSerializer)
    def retrieve(self, request: Request, queue: str, pk: UUID) -> Response:
        """One case: the task, its labels, and the rulings so far."""
        task = _in_full(Task.objects.adjudicated_by(signed_in(request)), queue, pk)
        return Response(TaskCaseSerializer(task, context={"request": request}).data)

    @extend_schema(
        request=RulingSerializer,
        responses=TaskCaseSerializer,
        examples=[
            OpenApiExample("Ratings", {"outcome": "ratings", "ratings": [1, 0, -1]}, request_only=True),
            OpenApiExample(
                "Fix", {"outcome": "fix", "texts": {"reference_answer": "18"}, "note": "Typo."}, request_only=True
            ),
        ],
    )
    def rule(self, request: Request, queue: str, pk: UUID) -> Response:
        """Settles the case, or keeps a note on it. Only admins fix problems, which other phases share."""
        by = signed_in(request)
        tasks = Task.objects.adjudicated_by(by).select_related("solution__problem", "round__phase")
        task, ruling = get_object_or_404(tasks, pk=pk), Ruling(**body(RulingSerializer, request))
        if ruling.outcome == Outcome.FIX and not by.is_admin:
            raise PermissionDenied
        if ruling.outcome:
            adjudication.settle(task=task, queue=queue, ruling=ruling, now=clock.now(), by=by)
        else:
            adjudication.note(task=task, queue=queue, text=ruling.note, by=by)
        return self.retrieve(request, queue, pk)

    @extend_schema(request=None, responses=TaskCaseSerializer)
    def reopen(self, request: Request, queue: str, pk: UUID) -> Response:
        """Puts a task back that was settled in this queue last. Its ruling stands until it is settled again."""
        by = signed_in(request)
        task = get_object_or_404(Task.objects.adjudicated_by(by).select_related("solution__problem"), pk=pk)
        adjudication.reopen(task=task, queue=queue, now=clock.now(), by=by)
        return self.retrieve(request, queue, pk)


def _in_full(tasks: Any, queue: str, pk: UUID) -> Task:
    labellings = Labelling.objects.current().select_related("annotator").in_full().order_by("submitted_at", "pk")
    effects = Prefetch("effects", Change.objects.select_related("by").order_by("at", "pk"))
    rows = tasks.select_related("round__phase", "solution__problem").prefetch_related(
        Prefetch("labellings", labellings),
        Prefetch("reports", Report.objects.select_related("annotator").order_by("created_at")),
        Prefetch("cases", Case.objects.select_related("by").prefetch_related(effects).order_by("-created_at")),
        "consensuses",
    )
    task: Any = get_object_or_404(rows, pk=pk)
    task.is_waiting = cases.waiting(queue, Task.objects.filter(pk=pk)).exists()
    found: Task = task
    return found
