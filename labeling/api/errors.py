"""Turns every error into problem+json (RFC 9457)."""

import logging
from http import HTTPStatus
from typing import Any, TypeVar

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import DataError, IntegrityError
from django.http import Http404, HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import exception_handler

from labeling.errors import DomainError, is_taken
from labeling.outages import Outage, first_line, outage_of

logger = logging.getLogger(__name__)
CONTENT_TYPE = "application/problem+json"


def problem(status: int, *, detail: str, code: str, errors: Any = None) -> Response:
    body = _body(status, detail, code)
    if errors is not None:
        body["errors"] = errors
    return Response(body, status=status, content_type=CONTENT_TYPE)


def django_problem(status: int, *, detail: str, code: str, **more: Any) -> JsonResponse:
    """Returns a problem for answers of Django itself, outside any view of the API."""
    return JsonResponse(_body(status, detail, code) | more, status=status, content_type=CONTENT_TYPE)


def _body(status: int, detail: str, code: str) -> dict[str, Any]:
    title = HTTPStatus(status).phrase
    return {"type": "about:blank", "title": title, "status": status, "code": code, "detail": detail}


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """Django REST framework's EXCEPTION_HANDLER: returns a problem; None for a crash (see stepmark/web/errors.py)."""
    if isinstance(error, DomainError):
        return problem(error.status, detail=str(error), code=error.code)
    if isinstance(error, RequestDataTooBig):
        return problem(413, detail="The request is too large.", code="too_large")
    if isinstance(error, (DataError, OverflowError)) or (isinstance(error, IntegrityError) and is_taken(error)):
        return _refused_by_the_database(error)
    if outage := outage_of(error):
        log_outage(context["request"], error)
        return unavailable(problem(503, detail=outage.text, code="unavailable"), outage)
    response = exception_handler(error, context)
    return None if response is None else _refused_by_the_framework(error, response)


def _refused_by_the_framework(error: Exception, response: Response) -> Response:
    if isinstance(error, exceptions.ValidationError):
        return problem(400, detail=_first_message(error.detail), code="invalid", errors=response.data)
    answer = problem(response.status_code, detail=_detail(error), code=_code(error))
    for header in ("WWW-Authenticate", "Retry-After"):
        if header in response:
            answer[header] = response[header]
    return answer


Answer = TypeVar("Answer", bound=HttpResponseBase)


def unavailable(answer: Answer, outage: Outage) -> Answer:
    """Adds Retry-After to the answer. Django logs nothing about it: `log_outage` does, with the reason."""
    answer.headers["Retry-After"] = str(outage.retry_after)
    answer._has_been_logged = True  # type: ignore[attr-defined]  # as `django.utils.log.log_response` reads it
    return answer


def log_outage(request: HttpRequest | Request, error: BaseException) -> None:
    """Logs the outage in one line, without a traceback: its reason is not in the code."""
    asked = request._request if isinstance(request, Request) else request
    logger.error("%s %s: %s", asked.method, asked.path, first_line(error), extra={"request": asked})


def _refused_by_the_database(error: Exception) -> Response:
    """Answers an integrity error that no check could foresee, such as one name given twice at once. It is logged, since
    it may be a bug.

    A unique constraint is a conflict. Any other integrity error is a bug, hence a crash: a client takes a conflict for
    the server's last word, but tries again after a crash.
    """
    logger.warning("The database refused a request's values", exc_info=error)
    if isinstance(error, IntegrityError):
        return problem(409, detail="This already exists; it may have just been created.", code="conflict")
    return problem(400, detail="A value is too long, too large, or can't be stored.", code="invalid")


def _detail(error: Exception) -> str:
    if isinstance(error, Http404):
        return "There is no such thing, or it is not yours to see."
    return str(getattr(error, "detail", error)) or "You may not do this."


def _code(error: Exception) -> str:
    if isinstance(error, Http404):
        return "not_found"
    if isinstance(error, PermissionDenied):
        return "permission_denied"
    return str(getattr(error, "default_code", "error"))


def _first_message(detail: Any, path: str = "") -> str:
    """The first message in a nested validation error, with its field."""
    if isinstance(detail, dict):
        key, value = next(iter(detail.items()))
        return _first_message(value, path if key == "non_field_errors" else f"{path}.{key}".lstrip("."))
    if isinstance(detail, list):
        index = next(i for i, item in enumerate(detail) if item)
        here = f"{path}[{index}]" if isinstance(detail[index], dict) else path
        return _first_message(detail[index], here)
    return f"{path}: {detail}" if path else str(detail)
