"""Many people at once, from a table, for admins."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from labeling import clock
from labeling.api.permissions import IsAdmin, check_confirmed, signed_in
from labeling.api.requests import body
from labeling.models import PhaseRole, Role
from labeling.people import rosters
from labeling.people.api.tokens import DAYS, limited

LONGEST_TABLE = 500_000
TABLE = "username,role,phases,phase_role,access\nada,annotator,Algebra;Geometry,expert,link\nbot-1,,,,read-only token\n"


class RosterSerializer(serializers.Serializer[Any]):
    table = serializers.CharField(
        max_length=LONGEST_TABLE,
        trim_whitespace=False,
        help_text="CSV: a line of column names, username and any of role, phases (with ; between), phase_role, access.",
    )


class NewRosterSerializer(RosterSerializer):
    link_days = serializers.IntegerField(min_value=1, max_value=90, default=7)
    token_days = serializers.IntegerField(
        min_value=1,
        max_value=3650,
        allow_null=True,
        default=DAYS,
        help_text="Validity of tokens; null: no limit.",
    )


class EntrySerializer(serializers.Serializer[Any]):
    line = serializers.IntegerField()
    username = serializers.CharField()
    role = serializers.ChoiceField(choices=Role.choices)
    phases = serializers.ListField(child=serializers.CharField(), help_text="Their names.")
    phase_role = serializers.ChoiceField(choices=PhaseRole.choices)
    access = serializers.ChoiceField(choices=rosters.ACCESS)
    problems = serializers.ListField(child=serializers.CharField(), source="errors", help_text="Empty: it is fine.")


class MadeEntrySerializer(serializers.Serializer[Any]):
    username = serializers.CharField()
    access = serializers.ChoiceField(choices=rosters.ACCESS)
    secret = serializers.CharField(help_text="A token, or the secret of the link /invite/SECRET; shown only once.")


class Rosters(ViewSet):
    permission_classes = [IsAdmin]

    @extend_schema(
        request=RosterSerializer,
        responses=EntrySerializer(many=True),
        examples=[OpenApiExample("Two people", {"table": TABLE}, request_only=True)],
    )
    @action(detail=False, methods=["post"], url_path="import/preview")
    def preview(self, request: Request) -> Response:
        """Previews each line's account, or its error. Nothing is created."""
        return Response(EntrySerializer(rosters.read_roster(body(RosterSerializer, request)["table"]), many=True).data)

    @extend_schema(
        request=NewRosterSerializer,
        responses={201: MadeEntrySerializer(many=True)},
        examples=[OpenApiExample("Two people", {"table": TABLE, "link_days": 14}, request_only=True)],
    )
    @action(detail=False, methods=["post"], url_path="import")
    def make(self, request: Request) -> Response:
        """Creates all accounts or, if a line is invalid, none. Each link lets its person choose a password."""
        check_confirmed(request)
        asked, now, by = body(NewRosterSerializer, request), clock.now(), signed_in(request)
        expires_at = limited({"days": asked["token_days"]})["expires_at"]
        entries = rosters.read_roster(asked["table"])
        secrets = rosters.make_accounts(
            entries=entries, link_days=asked["link_days"], token_expires_at=expires_at, now=now, by=by
        )
        rows = [
            {"username": entry.username, "access": entry.access, "secret": secret}
            for entry, secret in zip(entries, secrets, strict=True)
        ]
        return Response(MadeEntrySerializer(rows, many=True).data, status=201)
