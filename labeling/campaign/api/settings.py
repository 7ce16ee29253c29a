"""All settings of a phase, for staff; a change can be previewed."""

import re
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.mixins import ListModelMixin
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.validators import UniqueValidator
from rest_framework.viewsets import GenericViewSet

from labeling import clock
from labeling.api.fields import RowSerializer
from labeling.api.filters import flag
from labeling.api.permissions import AdminWrites, IsStaff, signed_in
from labeling.api.requests import body, visible
from labeling.campaign import phases
from labeling.campaign.api.profiles import ErrorKindSerializer, OwnMeaningsSerializer
from labeling.completions import generator, outgoing
from labeling.models import Guidelines, Phase, Sample
from labeling.rules import error_kinds

FOR_GOOD = "private, max-age=31536000, immutable"
NUMBER = re.compile("[0-9]{1,9}")
NAME_IS_FREE = UniqueValidator(Phase.objects.all(), "A phase with this name already exists.")


def checked_generator_url(url: str) -> str:
    """Returns the address. Raises ValidationError for a private one, which would not be called."""
    try:
        if url:
            generator.check_address(url)
    except outgoing.PrivateAddress as error:
        raise ValidationError(str(error)) from None
    return url


class NamesField(serializers.ListField):
    child = serializers.CharField(max_length=100, allow_blank=True, trim_whitespace=False)


class PhaseSettingsSerializer(RowSerializer[Phase]):
    """The settings that admins change; annotators see those in `Phase`."""

    generator_url = serializers.RegexField(  # Django's rule for URLs refuses bare host names
        r"^https?://[^\s/?#]+(/[^\s?#]*)?$",
        max_length=200,
        allow_blank=True,
        required=False,
        help_text="Such as http://host:8000/v1.",
        error_messages={"invalid": "Enter an address such as http://host:8000/v1."},
    )

    instruction = serializers.CharField(
        max_length=1000,
        allow_blank=True,
        required=False,
        help_text="The sentence below the problem; empty: the profile's.",
    )
    meanings = OwnMeaningsSerializer(
        required=False, help_text="What the ratings mean; one that is missing or empty means what the profile says."
    )
    error_kinds = ErrorKindSerializer(
        many=True, required=False, help_text="Kinds of error to ask for after Bad; empty: none is asked."
    )
    sources = NamesField(required=False, help_text="What rounds draw from; empty: the whole pool.")
    generators = NamesField(required=False, help_text="Only solutions by these generators; empty: any.")

    class Meta:
        model = Phase
        # Staff see every column, so a new setting has its place here. `origin` is no setting.
        fields = [column.name for column in Phase._meta.fields if column.name != "origin"]
        read_only_fields = ["guidelines_version"]
        extra_kwargs = {
            "name": {"validators": [NAME_IS_FREE]},
            "alternatives_per_step": {"min_value": 1, "max_value": 20},
            **{name: {"min_value": 1} for name in ("overlap", "overlap_cap", "screening_attempts")},
            **{name: {"min_value": 1} for name in ("lease_minutes", "time_limit_minutes")},
            **{name: {"min_value": 0, "max_value": 1} for name in ("pass_mark", "gold_rate", "pause_below")},
            "shared_rate": {"min_value": 0, "max_value": 1},
        }

    def validate_generator_url(self, url: str) -> str:
        return checked_generator_url(url)

    def validate_error_kinds(self, rows: list[dict[str, str]]) -> list[dict[str, str]]:
        # A partial update may leave settings out, but each kind of error given is complete.
        kinds = [dict.fromkeys(("key", "name", "parent", "help"), "") | row for row in rows]
        try:
            error_kinds.check_kinds(error_kinds.kinds_from(kinds))
        except error_kinds.InvalidKinds as error:
            raise ValidationError([str(error)]) from None
        return kinds

    def validate_sources(self, names: list[str]) -> list[str]:
        return self._known("source", names, getattr(self.instance, "sources", []))

    def validate_generators(self, names: list[str]) -> list[str]:
        return self._known("generator", names, getattr(self.instance, "generators", []))

    def _known(self, column: str, names: list[str], before: list[str]) -> list[str]:
        """Returns the names. Raises ValidationError for unknown ones, except those that the phase already has."""
        pool = Sample.objects.filter(solution__in_pool=True)
        unknown = [name for name in names if name not in before and not pool.filter(**{column: name}).exists()]
        if unknown:
            raise ValidationError([f"There are no solutions of {column} “{name}” in the pool." for name in unknown])
        return sorted(set(names))

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        url, model = (
            attrs.get(name, getattr(self.instance, name, "")) for name in ("generator_url", "generator_model")
        )
        if url and not model:
            raise ValidationError({"generator_model": "Name the model that the endpoint serves."})
        return attrs


class EffectSerializer(serializers.Serializer[phases.Effect]):
    """`tasks_in_hand` are affected by the new setting, as are `people` of the phase (`pass_mark`: whose screening
    result would change).
    """

    setting = serializers.CharField()
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)
    applies = serializers.ChoiceField(choices=["at_once", "next_claim", "next_round"])
    tasks_in_hand = serializers.IntegerField()
    people = serializers.IntegerField()


class ChangedSettingsSerializer(serializers.Serializer[Any]):
    effects = EffectSerializer(many=True)
    settings = PhaseSettingsSerializer()


class GuidelinesSerializer(RowSerializer[Guidelines]):
    class Meta:
        model = Guidelines
        fields = ["version", "text", "created_at"]


class GuidelinesTextSerializer(serializers.Serializer[Guidelines]):
    version = serializers.IntegerField()
    text = serializers.CharField(help_text="Markdown.")


class CloneSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=100, validators=[NAME_IS_FREE])
    with_members = serializers.BooleanField(default=False)


class PhaseSettings(GenericViewSet[Phase]):
    permission_classes = [AdminWrites]
    lookup_url_kwarg = "phase_id"

    def get_queryset(self) -> QuerySet[Phase]:
        return Phase.objects.visible_to(signed_in(self.request))

    @extend_schema(responses=PhaseSettingsSerializer)
    @action(detail=True, url_path="settings")
    def read(self, request: Request, phase_id: UUID) -> Response:
        """All settings of the phase."""
        return Response(PhaseSettingsSerializer(self.get_object()).data)

    @extend_schema(
        request=PhaseSettingsSerializer(partial=True),
        responses=ChangedSettingsSerializer,
        parameters=[OpenApiParameter("dry_run", bool, description="Preview the effects without changing anything.")],
        examples=[
            OpenApiExample("Pause", {"status": "paused"}, request_only=True),
            OpenApiExample("Ask for more", {"overlap": 3, "time_limit_minutes": 60}, request_only=True),
        ],
    )
    @read.mapping.patch
    def change(self, request: Request, phase_id: UUID) -> Response:
        """Changes settings, and returns the effects. To start, pause, close or archive, set `status`."""
        phase, now = self.get_object(), clock.now()
        settings = body(PhaseSettingsSerializer, request, of=phase)
        effects = phases.effects(phase=phase, settings=settings, now=now)
        if not flag(request, "dry_run"):
            phase = phases.change_settings(phase=phase, settings=settings, now=now, by=signed_in(request))
        return Response(ChangedSettingsSerializer({"effects": effects, "settings": phase}).data)

    @extend_schema(responses=GuidelinesTextSerializer, parameters=[OpenApiParameter("version", int, "path")])
    @action(detail=True, url_path="guidelines/<str:version>", permission_classes=[IsAuthenticated])
    def guidelines(self, request: Request, phase_id: UUID, version: str) -> Response:
        """One version of the phase's guidelines. It never changes, so it may be cached."""
        phase = self.get_object()
        found = phases.guidelines(phase=phase, version=int(version)) if NUMBER.fullmatch(version) else None
        if found is None:
            raise Http404
        return Response(GuidelinesTextSerializer(found).data, headers={"Cache-Control": FOR_GOOD})

    @extend_schema(request=CloneSerializer, responses={201: PhaseSettingsSerializer})
    @action(detail=True, methods=["post"])
    def clone(self, request: Request, phase_id: UUID) -> Response:
        """Makes a draft phase with the same settings."""
        made = phases.clone(phase=self.get_object(), by=signed_in(request), **body(CloneSerializer, request))
        return Response(PhaseSettingsSerializer(made).data, status=201)


class GuidelinesVersions(ListModelMixin, GenericViewSet[Guidelines]):
    """Every version of the phase's guidelines, newest first."""

    permission_classes = [IsStaff]
    serializer_class = GuidelinesSerializer

    def get_queryset(self) -> QuerySet[Guidelines]:
        return visible(Phase.objects, self.request, self.kwargs["phase_id"]).guidelines.order_by("-version")
