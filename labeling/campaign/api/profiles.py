"""Profiles, to begin a phase with: what they say and set."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling.api.permissions import IsStaff
from labeling.models import Markup
from labeling.rules.profiles import Profile
from labeling.rules.words import Grader


class MeaningField(serializers.CharField):
    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=1000, allow_blank=True, **options)


class ProfileMeaningsSerializer(serializers.Serializer[Any]):
    great = serializers.CharField()
    okay = serializers.CharField()
    bad = serializers.CharField()


class OwnMeaningsSerializer(serializers.Serializer[Any]):
    great = MeaningField(required=False)
    okay = MeaningField(required=False)
    bad = MeaningField(required=False)


class ErrorKindSerializer(serializers.Serializer[Any]):
    key = serializers.CharField(max_length=1, help_text="The lower-case letter or digit that chooses it.")
    name = serializers.CharField(max_length=100)
    parent = serializers.CharField(  # type: ignore[assignment]
        max_length=1, default="", allow_blank=True, help_text="The key of the kind that it is one of, named before it."
    )
    help = serializers.CharField(max_length=500, default="", allow_blank=True)


class ProfileSerializer(serializers.Serializer[Any]):
    """A profile, with the texts that annotators see and the settings that it begins with."""

    profile = serializers.ChoiceField(choices=Profile.choices, source="value")
    title = serializers.CharField(source="label")
    markup = serializers.ChoiceField(choices=Markup.choices, source="traits.markup")
    grader = serializers.ChoiceField(choices=Grader.choices, source="traits.grader")
    instruction = serializers.CharField(source="traits.instruction")
    meanings = ProfileMeaningsSerializer(source="traits.meanings")
    guidelines = serializers.CharField(source="traits.guidelines", help_text="Markdown.")
    rates_all_steps = serializers.BooleanField(source="traits.rates_all_steps")
    finishes_by_hand = serializers.BooleanField(source="traits.finishes_by_hand")
    asks_result = serializers.BooleanField(source="traits.asks_result")
    error_kinds = ErrorKindSerializer(source="traits.error_kinds", many=True, help_text="An example.")


class ProfilesView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(operation_id="profiles", responses=ProfileSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Every profile, to begin a phase with."""
        return Response(ProfileSerializer(list(Profile), many=True).data)
