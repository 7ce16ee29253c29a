"""The images of traces."""

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from labeling.data import images
from labeling.errors import DomainError
from labeling.rules.traces.images import media_type


class NoSuchImage(DomainError, code="not_found", status=404):
    """No import has the image, or the one that had it was undone."""


class ImageView(APIView):
    @extend_schema(responses={(200, "image/png"): OpenApiTypes.BINARY})
    def get(self, request: Request, ticket: str) -> HttpResponse:
        """Returns an image of a trace to who is signed in and was shown the trace: its part has the ticket."""
        file = images.found(ticket)
        if file is None:
            raise NoSuchImage("There is no such image.")
        with file.open() as opened:
            content = opened.read()
        return HttpResponse(content, content_type=media_type(content))
