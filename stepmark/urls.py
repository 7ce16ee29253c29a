"""Every address: the API, its schema, and the client for all the rest."""

from django.conf import settings
from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularAPIView

from stepmark.schema import reference
from stepmark.web import views
from stepmark.web.health import HealthView

handler400, handler403, handler404, handler500 = (
    f"stepmark.web.errors.{name}" for name in ("bad_request", "permission_denied", "page_not_found", "crashed")
)
urlpatterns = [
    path("api/", include("annotate.api.urls")),  # what is asked most comes first: they are tried in order
    path("api/", include("labeling.urls")),
    path("api/", include("prm_training.urls")),
    path("api/health/", HealthView.as_view()),
    path("api/schema/", SpectacularAPIView.as_view()),
    path("api/docs/", reference.page),
    path("api/docs/openapi.json", reference.schema),
    path("api/docs/redoc.js", reference.script),
    re_path(r"^(?:api|v\d+|graphql|\.well-known)(?:/.*)?$", views.no_such_address),  # what programs ask for
    *([path("sso/", include("stepmark.web.single_sign_on"))] if settings.OIDC_ISSUER else []),
    path("sw.js", views.service_worker),
    re_path(r"^(?!static/).*$", views.client),
]
