"""What several serializers have in common."""

from typing import Any

from rest_framework import serializers

from labeling.models import User


def interval_field(**options: Any) -> serializers.ListField:
    """A 95 % interval: [low, high]."""
    return serializers.ListField(child=serializers.FloatField(), min_length=2, max_length=2, **options)


class UsernamesField(serializers.ListField):
    """Names of active people, who are what it gives: one query, however many there are."""

    child = serializers.CharField()

    def to_internal_value(self, data: Any) -> Any:
        names = super().to_internal_value(data)
        known = User.objects.filter(is_active=True).in_bulk(names, field_name="username")
        if unknown := [name for name in names if name not in known]:
            raise serializers.ValidationError(f"There is nobody called “{unknown[0]}” who may sign in.")
        return list(known.values())


class RolledSerializer(serializers.Serializer[Any]):
    """What may have been counted before, as `labeling.rollups.Figures.told` says."""

    as_of = serializers.DateTimeField(
        read_only=True,
        allow_null=True,
        help_text="When it was counted; null: just now, or not yet. Reading what is old counts it anew.",
    )
    is_counting = serializers.BooleanField(
        read_only=True, help_text="It was never counted, and a worker is to: there are no figures."
    )
