"""The last lines of a run's log: its stages, the libraries' warnings, and the error that ended it.

A line begins with its time and offset from UTC: readers see it in their own zone. Lines are appended as rows, so that
several workers can write one log.
"""

import logging
import re
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.utils import timezone

from labeling.models import LogLine, Run

LINES = 300
TERMINAL_CODES = re.compile(r"\x1b\[[0-9;]*m")


class RunLog(logging.Handler):
    """Collects what the run's own thread logs."""

    def __init__(self, run_id: UUID) -> None:
        super().__init__(logging.WARNING)
        self._run = run_id
        self._unwritten = deque[str](maxlen=LINES)
        self._thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        # The worker's heartbeat and its notices log from threads of their own, about anything but this run.
        if record.thread == self._thread:
            self.say(f"{record.levelname} {TERMINAL_CODES.sub('', record.getMessage())}")

    def say(self, text: str) -> None:
        first, *more = text.splitlines() or [""]
        self._unwritten.extend([f"{timezone.now().isoformat(timespec='seconds')} {first}", *more])

    def write(self) -> None:
        """Appends the lines since the last call; only the last lines of all are kept."""
        if not self._unwritten:
            return
        lines = LogLine.objects.filter(run=self._run)
        lines.bulk_create(LogLine(run_id=self._run, text=text) for text in self._unwritten)
        self._unwritten.clear()
        # The id of the 300th line from the end, if there are so many: everything before it goes.
        for first_kept in lines.order_by("-pk").values_list("pk", flat=True)[LINES - 1 : LINES]:
            lines.filter(pk__lt=first_kept).delete()


def text_of(run: Run) -> str:
    return "\n".join(LogLine.objects.filter(run=run.pk).order_by("pk").values_list("text", flat=True))


@contextmanager
def keeping_log(run: Run) -> Iterator[RunLog]:
    """Yields the run's log, which continues that of an earlier attempt, and writes its last lines at the end."""
    log, root = RunLog(run.pk), logging.getLogger()
    root.addHandler(log)
    try:
        yield log
    finally:
        root.removeHandler(log)
        log.write()
