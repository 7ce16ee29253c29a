"""API tokens: one's own, and other people's for admins."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from labeling import clock
from labeling.api.fields import RowSerializer
from labeling.api.permissions import Confirmed, InBrowser, IsAdmin, signed_in
from labeling.api.requests import body
from labeling.models import ApiToken, User
from labeling.people import tokens

DAYS = 90


class TokenSerializer(RowSerializer[ApiToken]):
    class Meta:
        model = ApiToken
        fields = ["id", "name", "is_read_only", "created_at", "expires_at", "last_used_at"]
        read_only_fields = ["expires_at", "last_used_at"]


class TokenRequestSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=100)
    is_read_only = serializers.BooleanField(default=False, help_text="It can read, but not change anything.")
    days = serializers.IntegerField(
        min_value=1, max_value=3650, allow_null=True, default=DAYS, help_text="How long it is valid; null: no limit."
    )


class NewTokenSerializer(TokenSerializer):
    secret = serializers.CharField(read_only=True, help_text="Shown only once.")


def limited(asked: dict[str, Any]) -> dict[str, Any]:
    """Returns a TokenRequest's fields, with the days turned into an expiry, counted from now."""
    days = asked.pop("days")
    return asked | {"expires_at": clock.now() + timedelta(days=days) if days else None}


class TheirTokens(ListModelMixin, GenericViewSet[ApiToken]):
    """A person's tokens, without their secrets."""

    permission_classes = [IsAdmin, Confirmed]
    serializer_class = TokenSerializer
    pagination_class = None

    def get_queryset(self) -> QuerySet[ApiToken]:
        return self.get_person().api_tokens.select_related("user").order_by("created_at")

    def get_person(self) -> User:
        return get_object_or_404(User.objects.all(), pk=self.kwargs["person_id"])

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, **_: UUID) -> Response:
        """Revokes a token."""
        tokens.revoke(token=self.get_object(), by=signed_in(request))
        return Response(status=204)


class OwnTokens(TheirTokens):
    """Your own tokens, without their secrets. A token can't make tokens: that takes a signed-in browser."""

    permission_classes = [InBrowser, Confirmed]

    def get_person(self) -> User:
        return signed_in(self.request)

    @extend_schema(
        request=TokenRequestSerializer,
        responses={201: NewTokenSerializer},
        examples=[
            OpenApiExample(
                "For a script", {"name": "nightly export", "is_read_only": True, "days": 90}, request_only=True
            )
        ],
    )
    def create(self, request: Request) -> Response:
        """Makes a token. A script sends the secret as `Authorization: Token SECRET`; it may do what you may do."""
        token, secret = tokens.make_token(user=signed_in(request), **limited(body(TokenRequestSerializer, request)))
        return Response({**TokenSerializer(token).data, "secret": secret}, status=201)
