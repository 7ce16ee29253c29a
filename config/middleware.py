"""What every page is allowed to load: our own files and nothing else. And what an act's address may hold."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse

from labeling.api.problems import django_problem

SAFE_METHODS = {"GET", "HEAD", "OPTIONS", "TRACE"}

# Mantine and KaTeX set style attributes; scripts come from files only.
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)


class ContentSecurityPolicy:
    """Adds the Content-Security-Policy header: the second lock behind the client's escaping."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        return response


class KnownParametersOnly:
    """Refuses an act with a query parameter that is not in its view's `act_parameters`: `?dryrun=true` must not act."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        if request.method in SAFE_METHODS or not request.path.startswith("/api/"):
            return None
        unknown = sorted(request.GET.keys() - getattr(getattr(view, "cls", None), "act_parameters", set()))
        if not unknown:
            return None
        detail = f"“{unknown[0]}” is no parameter of {request.method} {request.path}. Nothing was done."
        return django_problem(400, detail=detail, code="invalid")
