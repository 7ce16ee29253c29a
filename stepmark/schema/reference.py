"""The API's reference: the page, and what a hook of drf-spectacular adds to each operation of the schema."""

import re
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page

from stepmark.web.middleware import POLICY

LOGO = b"https://cdn.redoc.ly/redoc/logo-mini.svg"
SENTENCE = re.compile(r"(.+?)(?:[.:;](?:\s|$)|$)", re.DOTALL)
PROBLEM = {
    "type": "object",
    "description": "Why a request was refused (RFC 9457).",
    "properties": {
        "type": {"type": "string", "example": "about:blank"},
        "title": {"type": "string", "description": "The status in words."},
        "status": {"type": "integer"},
        "code": {"type": "string", "description": "The reason, for programs.", "example": "invalid"},
        "detail": {"type": "string", "description": "The reason, for people."},
        "errors": {"description": "What is wrong with each field of the body or parameter of the query."},
    },
    "required": ["type", "title", "status", "code", "detail"],
}
REASONS = {
    400: "A field or parameter is missing, unknown or wrong; `errors` names it.",
    401: "Nobody is signed in, or the token is unknown or expired.",
    403: "You may not do this.",
    404: "It doesn't exist, or is not yours to see.",
    409: "It can't be done as things stand.",
    410: "The invitation was accepted or revoked, or has expired.",
    413: "The body is too large.",
    415: "The body is of another content type.",
    429: "Too often; `Retry-After` may say when to try again.",
    502: "The phase's generator did not answer.",
    503: "Nothing can answer now.",
}
MORE = {
    "assignments_completions_create": {429, 502},
    "assignments_release_create": {429},
    "crashes_create": {429},
    "invite_retrieve": {410},
    "invite_create": {410},
    "session_create": {429},
    "session_password_create": {429},
    "verifier_create": {429, 503},
}


def page(request: HttpRequest) -> HttpResponse:
    """Redoc, from our own files. Its search needs a worker that it makes from a blob of its own source."""
    answer = render(request, "reference.html")
    answer["Content-Security-Policy"] = f"{POLICY}; worker-src blob:"
    return answer


@gzip_page
@cache_control(max_age=3600)
def script(request: HttpRequest) -> HttpResponse:
    """Redoc, without the logo that it would ask its vendor for."""
    return HttpResponse(_redoc(), content_type="text/javascript")


@gzip_page
@cache_control(max_age=3600)
def schema(request: HttpRequest) -> HttpResponse:
    """The schema as it was last written: to derive it takes seconds."""
    return HttpResponse(settings.OPENAPI.read_bytes(), content_type="application/json")


@cache
def _redoc() -> bytes:
    bundle = finders.find("drf_spectacular_sidecar/redoc/bundles/redoc.standalone.js")
    return Path(str(bundle)).read_bytes().replace(LOGO, b"data:,")


def add(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Adds a summary and possible refusals to each operation, as a post-processing hook."""
    result["components"]["schemas"]["Problem"] = PROBLEM
    result["components"]["responses"] = {f"Problem{status}": _response(status) for status in REASONS}
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            operation["summary"] = _summary(operation.get("description", ""))
            refs = {str(status): {"$ref": _ref(status)} for status in refusals(path, method, operation)}
            operation["responses"] = dict(sorted({**operation["responses"], **refs}.items()))
    return result


def refusals(path: str, method: str, operation: dict[str, Any]) -> set[int]:
    """The statuses that an operation may refuse with."""
    is_act, is_open = method != "get", {} in operation.get("security", [{}])
    conditions = {
        400: True,
        401: not is_open,
        403: is_act or not is_open,
        404: "{" in path,
        409: is_act,
        413: "requestBody" in operation,
        415: "requestBody" in operation,
    }
    return {status for status, holds in conditions.items() if holds} | MORE.get(operation["operationId"], set())


def _summary(description: str) -> str:
    first = SENTENCE.match(description)
    return " ".join(first[1].split()) if first else ""


def _ref(status: int) -> str:
    return f"#/components/responses/Problem{status}"


def _response(status: int) -> dict[str, Any]:
    example = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status}
    content = {"schema": {"$ref": "#/components/schemas/Problem"}, "example": example | {"code": "…", "detail": "…"}}
    return {"description": REASONS[status], "content": {"application/problem+json": content}}
