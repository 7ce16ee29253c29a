"""JSON from outside, refused where Python would crash on it."""

import json
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from rest_framework import exceptions, parsers


class TooLarge(exceptions.APIException):
    status_code = 413
    default_code = "too_large"
    default_detail = "The request is too large."


class StrictJSONParser(parsers.JSONParser):
    """Refuses bodies over DATA_UPLOAD_MAX_MEMORY_SIZE, nesting too deep to read, and halves of characters."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        length = int(getattr(stream, "META", {}).get("CONTENT_LENGTH") or 0)
        if length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise TooLarge
        try:
            data = super().parse(stream, media_type, parser_context)
            json.dumps(data, ensure_ascii=False).encode()
        except RecursionError:
            raise exceptions.ParseError("JSON parse error: nested too deeply.") from None
        except UnicodeEncodeError:
            raise exceptions.ParseError("JSON parse error: a text holds half a character (a lone surrogate).") from None
        return data
