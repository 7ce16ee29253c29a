"""Checks names that requests give: a training's base, a generator, the rule that splits texts into steps."""

import os
from fnmatch import fnmatchcase
from typing import Any

from django.conf import settings
from rest_framework import serializers

from labeling.rules.words import StepRule


def validate_model_directory(path: str) -> None:
    """Raises ValidationError unless this is a model directory, a GGUF file, or a hub name that HUB_MODELS allows."""
    if not path.startswith(("/", ".", "~")):
        if path and not any(fnmatchcase(path, allowed) for allowed in settings.HUB_MODELS):
            allowed = ", ".join(settings.HUB_MODELS) or "none"
            raise serializers.ValidationError(f"“{path}” is not among the hub's models that may be used: {allowed}.")
        return
    wanted = path if path.endswith(".gguf") else f"{path}/config.json"
    if not os.path.isfile(wanted):  # noqa: PTH113  Path's raises for a long name
        raise serializers.ValidationError(f"“{path}” is not a Hugging Face model directory: it has no config.json.")


def validate_rule(rule: str) -> None:
    if rule == StepRule.MODEL:
        raise serializers.ValidationError("A model can only split the texts of an import.")


def with_rule(attrs: dict[str, Any]) -> dict[str, Any]:
    """Sets the rule to `mark` if a mark is given without a rule."""
    return {"split_by": StepRule.MARK} | attrs if attrs.get("mark") else attrs
