"""The client's one page, and the answer where there is nothing."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt, ensure_csrf_cookie

from labeling.api.errors import django_problem

# Where the client's pages begin, as frontend/src/app says; a test compares the two.
PAGES = {
    "",
    "account",
    "adjudication",
    "audit-log",
    "data-releases",
    "export",
    "generation",
    "gold",
    "health",
    "import",
    "invite",
    "label",
    "labellings",
    "models",
    "people",
    "phases",
    "pool",
    "runs",
    "second-looks",
    "selections",
    "sign-in",
    "training",
    "verifier",
}
NOT_BUILT = "The client is not built yet. Run `make setup`, or `npm run build` in frontend/."


@csrf_exempt  # nothing is done here
@ensure_csrf_cookie
def client(request: HttpRequest) -> HttpResponse:
    """Serves index.html as Vite built it; the client's own router takes the path from there. Where there is no page, a
    browser gets it with 404; other methods and programs get problem+json.
    """
    is_page = request.path.strip("/").partition("/")[0] in PAGES
    if request.method not in {"GET", "HEAD"} or not (is_page or request.accepts("text/html")):
        return no_such_address(request)
    page = settings.FRONTEND_DIST / "index.html"
    if not page.exists():
        return HttpResponse(NOT_BUILT, status=503, content_type="text/plain")
    response = HttpResponse(page.read_bytes(), status=200 if is_page else 404)
    response["Cache-Control"] = "no-cache"
    return response


def service_worker(request: HttpRequest) -> HttpResponse:
    """Served at the root, since a service worker serves the pages below its own address."""
    file = settings.FRONTEND_DIST / "sw.js"
    if not file.exists():
        raise Http404
    headers = {"Cache-Control": "no-cache", "Service-Worker-Allowed": "/"}
    return HttpResponse(file.read_bytes(), content_type="text/javascript", headers=headers)


@csrf_exempt  # nothing is done here, and a mistyped address is better told so
def no_such_address(request: HttpRequest) -> JsonResponse:
    detail = f"There is nothing at {request.path}. See /api/docs/ for what there is."
    return django_problem(404, detail=detail, code="not_found")
