"""Gold: experts' labels, in sets; and the screening made from one."""

from typing import Any
from uuid import UUID

from django.db.models import Count, QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet, ViewSet

from labeling import clock
from labeling.api.fields import RowSerializer, TextField, markup_field
from labeling.api.filters import filtered, flag, listed_by, ordered_by, ordering
from labeling.api.pagination import CountedPages
from labeling.api.permissions import IsAdmin, IsExpert, IsStaff, signed_in
from labeling.api.requests import VisibleField, body, rows_of, visible
from labeling.api.traces import ConversationField, TurnsField
from labeling.campaign import gold, rounds
from labeling.campaign.api.profiles import ErrorKindSerializer
from labeling.campaign.api.rounds import RoundSerializer
from labeling.campaign.gold import Expertise
from labeling.campaign.screening import NamedMistake
from labeling.models import Gold, Labelling, Phase, Round, Solution

MOST_AT_ONCE = 1000
ORDERINGS = ["created_at", "gold_set", "version"]
ASKED = ("error_kinds", "asks_root_cause")


class MistakeSerializer(serializers.Serializer[Any]):
    step = serializers.IntegerField(min_value=0, help_text="From 0.")
    kind = serializers.CharField(
        max_length=250, allow_blank=True, help_text="The name of the kind of error; empty if none is said."
    )
    root_cause = serializers.IntegerField(
        min_value=0, allow_null=True, help_text="The step that is the root cause, from 0: itself or an earlier one."
    )


class GoldSerializer(RowSerializer[Gold]):
    statement = serializers.CharField(source="solution.problem.statement", read_only=True)
    statement_markup = markup_field("solution.problem.markup")
    reference_answer = serializers.CharField(source="solution.problem.reference_answer", read_only=True)
    reference_solution = serializers.CharField(source="solution.problem.reference_solution", read_only=True)
    steps = serializers.ListField(source="solution.steps", child=serializers.CharField(), read_only=True)
    turns = TurnsField("solution")
    conversation = ConversationField("solution.problem")
    markup = markup_field("solution.markup")
    author = serializers.CharField(source="author.username", default=None, allow_null=True, read_only=True)
    ratings = serializers.ListField(child=serializers.IntegerField(), read_only=True)
    mistakes = MistakeSerializer(many=True, read_only=True, help_text="What is said of mistakes.")

    class Meta:
        model = Gold
        fields = ["id", "solution", "rationale", "gold_set", "version", "created_at"]


class NewGoldSerializer(serializers.Serializer[Any]):
    """Either a labelling, which becomes gold as it is, or a solution with ratings."""

    labelling = VisibleField(rule="adjudicated_by", queryset=Labelling.objects.all(), default=None, allow_null=True)
    solution = VisibleField(queryset=Solution.objects.all(), default=None, allow_null=True)
    ratings = serializers.ListField(child=serializers.IntegerField(min_value=-1, max_value=1), default=list)
    phase = VisibleField(
        queryset=Phase.objects.all(),
        default=None,
        allow_null=True,
        help_text="The one for which a solution is rated: if it rates all steps, ratings may go on after a mistake.",
    )
    mistakes = MistakeSerializer(
        many=True,
        required=False,
        help_text="What is said of mistakes. Without kind and root cause: nothing any more. Of mistakes that are not "
        "named here, what the last version says is kept.",
    )
    rationale = TextField(default="", allow_blank=True, max_length=10_000)
    gold_set = serializers.CharField(
        default="gold", allow_blank=True, max_length=100, help_text="Empty takes the solution out of service."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if bool(attrs["labelling"]) == bool(attrs["solution"]):
            raise serializers.ValidationError("Name either a labelling or a solution.")
        mistakes = [NamedMistake(**said) for said in attrs.get("mistakes", [])]
        gold.check_mistakes(mistakes, attrs["ratings"])
        return attrs | {"mistakes": mistakes}


class GoldRowSerializer(serializers.Serializer[Any]):
    solution = serializers.UUIDField()
    ratings = serializers.ListField(child=serializers.IntegerField(min_value=-1, max_value=1))
    rationale = TextField(default="", allow_blank=True, max_length=10_000)


class GoldImportSerializer(serializers.Serializer[Any]):
    gold_set = serializers.CharField(max_length=100)
    golds = serializers.ListField(child=GoldRowSerializer(), max_length=MOST_AT_ONCE)

    def validate_golds(self, golds: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Replaces ids by rows, in one query."""
        rows = Solution.objects.select_related("problem")
        solutions = rows_of(rows, [row["solution"] for row in golds])
        return [{**row, "solution": solution} for row, solution in zip(golds, solutions, strict=True)]


class GoldSetSerializer(serializers.Serializer[Any]):
    gold_set = serializers.CharField()
    solutions = serializers.IntegerField()
    rates_all_steps = serializers.BooleanField(help_text="Its ratings go on after a mistake.")
    error_kinds = ErrorKindSerializer(many=True, help_text="Of the newest phase that uses it.")
    asks_root_cause = serializers.BooleanField(help_text="As that phase does.")


@listed_by(
    OpenApiParameter("is_newest", bool, description="Leave out corrected versions."),
    ordered_by(*ORDERINGS),
    gold_set=OpenApiTypes.STR,
    solution=OpenApiTypes.UUID,
)
class Golds(ListModelMixin, GenericViewSet[Gold]):
    """Gold, newest first; experts see only that of their own phases."""

    permission_classes = [IsExpert]
    pagination_class = CountedPages
    serializer_class = GoldSerializer

    def get_queryset(self) -> QuerySet[Gold]:
        golds = Gold.objects.visible_to(signed_in(self.request))
        if flag(self.request, "is_newest"):
            golds = golds.newest()
        rows = golds.select_related("solution__problem", "author")
        by = ordering(self.request, *ORDERINGS, default="-created_at")
        return filtered(rows, self.request, gold_set="gold_set", solution="solution").order_by(by, "pk")

    @extend_schema(
        request=NewGoldSerializer,
        responses={201: GoldSerializer},
        examples=[
            OpenApiExample(
                "A solution",
                {
                    "solution": "0b6e9d5e-6f0a-4c0e-8f57-1f7a5c1f3a11",
                    "ratings": [1, 0, -1],
                    "rationale": "3 · 4 is 12.",
                },
                request_only=True,
            )
        ],
    )
    def create(self, request: Request) -> Response:
        """Adds gold. If the solution has some, it is a new version; none is overwritten."""
        data, by = body(NewGoldSerializer, request), signed_in(request)
        if data["labelling"]:
            texts = {"rationale": data["rationale"], "gold_set": data["gold_set"]}
            made = gold.put_labelling(labelling=data["labelling"], by=by, **texts)
        else:
            is_whole = bool(data["phase"] and data["phase"].rates_all_steps)
            told = (data["rationale"], data["gold_set"], is_whole, data["mistakes"])
            expertise = Expertise(data["ratings"], *told)
            made = gold.put(solution=data["solution"], expertise=expertise, by=by)
        return Response(GoldSerializer(made).data, status=201)

    @extend_schema(request=GoldImportSerializer, responses={201: GoldSerializer(many=True)})
    @action(detail=False, methods=["post"], url_path="import", permission_classes=[IsAdmin], pagination_class=None)
    def many(self, request: Request) -> Response:
        """Adds gold for many solutions: all rows or, if one is invalid, none."""
        data = body(GoldImportSerializer, request)
        rows = [
            (row["solution"], Expertise(row["ratings"], row["rationale"], data["gold_set"])) for row in data["golds"]
        ]
        made = gold.put_many(rows=rows, by=signed_in(request))
        return Response(GoldSerializer(made, many=True).data, status=201)

    @extend_schema(responses=GoldSetSerializer(many=True))
    @action(detail=False, pagination_class=None)
    def sets(self, request: Request) -> Response:
        """The gold sets in service, with their sizes; and those that a phase awaits in which all steps are rated, or
        that asks for kinds of error.
        """
        user = signed_in(request)
        golds = Gold.objects.in_service().visible_to(user)
        sizes = dict(golds.values_list("gold_set").annotate(Count("pk")).order_by("gold_set"))
        of_all_steps = gold.sets_of_all_steps(Phase.objects.all())
        awaited = gold.sets_of_all_steps(Phase.objects.visible_to(user))
        phases = Phase.objects.visible_to(user).exclude(gold_set="").order_by("created_at", "pk")
        asking = {name: (kinds, cause) for name, kinds, cause in phases.values_list("gold_set", *ASKED)}
        asking = {name: asked for name, asked in asking.items() if any(asked)}
        sets = [
            {"gold_set": name, "solutions": sizes.get(name, 0), "rates_all_steps": name in of_all_steps}
            | dict(zip(ASKED, asking.get(name, ([], False)), strict=True))
            for name in sorted(sizes.keys() | awaited | asking.keys())
        ]
        return Response(GoldSetSerializer(sets, many=True).data)


class ReachSerializer(serializers.Serializer[Any]):
    gold_set = serializers.CharField()
    solutions = serializers.IntegerField()
    drawn = serializers.IntegerField(help_text="From the phase's sources.")
    fresh = serializers.IntegerField(help_text="Of those, what nobody has had in the phase: a new round may hide it.")


class NewScreeningSerializer(serializers.Serializer[Any]):
    gold_set = serializers.CharField(max_length=100)
    size = serializers.IntegerField(min_value=1, max_value=1000, default=30)


class PhaseGold(ViewSet):
    lookup_url_kwarg = "phase_id"

    @extend_schema(responses=ReachSerializer(many=True))
    @action(detail=True, permission_classes=[IsStaff])
    def gold(self, request: Request, phase_id: UUID) -> Response:
        """The gold sets in service: how much a round of the phase would hide of each, and who has seen it all."""
        reaches = gold.reaches(visible(Phase.objects, request, phase_id))
        return Response(ReachSerializer(reaches, many=True).data)

    @extend_schema(request=NewScreeningSerializer, responses={201: RoundSerializer})
    @action(detail=True, methods=["post"], permission_classes=[IsAdmin])
    def screening(self, request: Request, phase_id: UUID) -> Response:
        """Opens the phase's screening, with up to `size` solutions of the gold set."""
        phase, asked = visible(Phase.objects, request, phase_id), body(NewScreeningSerializer, request)
        now = clock.now()
        made = rounds.screen_by(phase=phase, **asked, now=now, by=signed_in(request))
        shown = Round.objects.select_related("phase").with_funnel(now=now).get(pk=made.pk)
        return Response(RoundSerializer(shown).data, status=201)
