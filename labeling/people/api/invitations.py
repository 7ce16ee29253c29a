"""Invitations: admins make links; whoever has one can join."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import generics, serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.mixins import ListModelMixin
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import GenericViewSet

from labeling import clock
from labeling.api.fields import RowSerializer
from labeling.api.permissions import Confirmed, IsAdmin, signed_in
from labeling.api.requests import body
from labeling.models import Invitation, Phase, PhaseRole, Role, User
from labeling.people import invitations, tokens
from labeling.people.api.session import PasswordField, SessionSerializer, checked_password, enter
from labeling.people.invitations import InvitationOver


class InvitationSerializer(RowSerializer[Invitation]):
    by = serializers.CharField(source="by.username", read_only=True)
    username = serializers.CharField(
        source="person.username", read_only=True, default=None, allow_null=True, help_text="Whose account it opens."
    )
    phase_name = serializers.CharField(source="phase.name", read_only=True, default=None, allow_null=True)
    role = serializers.ChoiceField(choices=Role.choices)
    phase_role = serializers.ChoiceField(choices=PhaseRole.choices)

    class Meta:
        model = Invitation
        fields = ["id", "phase", "created_at", "expires_at"]


class NewInvitationSerializer(serializers.Serializer[Any]):
    role = serializers.ChoiceField(choices=Role.choices, default=Role.ANNOTATOR)
    phase = serializers.PrimaryKeyRelatedField(queryset=Phase.objects.all(), default=None, allow_null=True)
    phase_role = serializers.ChoiceField(
        choices=PhaseRole.choices, required=False, help_text="Default: ML staff run the phase, others label."
    )
    days = serializers.IntegerField(min_value=1, max_value=90, default=7, help_text="How long the link is valid.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs.setdefault("phase_role", PhaseRole.default_for(attrs["role"]))
        if attrs["phase_role"] == PhaseRole.ML_STAFF != attrs["role"]:
            raise serializers.ValidationError({"phase_role": "Only ML staff run a phase."})
        return attrs


class MadeInvitationSerializer(InvitationSerializer):
    secret = serializers.CharField(read_only=True, help_text="For the link /invite/SECRET; shown only once.")


class Invitations(ListModelMixin, GenericViewSet[Invitation]):
    """The invitations that can still be accepted."""

    permission_classes = [IsAdmin, Confirmed]
    serializer_class = InvitationSerializer

    def get_queryset(self) -> QuerySet[Invitation]:
        rows: QuerySet[Invitation] = Invitation.objects.open(now=clock.now()).select_related("by", "phase", "person")
        return rows.order_by("-created_at", "pk")

    @extend_schema(
        request=NewInvitationSerializer,
        responses={201: MadeInvitationSerializer},
        examples=[OpenApiExample("An annotator, for three days", {"role": "annotator", "days": 3}, request_only=True)],
    )
    def create(self, request: Request) -> Response:
        """Makes an invitation; its link lets one person create an account."""
        asked, by = body(NewInvitationSerializer, request), signed_in(request)
        made, secret = invitations.invite(**asked, now=clock.now(), by=by)
        return Response({**InvitationSerializer(made).data, "secret": secret}, status=201)

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, pk: UUID) -> Response:
        """Revokes an invitation."""
        found = generics.get_object_or_404(Invitation.objects.all(), pk=pk)
        invitations.revoke(invitation=found, now=clock.now(), by=signed_in(request))
        return Response(status=204)


class AcceptedSerializer(RowSerializer[User]):
    password = PasswordField(write_only=True)

    class Meta:
        model = User
        fields = ["username"]
        extra_kwargs = {"username": {"required": False, "help_text": "Not with a link for an existing account."}}

    def validate_username(self, value: str) -> str:
        return User.objects.check_is_free(value)


class AcceptView(APIView):
    """The invitation behind a link, for whoever has it."""

    permission_classes = [AllowAny]

    @extend_schema(responses=InvitationSerializer)
    def get(self, request: Request, secret: str) -> Response:
        found = _behind(secret)
        if not Invitation.objects.open(now=clock.now()).filter(pk=found.pk).exists():
            raise InvitationOver(invitations.OVER)
        return Response(InvitationSerializer(found).data)

    @extend_schema(request=AcceptedSerializer, responses={201: SessionSerializer})
    def post(self, request: Request, secret: str) -> Response:
        """Creates the account, and signs in to it."""
        SessionAuthentication().enforce_csrf(request)  # DRF checks CSRF only for signed-in users
        found = _behind(secret)
        chosen = body(AcceptedSerializer, request)
        if found.person is None and "username" not in chosen:
            raise serializers.ValidationError({"username": "This field is required."})
        checked_password(chosen, username=found.person.username if found.person else "")
        person = invitations.accept(invitation=found, now=clock.now(), **chosen)
        return enter(request, person, status=201)


def _behind(secret: str) -> Invitation:
    rows = Invitation.objects.select_related("by", "phase", "person")
    found: Invitation = generics.get_object_or_404(rows, secret_hash=tokens.hashed(secret))
    return found
