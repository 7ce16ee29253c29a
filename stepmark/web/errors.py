"""Errors that Django itself answers: problem+json under /api/, its own pages elsewhere. A crash says its id."""

import sys

from django.http import HttpRequest, HttpResponse
from django.views import csrf, defaults

from labeling import versions
from labeling.api.errors import django_problem, log_outage, unavailable
from labeling.outages import Outage, outage_of
from stepmark.telemetry.logs import request_id


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    said = django_problem(400, detail="The request is invalid, or its host is unknown.", code="bad_request")
    return said if _is_of_the_api(request) else defaults.bad_request(request, exception)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    said = django_problem(403, detail="You may not do this.", code="permission_denied")
    return said if _is_of_the_api(request) else defaults.permission_denied(request, exception)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    said = django_problem(403, detail=f"CSRF Failed: {reason}", code="permission_denied")
    return said if _is_of_the_api(request) else csrf.csrf_failure(request, reason)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    said = django_problem(404, detail=f"There is nothing at {request.path}.", code="not_found")
    return said if _is_of_the_api(request) else defaults.page_not_found(request, exception)


def crashed(request: HttpRequest) -> HttpResponse:
    """Answers an outage with 503, as it does while an upgrade is under way; anything else with 500, whose traceback
    Django logs, with the id.
    """
    error = sys.exc_info()[1]
    if error and (outage := outage_of(error)):
        log_outage(request, error)
        return unavailable(_not_available(request, outage), outage)
    if versions.is_behind():
        return being_upgraded(request)
    crash_id = request_id(request)
    detail = f"Something went wrong (id {crash_id})."
    if not _is_of_the_api(request):
        return HttpResponse(detail, status=500, content_type="text/plain")
    return django_problem(500, detail=detail, code="crash", id=crash_id)


def being_upgraded(request: HttpRequest) -> HttpResponse:
    """Answers 503 where only a newer version may know better. As of any crash, Django logs the traceback."""
    answer = _not_available(request, Outage.UPGRADE)
    answer.headers["Retry-After"] = str(Outage.UPGRADE.retry_after)
    return answer


def _not_available(request: HttpRequest, outage: Outage) -> HttpResponse:
    if not _is_of_the_api(request):
        return HttpResponse(outage.text, status=503, content_type="text/plain")
    return django_problem(503, detail=outage.text, code="unavailable")


def _is_of_the_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")
