"""A worker's pulse: says that it and its runs are alive, and rings again for runs that nobody works on."""

import logging
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection
from django.utils import timezone

from labeling import completions, rounds
from prm_training import autopilot, jobs, lifecycle, notices, verifier
from prm_training.models import Status, Worker

logger = logging.getLogger(__name__)
RING_EVERY = 15  # beats
FORGET_WORKERS_AFTER = timedelta(days=1)


class Pulse(threading.Thread):
    """Beats every WORKER_PULSE_SECONDS while its worker works in the main thread (pool `solo`)."""

    def __init__(self) -> None:
        super().__init__(name="pulse", daemon=True)
        self.worker = f"{socket.gethostname()}-{os.getpid()}-{uuid4().hex[:6]}"
        self.queues = ""
        self._stopped = threading.Event()
        self._beats = 0
        self._writing: UUID | None = None
        self._courier = threading.Thread()

    @contextmanager
    def beating_for(self, set_id: UUID) -> Iterator[None]:
        """Keeps completions that this worker writes from being taken for abandoned."""
        self._writing = set_id
        try:
            yield
        finally:
            self._writing = None

    def run(self) -> None:
        while not self._stopped.is_set():
            self._beat_and_survive()
            self._stopped.wait(settings.WORKER_PULSE_SECONDS)
        Worker.objects.filter(name=self.worker).delete()
        connection.close()

    def stop(self) -> None:
        self._stopped.set()

    def _beat_and_survive(self) -> None:
        close_old_connections()
        try:
            self.beat(now=timezone.now())
            self._send_notices(timezone.now())
        except Exception:  # without a pulse a worker that is well would be taken for dead
            logger.exception("The pulse missed a beat.")

    def beat(self, *, now: datetime) -> None:
        first = {"queues": self.queues, "started_at": now, "last_seen_at": now}
        Worker.objects.update_or_create({"last_seen_at": now}, first, name=self.worker)
        Worker.objects.filter(last_seen_at__lt=now - FORGET_WORKERS_AFTER).delete()
        for model in lifecycle.KINDS.values():
            model.objects.filter(status=Status.RUNNING, worker=self.worker).update(heartbeat_at=now)
        if (writing := self._writing) is not None:
            completions.still_writing(writing, now=now)
        if self._beats % RING_EVERY == 0:
            ring_for_waiting(now=now)
            verifier.forget(now=now)
        else:
            ring_for_abandoned(now=now)
        rounds.close_full(now=now)
        autopilot.advance_all(now=now)
        self._beats += 1

    def _send_notices(self, now: datetime) -> None:
        """Beside the beats: a webhook may take its time."""
        if not self._courier.is_alive():
            self._courier = threading.Thread(target=_send_notices, args=(now,), name="courier", daemon=True)
            self._courier.start()


def _send_notices(now: datetime) -> None:
    try:
        notices.send_due(now=now)
    except DatabaseError:
        logger.exception("No notices were sent: the database is away.")
    finally:
        connection.close()


def ring_for_waiting(*, now: datetime) -> int:
    """Rings for every queued run, whatever became of its first ring. Returns how many."""
    ring_for_abandoned(now=now)
    kinds = lifecycle.KINDS.values()
    waiting = [run for model in kinds for run in model.objects.filter(status=Status.QUEUED).only("pk")]
    for run in waiting:
        jobs.ring(run)
    for asked in completions.waiting_for_a_worker():
        completions.ring(asked)
    return len(waiting)


def ring_for_abandoned(*, now: datetime) -> int:
    """Puts runs whose worker fell silent back into the queue, and rings for them. Returns how many."""
    stale_before = lifecycle.stale_before(now)
    abandoned = 0
    for model in lifecycle.KINDS.values():
        for run in model.objects.filter(status=Status.RUNNING, heartbeat_at__lt=stale_before):
            silent = model.objects.filter(pk=run.pk, status=Status.RUNNING, heartbeat_at__lt=stale_before)
            if silent.update(status=Status.QUEUED, worker=""):
                logger.warning("The worker of %s fell silent; it is queued again.", run)
                jobs.ring(run)
                abandoned += 1
    return abandoned
