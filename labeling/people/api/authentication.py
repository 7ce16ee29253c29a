"""Authentication of scripts: `Authorization: Token …`, or `Bearer …`. No cookie, hence no CSRF."""

from typing import Any

from drf_spectacular.authentication import SessionScheme
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.plumbing import build_bearer_security_scheme_object
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from labeling import clock
from labeling.errors import DomainError
from labeling.models import ApiToken, User
from labeling.people import tokens


class ReadOnlyToken(DomainError, code="read_only_token", status=403):
    """The token may read only."""


class BrowserAuthentication(SessionAuthentication):
    """Authenticates by the session's cookie, with CSRF. Being signed out is a 401, lacking permission a 403."""

    def authenticate_header(self, request: Request) -> str:
        return "Session"


class TokenAuthentication(BaseAuthentication):
    def authenticate_header(self, request: Request) -> str:
        return "Token"

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() not in {"token", "bearer"}:
            return None
        token = tokens.find(secret=secret.strip(), now=clock.now())
        if token.is_read_only and request.method not in SAFE_METHODS:
            raise ReadOnlyToken("This token is read-only.")
        return token.user, token


class BrowserScheme(SessionScheme):
    target_class = BrowserAuthentication  # type: ignore[assignment]


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        described: dict[str, Any] = build_bearer_security_scheme_object("Authorization", "Token")
        return described
