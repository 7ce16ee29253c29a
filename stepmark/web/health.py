"""/api/health/: what works and what does not, for the staff's page."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling.api.permissions import IsStaff
from stepmark.doctor import checks

# The doctor's checks that need no program and no torch, which web processes don't load.
SHOWN = ("versions", "database", "broker", "storage", "data folder", "workers")


class DiagnosisSerializer(serializers.Serializer[Any]):
    about = serializers.CharField()
    text = serializers.CharField()
    is_wrong = serializers.BooleanField(help_text="Stepmark does not work as it should; the text says what to do.")


class HealthSerializer(serializers.Serializer[Any]):
    is_well = serializers.BooleanField(help_text="Nothing is wrong.")
    checks = DiagnosisSerializer(many=True)


class HealthView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(responses=HealthSerializer)
    def get(self, request: Request) -> Response:
        """Looks at the database, the broker, the files and the workers of this installation, as `stepmark doctor`."""
        found = list(checks.look(*SHOWN))
        is_well = not any(each.is_wrong for each in found)
        return Response(HealthSerializer({"is_well": is_well, "checks": found}).data)
