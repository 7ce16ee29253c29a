"""The client's one page, and the answer where there is nothing."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt, ensure_csrf_cookie

from labeling.api.errors import django_problem

NOT_BUILT = "The client is not built yet. Run `make setup`, or `npm run build` in frontend/."


@csrf_exempt  # nothing is done here
@ensure_csrf_cookie
def client(request: HttpRequest) -> HttpResponse:
    """index.html as Vite built it; the client's own router takes the path from there. Only browsers that GET have use
    for it."""
    if request.method not in {"GET", "HEAD"}:
        return no_such_address(request)
    page = settings.FRONTEND_DIST / "index.html"
    if not page.exists():
        return HttpResponse(NOT_BUILT, status=503, content_type="text/plain")
    response = HttpResponse(page.read_bytes())
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
