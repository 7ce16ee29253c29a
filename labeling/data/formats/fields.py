"""Records as ``msgspec.Struct``: what a field may be, and errors that name the field.

Keys that a struct doesn't list are ignored: published copies of a data set add columns of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from labeling.errors import DomainError

Record = Mapping[str, Any]
Converted = TypeVar("Converted")
NOT_BLANK = r"\S"
NotBlank = Annotated[str, Meta(pattern=NOT_BLANK)]
Name = Annotated[str, Meta(pattern=NOT_BLANK, max_length=100)]
Whole = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]  # has 20 characters at most
Identity = Annotated[str, Meta(max_length=200)] | Whole | None


class FormatError(DomainError, code="bad_record"):
    """A record is not what its format says. The message says which field, and why."""


def convert(record: Record, kind: type[Converted]) -> Converted:
    """The record as a ``msgspec.Struct``. Raises FormatError."""
    try:
        return msgspec.convert(record, kind)
    except msgspec.ValidationError as error:
        reason, _, place = (
            str(error).replace(f"matching regex {NOT_BLANK!r}", "that is not blank").partition(" - at `$")
        )
        raise FormatError(f"{place.strip('.`')}: {reason}" if place else reason) from None


def text(value: str | int | None) -> str:
    """Empty where it is missing; a whole number counts as its digits."""
    return "" if value is None else str(value)
