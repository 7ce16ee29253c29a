"""Shows an annotator where they differ from the others, once a round is closed."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotate import differences
from annotate.differences import Difference
from labeling.api.fields import markup_field
from labeling.api.permissions import signed_in
from labeling.api.requests import visible
from labeling.api.traces import ConversationField, StepsUpToField, TurnsUpToField
from labeling.models import Phase


class RatingsField(serializers.ListField):
    child = serializers.IntegerField(allow_null=True)


class OwnDifferenceSerializer(serializers.Serializer[Difference]):
    id = serializers.UUIDField(source="labelling.pk")
    assignment = serializers.UUIDField(source="labelling.assignment_id", allow_null=True, help_text="Null: imported.")
    round_number = serializers.IntegerField(source="labelling.task.round.number")
    submitted_at = serializers.DateTimeField(source="labelling.submitted_at", allow_null=True)
    statement = serializers.CharField(source="labelling.task.solution.problem.statement")
    statement_markup = markup_field("labelling.task.solution.problem.markup")
    markup = markup_field("labelling.task.solution.markup")
    steps = StepsUpToField("labelling.task.solution", help_text="Up to the one that differs.")
    turns = TurnsUpToField("labelling.task.solution", help_text="Of those steps, of a trace; null for a plain text.")
    conversation = ConversationField("labelling.task.solution.problem")
    source = serializers.ChoiceField(choices=["ruling", "consensus", "experts"])  # type: ignore[assignment]
    given = RatingsField()
    expected = RatingsField(help_text="Null where the others are divided or unsure.")
    step = serializers.IntegerField(help_text="The first that differs, from 0.")


class OwnDifferencesSerializer(serializers.Serializer[Any]):
    compared = serializers.IntegerField(help_text="Of your last labellings in closed rounds.")
    differing = serializers.IntegerField(help_text="Of those that were compared.")
    differences = OwnDifferenceSerializer(many=True, help_text="The newest of them.")


class DifferencesView(APIView):
    @extend_schema(responses=OwnDifferencesSerializer)
    def get(self, request: Request, phase_id: UUID) -> Response:
        """Lists where your labellings in closed rounds differ from the consensus, rulings and gold, as far as the phase
        shows these; newest first.
        """
        phase = visible(Phase.objects, request, phase_id)
        found = differences.own(phase=phase, annotator=signed_in(request))
        return Response(OwnDifferencesSerializer(found).data)
