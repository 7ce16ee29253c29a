"""Blind second looks at labels that surprise the model, and the label noise that they show."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling.api.fields import RowSerializer, markup_field
from labeling.api.permissions import IsExpert, IsStaff, signed_in
from labeling.api.requests import body
from labeling.api.traces import ConversationField, StepsUpToField, TurnsUpToField
from labeling.models import Phase, RatedCompletion, Rating, Round
from prm_training.models import SecondLook
from prm_training.reward_models import promotion, second_looks


def rounds_of(request: Request) -> Any:
    """Returns all rounds for staff, and for experts those of their own phases."""
    user = signed_in(request)
    visible = Round.objects.visible_to(user)
    return visible if user.sees_everything else visible.filter(phase__in=Phase.objects.judged_by(user))


class BlindLabelSerializer(serializers.Serializer[RatedCompletion]):
    """A label to look at again, without its rating and the model's expectation."""

    labelling = serializers.UUIDField(source="labelling_id")
    solution = serializers.UUIDField(source="labelling.task.solution_id")
    step = serializers.IntegerField()
    problem_statement = serializers.CharField(source="labelling.task.solution.problem.statement")
    statement_markup = markup_field("labelling.task.solution.problem.markup")
    reference_answer = serializers.CharField(source="labelling.task.solution.problem.reference_answer")
    markup = markup_field("labelling.task.solution.markup")
    steps = StepsUpToField("labelling.task.solution", help_text="Up to the one to rate.")
    turns = TurnsUpToField("labelling.task.solution", help_text="Of those steps, of a trace; null for a plain text.")
    conversation = ConversationField("labelling.task.solution.problem")


class NextLookSerializer(serializers.Serializer[Any]):
    look_at = BlindLabelSerializer(allow_null=True)


class GivenLookSerializer(serializers.Serializer[Any]):
    labelling = serializers.UUIDField()
    step = serializers.IntegerField(min_value=0)
    rating = serializers.ChoiceField(choices=Rating.choices)


class SecondLookSerializer(RowSerializer[SecondLook]):
    """A second look. If it changes the label, the task waits for a ruling, in adjudication's queue `second_look`."""

    task = serializers.UUIDField(source="labelling.task_id", read_only=True)

    class Meta:
        model = SecondLook
        fields = ["labelling", "step", "first_rating", "rating", "chance", "is_changed"]


class NoiseSerializer(serializers.Serializer[Any]):
    round = serializers.UUIDField()
    round_number = serializers.IntegerField()
    phase_name = serializers.CharField()
    labels = serializers.IntegerField()
    surprising = serializers.IntegerField(help_text="Labels with a probability under 30 % according to the model.")
    looks = serializers.IntegerField()
    changed = serializers.IntegerField()
    estimate = serializers.FloatField(allow_null=True, help_text="Share of labels that a second look would change.")
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)


class SecondLooksView(APIView):
    permission_classes = [IsExpert]

    @extend_schema(
        parameters=[OpenApiParameter("round", OpenApiTypes.UUID, description="Left out: the newest.")],
        responses=NextLookSerializer,
    )
    def get(self, request: Request) -> Response:
        """The next label of the round to look at again, without its rating; null if there is none."""
        round_ = rounds_of(request).order_by("-opened_at").first()
        if asked := request.query_params.get("round"):
            round_ = generics.get_object_or_404(rounds_of(request), pk=serializers.UUIDField().run_validation(asked))
        judges = promotion.current_of([round_.phase_id]) if round_ else {}
        label = second_looks.next_for(signed_in(request), round_=round_, judges=judges) if round_ else None
        return Response(NextLookSerializer({"look_at": label}).data)

    @extend_schema(request=GivenLookSerializer, responses=SecondLookSerializer)
    def post(self, request: Request) -> Response:
        """Rates the step again, and returns the first rating."""
        given = body(GivenLookSerializer, request)
        round_ = generics.get_object_or_404(rounds_of(request).filter(tasks__labellings=given["labelling"]))
        judges = promotion.current_of([round_.phase_id])
        look = second_looks.give(person=signed_in(request), judges=judges, **given)
        return Response(SecondLookSerializer(look).data)


class LabelNoiseView(APIView):
    permission_classes = [IsStaff | IsExpert]

    @extend_schema(responses=NoiseSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Label noise of the latest 20 rounds with labels that their phase's current model has scored."""
        judges = promotion.current_of(rounds_of(request).values("phase"))
        rounds = second_looks.with_labels(rounds_of(request), judges)
        latest = list(rounds.select_related("phase").order_by("-opened_at")[:20])
        found = second_looks.noise_of(latest, judges)
        rows = [
            {"round": round_.pk, "round_number": round_.number, "phase_name": round_.phase.name}
            | asdict(found[round_.pk])
            for round_ in latest
            if round_.pk in found
        ]
        return Response(NoiseSerializer(rows, many=True).data)
