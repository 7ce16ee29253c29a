"""Gives each request an id, lets pages load only our own files, and refuses requests that the schema doesn't allow."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import Any

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from labeling import versions
from labeling.api.errors import django_problem
from stepmark.telemetry.logs import with_request_id
from stepmark.web.errors import being_upgraded
from stepmark.web.routes import without_names

# Mantine and KaTeX set style attributes; scripts come from files only.
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)


OF_WORK = re.compile("/api/(assignments/[^/]+/|phases/[^/]+/claim/)")


class RequestId:
    """Adds X-Request-ID to each answer: the id of its log lines, and of its crash."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with with_request_id(request) as known:
            response = self.get_response(request)
            response.headers["X-Request-ID"] = known
            return response


# No page asks for any of these.
PERMISSIONS = ", ".join(
    f"{name}=()"
    for name in ("camera", "display-capture", "geolocation", "hid", "microphone", "midi", "payment", "serial", "usb")
)


class SecurityHeaders:
    """Restricts pages, a second defence behind the client's escaping. The API's answers are never stored."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        if request.path.startswith("/api/"):
            response.headers.setdefault("Cache-Control", "no-store")
        return response


class WhileUpgraded:
    """Answers 503 to malformed work during an upgrade, so that it is sent again: the page may be newer than this
    process, and would take a refusal as final.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_refused_work = response.status_code == HTTPStatus.BAD_REQUEST and OF_WORK.match(request.path)
        return being_upgraded(request) if is_refused_work and versions.is_behind() else response


class AsTheSchemaSays:
    """Refuses query parameters that the schema doesn't name, and bodies where it has none: typos are reported, never
    ignored. A body's fields are checked where it is read.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        method = "GET" if request.method == "HEAD" else request.method
        route = request.resolver_match.route if request.resolver_match else ""
        taken = _operations().get(f"{method} /{without_names(route)}")
        if taken is None:  # the schema does not describe itself
            return None
        if unknown := sorted(request.GET.keys() - taken.parameters):
            return _refusal(request, unknown[0], f"There is no parameter “{unknown[0]}” here.")
        if not taken.has_body and int(request.META.get("CONTENT_LENGTH") or 0) > len("{}"):
            return _refusal(request, "body", "There is no body here.")
        return None


@dataclass(frozen=True)
class Accepted:
    """The parameters and body of an operation, according to the schema."""

    parameters: frozenset[str]
    has_body: bool


@cache
def _operations() -> dict[str, Accepted]:
    """The accepted parameters by method and address, from the committed schema: building it takes seconds."""
    paths = msgspec.json.decode(settings.OPENAPI.read_bytes())["paths"]
    return {
        f"{method.upper()} {without_names(address)}": _taken(operation)
        for address, methods in paths.items()
        for method, operation in methods.items()
    }


def _taken(operation: dict[str, Any]) -> Accepted:
    names = (each["name"] for each in operation.get("parameters", []) if each["in"] == "query")
    return Accepted(frozenset(names), "requestBody" in operation)


def _refusal(request: HttpRequest, name: str, message: str) -> HttpResponse:
    detail = f"{request.method} {request.path}: {message} Nothing was done."
    return django_problem(400, detail=detail, code="invalid", errors={name: [message]})
