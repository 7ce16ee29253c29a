"""The audit log, for admins."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers

from labeling.api import days
from labeling.api.fields import RowSerializer
from labeling.api.filters import filtered, ordered_by, ordering
from labeling.api.pagination import CountedPages
from labeling.api.permissions import IsAdmin
from labeling.api.requests import checked
from labeling.models import Change
from labeling.rules.audited import AuditAct, Audited

LOOKUPS = {"by": "by__username", "subject": "subject", "name": "name__icontains", "case": "case"}


class ChangeFilterSerializer(serializers.Serializer[Any]):
    act = serializers.ChoiceField(choices=AuditAct.choices, required=False)
    kind = serializers.ChoiceField(choices=Audited.choices, required=False)


class ChangeSerializer(RowSerializer[Change]):
    act = serializers.ChoiceField(choices=AuditAct.choices, read_only=True)
    kind = serializers.ChoiceField(choices=Audited.choices, read_only=True)
    by = serializers.CharField(source="by.username", default=None, allow_null=True, read_only=True)

    class Meta:
        model = Change
        fields = ["id", "at", "subject", "name", "before", "after", "case"]


@extend_schema(
    parameters=[
        ChangeFilterSerializer,
        *(OpenApiParameter(name, OpenApiTypes.STR) for name in LOOKUPS),
        *days.PERIOD,
        ordered_by("at"),
    ]
)
class ChangesView(generics.ListAPIView[Change]):
    """Changes, newest first. `name` matches a part of a name; `from` and `to` are days in the zone `tz`."""

    permission_classes = [IsAdmin]
    pagination_class = CountedPages
    serializer_class = ChangeSerializer

    def get_queryset(self) -> QuerySet[Change]:
        wanted = checked(ChangeFilterSerializer(data=self.request.query_params))
        rows = days.on_days(Change.objects.select_related("by").filter(**wanted), self.request, "at")
        return filtered(rows, self.request, **LOOKUPS).order_by(ordering(self.request, "at", default="-at"), "pk")
