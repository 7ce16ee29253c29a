"""Reads values from records whose writers differ: one of another kind than wanted counts as missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from labeling.data.formats import fields

Object = dict[str, Any]
OURS = "stepmark"  # the key of what `beside` adds to a record


def objects(value: Any) -> list[Object]:
    """The objects in a list; none if the value is no list."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def mapping(value: Any) -> Object:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def string(record: Mapping[str, Any], *keys: str) -> str:
    """The text, or the digits of the number, under the first of the keys that has one; empty if none has."""
    found = (record.get(key) for key in keys)
    return next((fields.text(each) for each in found if isinstance(each, str | int | float) and each != ""), "")
