"""Query parameters that narrow a list."""

from typing import TypeVar

from django.core.exceptions import ValidationError as DjangoValidationError
from django.core.validators import ProhibitNullCharactersValidator
from django.db.models import Model, QuerySet
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

Row = TypeVar("Row", bound=Model)


def filtered(queryset: QuerySet[Row], request: Request, **lookups: str) -> QuerySet[Row]:
    """Applies `?name=value` as `lookup=value` for each given name=lookup; a malformed value is a 400."""
    for name, lookup in lookups.items():
        if value := request.query_params.get(name):
            try:
                ProhibitNullCharactersValidator()(value)  # PostgreSQL has no such text
                queryset = queryset.filter(**{lookup: value})
            except (DjangoValidationError, ValueError):
                raise ValidationError({name: f"“{value}” is not a valid value."}) from None
    return queryset
