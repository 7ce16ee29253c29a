"""What every page is allowed to load: our own files and nothing else."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

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
