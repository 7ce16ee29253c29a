"""Filters of the log: adds the ids of requests, which their answers have, and removes the secrets of links."""

import logging
import re
from uuid import uuid4

from django.http import HttpRequest

REQUEST_ID = "stepmark.request_id"
SHORT = re.compile(r"[A-Za-z0-9._-]{1,64}")
SECRET = re.compile(r"(?<=/invite/)[^\s/\"'<>]+")


def request_id(request: HttpRequest) -> str:
    """Returns the request's id: the client's own if that is a plain short token, else a new one, kept with it."""
    given = request.META.get("HTTP_X_REQUEST_ID", "")
    return str(request.META.setdefault(REQUEST_ID, given if SHORT.fullmatch(given) else uuid4().hex[:12]))


class WithRequestId(logging.Filter):
    """Adds the request's id to its log lines, such as that of a crash, whose id the person saw."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest) and not str(record.msg).endswith(said := f" (id {request_id(request)})"):
            record.msg = f"{record.msg}{said}"
        return True


class WithoutSecrets(logging.Formatter):
    """Leaves out the secret of an invitation's address, wherever it stands: in the message or in a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        return SECRET.sub("…", super().format(record))
