"""The label filter in a query or a body, spelled as in LabelFilter, and its results."""

from typing import Any

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from labeling.data.exporting import LabelFilter, UnknownChoice
from labeling.data.exporting.choosing import INCLUDABLE, METHODS
from labeling.models import Split

MOST = 1000
COUNTS = OpenApiExample(
    "Two rulings among the labels of a phase",
    {
        "labellings": 396,
        "rulings": 2,
        "consensuses": 0,
        "labels": 1571,
        "positive": 1204,
        "neutral": 180,
        "negative": 187,
        "unsure": 9,
        "split": {"train": 358, "test": 40},
        "left_out": {
            "withdrawn": 2,
            **dict.fromkeys(INCLUDABLE, 4),
            "settled": 4,
        },
        "overlap": {"benchmark": 6, "near_benchmark": 2, "benchmarks": {"MATH500": 6}},
        "annotators": [{"username": "ada", "labellings": 210}, {"username": "ben", "labellings": 192}],
    },
    response_only=True,
)


def _several(child: serializers.Field[Any, Any, Any, Any], help_text: str = "") -> serializers.ListField:
    return serializers.ListField(child=child, required=False, max_length=MOST, help_text=help_text)


class LabelChoiceSerializer(serializers.Serializer[Any]):
    """Chooses from the current labels of all phases; a missing or empty field means all."""

    rounds = _several(serializers.UUIDField())
    split = serializers.ChoiceField(choices=Split.choices, required=False, allow_blank=True, help_text="Of problems.")
    annotators = _several(
        serializers.CharField(max_length=150), "User names: only their labels. A ruling is its author's."
    )
    without_annotators = _several(serializers.CharField(max_length=150), "Not their labels.")
    include = _several(
        serializers.ChoiceField(choices=INCLUDABLE), "Kinds of labels that are left out unless named here."
    )
    consensus = serializers.ChoiceField(
        choices=[(method.value, method.label) for method in METHODS],
        required=False,
        allow_blank=True,
        help_text="The consensus, in place of each person's labels. A ruling stands in any case.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        try:
            label_filter_of(attrs).check()
        except UnknownChoice as unknown:
            raise serializers.ValidationError({unknown.field: str(unknown)}) from unknown
        return attrs


class LabelFilterSerializer(LabelChoiceSerializer):
    """Chooses from the current labels; a missing or empty field means all."""

    phases = _several(serializers.UUIDField())


def label_filter_of(given: dict[str, Any]) -> LabelFilter:
    names = LabelFilterSerializer().fields.keys() & given.keys()
    return LabelFilter(**{name: given[name] for name in names})


class AnnotatorLabelsSerializer(serializers.Serializer[Any]):
    username = serializers.CharField()
    labellings = serializers.IntegerField(help_text="Including settled ones, and rulings.")


class OverlapSerializer(serializers.Serializer[Any]):
    """Problems with chosen labels, whether these are left out or included."""

    benchmark = serializers.IntegerField(help_text="On a registered benchmark.")
    near_benchmark = serializers.IntegerField(help_text="Near-duplicates of one.")
    benchmarks = serializers.DictField(child=serializers.IntegerField(), help_text="By the benchmark's name.")


class LabelCountsSerializer(serializers.Serializer[Any]):
    """The contents of a snapshot or an export, counted. `annotators` are those to choose from."""

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
    overlap = OverlapSerializer()
    annotators = AnnotatorLabelsSerializer(many=True)
