"""One's own API tokens. A token makes no tokens: that takes a browser, signed in."""

from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling import tokens
from labeling.api.permissions import InBrowser, signed_in
from labeling.api.reading import body
from labeling.models import ApiToken


class TokenSerializer(serializers.ModelSerializer[ApiToken]):
    class Meta:
        model = ApiToken
        fields = ["id", "name", "created_at", "last_used_at"]
        read_only_fields = ["last_used_at"]


class NewTokenSerializer(TokenSerializer):
    secret = serializers.CharField(read_only=True, help_text="Shown this once.")

    class Meta(TokenSerializer.Meta):
        fields = [*TokenSerializer.Meta.fields, "secret"]


class TokensView(generics.ListAPIView[ApiToken]):
    permission_classes = [InBrowser]
    serializer_class = TokenSerializer
    pagination_class = None

    def get_queryset(self) -> QuerySet[ApiToken]:
        return signed_in(self.request).api_tokens.order_by("created_at")

    @extend_schema(
        request=TokenSerializer,
        responses={201: NewTokenSerializer},
        examples=[OpenApiExample("For a script", {"name": "nightly export"}, request_only=True)],
    )
    def post(self, request: Request) -> Response:
        """A script sends the secret as `Authorization: Token SECRET`; it may do what you may do."""
        token, secret = tokens.make(user=signed_in(request), **body(TokenSerializer, request))
        return Response({**TokenSerializer(token).data, "secret": secret}, status=201)


class TokenView(APIView):
    permission_classes = [InBrowser]

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: UUID) -> Response:
        tokens.revoke(token=generics.get_object_or_404(signed_in(request).api_tokens, pk=pk))
        return Response(status=204)
