"""Log lines for people or as JSON, with the request ids that answers have, and without the secrets of links."""

import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from uuid import uuid4

from django.http import HttpRequest

REQUEST_ID = "stepmark.request_id"
_current = ContextVar("request_id", default="")
SHORT = re.compile(r"[A-Za-z0-9._-]{1,64}")
SECRET = re.compile(r"(?<=/invite/)[^\s/\"'<>]+")


def request_id(request: HttpRequest) -> str:
    """Returns the request's id: the client's own if that is a plain short token, else a new one, kept with it."""
    given = request.META.get("HTTP_X_REQUEST_ID", "")
    return str(request.META.setdefault(REQUEST_ID, given if SHORT.fullmatch(given) else uuid4().hex[:12]))


def current_request_id() -> str:
    """Returns the id of the request that is being answered; empty outside of one."""
    return _current.get()


@contextmanager
def with_request_id(request: HttpRequest) -> Iterator[str]:
    """Yields the request's id, and adds it to all log lines meanwhile."""
    known = request_id(request)
    token = _current.set(known)
    try:
        yield known
    finally:
        _current.reset(token)


class WithRequestId(logging.Filter):
    """Adds the request's id to log lines, so that a crash is found by the id that the person saw."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        record.request_id = request_id(request) if isinstance(request, HttpRequest) else current_request_id()
        return True


def without_secrets(text: str) -> str:
    """Removes the secrets of invitations' addresses, wherever they stand: in a message or in a traceback."""
    return SECRET.sub("…", text)


class Lines(logging.Formatter):
    """Lines for people: the id of the request after the message, a traceback below it."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  logging's own name
        known = getattr(record, "request_id", "")
        return super().formatMessage(record) + (f" (id {known})" if known else "")

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))


class JsonLines(logging.Formatter):
    """Lines for programs: one JSON object for each, with the traceback of an error inside."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": datetime.fromtimestamp(record.created, tz=UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "process": record.process,
            "request_id": getattr(record, "request_id", ""),
            "message": without_secrets(record.getMessage()),
            "traceback": without_secrets(self.formatException(record.exc_info)) if record.exc_info else "",
        }
        return json.dumps({name: value for name, value in told.items() if value != ""}, ensure_ascii=False)
