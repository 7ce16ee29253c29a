"""Serializers for an annotator's browser: never gold, scores, verdicts or other people's labels."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotate.api.messages import MAX_TEXT
from labeling.api.fields import RowSerializer, TextField, markup_field
from labeling.models import CompletionPurpose, Labelling, ReportKind
from labeling.rules.texts.answers import extract_answer
from labeling.rules.words import Check

MAX_PATH = 200


class RecentSerializer(RowSerializer[Labelling]):
    """One of the annotator's own last submissions, for a list to reopen one from."""

    statement = serializers.SerializerMethodField()
    statement_markup = markup_field("task.solution.problem.markup")
    ratings = serializers.SerializerMethodField()
    checks = serializers.SerializerMethodField()
    has_answer = serializers.BooleanField(read_only=True, help_text="To a question about it.")

    class Meta:
        model = Labelling
        fields = ["id", "assignment", "submitted_at", "finish_reason", "active_ms"]

    @extend_schema_field(serializers.ListField(child=serializers.ChoiceField(Check.choices)))
    def get_checks(self, labelling: Labelling) -> list[str]:
        """The soft checks of the latest submission, without those of earlier versions, which gave verdicts away."""
        return [code for code in labelling.checks if code in Check.values]

    def get_statement(self, labelling: Labelling) -> str:
        return labelling.task.solution.problem.statement[:300]

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField(allow_null=True)))
    def get_ratings(self, labelling: Labelling) -> list[int | None]:
        return [item.rating for item in labelling.completions.all() if item.is_chosen]


class OfferRequestSerializer(serializers.Serializer[Any]):
    purpose = serializers.ChoiceField(choices=CompletionPurpose.choices, default=CompletionPurpose.STEP)
    path = serializers.ListField(child=TextField(max_length=MAX_TEXT), max_length=MAX_PATH)
    again = serializers.BooleanField(default=False, help_text="Retry a generator that failed.")


class OfferedSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(source="*")
    states_answer = serializers.SerializerMethodField(
        help_text="It states a final answer, so the trajectory may end with it."
    )

    def get_states_answer(self, text: str) -> bool:
        return bool(extract_answer(text))


class OfferSerializer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(choices=["ready", "pending", "failed"])
    completions = OfferedSerializer(source="texts", many=True)
    detail = serializers.CharField()


class ReportRequestSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(
        choices=ReportKind.choices,
        required=False,
        help_text="Normally the reference answer; experts' labels may be disputed once a screening task is submitted; "
        "a question needs a note, and steps that are cut wrongly need a step.",
    )
    note = serializers.CharField(default="", allow_blank=True, max_length=5000)
    step = serializers.IntegerField(required=False, min_value=0, max_value=32_767, help_text="Counted from 0.")
    place = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=2**31 - 1,
        help_text="The character before which the step should be cut; without it, the step and the next are one.",
    )
