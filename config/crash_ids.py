"""What ties a crash that a person was told of to its traceback in the log."""

import logging

from django.http import HttpRequest

CRASH_ID = "stepmark.crash_id"


class WithCrashId(logging.Filter):
    """Adds to the line of a crash the id that the person was told."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        crash_id = request.META.get(CRASH_ID) if isinstance(request, HttpRequest) else None
        if crash_id and crash_id not in record.msg:
            record.msg = f"{record.msg} (id {crash_id})"
        return True
