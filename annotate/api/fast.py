"""Views of the requests made for every task: Django REST framework's permissions and errors, msgspec's parsing and
writing.
"""

import re
from typing import Any, TypeVar

import msgspec
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from rest_framework.exceptions import ParseError, UnsupportedMediaType, ValidationError
from rest_framework.request import Request
from rest_framework.views import APIView

Message = TypeVar("Message")
NULL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")  # NUL as JSON escapes it, unless that backslash is itself escaped
MISSING = re.compile("Object missing required field `(.*)`")
UNKNOWN = re.compile("Object contains unknown field `(.*)`")


class FastView(APIView):
    """A view whose methods return msgspec messages.

    Authentication, CSRF, permissions, throttles and error answers are the framework's own; content negotiation,
    parsers, renderers and serializers are left out.
    """

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        act = getattr(self, (request.method or "").lower(), None)
        if act is None or request.method == "OPTIONS":
            return super().dispatch(request, *args, **kwargs)
        self.args, self.kwargs, self.headers = args, kwargs, self.default_response_headers
        self.request = asked = self.initialize_request(request, *args, **kwargs)
        try:
            self.perform_authentication(asked)
            self.check_permissions(asked)
            self.check_throttles(asked)
            answer = msgspec.json.encode(act(asked, *args, **kwargs))
        except Exception as error:
            refusal = self.handle_exception(error)
            self.response = self.finalize_response(asked, refusal, *args, **kwargs)
            return self.response
        return HttpResponse(answer, content_type="application/json")


def read_message(request: Request, message: type[Message]) -> Message:
    """Returns the parsed body. Raises UnsupportedMediaType, ParseError, and ValidationError, which names the field."""
    if not int(request.META.get("CONTENT_LENGTH") or 0):
        body = b"{}"
    elif request.content_type.partition(";")[0].strip().lower() != "application/json":
        raise UnsupportedMediaType(request.content_type)
    else:
        body = request._request.body
    try:
        found = msgspec.json.decode(body, type=message)
    except msgspec.ValidationError as error:
        raise _refusal(str(error)) from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise ParseError(f"JSON parse error: {error}") from None
    if NULL.search(body):
        raise ValidationError("Null characters are not allowed.")
    return found


def _refusal(message: str) -> ValidationError:
    """Returns the error, by field, for a message of msgspec: "Expected `int`, got `str` - at `$.ratings[0].step`"."""
    what, _, where = message.partition(" - at `$")
    field = where.rstrip("`").lstrip(".")
    if missing := MISSING.fullmatch(what):
        field, what = f"{field}.{missing[1]}".lstrip("."), "This field is required."
    if unknown := UNKNOWN.fullmatch(what):
        field, what = f"{field}.{unknown[1]}".lstrip("."), "There is nothing of this name."
    return ValidationError({field: [what]} if field else what)
