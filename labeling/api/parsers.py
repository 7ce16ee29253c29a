"""JSON from outside, refused where Python would crash on it."""

import json
from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class StrictJSONParser(JSONParser):
    """Refuses nesting too deep to read, and halves of characters, which no answer or row could hold."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        try:
            data = super().parse(stream, media_type, parser_context)
            json.dumps(data, ensure_ascii=False).encode()
        except RecursionError:
            raise ParseError("JSON parse error: nested too deeply.") from None
        except UnicodeEncodeError:
            raise ParseError("JSON parse error: a text holds half a character (a lone surrogate).") from None
        return data
