"""Sign in, sign out, who am I."""

import json
import secrets
from collections.abc import Callable
from typing import Any, cast
from uuid import UUID

from django.conf import settings
from django.contrib.auth import authenticate, login, logout, update_session_auth_hash
from django.core.exceptions import ValidationError as DjangoValidationError
from django.http import HttpRequest
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import ensure_csrf_cookie
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import exceptions, serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from labeling import clock
from labeling.api.fields import RowSerializer
from labeling.api.permissions import CONFIRMED_AT, InBrowser, signed_in
from labeling.api.requests import body
from labeling.models import Phase, User
from labeling.people import accounts, passwords, second_factor, sessions, sign_in
from labeling.people.sign_in import Visitor

LARGEST_PREFERENCES = 20_000
# The cookie of a browser that has been signed in before.
KNOWN_BROWSER = "__Host-known_browser" if settings.SESSION_COOKIE_SECURE else "known_browser"
KNOWN_FOR_SECONDS = 365 * 24 * 3600


class PersonSerializer(RowSerializer[User]):
    class Meta:
        model = User
        fields = ["id", "username", "role", "is_superuser", "preferences"]

    is_admin = serializers.BooleanField(read_only=True)
    is_ml_staff = serializers.BooleanField(read_only=True)
    is_expert = serializers.BooleanField(read_only=True)
    phases_run = serializers.SerializerMethodField(
        help_text="The phases in which they may do what their role may; null: all."
    )

    @extend_schema_field(serializers.ListField(child=serializers.UUIDField(), allow_null=True))
    def get_phases_run(self, user: User) -> list[UUID] | None:
        if user.is_admin:
            return None
        return list(Phase.objects.run_by(user).values_list("pk", flat=True)) if user.is_ml_staff else []


class SessionSerializer(serializers.Serializer[dict[str, Any]]):
    user = PersonSerializer(allow_null=True)
    is_shared = serializers.BooleanField(help_text="Signed in on a shared computer: keep nothing in the browser.")


class PasswordField(serializers.CharField):
    """A password as typed, spaces included."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": 1000, "trim_whitespace": False} | options)


def checked_password(given: dict[str, Any], username: str = "") -> dict[str, Any]:
    """Returns a new account's fields. Raises ValidationError for the password, which may not be like the name that is
    given, or else the name among the fields.
    """
    try:
        passwords.check(given["password"], username=username or given["username"])
    except DjangoValidationError as error:
        raise serializers.ValidationError({"password": error.messages}) from None
    return given


class CredentialsSerializer(serializers.Serializer[dict[str, Any]]):
    username = serializers.CharField(max_length=150)
    password = PasswordField()
    code = serializers.CharField(
        default="", allow_blank=True, max_length=20, help_text="Of the second factor, where there is one."
    )
    is_shared = serializers.BooleanField(
        default=False,
        help_text="Others use this computer, too: the session ends with the browser, or after 30 minutes.",
    )


@method_decorator(ensure_csrf_cookie, name="dispatch")
class SessionView(APIView):
    permission_classes = [AllowAny]

    @extend_schema(responses=SessionSerializer)
    def get(self, request: Request) -> Response:
        """The signed-in person; null if nobody is."""
        return _session(request)

    @extend_schema(request=CredentialsSerializer, responses=SessionSerializer)
    def post(self, request: Request) -> Response:
        """Signs in with a user name and password."""
        SessionAuthentication().enforce_csrf(request)  # DRF checks CSRF only for signed-in users
        given = body(CredentialsSerializer, request)
        is_shared, code = given.pop("is_shared"), given.pop("code")

        def check() -> User | None:
            person = authenticate(request._request, **given)
            return person if person and second_factor.check(person=person, code=code) else None

        user = attempted(request, given["username"], check)
        if user is None:
            raise exceptions.ValidationError(
                "Wrong user name, password or code." if code else "Wrong user name or password."
            )
        return enter(request, user, is_shared=is_shared)

    @extend_schema(responses={204: None})
    def delete(self, request: Request) -> Response:
        """Signs out. The browser forgets what it kept of the server's answers."""
        logout(request._request)
        return Response(status=204, headers={"Clear-Site-Data": '"cache"'})  # others' work lies in the storage, too


class PasswordSerializer(serializers.Serializer[Any]):
    password = PasswordField(help_text="The current password.")
    new_password = PasswordField()

    def validate_new_password(self, value: str) -> str:
        return passwords.check(value, username=signed_in(self.context["request"]).username)


class CurrentPasswordSerializer(serializers.Serializer[Any]):
    password = PasswordField(help_text="The current password.")


class ConfirmView(APIView):
    """Confirms that the signed-in person still sits there, before acts that need it."""

    permission_classes = [InBrowser]

    @extend_schema(
        request=CurrentPasswordSerializer,
        responses={204: None},
        examples=[OpenApiExample("The password", {"password": "correct horse"}, request_only=True)],
    )
    def post(self, request: Request) -> Response:
        """Checks your password; for a while, you may do then what a browser that was left open may not."""
        check_password(request, body(CurrentPasswordSerializer, request)["password"])
        request.session[CONFIRMED_AT] = clock.now().timestamp()
        return Response(status=204)


def check_password(request: Request, password: str) -> None:
    """Raises ValidationError unless the password is the signed-in person's."""
    user = signed_in(request)
    if not attempted(request, user.username, lambda: user if user.check_password(password) else None):
        raise exceptions.ValidationError({"password": "This is not your password."})


class PasswordView(APIView):
    """Changes the signed-in person's password. A token can't: that takes a signed-in browser."""

    permission_classes = [InBrowser]

    @extend_schema(request=PasswordSerializer, responses={204: None})
    def post(self, request: Request) -> Response:
        """Changes your password, signs out all your other browsers, and ends your tokens."""
        given, user = body(PasswordSerializer, request), signed_in(request)
        check_password(request, given["password"])
        with sessions.listed_again(request.session):
            accounts.change_password(person=user, password=given["new_password"], by=user)
            update_session_auth_hash(request._request, user)
        return Response(status=204)


class PreferencesSerializer(serializers.Serializer[dict[str, Any]]):
    preferences = serializers.DictField(help_text="The client's own: keys, text size, what was seen. Up to 20 kB.")

    def validate_preferences(self, value: dict[str, Any]) -> dict[str, Any]:
        written = json.dumps(value)
        if len(written) > LARGEST_PREFERENCES:
            raise serializers.ValidationError("These preferences are too large.")
        if "\\u0000" in written:
            raise serializers.ValidationError("Null characters are not allowed.")
        return value


class PreferencesView(APIView):
    @extend_schema(request=PreferencesSerializer, responses=PreferencesSerializer)
    def put(self, request: Request) -> Response:
        """Keeps the signed-in person's preferences, on every device."""
        kept = body(PreferencesSerializer, request)
        accounts.remember(user=signed_in(request), **kept)
        return Response(kept)


def attempted(request: Request, username: str, check: Callable[[], User | None]) -> User | None:
    """Returns the result of `check`. Raises Throttled if there were too many wrong passwords."""
    try:
        return sign_in.attempt(
            username=username, visitor=_visitor(request._request, username), check=check, now=clock.now()
        )
    except sign_in.TooManyFailures as error:
        raise exceptions.Throttled(wait=error.wait.total_seconds(), detail=str(error)) from None


def enter(request: Request, user: User, status: int = 200, *, is_shared: bool = False) -> Response:
    """Signs the person in, and marks their browser as known: a stranger's wrong passwords can't lock it out."""
    let_in(request._request, user, is_shared=is_shared)
    request.user = user
    visitor = _visitor(request._request, user.username)
    answer = _session(request, status)
    mark = f"{sign_in.hashed(user.username)}:{visitor.browser or secrets.token_hex(16)}"
    options: dict[str, Any] = {"httponly": True, "samesite": "Lax", "secure": settings.SESSION_COOKIE_SECURE}
    answer.set_signed_cookie(KNOWN_BROWSER, mark, salt=KNOWN_BROWSER, max_age=KNOWN_FOR_SECONDS, **options)
    return answer


def let_in(request: HttpRequest, person: User, *, is_shared: bool = False) -> None:
    """Signs the person in, lists the session and records it."""
    login(request, person, backend=settings.AUTHENTICATION_BACKENDS[0])
    visitor = _visitor(request, person.username)
    sign_in.record(person=person, visitor=visitor)
    now = clock.now().timestamp()
    request.session.update({sessions.STARTED_AT: now, CONFIRMED_AT: now, sessions.IS_SHARED: is_shared})
    browser = request.headers.get("User-Agent", "")
    sessions.note(session=request.session, user=person, address=visitor.address, browser=browser)


class WaysSerializer(serializers.Serializer[Any]):
    single_sign_on = serializers.CharField(help_text="What the provider is called; empty: there is none.")
    shortest_password = serializers.IntegerField(help_text="Characters that a new password has at least.")


class WaysView(APIView):
    permission_classes = [AllowAny]

    @extend_schema(responses=WaysSerializer)
    def get(self, request: Request) -> Response:
        """The ways to sign in besides a password, and how long a new one has to be."""
        provider = settings.OIDC_NAME if settings.OIDC_ISSUER else ""
        return Response({"single_sign_on": provider, "shortest_password": settings.PASSWORD_LENGTH})


def _visitor(request: HttpRequest, username: str) -> Visitor:
    """Returns the visitor, whose address is what trusted proxies report: anything else in the header may be forged."""
    address = str(BaseThrottle().get_ident(cast(Any, request)))[:45]
    mark = request.get_signed_cookie(KNOWN_BROWSER, "", salt=KNOWN_BROWSER, max_age=KNOWN_FOR_SECONDS)
    name, _, browser = (mark or "").partition(":")
    return Visitor(address, browser if name == sign_in.hashed(username) else "")


def _session(request: Request, status: int = 200) -> Response:
    user = request.user if request.user.is_authenticated else None
    is_shared = bool(request.session.get(sessions.IS_SHARED))
    return Response(SessionSerializer({"user": user, "is_shared": is_shared}).data, status=status)
