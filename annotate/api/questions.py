"""An annotator's own questions about tasks, with their answers."""

from typing import Any
from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSet

from labeling import clock
from labeling.api.fields import RowSerializer, markup_field
from labeling.api.permissions import signed_in
from labeling.api.requests import body, visible
from labeling.models import Assignment, Phase, Report, RoundStatus, User
from labeling.review import reports

NEWEST = 50


class QuestionSerializer(RowSerializer[Report]):
    """A question, without the name of who answered it."""

    statement = serializers.SerializerMethodField()
    statement_markup = markup_field("task.solution.problem.markup")
    question = serializers.CharField(source="note", read_only=True)
    answer = serializers.CharField(
        source="resolution", read_only=True, help_text="Empty if there is none, though the question may be closed."
    )
    closed_at = serializers.DateTimeField(source="resolved_at", read_only=True, allow_null=True)
    assignment = serializers.UUIDField(read_only=True, allow_null=True, help_text="If it may be revised.")

    class Meta:
        model = Report
        fields = ["id", "created_at", "read_at"]

    def get_statement(self, question: Report) -> str:
        return question.task.solution.problem.statement[:300]


class ReadSerializer(serializers.Serializer[Any]):
    questions = serializers.ListField(child=serializers.UUIDField(), max_length=NEWEST)


def _own_questions(annotator: User) -> QuerySet[Any]:
    """Returns the annotator's questions, newest first, with the labelled assignment if it may be revised."""
    submitted = Assignment.objects.filter(task=OuterRef("task"), annotator=annotator, submitted_at__isnull=False)
    revisable = submitted.filter(round__status=RoundStatus.OPEN, round__number__gte=0)
    rows: QuerySet[Any] = Report.objects.questions().filter(annotator=annotator)
    rows = rows.annotate(assignment=Subquery(revisable.values("pk")[:1]))
    return rows.select_related("task__solution__problem").order_by("-created_at", "pk")


class QuestionsView(APIView):
    @extend_schema(responses=QuestionSerializer(many=True))
    def get(self, request: Request, pk: UUID) -> Response:
        """Lists your questions about one of your own tasks, newest first."""
        assignment = visible(Assignment.objects.whole(), request, pk)
        asked = _own_questions(signed_in(request)).filter(task=assignment.task)
        return Response(QuestionSerializer(asked[:NEWEST], many=True).data)


class OwnQuestions(ViewSet):
    lookup_url_kwarg = "phase_id"

    @extend_schema(responses=QuestionSerializer(many=True))
    @action(detail=True)
    def questions(self, request: Request, phase_id: UUID) -> Response:
        """Your last questions in the phase, newest first."""
        phase = visible(Phase.objects, request, phase_id)
        asked = _own_questions(signed_in(request)).filter(task__round__phase=phase)
        return Response(QuestionSerializer(asked[:NEWEST], many=True).data)

    @extend_schema(request=ReadSerializer, responses={204: None})
    @action(detail=True, methods=["post"], url_path="questions/read")
    def read(self, request: Request, phase_id: UUID) -> Response:
        """Marks the answers to these questions of yours as read."""
        visible(Phase.objects, request, phase_id)
        reports.mark_read(annotator=signed_in(request), now=clock.now(), **body(ReadSerializer, request))
        return Response(status=204)
