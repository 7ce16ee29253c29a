"""Messages to the workers: that a run waits, or that one needs help. The rest is in the row."""

import logging
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from kombu.exceptions import ChannelError, OperationalError

from labeling.models import Run
from labeling.rules.words import RunKind

logger = logging.getLogger(__name__)
EVERY_BEATS = 15  # heartbeats of a worker between which waiting runs are enqueued again


def enqueue(run: Run) -> None:
    """Tells the workers that the run waits. If the broker is away nothing is lost: a heartbeat enqueues it again."""
    _send("run", run)


def enqueue_help(run: Run, *, workers: int) -> None:
    """Asks this many workers to take batches of the run. The request is repeated, so it expires before the next."""
    for _ in range(workers):
        _send("help", run, expires=EVERY_BEATS * settings.WORKER_HEARTBEAT_SECONDS)


def count_messages(queue: str) -> int:
    """Returns how many messages wait in the queue; none if the broker is away."""
    try:
        with current_app.connection_or_acquire() as link:
            return int(link.default_channel.queue_declare(queue, passive=True).message_count)
    except (OperationalError, ChannelError, OSError):  # the broker is away; or Redis, which has no empty queues
        return 0


def _send(task: str, run: Run, **options: Any) -> None:
    queue = RunKind(run.kind).traits.queue
    try:
        # Without retries: a request must not wait for a broker that is away.
        current_app.send_task(f"prm_training.{task}", [run.kind, str(run.pk)], queue=queue, retry=False, **options)
    except (OperationalError, ChannelError, OSError):  # the broker is away, or its folder is on a full disk
        logger.warning("The broker is away; %s %s waits for a worker's heartbeat.", run.kind, run.pk)


def enqueue_on_commit(run: Run) -> None:
    """Enqueues the run once the transaction is committed."""
    transaction.on_commit(lambda: enqueue(run))
