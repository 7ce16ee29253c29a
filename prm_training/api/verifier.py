"""The verifier's endpoints: find the step of a solution that looks wrong, and the best of several solutions."""

import math
from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.mixins import RetrieveModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle
from rest_framework.viewsets import GenericViewSet

from labeling import clock
from labeling.api.fields import RowSerializer, TextField
from labeling.api.permissions import IsStaff, signed_in
from labeling.api.requests import body
from labeling.models import Phase
from labeling.rules.texts.cutting import Cutting, cut_steps
from labeling.rules.words import StepRule
from prm_training.api.bases import validate_rule, with_rule
from prm_training.models import RewardModel, Verification
from prm_training.reward_models import verifier

MOST_SOLUTIONS, MOST_STEPS, LONGEST_TEXT = 64, 2_000, 50_000


class GivenSolutionSerializer(serializers.Serializer[Any]):
    """A solution, as a text that is split by the rule, or as steps."""

    text = TextField(max_length=LONGEST_TEXT, required=False)
    steps = serializers.ListField(
        child=TextField(max_length=LONGEST_TEXT), required=False, min_length=1, max_length=MOST_STEPS
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("text" in attrs) == ("steps" in attrs):
            raise serializers.ValidationError("Give either text or steps.")
        return attrs


class VerifierQuestionSerializer(serializers.Serializer[Any]):
    problem = TextField(max_length=LONGEST_TEXT)
    solutions = GivenSolutionSerializer(many=True, min_length=1, max_length=MOST_SOLUTIONS)  # type: ignore[call-arg]
    phase = serializers.PrimaryKeyRelatedField(
        queryset=Phase.objects.all(), required=False, help_text="Its current model judges, unless one is named."
    )
    reward_model = serializers.PrimaryKeyRelatedField(
        queryset=RewardModel.objects.all(), required=False, allow_null=True, help_text="Default: the phase's."
    )
    threshold = serializers.FloatField(
        min_value=0, max_value=1, default=0.5, help_text="A step with a lower P(right) is suspect."
    )
    split_by = serializers.ChoiceField(
        StepRule.choices,
        required=False,
        validators=[validate_rule],
        help_text="The rule that texts are split by. Default: `mark` with a mark, else `usual`.",
    )
    mark = TextField(max_length=50, default="", allow_blank=True, help_text="Of the rule `mark`; empty: “<extra_0>”.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs = {"split_by": StepRule.USUAL} | with_rule(attrs)
        how = Cutting(attrs.pop("split_by"), attrs.pop("mark"))
        solutions = [each.get("steps") or cut_steps(each["text"], how) for each in attrs["solutions"]]
        wrong = [
            {} if 0 < count <= MOST_STEPS else {"text": f"A solution has 1 to {MOST_STEPS} steps; this has {count}."}
            for count in map(len, solutions)
        ]
        if any(wrong):
            raise serializers.ValidationError({"solutions": wrong})
        return attrs | {"solutions": solutions}


class VerifiedStepSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    p_right = serializers.FloatField(allow_null=True, help_text="P(positive) + P(neutral); null where not read.")
    p_negative = serializers.FloatField(allow_null=True)
    p_neutral = serializers.FloatField(allow_null=True)
    p_positive = serializers.FloatField(allow_null=True)


class VerifiedSolutionSerializer(serializers.Serializer[Any]):
    rank = serializers.IntegerField(help_text="1 is the best by the product; a cut-off solution comes last.")
    product = serializers.FloatField(allow_null=True)
    minimum = serializers.FloatField(allow_null=True)
    first_suspect = serializers.IntegerField(allow_null=True, help_text="Counted from 0; null: none.")
    is_truncated = serializers.BooleanField(help_text="Too long for the model.")
    steps = VerifiedStepSerializer(many=True)


class VerificationSerializer(RowSerializer[Verification]):
    model_name = serializers.CharField(source="reward_model.name")
    waiting_for = serializers.SerializerMethodField(help_text="Why there is no answer yet.")
    solutions = serializers.SerializerMethodField(help_text="In the order of the request; empty until done.")

    class Meta:
        model = Verification
        fields = ["id", "status", "error", "reward_model", "threshold", "problem", "created_at", "finished_at"]

    def get_waiting_for(self, run: Verification) -> str:
        return verifier.what_is_it_waiting_for(run, now=clock.now())

    @extend_schema_field(VerifiedSolutionSerializer(many=True))
    def get_solutions(self, run: Verification) -> list[dict[str, Any]]:
        judged = [_judged(*each, run.threshold) for each in zip(run.solutions, run.results, strict=False)]
        best_first = sorted(judged, key=lambda each: -1 if each["product"] is None else each["product"], reverse=True)
        for rank, each in enumerate(best_first, start=1):
            each["rank"] = rank
        return judged


def _judged(steps: list[str], result: dict[str, Any], threshold: float) -> dict[str, Any]:
    right = [math.exp(value) for value in result["log_right"]]
    readable = bool(right) and not result["is_truncated"]
    unread: list[list[float]] = [[]] * (len(steps) - len(right))
    return {
        "product": math.exp(sum(result["log_right"])) if readable else None,
        "minimum": min(right) if readable else None,
        "first_suspect": next((step for step, chance in enumerate(right) if chance < threshold), None),
        "is_truncated": result["is_truncated"],
        "steps": [_step(*each) for each in zip(steps, [*result["classes"], *unread], strict=True)],
    }


def _step(text: str, classes: list[float]) -> dict[str, Any]:
    negative, neutral, positive = map(math.exp, classes) if classes else (None, None, None)
    right = None if neutral is None or positive is None else min(1.0, neutral + positive)
    return {"text": text, "p_right": right, "p_negative": negative, "p_neutral": neutral, "p_positive": positive}


EXAMPLE = OpenApiExample(
    "Two solutions",
    value={
        "problem": "What is 2 + 3 * 4?",
        "solutions": [{"text": "3 * 4 = 12.\n2 + 12 = 14."}, {"steps": ["2 + 3 = 5.", "5 * 4 = 20."]}],
    },
    request_only=True,
)


class Verifications(RetrieveModelMixin, GenericViewSet[Verification]):
    """The request, and its answer once there is one; deleted after a day."""

    lookup_value_converter = "uuid"
    permission_classes = [IsStaff]
    serializer_class = VerificationSerializer
    throttle_scope = "verifier"

    def get_throttles(self) -> list[Any]:
        return [ScopedRateThrottle()] if self.action == "create" else []

    def get_queryset(self) -> Any:
        return Verification.objects.visible_to(signed_in(self.request)).select_related("reward_model")

    @extend_schema(
        request=VerifierQuestionSerializer,
        responses={200: VerificationSerializer, 202: VerificationSerializer},
        examples=[EXAMPLE],
    )
    def create(self, request: Request) -> Response:
        """Judges each step of 1 to 64 solutions of a problem and ranks them. 202 if there is no answer within a few
        seconds: `waiting_for` says why; read it later at `verifier/{id}/`.
        """
        asked = body(VerifierQuestionSerializer, request)
        run = verifier.request_verification(owner=signed_in(request), now=clock.now(), **asked)
        verifier.wait_for(run)
        return Response(VerificationSerializer(run).data, status=200 if run.is_finished else 202)
