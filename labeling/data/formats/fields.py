"""Records as ``msgspec.Struct``: what a field may be, and errors that name the field.

Keys that a struct doesn't list are no error: published copies of a data set add columns of their own; `unread` names
them. Numbers are read as pandas writes them: 5.0 where a whole number is wanted is 5.
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from labeling.data.formats import nul
from labeling.errors import DomainError

Record = Mapping[str, Any]
Converted = TypeVar("Converted")
NOT_BLANK = r"\S"
NotBlank = Annotated[str, Meta(pattern=NOT_BLANK)]
Name = Annotated[str, Meta(pattern=NOT_BLANK, max_length=100)]
Whole = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]  # has 20 characters at most
Version = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Identity = Annotated[str, Meta(max_length=200)] | Whole | None
Text = str | int | float | bool
Answer = Text | list[Text] | None
Flag = bool | Annotated[int, Meta(ge=0, le=1)] | None
Digits = Annotated[str, Meta(pattern=r"^-?[0-9]{1,15}(\.0)?$")]
Moment = str | int | float | None
LAST_SECOND = 1e11  # in the year 5138; larger numbers are milli-, micro- or nanoseconds
MANY_DIGITS = 1e21
EPOCH = re.compile(r"-?[0-9]{9,}(\.[0-9]*)?")
ZONE_NAME = re.compile(r"\s*(UTC|GMT)$")


class FormatError(DomainError, code="bad_record"):
    """A record is not what its format says. The message says which field, and why."""


class Row(dict[str, Any]):
    """A record that is the row of a table."""


class Cells(Row):
    """A row of a CSV file: its values are texts or null."""


def convert(record: Record, kind: type[Converted]) -> Converted:
    """The record as a ``msgspec.Struct``. Raises FormatError."""
    try:
        return msgspec.convert(record, kind)
    except msgspec.ValidationError:  # few records need to be looked at more closely
        try:
            return msgspec.convert(mended(record, kind), kind)
        except msgspec.ValidationError as error:
            raise FormatError(_explained(str(error))) from None


def unread(record: Record, kind: type[Struct]) -> Iterator[tuple[str, object]]:
    """Yields the keys that the struct doesn't have, at any depth, as paths such as `steps.tokens`, with their values.
    Empty values are left out: nothing is lost with them.
    """
    read = _structs(kind)
    for name, value in record.items():
        inner = read.get(name)
        if name not in read and value not in (None, "", [], {}):
            yield name, value
        elif inner is not None:
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, dict):
                    yield from ((f"{name}.{path}", lost) for path, lost in unread(part, inner))


@cache
def _structs(kind: type[Struct]) -> dict[str, type[Struct] | None]:
    """The keys that are read, each with the struct that its values, or their items, are read as."""
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    return {each.encode_name: _struct_in(each.type) for each in info.fields}


def _struct_in(kind: Any) -> type[Struct] | None:
    if isinstance(kind, msgspec.inspect.StructType):
        return kind.cls
    within = getattr(kind, "types", None) or [item for item in [getattr(kind, "item_type", None)] if item]
    return next(filter(None, map(_struct_in, within)), None)


def mended(record: Record, kind: type[Any]) -> Record:
    """The record with 5 for 5.0, and with lists and numbers for CSV's texts where the Struct wants no text."""
    if isinstance(record, Cells) and issubclass(kind, msgspec.Struct):
        wanted = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
        record = {name: _cell(name, value, wanted.get(name, Any)) for name, value in record.items()}
    mended: Record = whole(record)
    return mended


def _cell(name: str, value: Any, kind: Any) -> Any:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        for decode in (_json, _python):
            with suppress(ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
                return without_nul(decode(value), name)
    return value


def without_nul(value: Converted, name: str) -> Converted:
    """Returns the value, decoded from a text. Raises FormatError, which names the field, if it contains a NUL."""
    if nul.is_in(msgspec.json.encode(value)):
        raise FormatError(f"{name}: {nul.HELD}")
    return value


def _json(text: str) -> Any:
    return msgspec.json.decode(text.lower() if text in {"TRUE", "FALSE"} else text)


def _python(text: str) -> Any:
    """Reads a list as pandas writes it. Python alone would join two texts that stand side by side without a comma."""
    value = literal_eval(text)
    if repr(value) != text:
        raise ValueError("not as Python writes it")
    return value


def _explained(error: str) -> str:
    error = error.replace(f"matching regex {NOT_BLANK!r}", "that is not blank")
    reason, _, place = error.partition(" - at `$")
    return f"{place.strip('.`')}: {reason}" if place else reason


def whole(value: Any) -> Any:
    """The value with every 5.0 in it as 5."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {key: whole(part) for key, part in value.items()}
    return [whole(part) for part in value] if isinstance(value, list | tuple) else value


def text(value: Answer) -> str:
    """The text, the digits of a number (5 for 5.0), a list's items with commas between them; empty if missing."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, list):
        return ", ".join(map(text, value))
    if isinstance(value, float) and value.is_integer() and abs(value) < MANY_DIGITS:
        return str(int(value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def number(value: int | str | None) -> int | None:
    """Converts Digits to a number; numbers and None stay."""
    return value if value is None else int(str(value).removesuffix(".0"))


def time(value: Moment, name: str) -> datetime | None:
    """An ISO time, or the seconds (milli-, micro-, nanoseconds) since 1970; UTC where it names no zone.

    Raises FormatError, which has the field's ``name``.
    """
    if value is None or value == "":
        return None
    try:
        return _iso(value) if isinstance(value, str) and not EPOCH.fullmatch(value) else _since_1970(float(value))
    except (ValueError, OverflowError, OSError):
        raise FormatError(f"“{name}” is not a time: “{str(value)[:40]}”") from None


def _iso(value: str) -> datetime:
    moment = datetime.fromisoformat(ZONE_NAME.sub("+00:00", value.strip()))
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def _since_1970(seconds: float) -> datetime:
    while LAST_SECOND <= abs(seconds) < MANY_DIGITS:
        seconds /= 1000
    return datetime.fromtimestamp(seconds, UTC)
