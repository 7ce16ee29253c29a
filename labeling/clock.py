"""The clock that all processes share: the database's. A machine's may be wrong, and two may differ: a web server whose
clock is ahead would give away tasks that people have in hand.
"""

import time
from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone

READ_EVERY_SECONDS = 60  # between readings, the time elapsed here is added; this machine's time of day is never used
PASSED = getattr(time, "CLOCK_BOOTTIME", None) or time.CLOCK_MONOTONIC  # the former goes on while a machine sleeps

_reading: tuple[datetime, float] | None = None


def now() -> datetime:
    """Returns the time by the database's clock, also in a long transaction. SQLite's is this machine's."""
    global _reading  # noqa: PLW0603  one for all threads: whoever reads it last is right
    if connection.vendor != "postgresql":
        return timezone.now()
    if _reading is None or (passed := time.clock_gettime(PASSED) - _reading[1]) > READ_EVERY_SECONDS:
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp()")
            _reading = cursor.fetchone()[0], time.clock_gettime(PASSED)
        return _reading[0]
    return _reading[0] + timedelta(seconds=passed)
