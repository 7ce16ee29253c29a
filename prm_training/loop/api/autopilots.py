"""Autopilot, phase by phase: its settings, its switch, and its acts."""

from typing import Any
from uuid import UUID

import httpx
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from labeling import clock
from labeling.api.fields import RowSerializer
from labeling.api.permissions import MlStaffWrites, signed_in
from labeling.api.requests import body, visible
from labeling.completions import outgoing
from labeling.models import Phase, Status
from prm_training.api.bases import validate_model_directory
from prm_training.api.rounds import RoundSettingsSerializer
from prm_training.api.serializers import TrainingSettingsSerializer
from prm_training.loop import autopilot, next_act, notices, timeline
from prm_training.models import ROUND_SETTINGS, Autopilot, Notice

SETTINGS = [
    "base",
    "training",
    *ROUND_SETTINGS,
    "least_candidates",
    "most_rounds",
    "most_labellings",
    "patience_minutes",
    "webhook_url",
    "emails",
]
LATEST_NOTICES = 20
MOST = {
    "least_candidates": 1_000_000,
    "most_rounds": 10_000,
    "most_labellings": 2**31 - 1,
    "patience_minutes": 100_000,
}


class TimelineEntrySerializer(serializers.Serializer[Any]):
    """`round`: the number of the newest round when it started; null before the first."""

    act = serializers.ChoiceField(choices=next_act.ACT_CHOICES)
    status = serializers.ChoiceField(choices=Status.choices)
    started_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    result = serializers.DictField()
    run = serializers.UUIDField(allow_null=True)
    round = serializers.IntegerField(allow_null=True)


class NoticeSerializer(RowSerializer[Notice]):
    event = serializers.CharField(source="news.event")
    act = serializers.CharField(source="news.act", default="", help_text="Empty if it was switched on or off.")

    class Meta:
        model = Notice
        fields = ["id", "to", "status", "attempts", "error", "created_at"]


class AutopilotSerializer(RoundSettingsSerializer):
    phase_name = serializers.CharField(source="phase.name", read_only=True)
    training = TrainingSettingsSerializer(required=False)
    webhook_url = serializers.URLField(max_length=500, allow_blank=True, required=False)
    webhook_secret = serializers.SerializerMethodField(
        help_text="For the phase's ML staff; the key of X-Stepmark-Signature."
    )
    emails = serializers.ListField(child=serializers.EmailField(), max_length=20, required=False)
    timeline = serializers.SerializerMethodField()
    notices = serializers.SerializerMethodField()

    class Meta:
        model = Autopilot
        fields = ["phase", "status", "reason", *SETTINGS]
        read_only_fields = ["phase", "status", "reason"]
        extra_kwargs = {
            **{name: {"min_value": 1, "max_value": most} for name, most in MOST.items()},
            "base": {"validators": [validate_model_directory]},
        }

    def get_webhook_secret(self, pilot: Autopilot) -> str:
        user = signed_in(self.context["request"])
        is_theirs = user.is_ml_staff and Phase.objects.run_by(user).filter(pk=pilot.phase_id).exists()
        return pilot.webhook_secret if is_theirs else ""

    @extend_schema_field(TimelineEntrySerializer(many=True))
    def get_timeline(self, pilot: Autopilot) -> Any:
        return TimelineEntrySerializer(timeline.of(pilot), many=True).data

    @extend_schema_field(NoticeSerializer(many=True))
    def get_notices(self, pilot: Autopilot) -> Any:
        return NoticeSerializer(pilot.notices.order_by("-created_at")[:LATEST_NOTICES], many=True).data

    def validate_webhook_url(self, url: str) -> str:
        if url:
            try:
                outgoing.resolved(url, unless=notices.private_webhooks())
            except (outgoing.Unreachable, httpx.InvalidURL) as why:
                raise serializers.ValidationError(str(why)) from None
        return url


class SwitchOnSerializer(serializers.Serializer[Any]):
    skip = serializers.BooleanField(default=False, help_text="Continue without the promotion that was refused.")


def _pilot_of(phase: Phase) -> Autopilot:
    """Returns the phase's autopilot, with defaults if nobody has set it up yet."""
    return Autopilot.objects.filter(phase=phase).select_related("phase").first() or Autopilot(phase=phase)


def _answer(request: Request, phase: Phase) -> Response:
    return Response(AutopilotSerializer(_pilot_of(phase), context={"request": request}).data)


class Autopilots(GenericViewSet[Autopilot]):
    """A phase's autopilot, by the phase's id."""

    lookup_value_converter = "uuid"
    permission_classes = [MlStaffWrites]
    serializer_class = AutopilotSerializer

    def retrieve(self, request: Request, pk: UUID) -> Response:
        """The phase's autopilot, its latest acts and notices, newest first."""
        return _answer(request, visible(Phase.objects, request, pk))

    @extend_schema(
        examples=[OpenApiExample("Two rounds of 50", value={"size": 50, "most_rounds": 2}, request_only=True)]
    )
    def partial_update(self, request: Request, pk: UUID) -> Response:
        """Changes the settings; a job in progress keeps the old ones."""
        phase = visible(Phase.objects, request, pk)
        settings = body(AutopilotSerializer, request, of=_pilot_of(phase))
        autopilot.change_autopilot(phase=phase, by=signed_in(request), settings=settings)
        return _answer(request, phase)

    @extend_schema(request=SwitchOnSerializer)
    @action(detail=True, methods=["post"], url_path="on")
    def switch_on(self, request: Request, pk: UUID) -> Response:
        """Switches the autopilot on. After a stop, a failed job is retried, and a selection that picked too few is
        replaced.
        """
        phase = visible(Phase.objects, request, pk)
        asked = body(SwitchOnSerializer, request)
        autopilot.switch_on(phase=phase, by=signed_in(request), now=clock.now(), **asked)
        return _answer(request, phase)

    @extend_schema(request=None)
    @action(detail=True, methods=["post"], url_path="off")
    def switch_off(self, request: Request, pk: UUID) -> Response:
        """Switches the autopilot off: nothing further is done; a job in progress is not cancelled."""
        phase = visible(Phase.objects, request, pk)
        autopilot.switch_off(phase=phase, by=signed_in(request), now=clock.now())
        return _answer(request, phase)
