"""People's agreement in a round, and their consensus."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import GenericViewSet

from labeling import clock
from labeling.api.fields import RolledSerializer, RowSerializer, interval_field, markup_field
from labeling.api.filters import filtered, listed_by
from labeling.api.pagination import LongPages
from labeling.api.permissions import AdminWrites, IsStaff, signed_in
from labeling.api.requests import visible
from labeling.campaign import consensus
from labeling.counts import rollups
from labeling.models import Consensus, Round, User
from labeling.rules import agreement


class AgreedSerializer(serializers.Serializer[Any]):
    tasks = serializers.IntegerField(help_text="With two labellings or more.")
    alpha = serializers.FloatField(allow_null=True, help_text="Krippendorff's, ordinal, over steps.")
    alpha_interval = interval_field(allow_null=True)
    first_error = serializers.FloatField(allow_null=True, help_text="Share of pairs that put it at the same step.")
    first_error_interval = interval_field(allow_null=True)


class PairSerializer(AgreedSerializer):
    first = serializers.CharField()
    second = serializers.CharField()


class NominalAgreementSerializer(serializers.Serializer[Any]):
    tasks = serializers.IntegerField(help_text="With two answers or more.")
    same = serializers.FloatField(allow_null=True, help_text="Share of pairs with the same answer.")
    same_interval = interval_field(allow_null=True)
    alpha = serializers.FloatField(allow_null=True, help_text="Krippendorff's, nominal.")
    alpha_interval = interval_field(allow_null=True)


class KindAgreementSerializer(NominalAgreementSerializer):
    key = serializers.CharField()


class AgreementSerializer(RolledSerializer, AgreedSerializer):
    pairs = PairSerializer(many=True)
    results = NominalAgreementSerializer(help_text="On whether the final result is right, if it is asked.")
    kinds = KindAgreementSerializer(
        many=True, help_text="On each kind of error, over the steps or completions to which two people give one."
    )


class ConsensusSerializer(RowSerializer[Consensus]):
    statement = serializers.CharField(source="task.solution.problem.statement", read_only=True)
    statement_markup = markup_field("task.solution.problem.markup")
    ratings = serializers.ListField(child=serializers.IntegerField(allow_null=True), read_only=True)
    confidence = serializers.ListField(child=serializers.FloatField(), read_only=True)

    class Meta:
        model = Consensus
        fields = ["task", "method", "labellings", "computed_at"]


class ComputedSerializer(serializers.Serializer[Any]):
    tasks = serializers.IntegerField()


class AgreementView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(responses=AgreementSerializer)
    def get(self, request: Request, round_id: UUID) -> Response:
        """Agreement among the round's annotators: overall, and of each pair."""
        round_ = visible(Round.objects, request, round_id)
        found = rollups.read_counts(consensus.AGREED, round_.pk, now=clock.now())
        nothing = {**vars(agreement.between([])), "pairs": [], "results": vars(agreement.on_results([])), "kinds": []}
        value = nothing | (found.value or {})  # an older release's count lacks some
        named = {name for pair in value["pairs"] for name in (pair["first"], pair["second"])}
        names = {str(pk): name for pk, name in User.objects.filter(pk__in=named).values_list("pk", "username")}
        pairs = [pair | {side: names[pair[side]] for side in ("first", "second")} for pair in value["pairs"]]
        pairs.sort(key=lambda pair: (-pair["tasks"], pair["first"], pair["second"]))
        return Response(AgreementSerializer({**value, "pairs": pairs, **found.freshness}).data)


@listed_by(method=OpenApiTypes.STR, task=OpenApiTypes.UUID)
class Consensuses(ListModelMixin, GenericViewSet[Consensus]):
    """The consensus on each task."""

    permission_classes = [AdminWrites]
    pagination_class = LongPages
    serializer_class = ConsensusSerializer

    def get_queryset(self) -> QuerySet[Consensus]:
        rows = Consensus.objects.filter(task__round=visible(Round.objects, self.request, self.kwargs["round_id"]))
        rows = rows.select_related("task__solution__problem")
        return filtered(rows, self.request, method="method", task="task").order_by("task", "method")

    @extend_schema(request=None, responses={200: ComputedSerializer})
    def create(self, request: Request, round_id: UUID) -> Response:
        """Computes the consensus of each task again; labels stay as they are."""
        round_ = visible(Round.objects, request, round_id)
        tasks = consensus.compute(round_=round_, now=clock.now(), by=signed_in(request))
        return Response(ComputedSerializer({"tasks": tasks}).data)
