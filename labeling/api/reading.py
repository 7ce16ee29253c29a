"""What a request is about, and what it brings."""

from typing import Any, TypeVar, cast
from uuid import UUID

from django.db.models import Manager, Model, QuerySet
from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.serializers import BaseSerializer

from labeling.api.permissions import signed_in

Row = TypeVar("Row", bound=Model)


def visible(rows: Manager[Row] | QuerySet[Row], request: Request, pk: UUID) -> Row:
    """The row. Raises Http404 where there is none, or it is not the signed-in person's to see."""
    return cast(Row, get_object_or_404(cast(Any, rows).visible_to(signed_in(request)), pk=pk))


def body(serializer: type[BaseSerializer[Any]], request: Request) -> dict[str, Any]:
    """The request's body, checked. Raises ValidationError."""
    given = serializer(data=request.data)
    given.is_valid(raise_exception=True)
    return dict(given.validated_data)
