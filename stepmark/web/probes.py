"""Answers monitors: is the server alive, is it ready, which version is it, what are its metrics.

The probes come before all else: to report a missing database they need none, nor a session or a known host.
"""

import secrets
import tempfile
from collections.abc import Callable
from functools import cache
from importlib.metadata import version

from django.conf import settings
from django.core.files.storage import FileSystemStorage, default_storage
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse

from labeling import clock
from labeling.api.errors import django_problem
from labeling.jobs import lifecycle
from labeling.models import Worker
from labeling.outages import Outage
from stepmark import tables
from stepmark.web import metrics

VERSION = version("stepmark")
PAGE = b"x" * 4096  # of a disk


class Probes:
    """Middleware that answers at the addresses below."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = PROBES.get(request.path)
        if answer is None:
            return self.get_response(request)
        if request.method not in {"GET", "HEAD"}:
            return django_problem(405, detail="This address can only be read.", code="method_not_allowed")
        return answer(request)


def alive(request: HttpRequest) -> HttpResponse:
    """Says that the process serves. The services that it needs are not checked: a restart would not mend them."""
    return _fresh(JsonResponse({"status": "ok", "version": VERSION}))


def ready(request: HttpRequest) -> HttpResponse:
    """Returns the results of all checks but those that `exclude` names; 503 if any fails."""
    left_out = request.GET.getlist("exclude")
    found = _looked_at([name for name in CHECKS if name not in left_out])
    is_ready = set(found.values()) <= {"ok"}
    answer = JsonResponse(
        {"status": "ok" if is_ready else "unavailable", "version": VERSION, "checks": found},
        status=200 if is_ready else 503,
    )
    if not is_ready:
        answer.headers["Retry-After"] = str(Outage.DATABASE.retry_after)
        answer._has_been_logged = True  # type: ignore[attr-defined]  # it is asked every few seconds
    return _fresh(answer)


def _looked_at(names: list[str]) -> dict[str, str]:
    """Returns "ok", or what is wrong, for each check. Without the database, checks of its content fail with it."""
    has_database = CHECKS["database"]()
    found = {}
    for name in names:
        is_known = has_database or name not in IN_DATABASE
        is_well = is_known and (name == "database" or CHECKS[name]())
        found[name] = "ok" if is_well else FAILURES[name if is_known else "database"]
    return found


def measured(request: HttpRequest) -> HttpResponse:
    """The metrics, for bearers of METRICS_TOKEN; without that setting there are none."""
    if not settings.METRICS_TOKEN:
        return django_problem(404, detail="Metrics are off: see METRICS_TOKEN.", code="not_found")
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    is_right = secrets.compare_digest(given.strip().encode(), settings.METRICS_TOKEN.encode())
    if scheme.lower() != "bearer" or not is_right:
        refusal = django_problem(401, detail="This needs the token in METRICS_TOKEN.", code="not_authenticated")
        refusal.headers["WWW-Authenticate"] = "Bearer"
        return refusal
    return _fresh(HttpResponse(metrics.text(), content_type=metrics.CONTENT_TYPE))


def _fresh(answer: HttpResponse) -> HttpResponse:
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return True


@cache  # a database that has this version's tables keeps them; a failure is not kept
def _migrations() -> bool:
    tables.check()
    return True


def _storage() -> bool:
    if isinstance(default_storage, FileSystemStorage):
        with tempfile.TemporaryFile(dir=settings.MEDIA_ROOT) as file:
            file.write(PAGE)
            file.flush()
    else:
        default_storage.exists("probe")
    return True


def _worker() -> bool:
    return Worker.objects.filter(last_seen_at__gte=lifecycle.stale_before(clock.now())).exists()


def _survived(check: Callable[[], bool]) -> Callable[[], bool]:
    """Wraps a check, so that any exception counts as failed. `stepmark doctor` says why."""

    def act() -> bool:
        try:
            return check()
        except Exception:
            return False

    return act


IN_DATABASE = {"database", "migrations", "worker"}
FAILURES = {
    "database": "The database does not answer.",
    "migrations": "The database lacks this version's tables.",
    "storage": "Files can't be written.",
    "worker": "No worker is alive.",
}
CHECKS = {
    "database": _survived(_database),
    "migrations": _survived(_migrations),
    "storage": _survived(_storage),
    "worker": _survived(_worker),
}
PROBES: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/livez": alive,
    "/version": alive,
    "/readyz": ready,
    "/healthz": ready,
    "/metrics": measured,
}
