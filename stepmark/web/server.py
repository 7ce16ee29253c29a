"""gunicorn's configuration, by `--config python:stepmark.web.server`."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

MEMORY = Path("/dev/shm")

# Where processes add up what they count: in memory, for a counter on a full disk would kill its process.
os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(
    prefix="stepmark-metrics-", dir=MEMORY if os.access(MEMORY, os.W_OK) else None
)
worker_class = "stepmark.web.slow_clients.Worker"
keepalive = 20  # seconds: a script that asks every few seconds must not send into a connection that is being closed


def on_exit(server: Any) -> None:
    shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"], ignore_errors=True)
