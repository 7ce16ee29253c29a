"""Query parameters that filter a list, and those that mean yes or no."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.core.exceptions import ValidationError as DjangoValidationError
from django.core.validators import ProhibitNullCharactersValidator
from django.db.models import Model, QuerySet
from django.db.models.constants import LOOKUP_SEP
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.views import APIView

Row = TypeVar("Row", bound=Model)
Views = TypeVar("Views", bound=type[APIView])


class Flag(serializers.BooleanField):
    """A yes or no in a query. Misspelt values are refused; they never mean no."""

    TRUE_VALUES, FALSE_VALUES = {"true", "1", "yes"}, {"false", "0", "no"}
    default_empty_html = serializers.empty  # a missing parameter is not a no
    default_error_messages = {"invalid": "“{input}” is neither true nor false."}


def listed_by(*described: OpenApiParameter, **types: Any) -> Callable[[Views], Views]:
    """Documents the query parameters of a view's list: those with a description, and others by their types."""
    plain = [OpenApiParameter(name, each) for name, each in types.items()]
    return extend_schema_view(list=extend_schema(parameters=[*plain, *described]))


def ordered_by(*names: str) -> OpenApiParameter:
    """Documents the query parameter that `ordering` reads."""
    return OpenApiParameter("ordering", str, enum=[each for name in names for each in (name, f"-{name}")])


def ordering(request: Request, *names: str, default: str) -> str:
    """Returns the column that the query sorts by, with a - for descending order."""
    asked = request.query_params.get("ordering") or default
    if asked.removeprefix("-") not in names:
        raise ValidationError({"ordering": f"“{asked}” is not one of {', '.join(names)}."})
    return asked


def flag(request: Request, name: str) -> bool:
    """Returns the parameter's yes or no; False if it is missing. Raises ValidationError for any other value."""
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
            if (choices := _choices(queryset, lookup)) and value not in choices:
                raise ValidationError({name: f"“{value}” is not one of {', '.join(choices)}."})
            try:
                ProhibitNullCharactersValidator()(value)  # PostgreSQL can't store it
                queryset = queryset.filter(**{lookup: value})
            except (DjangoValidationError, ValueError):
                raise ValidationError({name: f"“{value}” is not a valid value."}) from None
    return queryset


def _choices(queryset: QuerySet[Row], lookup: str) -> list[str]:
    """Returns the values that the lookup's column can hold; empty if it has no list of choices."""
    _, column, _, _ = queryset.query.names_to_path(lookup.split(LOOKUP_SEP), queryset.model._meta)
    return [str(value) for value, _ in column.flatchoices]
