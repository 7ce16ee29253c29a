"""The second factor at sign-in: one's own, and for admins, another's that is lost."""

from typing import Any
from uuid import UUID

from allauth.mfa.utils import decrypt, encrypt
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling.api.permissions import Confirmed, InBrowser, IsAdmin, signed_in
from labeling.api.requests import body
from labeling.models import User
from labeling.people import accounts, second_factor

SECRET = "second_factor_secret"  # in the session, until a code shows that the app has it


class SecondFactorSerializer(serializers.Serializer[Any]):
    is_on = serializers.BooleanField()


class SecretSerializer(serializers.Serializer[Any]):
    secret = serializers.CharField(help_text="To type into an authenticator app.")
    picture = serializers.CharField(help_text="The same as a QR code, in SVG.")


class CodeSerializer(serializers.Serializer[Any]):
    code = serializers.CharField(max_length=20, help_text="That the app shows.")


class RecoveryCodesSerializer(serializers.Serializer[Any]):
    recovery_codes = serializers.ListField(child=serializers.CharField(), help_text="Shown only once.")


class SecondFactorView(APIView):
    permission_classes = [InBrowser, Confirmed]

    @extend_schema(responses=SecondFactorSerializer)
    def get(self, request: Request) -> Response:
        """Says whether you need a code to sign in."""
        return Response({"is_on": second_factor.is_on(signed_in(request))})

    @extend_schema(request=None, responses=SecretSerializer)
    def post(self, request: Request) -> Response:
        """Makes a secret for an authenticator app. Nothing changes until a code of it is sent."""
        secret = second_factor.new_secret()
        request.session[SECRET] = encrypt(secret)
        picture = second_factor.picture_of(second_factor.address_of(signed_in(request), secret))
        return Response({"secret": secret, "picture": picture})

    @extend_schema(
        request=CodeSerializer,
        responses=RecoveryCodesSerializer,
        examples=[OpenApiExample("Six digits", {"code": "123456"}, request_only=True)],
    )
    def put(self, request: Request) -> Response:
        """Wants codes at sign-in from now on."""
        code, kept = body(CodeSerializer, request)["code"], request.session.get(SECRET)
        if kept is None:
            raise second_factor.WrongCode("Make a secret first.")
        codes = second_factor.switch_on(person=signed_in(request), secret=decrypt(kept), code=code)
        del request.session[SECRET]
        return Response({"recovery_codes": codes})

    @extend_schema(responses={204: None})
    def delete(self, request: Request) -> Response:
        """Wants a password only."""
        second_factor.switch_off(person=signed_in(request), by=signed_in(request))
        return Response(status=204)


class TheirSecondFactorView(APIView):
    permission_classes = [IsAdmin, Confirmed]

    @extend_schema(responses={204: None})
    def delete(self, request: Request, person_id: UUID) -> Response:
        """Switches off the second factor of somebody who lost it."""
        person, by = get_object_or_404(User.objects.all(), pk=person_id), signed_in(request)
        accounts.refuse_unless_theirs(person, by)
        second_factor.switch_off(person=person, by=by)
        return Response(status=204)
