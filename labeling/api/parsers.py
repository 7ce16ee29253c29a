"""Parsers: JSON without values that would crash Python, and files; neither larger than allowed."""

import json
import shutil
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser, MultiPartParser

from labeling.outages import Outage

MEGABYTE = 1 << 20
KEPT_FREE = 256 * MEGABYTE  # on the disk for uploads

Context = Mapping[str, Any] | None


class TooLarge(APIException):
    status_code = 413
    default_code = "too_large"


class DiskFull(APIException):
    """The file is within the limit, but the disk has no room for it."""

    status_code = 503
    default_code = "unavailable"
    wait = Outage.DISK.retry_after  # the answer's Retry-After


class StrictJSONParser(JSONParser):
    """Refuses nesting too deep to read, and lone surrogates, which no answer or row can hold."""

    def parse(self, stream: IO[Any], media_type: str | None = None, parser_context: Context = None) -> Any:
        _check_size(parser_context, settings.JSON_LIMIT_MB << 20)
        try:
            data = super().parse(stream, media_type, parser_context)
            json.dumps(data, ensure_ascii=False).encode()
        except RecursionError:
            raise ParseError("JSON parse error: nested too deeply.") from None
        except UnicodeEncodeError:
            raise ParseError("JSON parse error: a text holds half a character (a lone surrogate).") from None
        return data


class UploadParser(MultiPartParser):
    """Refuses a file that is too large before any of it is written to disk."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Context = None) -> Any:
        _check_size(parser_context, settings.UPLOAD_LIMIT_MB << 20)
        _check_room(parser_context)
        return super().parse(stream, media_type, parser_context)


def upload_limit() -> int:
    """Returns the most bytes an upload may have: the setting, or less if the disk has less room."""
    allowed: int = settings.UPLOAD_LIMIT_MB << 20
    free = shutil.disk_usage(settings.FILE_UPLOAD_TEMP_DIR).free
    return max(0, min(allowed, free - KEPT_FREE))


def _check_size(context: Context, limit: int) -> None:
    """Raises TooLarge if Content-Length exceeds the limit; the server never reads more than that."""
    size = _size(context)
    if size > limit:
        raise TooLarge(f"The request is {_megabytes(size)} MB; the limit is {_megabytes(limit)} MB.")


def _check_room(context: Context) -> None:
    """Raises DiskFull if the disk has no room for the request."""
    size, room = _size(context), upload_limit()
    if size > room:
        left = "no room for uploads" if room < MEGABYTE else f"room for {_megabytes(room)} MB"
        raise DiskFull(
            f"The request is {_megabytes(size)} MB; the server's disk is almost full and has {left}. "
            "An admin has to make room."
        )


def _size(context: Context) -> int:
    return int((context or {})["request"].META.get("CONTENT_LENGTH") or 0)


def _megabytes(size: int) -> str:
    return f"{size / (1 << 20):,.1f}"
