"""A worker's heartbeat: shows that it and its runs are alive, and enqueues again what nobody works on."""

import logging
import os
import shutil
import socket
import threading
from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import uuid4

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import DatabaseError, close_old_connections, connection
from django.utils import timezone

from labeling.campaign import rounds
from labeling.counts import recounts
from labeling.jobs import batches, lifecycle, queueing
from labeling.models import Run, Status, Worker
from prm_training.loop import autopilot, notices
from prm_training.models import PolicyReplay
from prm_training.pool import importing
from prm_training.reward_models import verifier

logger = logging.getLogger(__name__)
FORGET_WORKERS_AFTER = timedelta(days=1)
CLEAR_SESSIONS_EVERY = timedelta(days=1)


class Heartbeat(threading.Thread):
    """Beats every WORKER_HEARTBEAT_SECONDS while its worker works in the main thread (pool `solo`)."""

    def __init__(self) -> None:
        super().__init__(name="heartbeat", daemon=True)
        self.worker = f"{socket.gethostname()}-{os.getpid()}-{uuid4().hex[:6]}"
        self.queues = ""
        self._stopped = threading.Event()
        self._beats = 0
        self._sessions_cleared_at: datetime | None = None
        self._sender = threading.Thread()

    def run(self) -> None:
        try:
            while not self._stopped.is_set():
                self._beat_and_survive()
                self._stopped.wait(settings.WORKER_HEARTBEAT_SECONDS)
        except BaseException:
            # Presumed dead, it would work on runs that others take: it must be dead. The supervisor starts another.
            logger.critical("The heartbeat died, and the worker with it.", exc_info=True)
            os._exit(1)
        # A worker that stops in order leaves no row: nobody waits for it to fall silent.
        Worker.objects.filter(name=self.worker).delete()
        connection.close()

    def stop(self) -> None:
        self._stopped.set()

    def _beat_and_survive(self) -> None:
        try:
            close_old_connections()
            self.beat(now=timezone.now())
            self._send_notices(timezone.now())
        except Exception:  # the thread must live on, or a healthy worker would be presumed dead
            logger.exception("The heartbeat missed a beat.")

    def beat(self, *, now: datetime) -> None:
        # First what keeps others from taking this worker's runs; only then what may be slow.
        self._sign_in(now)
        found = unfinished()
        self._keep_own(found, now)
        enqueue_abandoned(found, now=now)
        # Rarely: these replace messages that were lost, and clean up.
        if self._beats % queueing.EVERY_BEATS == 0:
            enqueue_waiting(found)
            self._ask_for_help(found)
            recounts.request_recount(now=now)
            verifier.forget(now=now)
            delete_leftovers()
            importing.forget_unconfirmed(now=now)
            Worker.objects.filter(last_seen_at__lt=now - FORGET_WORKERS_AFTER).delete()
            self._clear_sessions(now)
        rounds.close_full(now=now)
        autopilot.advance_all(now=now)
        self._beats += 1

    def _sign_in(self, now: datetime) -> None:
        if not Worker.objects.filter(name=self.worker).update(last_seen_at=now):
            Worker.objects.create(name=self.worker, queues=self.queues, started_at=now, last_seen_at=now)

    def _clear_sessions(self, now: datetime) -> None:
        """Deletes expired sessions once a day, and when the worker starts: Django does not do so by itself."""
        if self._sessions_cleared_at is None or now - self._sessions_cleared_at >= CLEAR_SESSIONS_EVERY:
            Session.objects.filter(expire_date__lt=now).delete()
            self._sessions_cleared_at = now

    def _keep_own(self, found: Sequence[Run], now: datetime) -> None:
        if any(run.worker == self.worker for run in found):
            Run.objects.filter(status=Status.RUNNING, worker=self.worker).update(heartbeat_at=now)

    def _ask_for_help(self, found: Sequence[Run]) -> None:
        """Asks workers that were busy, or not there, when the run was cut into batches."""
        for run in found:
            if run.worker == self.worker:
                batches.ask_for_help(run, worker=self.worker)

    def _send_notices(self, now: datetime) -> None:
        """Sends notices in a thread of its own: a webhook may be slow."""
        if not self._sender.is_alive():
            self._sender = threading.Thread(target=_send_notices, args=(now,), name="notices", daemon=True)
            self._sender.start()


def _send_notices(now: datetime) -> None:
    try:
        notices.send_due(now=now)
    except DatabaseError:
        logger.exception("No notices were sent: the database is away.")
    finally:
        connection.close()


def delete_leftovers() -> None:
    """The models of policy comparisons that were cancelled or failed; if one is retried, they are trained again."""
    for pk in PolicyReplay.objects.filter(status__in=[Status.CANCELLED, Status.FAILED]).values_list("pk", flat=True):
        shutil.rmtree(settings.MODELS_ROOT / str(pk), ignore_errors=True)


def unfinished() -> list[Run]:
    """The runs of all kinds that are queued or running, with what tells whether somebody works on them."""
    return list(Run.objects.unfinished().only("kind", "status", "worker", "heartbeat_at"))


def enqueue_waiting(found: Sequence[Run]) -> int:
    """Enqueues every queued run again, whatever became of its first message. Returns how many."""
    waiting = [run for run in found if run.status == Status.QUEUED]
    for run in waiting:
        queueing.enqueue(run)
    return len(waiting)


def enqueue_abandoned(found: Sequence[Run], *, now: datetime) -> int:
    """Enqueues the runs whose worker fell silent. Returns how many."""
    stale_before = lifecycle.stale_before(now)
    abandoned = 0
    for run in found:
        if run.status == Status.RUNNING and run.heartbeat_at and run.heartbeat_at < stale_before:
            # Every worker looks, so the UPDATE decides: one of them enqueues the run, and none if its worker was only
            # slow and has reported since.
            rows = Run.objects.filter(pk=run.pk, status=Status.RUNNING, heartbeat_at__lt=stale_before)
            if rows.update(status=Status.QUEUED, worker=""):
                logger.warning("The worker of %s %s fell silent; it is queued again.", run.kind, run.pk)
                queueing.enqueue(run)
                abandoned += 1
    return abandoned
