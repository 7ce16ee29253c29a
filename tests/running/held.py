"""Settings of products whose runs a test can hold just after they have begun, by locking a file."""

import fcntl
import logging

from tests.running.settings import *  # noqa: F403  all but what follows
from tests.running.settings import DATA_DIR, LOGGING

HOLD = DATA_DIR / "hold"


class WhileItIsLocked(logging.Filter):
    """Makes a worker wait where it says that a run has begun. Its heartbeat, a thread of its own, goes on."""

    def filter(self, record: logging.LogRecord) -> bool:
        with HOLD.open("a") as file:
            fcntl.flock(file, fcntl.LOCK_SH)
        return True


LOGGING["filters"]["hold"] = {"()": WhileItIsLocked}
LOGGING["loggers"]["labeling.jobs.lifecycle"] = {"filters": ["hold"]}
