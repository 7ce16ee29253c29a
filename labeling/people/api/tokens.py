"""One's own API tokens. A token can't make tokens: that takes a signed-in browser."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling.api.permissions import InBrowser, signed_in
from labeling.api.requests import body
from labeling.models import ApiToken
from labeling.people import tokens


class TokenSerializer(serializers.ModelSerializer[ApiToken]):
    class Meta:
        model = ApiToken
        fields = ["id", "name", "is_read_only", "created_at", "expires_at", "last_used_at"]
        read_only_fields = ["expires_at", "last_used_at"]


class TokenRequestSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=100)
    is_read_only = serializers.BooleanField(default=False, help_text="It can read, but not change anything.")
    days = serializers.IntegerField(
        min_value=1, max_value=3650, allow_null=True, default=None, help_text="How long it is valid; null: no limit."
    )


class NewTokenSerializer(TokenSerializer):
    secret = serializers.CharField(read_only=True, help_text="Shown only once.")

    class Meta(TokenSerializer.Meta):
        fields = [*TokenSerializer.Meta.fields, "secret"]


def limited(asked: dict[str, Any]) -> dict[str, Any]:
    """The days in what a TokenRequest asks for, counted from now."""
    days = asked.pop("days")
    return asked | {"expires_at": timezone.now() + timedelta(days=days) if days else None}


class TokensView(generics.ListAPIView[ApiToken]):
    """Your own tokens, without their secrets."""

    permission_classes = [InBrowser]
    serializer_class = TokenSerializer
    pagination_class = None

    def get_queryset(self) -> QuerySet[ApiToken]:
        return signed_in(self.request).api_tokens.order_by("created_at")

    @extend_schema(
        request=TokenRequestSerializer,
        responses={201: NewTokenSerializer},
        examples=[
            OpenApiExample(
                "For a script", {"name": "nightly export", "is_read_only": True, "days": 90}, request_only=True
            )
        ],
    )
    def post(self, request: Request) -> Response:
        """Makes a token. A script sends the secret as `Authorization: Token SECRET`; it may do what you may do."""
        token, secret = tokens.make(user=signed_in(request), **limited(body(TokenRequestSerializer, request)))
        return Response({**TokenSerializer(token).data, "secret": secret}, status=201)


class TokenView(APIView):
    permission_classes = [InBrowser]

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: UUID) -> Response:
        """Revokes one of your tokens."""
        person = signed_in(request)
        tokens.revoke(token=generics.get_object_or_404(person.api_tokens, pk=pk), by=person)
        return Response(status=204)
