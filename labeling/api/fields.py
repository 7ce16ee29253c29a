"""What several serializers have in common."""

from typing import Any

from rest_framework import serializers


def interval_field(**options: Any) -> serializers.ListField:
    """A 95 % interval: [low, high]."""
    return serializers.ListField(child=serializers.FloatField(), min_length=2, max_length=2, **options)
