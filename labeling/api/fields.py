"""Serializer fields that several endpoints share."""

from collections.abc import Iterable
from typing import Any, TypeVar

from django.db import models
from rest_framework import serializers

from labeling.models import Markup, User

Row = TypeVar("Row", bound=models.Model)


class TextField(serializers.CharField):
    """A text kept as sent, with surrounding spaces; a blank one is refused unless `allow_blank` is set."""

    def to_internal_value(self, data: Any) -> str:
        super().to_internal_value(data)  # raises unless it is a text
        return str(data)


# `Meta.fields` are columns. The fields that a class declares follow them, and need not be named twice. Not a docstring,
# which the schema would show as the description of each serializer without one.
class RowSerializer(serializers.ModelSerializer[Row]):
    serializer_field_mapping = serializers.ModelSerializer.serializer_field_mapping | {models.TextField: TextField}

    def get_field_names(self, declared_fields: Iterable[str], info: Any) -> list[str]:
        columns = self.Meta.fields
        return [*columns, *(name for name in declared_fields if name not in columns)]


def interval_field(**options: Any) -> serializers.ListField:
    """Returns a field for a 95 % interval: [low, high]."""
    return serializers.ListField(child=serializers.FloatField(), min_length=2, max_length=2, **options)


def markup_field(source: str, **options: Any) -> serializers.ChoiceField:
    """Returns a field for the markup of `source`'s texts."""
    return serializers.ChoiceField(choices=Markup.choices, source=source, read_only=True, **options)


class UsernamesField(serializers.ListField):
    """User names of active people, returned as users: one query, however many there are."""

    child = serializers.CharField()

    def to_internal_value(self, data: Any) -> Any:
        names = super().to_internal_value(data)
        known = User.objects.filter(is_active=True).in_bulk(names, field_name="username")
        if unknown := [name for name in names if name not in known]:
            raise serializers.ValidationError(f"There is nobody called “{unknown[0]}” who may sign in.")
        return list(known.values())


class RolledSerializer(serializers.Serializer[Any]):
    """The age of a count, as in `labeling.counts.rollups.Counted.freshness`."""

    as_of = serializers.DateTimeField(
        read_only=True,
        allow_null=True,
        help_text="When it was counted; null: just now, or not yet. Reading an old count requests a new one.",
    )
    is_counting = serializers.BooleanField(
        read_only=True, help_text="It is being counted for the first time: there are no numbers yet."
    )
