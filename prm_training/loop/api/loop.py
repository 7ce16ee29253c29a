"""Shows a phase's state in its loop, the step due next, and the results of each round."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling import clock
from labeling.api.fields import RowSerializer, interval_field
from labeling.api.permissions import IsStaff
from labeling.api.requests import visible
from labeling.campaign.api.rounds import RoundSerializer
from labeling.models import Phase
from prm_training.api.metrics import DifferenceSerializer
from prm_training.api.serializers import RunSerializer
from prm_training.loop import next_act, overview
from prm_training.loop.overview import Overview
from prm_training.models import RewardModel, TrainingRun


class LoopRunSerializer(RunSerializer):
    phase_name = None  # type: ignore[assignment] # all are this phase's

    class Meta(RunSerializer.Meta):
        model = TrainingRun  # any kind's will do: all have these fields


class LoopModelSerializer(RowSerializer[RewardModel]):
    class Meta:
        model = RewardModel
        fields = ["id", "name"]


class LoopPartSerializer(serializers.Serializer[Any]):
    """A part with its newest job; for `train` this may be the evaluation."""

    name = serializers.ChoiceField(choices=list(next_act.PARTS))
    state = serializers.ChoiceField(choices=["waiting", "due", "running", "failed", "done"])
    run = LoopRunSerializer(allow_null=True)


class DueSerializer(serializers.Serializer[Any]):
    """The act that is due and who may do it, or why there is none."""

    act = serializers.ChoiceField(choices=next_act.ACT_CHOICES, allow_null=True)
    who = serializers.ChoiceField(choices=[who.value for who in next_act.Who], allow_null=True)
    reason = serializers.CharField(allow_blank=True)


class BroughtSerializer(serializers.Serializer[Any]):
    """A round's results: the `labellings` spent; how many of its solutions the grader calls wrong and their mean score
    under the selecting model, each beside the pool's; and the model trained after it.

    `best_of_n` and `majority` are shares of `choices`, a number of problems, solved by choosing one of `n` solutions.
    Null: not known, or not measured.
    """

    round = serializers.UUIDField(source="round.pk")
    number = serializers.IntegerField(source="round.number")
    status = serializers.CharField(source="round.status")
    labellings = serializers.IntegerField()
    wrong_share = serializers.FloatField(allow_null=True)
    pool_wrong_share = serializers.FloatField(allow_null=True)
    mean_score = serializers.FloatField(allow_null=True)
    pool_mean_score = serializers.FloatField(allow_null=True)
    model = LoopModelSerializer(allow_null=True)
    step_auc = serializers.FloatField(allow_null=True)
    step_auc_interval = interval_field(allow_null=True)
    step_auc_by_place = serializers.FloatField(
        allow_null=True, help_text="By the place of a step alone, early or late first, whichever is better."
    )
    f1 = serializers.FloatField(allow_null=True)
    f1_interval = interval_field(allow_null=True)
    differences = serializers.DictField(
        child=DifferenceSerializer(),
        help_text="From the model that this one replaced in the phase, or would have, on the same labels; by metric.",
    )
    steps = serializers.IntegerField(allow_null=True, help_text="Held-out labels that it was measured on.")
    problems = serializers.IntegerField(allow_null=True, help_text="With these labels.")
    is_enough = serializers.BooleanField(help_text="Whether these labels can decide anything.")
    n = serializers.IntegerField(allow_null=True)
    choices = serializers.IntegerField(allow_null=True)
    best_of_n = serializers.FloatField(allow_null=True)
    best_of_n_interval = interval_field(allow_null=True)
    majority = serializers.FloatField(allow_null=True)
    majority_interval = interval_field(allow_null=True)


class LoopSerializer(serializers.Serializer[Overview]):
    """`round`: the newest round, screening aside; `selection`: one that waits to be published; `candidate`: a model
    that could be promoted, unless there is an `obstacle`; `selector`: the model to pick by.
    """

    labels_since_training = serializers.IntegerField(source="labels_new")
    disagreements = serializers.IntegerField(help_text="Tasks on which people disagree, and nobody has ruled.")
    consensus = serializers.CharField(
        source="loop.consensus", allow_blank=True, help_text="What is trained on instead of waiting for rulings."
    )
    due = serializers.SerializerMethodField()
    parts = serializers.SerializerMethodField()
    round = RoundSerializer(source="loop.round", allow_null=True)
    is_full = serializers.BooleanField(source="loop.is_full")
    candidate = LoopModelSerializer(source="loop.candidate", allow_null=True)
    obstacle = serializers.CharField(source="loop.gate.obstacle", allow_blank=True)
    shortage = serializers.CharField(
        source="loop.gate.shortage", allow_blank=True, help_text="Why nothing is decided about it: too few labels."
    )
    current = LoopModelSerializer(source="loop.current", allow_null=True)
    selector = LoopModelSerializer(source="loop.selector", allow_null=True)
    selection = serializers.UUIDField(source="loop.selection.pk", default=None, allow_null=True)
    history = BroughtSerializer(many=True)
    as_of = serializers.DateTimeField(source="freshness.as_of", allow_null=True, help_text="As of a RolledSerializer.")
    is_counting = serializers.BooleanField(source="freshness.is_counting")

    @extend_schema_field(DueSerializer)
    def get_due(self, seen: Overview) -> Any:
        due = next_act.next_act(seen.loop)
        who = next_act.who(seen.loop, due.act) if due.act else None
        return DueSerializer({"act": due.act, "who": who, "reason": due.reason}).data

    @extend_schema_field(LoopPartSerializer(many=True))
    def get_parts(self, seen: Overview) -> Any:
        found = next_act.states(seen.loop)
        parts = [
            {"name": part, "state": state, "run": next_act.newest_job(seen.loop, part)} for part, state in found.items()
        ]
        return LoopPartSerializer(parts, many=True).data


class LoopView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(responses=LoopSerializer)
    def get(self, request: Request, phase_id: UUID) -> Response:
        """The phase's loop: its parts, the step due next, and its history round by round."""
        phase = visible(Phase.objects.select_related("autopilot__reward_model"), request, phase_id)
        return Response(LoopSerializer(overview.read_overview(phase, now=clock.now())).data)
