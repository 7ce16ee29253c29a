"""Logs crashes of the page in somebody's browser."""

import json
import logging
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle
from rest_framework.views import APIView

from labeling.api.requests import body

logger = logging.getLogger(__name__)


class CrashSerializer(serializers.Serializer[dict[str, str]]):
    message = serializers.CharField(max_length=500)
    stack = serializers.CharField(max_length=4000, allow_blank=True, default="")
    path = serializers.CharField(max_length=300, help_text="The page's address, without its query.")
    version = serializers.CharField(max_length=100, allow_blank=True, default="", help_text="The client's.")


class CrashesView(APIView):
    permission_classes = [AllowAny]
    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "crashes"

    @extend_schema(request=CrashSerializer, responses={204: None})
    def post(self, request: Request) -> Response:
        """Reports that a page broke: one line in the server's log."""
        crash: dict[str, Any] = body(CrashSerializer, request)
        logger.error("A page broke: %s", json.dumps(crash))
        return Response(status=204)
