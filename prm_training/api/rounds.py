"""Serializers of a round's settings, shared by all endpoints that make a round, and of the solutions picked for it."""

import math
from typing import Any, cast

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from labeling.api.fields import RowSerializer, markup_field
from labeling.api.traces import ConversationField, TurnsField
from labeling.models import Gold, Phase, Verdict
from prm_training.models import Policy, QuotaBy, RankBy, SelectionItem

TOGETHER = ("size", "per_problem", "source", "quota_by", "quotas")


def overlap_field() -> serializers.IntegerField:
    return serializers.IntegerField(
        min_value=1,
        max_value=100,
        allow_null=True,
        required=False,
        help_text="How many people label a task; null: the phase's.",
    )


def is_gold_set(name: str) -> None:
    if name and not Gold.objects.in_service().filter(gold_set=name).exists():
        raise serializers.ValidationError(f"There is no gold set “{name}” in service.")


def gold_set_field() -> serializers.CharField:
    return serializers.CharField(
        max_length=100,
        allow_null=True,
        allow_blank=True,
        required=False,
        validators=[is_gold_set],
        help_text="Hidden among the tasks; null: the phase's; empty: none.",
    )


class RoundSettingsSerializer(RowSerializer[Any]):
    """The fields of ROUND_SETTINGS."""

    policy = serializers.ChoiceField(choices=Policy.choices, default=Policy.CONVINCING)
    size = serializers.IntegerField(min_value=1, max_value=1_000_000, allow_null=True, default=100)
    per_problem = serializers.IntegerField(
        min_value=1,
        max_value=10_000,
        allow_null=True,
        required=False,
        help_text="Solutions per problem, at most; null: any number. 1 by default, any number of a uniform draw.",
    )
    wrong_share = serializers.FloatField(min_value=0, max_value=1, default=0.8)
    rank_by = serializers.ChoiceField(choices=RankBy.choices, default=RankBy.PRODUCT)
    random_share = serializers.FloatField(min_value=0, max_value=1, default=0.1)
    quota_by = serializers.ChoiceField(choices=QuotaBy.choices, allow_blank=True, default="")
    quotas = serializers.DictField(
        child=serializers.FloatField(min_value=0, max_value=1),
        default=dict,
        help_text="Share of the policy's picks by value; the rest has any other value. Empty: as many of each value.",
    )
    overlap = overlap_field()

    gold_set = gold_set_field()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if self.instance is None and "per_problem" not in attrs:
            attrs["per_problem"] = None if attrs["policy"] == Policy.UNIFORM else 1
        asked = {name: attrs.get(name, getattr(self.instance, name, None)) for name in TOGETHER}
        if asked["size"] is None and asked["per_problem"] is None:
            raise serializers.ValidationError({"size": "Say how many at most: in total, or per problem."})
        if asked["size"] is None and asked["quota_by"]:
            raise serializers.ValidationError({"size": "Quotas need a number of solutions."})
        if asked["quotas"] and not asked["quota_by"]:
            raise serializers.ValidationError({"quota_by": "Say what the quotas go by."})
        if sum((asked["quotas"] or {}).values()) > 1.000001:
            raise serializers.ValidationError({"quotas": "The shares add up to more than 100 %."})
        phase: Phase = attrs["phase"] if "phase" in attrs else cast(Any, self.instance).phase
        if asked["source"] and phase.sources and asked["source"] not in phase.sources:
            raise serializers.ValidationError({"source": f"“{asked['source']}” is not one of the phase's sources."})
        return attrs


class SelectionItemSerializer(RowSerializer[SelectionItem]):
    score = serializers.SerializerMethodField()
    problem_statement = serializers.CharField(source="solution.problem.statement")
    statement_markup = markup_field("solution.problem.markup")
    markup = markup_field("solution.markup")
    reference_answer = serializers.CharField(source="solution.problem.reference_answer")
    steps = serializers.ListField(source="solution.steps", child=serializers.CharField())
    turns = TurnsField("solution")
    conversation = ConversationField("solution.problem")
    answer = serializers.CharField(source="solution.answer")
    verdict = serializers.ChoiceField(Verdict.choices, source="solution.verdict")
    generator = serializers.CharField(source="solution.generator")
    grader_version = serializers.CharField(source="solution.grader_version")

    class Meta:
        model = SelectionItem
        fields = ["rank", "solution", "log_score", "reason", "is_set_aside", "is_random"]

    @extend_schema_field(serializers.FloatField(allow_null=True))
    def get_score(self, item: SelectionItem) -> float | None:
        return None if item.log_score is None else math.exp(item.log_score)
