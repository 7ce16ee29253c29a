"""A worker's heartbeat: shows that it and its runs are alive, and enqueues again what nobody works on."""

import faulthandler
import logging
import os
import shutil
import socket
import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection

from labeling import clock
from labeling.campaign import rounds
from labeling.counts import recounts
from labeling.jobs import batches, gpus, lifecycle, queueing
from labeling.models import Run, Status, Worker
from labeling.outages import first_line, outage_of
from labeling.people import retention
from labeling.rules.words import RunKind
from prm_training.loop import autopilot, notices
from prm_training.models import PolicyReplay
from prm_training.pool import importing
from prm_training.reward_models import verifier

logger = logging.getLogger(__name__)
FORGET_WORKERS_AFTER = timedelta(days=1)
HUNG_AFTER_SECONDS = 120
STANDARD_ERROR = 2  # the descriptor, since Celery replaces sys.stderr with its log
FORGET_EVERY = timedelta(days=1)


class Heartbeat(threading.Thread):
    """Beats every WORKER_HEARTBEAT_SECONDS while its worker works in the main thread (pool `solo`)."""

    def __init__(self) -> None:
        super().__init__(name="heartbeat", daemon=True)
        gpu = f"gpu{gpus.own()}-" if gpus.own() else ""
        self.worker = f"{socket.gethostname()}-{gpu}{os.getpid()}-{uuid4().hex[:6]}"
        self.queues = ""
        self._stopped = threading.Event()
        self._beats = 0
        self._forgotten_at: datetime | None = None
        self.aside = dict[str, threading.Thread]()
        self._is_away = False
        self._trusts_silence_from = datetime.min.replace(tzinfo=UTC)

    def run(self) -> None:
        try:
            while not self._stopped.is_set():
                # A heartbeat that hangs is as dead as one that ended: Python's own watchdog ends the process.
                faulthandler.dump_traceback_later(HUNG_AFTER_SECONDS, exit=True, file=STANDARD_ERROR)
                self._beat_and_survive()
                self._stopped.wait(settings.WORKER_HEARTBEAT_SECONDS)
        except BaseException:
            # Presumed dead, the worker would go on with runs that others take: it ends. The supervisor starts another.
            logger.critical("The heartbeat died, and the worker with it.", exc_info=True)
            os._exit(1)
        finally:
            faulthandler.cancel_dump_traceback_later()
        # A worker that stops in order leaves no row: nobody waits for it to fall silent.
        Worker.objects.filter(name=self.worker).delete()
        connection.close()

    def stop(self) -> None:
        self._stopped.set()

    def _beat_and_survive(self) -> None:
        try:
            close_old_connections()
            now = clock.now()
            self.beat(now=now)
            self.act_aside(now=now)
        except Exception as error:  # the thread must live on, or a healthy worker would be presumed dead
            self._missed(error)

    def _missed(self, error: Exception) -> None:
        if outage_of(error) is None:
            logger.exception("The heartbeat missed a beat.")
        elif not self._is_away:  # once: an outage may last hours
            self._is_away = True
            logger.warning("The heartbeat waits: %s", first_line(error))

    def beat(self, *, now: datetime) -> None:
        number, self._beats = self._beats, self._beats + 1
        # First what keeps others from taking this worker's runs; only then what may be slow.
        self._sign_in(now)
        found = unfinished()
        self._keep_own(found, now)
        self._end_outage(now)
        # After an outage, the other workers are as silent as this one was: they get the time to say that they live.
        if now >= self._trusts_silence_from:
            enqueue_abandoned(found, now=now)
        # Rarely: these replace messages that were lost, and clean up.
        if number % queueing.EVERY_BEATS == 0:
            enqueue_waiting(found)
            self._ask_for_help(found)
            recounts.request_recount(now=now)
            verifier.forget(now=now)
            delete_leftovers()
            importing.forget_unconfirmed(now=now)
            Worker.objects.filter(last_seen_at__lt=now - FORGET_WORKERS_AFTER).delete()
        rounds.close_full(now=now)
        autopilot.advance_all(now=now)

    def _end_outage(self, now: datetime) -> None:
        if self._is_away:
            self._is_away = False
            self._trusts_silence_from = now + timedelta(seconds=settings.WORKER_SILENT_SECONDS)
            logger.warning("The heartbeat goes on.")

    def _sign_in(self, now: datetime) -> None:
        if not Worker.objects.filter(name=self.worker).update(last_seen_at=now):
            Worker.objects.create(name=self.worker, queues=self.queues, started_at=now, last_seen_at=now)

    def act_aside(self, *, now: datetime) -> None:
        """Does slow work in threads of its own: a heartbeat that waited for it would be taken for dead."""
        if notices.is_any_due(now=now):  # a thread, with a connection of its own, takes as long as the rest of a beat
            self._act_aside(notices.send_due, now)
        if self._forgotten_at is None or now - self._forgotten_at >= FORGET_EVERY:
            self._act_aside(self._forget_old, now)

    def _act_aside(self, act: Callable[..., object], now: datetime) -> None:
        before = self.aside.get(act.__name__)
        if before is None or not before.is_alive():
            thread = threading.Thread(target=_survived, args=(act, now), name=act.__name__, daemon=True)
            self.aside[act.__name__] = thread
            thread.start()

    def _forget_old(self, *, now: datetime) -> None:
        """Deletes data about people that has expired: once a day, and when the worker starts."""
        retention.forget_old(now=now)
        self._forgotten_at = now

    def _keep_own(self, found: Sequence[Run], now: datetime) -> None:
        if any(run.worker == self.worker for run in found):
            own = Run.objects.filter(status=Status.RUNNING, worker=self.worker, pk__in=lifecycle.in_hand())
            own.update(heartbeat_at=now)

    def _ask_for_help(self, found: Sequence[Run]) -> None:
        """Asks again for help with this worker's runs: others may have been busy or away when it first asked."""
        for run in found:
            if run.worker == self.worker:
                batches.ask_for_help(run, worker=self.worker)


def _survived(act: Callable[..., object], now: datetime) -> None:
    try:
        act(now=now)
    except DatabaseError as error:
        logger.warning("%s failed: %s", act.__name__, first_line(error), exc_info=outage_of(error) is None)
    finally:
        connection.close()


def delete_leftovers() -> None:
    """Deletes the models of cancelled or failed policy comparisons; a retry trains them again."""
    for pk in PolicyReplay.objects.filter(status__in=[Status.CANCELLED, Status.FAILED]).values_list("pk", flat=True):
        shutil.rmtree(settings.MODELS_ROOT / str(pk), ignore_errors=True)


def unfinished() -> list[Run]:
    """The runs of all known kinds that are queued or running, with the columns that show if anybody works on them."""
    return list(Run.objects.known().unfinished().only("kind", "status", "worker", "heartbeat_at"))


def enqueue_waiting(found: Sequence[Run]) -> int:
    """Enqueues waiting runs again if their queue has fewer messages than runs. Returns how many."""
    waiting = defaultdict(list)
    for run in found:
        if run.status == Status.QUEUED:
            waiting[RunKind(run.kind).traits.queue].append(run)
    # A surplus message does no harm, but one for each run at every look would pile up while all workers are busy.
    lost = [run for queue, runs in waiting.items() if queueing.count_messages(queue) < len(runs) for run in runs]
    for run in lost:
        queueing.enqueue(run)
    return len(lost)


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
