"""How scripts sign in: `Authorization: Token …`, or `Bearer …`. No cookie, hence no CSRF."""

from typing import Any

from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.plumbing import build_bearer_security_scheme_object
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from labeling import tokens
from labeling.models import User


class TokenAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[User, None] | None:
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() not in {"token", "bearer"}:
            return None
        return tokens.user_of(secret=secret.strip(), now=timezone.now()), None


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        described: dict[str, Any] = build_bearer_security_scheme_object("Authorization", "Token")
        return described
