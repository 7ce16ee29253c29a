"""The last lines of what a run did, kept on its row: its stages, the libraries' warnings, and the error it ended by.

A line begins with its time, whose offset from UTC it names: readers see it in their own zone.
"""

import logging
import re
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from django.utils import timezone

from prm_training.models import Run

LINES = 300
TERMINAL_CODES = re.compile(r"\x1b\[[0-9;]*m")


class RunLog(logging.Handler):
    """Hears what the run's own thread logs."""

    def __init__(self, kept: str) -> None:
        super().__init__(logging.WARNING)
        self._lines = deque(kept.splitlines(), maxlen=LINES)
        self._thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        if record.thread == self._thread:
            self.say(f"{record.levelname} {TERMINAL_CODES.sub('', record.getMessage())}")

    def say(self, text: str) -> None:
        first, *more = text.splitlines() or [""]
        self._lines.extend([f"{timezone.now().isoformat(timespec='seconds')} {first}", *more])

    @property
    def text(self) -> str:
        return "\n".join(self._lines)


@contextmanager
def keeping_log(run: Run) -> Iterator[RunLog]:
    """The run's log, which goes on where an earlier attempt stopped, and is on the row at the end."""
    log, root = RunLog(run.log), logging.getLogger()
    root.addHandler(log)
    try:
        yield log
    finally:
        root.removeHandler(log)
        type(run).objects.filter(pk=run.pk).update(log=log.text)
