"""Withdrawing a problem, a solution or a task from training and exports, and from everywhere else."""

from dataclasses import asdict
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling import clock
from labeling.api.permissions import AdminWrites, signed_in
from labeling.api.requests import body, visible
from labeling.campaign import withdrawals
from labeling.models import Problem, Solution, Task

ROWS: dict[str, Any] = {
    "problem": Problem.objects,
    "solution": Solution.objects.select_related("problem"),
    "task": Task.objects.select_related("solution__problem"),
}


class WhySerializer(serializers.Serializer[Any]):
    why = serializers.CharField(max_length=2000)


class WithdrawnSerializer(serializers.Serializer[Any]):
    """A withdrawal that holds: of this itself, or of the solution or problem that it belongs to."""

    of = serializers.ChoiceField(choices=list(ROWS))
    by = serializers.CharField(source="by.username")
    why = serializers.CharField()
    at = serializers.DateTimeField()


class AffectedSerializer(serializers.Serializer[Any]):
    """Rows withdrawn with it; a problem's include its earlier versions."""

    labellings = serializers.IntegerField()
    labels = serializers.IntegerField()
    golds = serializers.IntegerField(help_text="In service.")
    tasks = serializers.IntegerField(help_text="In all rounds.")
    snapshots = serializers.IntegerField(help_text="With some of these labels; they stay as they are.")
    models = serializers.ListField(child=serializers.CharField(), help_text="Trained on some of these labels.")
    withdrawn = WithdrawnSerializer(many=True)


class WithdrawalView(APIView):
    permission_classes = [AdminWrites]
    of = ""

    @extend_schema(responses=AffectedSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        """Previews what withdrawing it concerns, and says whether it is withdrawn. Nothing is changed."""
        row = visible(ROWS[self.of], request, pk)
        withdrawn = withdrawals.covering(row)
        return Response(AffectedSerializer({**asdict(withdrawals.affected(row)), "withdrawn": withdrawn}).data)

    @extend_schema(request=WhySerializer, responses={204: None})
    def post(self, request: Request, pk: UUID) -> Response:
        """Withdraws it from serving, scoring, selection, training and exports, in closed rounds too. All rows stay."""
        row, why = visible(ROWS[self.of], request, pk), body(WhySerializer, request)["why"]
        withdrawals.withdraw(row, why=why, now=clock.now(), by=signed_in(request))
        return Response(status=204)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: UUID) -> Response:
        """Undoes the withdrawal: its labels count again, and its free seats are served again."""
        withdrawals.undo(visible(ROWS[self.of], request, pk), by=signed_in(request))
        return Response(status=204)
