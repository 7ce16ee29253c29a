"""Links a crash that a person saw to its traceback in the log."""

import logging

from django.http import HttpRequest

CRASH_ID = "stepmark.crash_id"


class WithCrashId(logging.Filter):
    """Adds the id that the person saw to the log line of a crash."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        crash_id = request.META.get(CRASH_ID) if isinstance(request, HttpRequest) else None
        if crash_id and crash_id not in record.msg:
            record.msg = f"{record.msg} (id {crash_id})"
        return True
