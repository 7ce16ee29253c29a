"""Filters of the log: adds the ids of crashes that people saw, and removes the secrets of links."""

import logging
import re

from django.http import HttpRequest

CRASH_ID = "stepmark.crash_id"
SECRET = re.compile(r"(?<=/invite/)[^\s/\"'<>]+")


class WithCrashId(logging.Filter):
    """Adds the id that the person saw to the log line of a crash."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        crash_id = request.META.get(CRASH_ID) if isinstance(request, HttpRequest) else None
        if crash_id and crash_id not in record.msg:
            record.msg = f"{record.msg} (id {crash_id})"
        return True


class WithoutSecrets(logging.Formatter):
    """Leaves out the secret of an invitation's address, wherever it stands: in the message or in a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        return SECRET.sub("…", super().format(record))
