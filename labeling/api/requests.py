"""The row that a request is about, and its body."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar, cast
from uuid import UUID

from django.db.models import Manager, Model, QuerySet
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.routers import SimpleRouter
from rest_framework.serializers import BaseSerializer, PrimaryKeyRelatedField

from labeling.api.permissions import signed_in

Row = TypeVar("Row", bound=Model)


class Router(SimpleRouter):
    """A router whose ids are UUIDs."""

    def __init__(self) -> None:
        super().__init__(use_regex_path=False)
        self._default_value_pattern = "uuid"


def visible(rows: Manager[Row] | QuerySet[Row], request: Request, pk: UUID) -> Row:
    """Returns the row. Raises Http404 if there is none, or the signed-in person may not see it; PermissionDenied if
    they may not act on it.
    """
    row: Row = get_object_or_404(cast(Any, rows).visible_to(signed_in(request)), pk=pk)
    _refuse_unless_theirs(request, [row])
    return row


def _refuse_unless_theirs(request: Request, rows: Iterable[object]) -> None:
    """Raises PermissionDenied if the view's permissions refuse any of the rows."""
    view = cast(Any, request.parser_context)["view"]
    for row in rows:
        if isinstance(row, Model):
            view.check_object_permissions(request, row)


class VisibleField(PrimaryKeyRelatedField[Any]):
    """The id of a row that the signed-in person may see, by the queryset's `rule`; any other is unknown."""

    def __init__(self, *, rule: str = "visible_to", **options: Any) -> None:
        self.rule = rule
        super().__init__(**options)

    def get_queryset(self) -> QuerySet[Any]:
        rows = super().get_queryset()
        return cast("QuerySet[Any]", getattr(rows, self.rule)(signed_in(self.context["request"])))


def rows_of(rows: QuerySet[Row], ids: Sequence[UUID]) -> list[Row]:
    """Returns the rows with these ids, in the same order, by one query. Raises ValidationError for an unknown id."""
    found = rows.in_bulk(ids)
    if unknown := [pk for pk in ids if pk not in found]:
        raise serializers.ValidationError(f"There is nothing with the id {unknown[0]}.")
    return [found[pk] for pk in ids]


def body(
    serializer: type[BaseSerializer[Any]], request: Request, *, of: Model | None = None, **defaults: Any
) -> dict[str, Any]:
    """Returns the request's body, checked; with `of`, changes to that row. Raises ValidationError, and PermissionDenied
    if it names a row that the person may not act on.
    """
    given = serializer(of, data=request.data, partial=of is not None, context={"request": request})
    if unknown := _unknown(given, request.data):
        raise serializers.ValidationError(unknown)
    found = defaults | checked(given)
    for value in found.values():
        _refuse_unless_theirs(request, value if isinstance(value, list) else [value])
    return found


def checked(given: BaseSerializer[Any]) -> dict[str, Any]:
    """Returns the serializer's input, validated. Raises ValidationError."""
    _name_choices(given)
    given.is_valid(raise_exception=True)
    return dict(given.validated_data)


def _name_choices(field: Any) -> None:
    """Makes the message about a wrong choice list the choices."""
    if isinstance(field, serializers.ChoiceField):
        field.error_messages["invalid_choice"] = f"“{{input}}” is not one of {', '.join(map(str, field.choices))}."
    within = [field.child] if hasattr(field, "child") else getattr(field, "fields", {}).values()
    for each in within:
        _name_choices(each)


def _unknown(field: Any, data: Any) -> Any:
    """Returns errors for unknown names, which would otherwise be ignored, in the form of a serializer's; empty if there
    are none.
    """
    if isinstance(field, (serializers.ListSerializer, serializers.ListField)) and isinstance(data, list):
        found = [_unknown(field.child, item) for item in data]
        return found if any(found) else []
    if not isinstance(field, serializers.Serializer) or not isinstance(data, Mapping):
        return []
    taken = {name: each for name, each in field.fields.items() if not each.read_only}
    within = {name: _unknown(each, data[name]) for name, each in taken.items() if name in data}
    message = f"Nothing has this name. Choose one of: {', '.join(taken)}."
    return {name: [message] for name in data if name not in taken} | {k: v for k, v in within.items() if v}
