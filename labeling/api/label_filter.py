"""The label filter in a query or a body, spelled as in LabelFilter, and what it finds."""

from typing import Any

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from labeling.exporting import LabelFilter, UnknownChoice
from labeling.exporting.choosing import INCLUDABLE, METHODS
from labeling.models import Split

MOST = 1000
COUNTS = OpenApiExample(
    "Two rulings among the labels of a phase",
    {
        **{"labellings": 396, "rulings": 2, "consensuses": 0, "labels": 1571, "positive": 1204, "neutral": 180},
        **{"negative": 187, "unsure": 9, "split": {"train": 358, "test": 40}},
        "left_out": {"screening": 30, "gold": 31, "give_up": 4, "bad_problem": 0, "settled": 4},
        "annotators": [{"username": "ada", "labellings": 210}, {"username": "ben", "labellings": 192}],
    },
    response_only=True,
)


class IncludeField(serializers.ListField):
    """A list, or names with commas between."""

    def to_internal_value(self, data: Any) -> Any:
        given = [data] if isinstance(data, str) else data
        is_list = isinstance(given, list)
        return super().to_internal_value(_apart(given) if is_list else given)


def _apart(given: list[Any]) -> list[Any]:
    return [name for each in given for name in (each.split(",") if isinstance(each, str) else [each])]


class LabelChoiceSerializer(serializers.Serializer[Any]):
    """Which of the labels as they stand, of all phases; what is left out or empty chooses everything."""

    rounds = serializers.ListField(child=serializers.UUIDField(), required=False, max_length=MOST)
    split = serializers.ChoiceField(choices=Split.choices, required=False, allow_blank=True, help_text="Of problems.")
    annotators = serializers.ListField(
        child=serializers.CharField(max_length=150),
        required=False,
        max_length=MOST,
        help_text="User names: only what they said. A ruling is said by its author.",
    )
    without_annotators = serializers.ListField(
        child=serializers.CharField(max_length=150), required=False, max_length=MOST, help_text="Not what they said."
    )
    include = IncludeField(
        child=serializers.ChoiceField(choices=INCLUDABLE),
        required=False,
        help_text="What stays out unless it is named here.",
    )
    consensus = serializers.ChoiceField(
        choices=[(method.value, method.label) for method in METHODS],
        required=False,
        allow_blank=True,
        help_text="What people say together, in the place of what each said. A ruling stands in any case.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        try:
            label_filter_of(attrs).check()
        except UnknownChoice as unknown:
            raise serializers.ValidationError({unknown.field: str(unknown)}) from unknown
        return attrs


class LabelFilterSerializer(LabelChoiceSerializer):
    """Which of the labels as they stand; what is left out or empty chooses everything."""

    phases = serializers.ListField(child=serializers.UUIDField(), required=False, max_length=MOST)


def label_filter_of(given: dict[str, Any]) -> LabelFilter:
    names = LabelFilterSerializer().fields.keys() & given.keys()
    return LabelFilter(**{name: given[name] for name in names})


class AnnotatorLabelsSerializer(serializers.Serializer[Any]):
    username = serializers.CharField()
    labellings = serializers.IntegerField(help_text="Settled ones too, and rulings.")


class LabelCountsSerializer(serializers.Serializer[Any]):
    """What a snapshot or an export holds. `annotators` are those to choose from."""

    labellings = serializers.IntegerField(help_text="That stand for themselves.")
    rulings = serializers.IntegerField()
    consensuses = serializers.IntegerField()
    labels = serializers.IntegerField()
    positive = serializers.IntegerField()
    neutral = serializers.IntegerField()
    negative = serializers.IntegerField()
    unsure = serializers.IntegerField(help_text="Or without a rating.")
    split = serializers.DictField(child=serializers.IntegerField(), help_text="Labellings, rulings, consensuses.")
    left_out = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="Labellings by reason; `settled`: in whose place a ruling or consensus stands.",
    )
    annotators = AnnotatorLabelsSerializer(many=True)
