"""Checks names that requests give: a training's base, a generator, the rule that splits texts into steps."""

import os
from fnmatch import fnmatchcase
from typing import Any

from django.conf import settings
from rest_framework import serializers

from labeling.rules.texts.cutting import UnusedMark, rule_of
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
    """Sets the rule `mark` if a mark is given alone, and empties the mark of a row that gets another rule.

    Raises ValidationError for a mark beside another rule.
    """
    rule, mark = attrs.get("split_by", ""), attrs.get("mark", "")
    if not (rule or mark):
        return attrs
    try:
        rule = rule_of(rule, mark)
    except UnusedMark as error:
        raise serializers.ValidationError({"mark": [str(error)]}) from None
    return attrs | {"split_by": rule} | ({} if rule == StepRule.MARK else {"mark": ""})
