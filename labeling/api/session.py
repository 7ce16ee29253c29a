"""Sign in, sign out, who am I."""

import json
from typing import Any

from django.contrib.auth import authenticate, login, logout, update_session_auth_hash
from django.contrib.auth.password_validation import validate_password
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import ensure_csrf_cookie
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions, serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle
from rest_framework.views import APIView

from labeling import people
from labeling.api.permissions import InBrowser, signed_in
from labeling.api.reading import body
from labeling.models import User

LARGEST_PREFERENCES = 20_000


class PersonSerializer(serializers.ModelSerializer[User]):
    class Meta:
        model = User
        fields = ["id", "username", "role", "is_superuser", "is_admin", "is_ml_staff", "is_expert", "preferences"]

    is_admin = serializers.BooleanField(read_only=True)
    is_ml_staff = serializers.BooleanField(read_only=True)
    is_expert = serializers.BooleanField(read_only=True)


class SessionSerializer(serializers.Serializer[dict[str, User | None]]):
    user = PersonSerializer(allow_null=True)


class CredentialsSerializer(serializers.Serializer[dict[str, str]]):
    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=1000, trim_whitespace=False)


class SignInThrottle(ScopedRateThrottle):
    """Counts sign-ins only, not looks at the session."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        return request.method != "POST" or super().allow_request(request, view)


@method_decorator(ensure_csrf_cookie, name="dispatch")
class SessionView(APIView):
    permission_classes = [AllowAny]
    throttle_classes = [SignInThrottle]
    throttle_scope = "sign-in"

    @extend_schema(responses=SessionSerializer)
    def get(self, request: Request) -> Response:
        return _session(request)

    @extend_schema(request=CredentialsSerializer, responses=SessionSerializer)
    def post(self, request: Request) -> Response:
        SessionAuthentication().enforce_csrf(request)  # which DRF does only for those signed in
        user = authenticate(request._request, **body(CredentialsSerializer, request))
        if user is None:
            raise exceptions.ValidationError("This name and password don't fit together.")
        login(request._request, user)
        request.user = user
        return _session(request)

    @extend_schema(responses={204: None})
    def delete(self, request: Request) -> Response:
        logout(request._request)
        return Response(status=204)


class PasswordSerializer(serializers.Serializer[Any]):
    password = serializers.CharField(max_length=1000, trim_whitespace=False, help_text="The one so far.")
    new_password = serializers.CharField(max_length=1000, trim_whitespace=False, validators=[validate_password])


class PasswordView(APIView):
    """One's own. A token changes no password: that takes a browser, signed in."""

    permission_classes = [InBrowser]
    throttle_classes = [SignInThrottle]
    throttle_scope = "sign-in"

    @extend_schema(request=PasswordSerializer, responses={204: None})
    def post(self, request: Request) -> Response:
        """Signs all other browsers out."""
        given, user = body(PasswordSerializer, request), signed_in(request)
        if not user.check_password(given["password"]):
            raise exceptions.ValidationError({"password": "This is not your password."})
        people.change_password(person=user, password=given["new_password"], by=user)
        update_session_auth_hash(request._request, user)
        return Response(status=204)


class PreferencesSerializer(serializers.Serializer[dict[str, Any]]):
    preferences = serializers.DictField(help_text="The client's own: keys, text size, what was seen. Up to 20 kB.")

    def validate_preferences(self, value: dict[str, Any]) -> dict[str, Any]:
        written = json.dumps(value)
        if len(written) > LARGEST_PREFERENCES:
            raise serializers.ValidationError("That is too much to remember.")
        if "\\u0000" in written:
            raise serializers.ValidationError("Null characters are not allowed.")
        return value


class PreferencesView(APIView):
    @extend_schema(request=PreferencesSerializer, responses=PreferencesSerializer)
    def put(self, request: Request) -> Response:
        """Keeps the signed-in person's preferences, on every device."""
        kept = body(PreferencesSerializer, request)
        people.remember(user=signed_in(request), **kept)
        return Response(kept)


def _session(request: Request) -> Response:
    user = request.user if request.user.is_authenticated else None
    return Response(SessionSerializer({"user": user}).data)
