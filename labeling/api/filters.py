"""Query parameters that filter a list, and those that mean yes or no."""

from collections.abc import Iterable
from typing import Any, TypeVar

from django.core.exceptions import ValidationError as DjangoValidationError
from django.core.validators import ProhibitNullCharactersValidator
from django.db.models import Model, QuerySet
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

Row = TypeVar("Row", bound=Model)
MEANINGS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


class Flag(serializers.BooleanField):
    """A yes or no in a query: one of MEANINGS, in any case. Misspelt values are refused; they never mean no."""

    default_empty_html = serializers.empty  # a missing parameter is not a no

    def to_internal_value(self, data: Any) -> bool:
        try:
            return MEANINGS[str(data).lower()]
        except KeyError:
            raise ValidationError(f"“{data}” is neither true nor false.") from None


def flag(request: Request, name: str) -> bool:
    """Whether the query says yes; no if it is missing."""
    try:
        return bool(Flag(default=False).run_validation(request.query_params.get(name, serializers.empty)))
    except ValidationError as error:
        raise ValidationError({name: error.detail}) from None


def filtered(queryset: QuerySet[Row], request: Request, *, flags: Iterable[str] = (), **lookups: str) -> QuerySet[Row]:
    """Applies `?name=value` as `lookup=value` for each given name=lookup; a malformed value is a 400.

    `flags` are names of boolean columns.
    """
    for name in flags:
        if request.query_params.get(name):
            queryset = queryset.filter(**{name: flag(request, name)})
    for name, lookup in lookups.items():
        if value := request.query_params.get(name):
            try:
                ProhibitNullCharactersValidator()(value)  # PostgreSQL can't store it
                queryset = queryset.filter(**{lookup: value})
            except (DjangoValidationError, ValueError):
                raise ValidationError({name: f"“{value}” is not a valid value."}) from None
    return queryset
