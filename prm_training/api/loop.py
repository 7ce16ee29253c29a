"""Where a phase stands in its loop, what is due next, and what each round brought."""

from typing import Any
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling.api.fields import interval_field
from labeling.api.permissions import IsStaff
from labeling.api.reading import visible
from labeling.api.rounds import RoundSerializer
from labeling.models import Phase
from prm_training import loop, loop_rows
from prm_training.api.serializers import RUN_FIELDS, RunSerializer
from prm_training.loop_rows import Rows
from prm_training.models import RewardModel, TrainingRun


class LoopRunSerializer(RunSerializer):
    class Meta(RunSerializer.Meta):
        model = TrainingRun  # every kind has these fields
        fields = RUN_FIELDS
        read_only_fields = fields


class LoopModelSerializer(serializers.ModelSerializer[RewardModel]):
    class Meta:
        model = RewardModel
        fields = ["id", "name", "is_current"]


class LoopPartSerializer(serializers.Serializer[Any]):
    """A part with its newest job; of `train`, the evaluation is one, too."""

    name = serializers.ChoiceField(choices=list(loop.PARTS))
    state = serializers.ChoiceField(choices=["waiting", "due", "running", "failed", "done"])
    run = LoopRunSerializer(allow_null=True)


class DueSerializer(serializers.Serializer[Any]):
    """The act that is due and who may do it; or why there is none."""

    act = serializers.ChoiceField(choices=[act.value for act in loop.Act], allow_null=True)
    who = serializers.ChoiceField(choices=[who.value for who in loop.Who], allow_null=True)
    reason = serializers.CharField(allow_blank=True)


class BroughtSerializer(serializers.Serializer[Any]):
    """A round: `labellings` spent, how much of it the grader calls wrong and how the selecting model scores it, each
    beside the pool's; and the model trained after it. `best_of_n` and `majority` are shares of problems solved by
    choosing one of `n` solutions. Null: not known, or not measured.
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
    f1 = serializers.FloatField(allow_null=True)
    f1_interval = interval_field(allow_null=True)
    n = serializers.IntegerField(allow_null=True)
    best_of_n = serializers.FloatField(allow_null=True)
    best_of_n_error = serializers.FloatField(allow_null=True)
    majority = serializers.FloatField(allow_null=True)
    majority_error = serializers.FloatField(allow_null=True)


class LoopSerializer(serializers.Serializer[Rows]):
    """`round`: the newest of real work; `selection`: one that waits to be published; `candidate`: a model to be made
    current, or not, for what `obstacle` says.
    """

    labels_since_training = serializers.IntegerField(source="loop.labels_new")
    due = serializers.SerializerMethodField()
    parts = serializers.SerializerMethodField()
    round = RoundSerializer(source="loop.round", allow_null=True)
    is_full = serializers.BooleanField(source="loop.is_full")
    candidate = LoopModelSerializer(source="loop.candidate", allow_null=True)
    obstacle = serializers.CharField(source="loop.obstacle", allow_blank=True)
    current = LoopModelSerializer(source="loop.current", allow_null=True)
    selection = serializers.UUIDField(source="loop.selection.pk", default=None, allow_null=True)
    history = BroughtSerializer(many=True)
    as_of = serializers.DateTimeField(source="told.as_of", allow_null=True, help_text="As of a RolledSerializer.")
    is_counting = serializers.BooleanField(source="told.is_counting")

    @extend_schema_field(DueSerializer)
    def get_due(self, rows: Rows) -> Any:
        return DueSerializer(loop.next_act(rows.loop)).data

    @extend_schema_field(LoopPartSerializer(many=True))
    def get_parts(self, rows: Rows) -> Any:
        found = loop.states(rows.loop)
        told = [{"name": part, "state": state, "run": loop.told(rows.loop, part)} for part, state in found.items()]
        return LoopPartSerializer(told, many=True).data


class LoopView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(responses=LoopSerializer)
    def get(self, request: Request, phase_id: UUID) -> Response:
        """The phase's loop: its parts, what is due next, and its history round by round."""
        phase = visible(Phase.objects, request, phase_id)
        return Response(LoopSerializer(loop_rows.read(phase, now=timezone.now())).data)
