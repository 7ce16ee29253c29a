"""Rounds with their progress, and acts on them."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Min, Q, QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from labeling import clock
from labeling.api.fields import RowSerializer, markup_field
from labeling.api.filters import filtered, flag, listed_by
from labeling.api.pagination import PagesInParts
from labeling.api.permissions import AdminWrites, IsStaff, signed_in
from labeling.api.requests import body, rows_of, visible
from labeling.campaign import rounds
from labeling.models import Assignment, Round, Solution, Task, Verdict

MOST_AT_ONCE = 10_000


class RoundSerializer(RowSerializer[Round]):
    phase_name = serializers.CharField(source="phase.name", read_only=True)
    task_count = serializers.IntegerField(read_only=True)
    labellings_wanted = serializers.IntegerField(read_only=True)
    labellings_done = serializers.IntegerField(read_only=True)
    in_hand = serializers.IntegerField(read_only=True)
    left = serializers.SerializerMethodField()
    last_day = serializers.IntegerField(read_only=True, help_text="Labellings in the last 24 hours.")
    ends_at = serializers.SerializerMethodField(help_text="At the pace of the last 24 hours.")

    class Meta:
        model = Round
        fields = [
            "id",
            "phase",
            "number",
            "status",
            "opened_at",
            "closed_at",
            "requested",
            "gold_set",
            "gold_in_set",
            "gold_hidden",
        ]

    def get_left(self, row: Any) -> int:
        """Returns the number of seats neither labelled nor in hand."""
        return int(max(0, row.labellings_wanted - row.labellings_done - row.in_hand))

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_ends_at(self, row: Any) -> datetime | None:
        counts = {"wanted": row.labellings_wanted, "done": row.labellings_done, "last_day": row.last_day}
        return rounds.forecast(**counts, now=clock.now())


class NewTasksSerializer(serializers.Serializer[Any]):
    solutions = serializers.ListField(child=serializers.UUIDField(), allow_empty=False)
    overlap = serializers.IntegerField(min_value=1, max_value=100, allow_null=True, default=None)
    first = serializers.BooleanField(default=False, help_text="Before everything else.")

    def validate_solutions(self, ids: list[UUID]) -> list[UUID]:
        return [solution.pk for solution in rows_of(Solution.objects.only("pk"), ids)]


class ChosenTasksSerializer(serializers.Serializer[Any]):
    tasks = serializers.ListField(child=serializers.UUIDField(), allow_empty=False, max_length=MOST_AT_ONCE)


class OrderSerializer(ChosenTasksSerializer):
    first = serializers.BooleanField(default=True, help_text="Before everything else; false: after it.")


@listed_by(phase=OpenApiTypes.UUID, status=OpenApiTypes.STR)
class Rounds(ListModelMixin, GenericViewSet[Round]):
    """Rounds with their progress, newest first."""

    permission_classes = [AdminWrites]
    serializer_class = RoundSerializer
    lookup_url_kwarg = "round_id"

    def get_queryset(self) -> QuerySet[Round]:
        rows = Round.objects.visible_to(signed_in(self.request)).select_related("phase")
        found = filtered(rows.with_funnel(now=clock.now()), self.request, phase="phase", status="status")
        return found.order_by("-opened_at", "-number")

    def retrieve(self, request: Request, round_id: UUID) -> Response:
        """One round with its progress."""
        return Response(RoundSerializer(self.get_object()).data)

    # Whoever may publish a round may close one: closing it makes room for the next.
    @extend_schema(request=None)
    @action(detail=True, methods=["post"], permission_classes=[IsStaff])
    def close(self, request: Request, round_id: UUID) -> Response:
        """Closes the round, early or not: tasks in hand can no longer be submitted."""
        rounds.close(round_id=self.get_object().pk, now=clock.now(), by=signed_in(request))
        return self.retrieve(request, round_id)

    @extend_schema(request=None)
    @action(detail=True, methods=["post"])
    def reopen(self, request: Request, round_id: UUID) -> Response:
        """Reopens a closed round."""
        rounds.reopen(round_id=self.get_object().pk, by=signed_in(request))
        return self.retrieve(request, round_id)

    @extend_schema(request=ChosenTasksSerializer)
    @action(detail=True, methods=["post"])
    def withdraw(self, request: Request, round_id: UUID) -> Response:
        """Withdraws these tasks: nobody new gets them; people who have one may finish it."""
        round_, chosen = self.get_object(), body(ChosenTasksSerializer, request)
        rounds.withdraw_from_round(round_id=round_.pk, task_ids=chosen["tasks"], now=clock.now(), by=signed_in(request))
        return self.retrieve(request, round_id)

    @extend_schema(request=OrderSerializer)
    @action(detail=True, methods=["post"])
    def prioritise(self, request: Request, round_id: UUID) -> Response:
        """Serves these tasks before all others of the round, or after them."""
        round_, order = self.get_object(), body(OrderSerializer, request)
        rounds.prioritise(round_id=round_.pk, task_ids=order["tasks"], first=order["first"], by=signed_in(request))
        return self.retrieve(request, round_id)


class TaskSerializer(RowSerializer[Task]):
    statement = serializers.CharField(source="solution.problem.statement", read_only=True)
    statement_markup = markup_field("solution.problem.markup")
    verdict = serializers.ChoiceField(Verdict.choices, source="solution.verdict", read_only=True)
    labelled = serializers.IntegerField(read_only=True)
    in_hand = serializers.IntegerField(read_only=True)
    position = serializers.IntegerField(allow_null=True, read_only=True, help_text="Of its first open seat.")

    class Meta:
        model = Task
        fields = ["id", "solution", "rank", "overlap", "is_gold", "withdrawn_at"]


@listed_by(is_gold=bool)
class Tasks(ListModelMixin, GenericViewSet[Task]):
    """The round's tasks, in serving order."""

    permission_classes = [AdminWrites]
    pagination_class = PagesInParts
    serializer_class = TaskSerializer

    def get_queryset(self) -> Any:
        """Returns tasks with open seats, by the first of them, then the others; without gold."""
        round_ = visible(Round.objects, self.request, self.kwargs["round_id"])
        rest = filtered(round_.tasks.without_open_seat(), self.request, flags=["is_gold"]).order_by("pk")
        is_gold = flag(self.request, "is_gold")
        first = Assignment.objects.filter(round=round_).first_open_of_task().order_by("position", "pk")
        return [rest] if is_gold else [first, rest]

    def paginate_queryset(self, queryset: Any) -> Any:
        """Returns the page's tasks with their numbers, which take another query."""
        page: list[Any] = super().paginate_queryset(queryset) or []
        ids = [row.task_id if isinstance(row, Assignment) else row.pk for row in page]
        is_open, is_somebodys = Q(assignments__submitted_at__isnull=True), Q(assignments__annotator__isnull=False)
        in_hand = is_open & Q(assignments__lease_expires_at__gte=clock.now())
        counts = {
            "labelled": Count("assignments", filter=~is_open & is_somebodys),
            "in_hand": Count("assignments", filter=in_hand),
            "position": Min("assignments__position", filter=is_open),
        }
        found = Task.objects.select_related("solution__problem").annotate(**counts).in_bulk(ids)
        return [found[pk] for pk in ids]

    @extend_schema(request=NewTasksSerializer, responses={204: None})
    def create(self, request: Request, round_id: UUID) -> Response:
        """Adds solutions to the round as tasks."""
        round_, new = visible(Round.objects, request, round_id), body(NewTasksSerializer, request)
        rounds.add_tasks(round_id=round_.pk, solution_ids=new.pop("solutions"), by=signed_in(request), **new)
        return Response(status=204)
