"""Reading fields out of a JSON object, with errors that name the field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from labeling.errors import DomainError

Record = Mapping[str, Any]
Converted = TypeVar("Converted")


class FormatError(DomainError):
    """A record is not what its format says. The message says which field, and why."""

    code = "bad_record"


def convert(record: Record, kind: type[Converted]) -> Converted:
    """The record as a ``msgspec.Struct``. Raises FormatError."""
    try:
        return msgspec.convert(record, kind)
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at `$")
        raise FormatError(f"{place.strip('.`')}: {reason}" if place else reason) from None


def text(record: Record, key: str, *, limit: int | None = None) -> str:
    """A string that must be there and must not be blank."""
    value = optional_text(record, key, limit=limit)
    if not value.strip():
        raise FormatError(f"“{key}” is missing" if key not in record else f"“{key}” is empty")
    return value


def optional_text(record: Record, key: str, *, limit: int | None = None) -> str:
    """A string; empty where it is missing or null. A whole number counts as its digits."""
    value = record.get(key)
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise FormatError(f"“{key}” must be a text, not {kind_of(value)}")
    if limit is not None and len(value) > limit:
        raise FormatError(f"“{key}” has {len(value)} characters; at most {limit} are allowed")
    return value


def optional_bool(record: Record, key: str) -> bool | None:
    value = record.get(key)
    if value is not None and not isinstance(value, bool):
        raise FormatError(f"“{key}” must be true or false, not {kind_of(value)}")
    return value


def mapping(record: Record, key: str) -> dict[str, Any]:
    value = record.get(key)
    if not isinstance(value, dict):
        raise FormatError(f"“{key}” must be an object, not {kind_of(value)}")
    return value


def sequence(record: Record, key: str) -> list[Any]:
    value = record.get(key)
    if not isinstance(value, list):
        raise FormatError(f"“{key}” must be a list, not {kind_of(value)}")
    return value


def kind_of(value: object) -> str:
    """JSON's word for the kind of a value."""
    words = {str: "a text", bool: "true or false", int: "a number", float: "a number", list: "a list"}
    return "null" if value is None else words.get(type(value), "an object")
