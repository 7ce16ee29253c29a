"""A run's work, shared out: its worker cuts it into batches, any number of workers take them, each is done once.

The run still has one worker, which cuts it, reports how far all batches are, and ends the run once none is left. A
batch is taken under a row lock that others skip, and is stored by a conditional UPDATE; no lock is held while it is
worked on. So a worker that dies, or is only taken for dead, costs time, never a wrong or double result.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, models, transaction
from django.db.models import F
from django.db.models.functions import Now

from labeling import clock
from labeling.errors import DomainError
from labeling.jobs import gpus, lifecycle, queueing
from labeling.jobs.lifecycle import ReportProgress
from labeling.jobs.run_log import keeping_log
from labeling.models import Batch, Run, Status, Worker
from labeling.rules.words import RunKind

logger = logging.getLogger(__name__)
LOOK_EVERY_SECONDS = 0.2
HELPERS_MAY_DIE = 2  # on one batch; its other attempts are left to the run's own worker
_could_not_help: set[tuple[str, UUID]] = set()  # worker, run


class DiedTooOften(DomainError, code="died_too_often"):
    """Every worker that took the batch died."""


@dataclass(frozen=True)
class BatchResult:
    """The result of a batch: `result` is kept on its row, `rows` are stored unless they exist already."""

    result: dict[str, Any]
    rows: Sequence[models.Model] = ()


BatchWork = Callable[[Batch], BatchResult]
Share = tuple[int, dict[str, Any]]  # its size, and what is to be done


@transaction.atomic
def cut(run: Run, shares: Sequence[Share]) -> None:
    """Cuts the run into batches anew. A batch of an earlier cut that a worker still holds is void: its row is gone."""
    run.batches.all().delete()
    rows = (Batch(run_id=run.pk, number=number, size=size, work=work) for number, (size, work) in enumerate(shares))
    Batch.objects.bulk_create(rows, batch_size=1000)


def take(run: Run, *, worker: str, now: datetime) -> Batch | None:
    """Takes the first free batch; None if there is none. Raises DiedTooOften, for the run's own worker only."""
    free = run.batches.free_for(worker, stale_before=lifecycle.stale_before(now))
    if worker != run.worker:
        # A batch that kills helpers would take all of them down: the run's own worker gets the last attempts.
        free = free.filter(attempts__lt=HELPERS_MAY_DIE)
    with transaction.atomic():
        # Workers that look at the same time skip one another's rows, so no two get the same batch, and none waits.
        batch: Batch | None = free.order_by("number").select_for_update(skip_locked=True).first()
        if batch is None:
            return None
        if batch.attempts >= lifecycle.MAX_ATTEMPTS:
            raise DiedTooOften(lifecycle.DIED_TOO_OFTEN)
        batch.status, batch.worker, batch.started_at = Status.RUNNING, worker, now
        batch.attempts += 1
        batch.save(update_fields=["status", "worker", "started_at", "attempts"])
    return batch


@transaction.atomic
def finish(batch: Batch, done: BatchResult) -> None:
    """Stores the result and marks the batch as done; does nothing if another worker has it by now."""
    # The UPDATE finds no row once the batch was taken from a silent worker, or the run was cut anew: its rows are not
    # stored then. Rows and status are one transaction, so a batch that is done has all its rows.
    if _held(batch).update(status=Status.DONE, finished_at=Now(), result=done.result) and done.rows:
        type(done.rows[0])._default_manager.bulk_create(done.rows, ignore_conflicts=True)


def give_back(batch: Batch) -> None:
    # Uncounts this attempt: only a worker's death counts.
    _held(batch).update(status=Status.QUEUED, worker="", attempts=F("attempts") - 1)


def _held(batch: Batch) -> Any:
    return Batch.objects.filter(pk=batch.pk, status=Status.RUNNING, worker=batch.worker)


def share(run: Run, report: ReportProgress, work: BatchWork, *, stage: str) -> None:
    """Does batches along with other workers until all are done. Raises what a batch raises here."""
    ask_for_help(run, worker=run.worker)
    # Waits until no worker has a batch left, not only this one: the others' results are needed, too.
    while (progress := run.batches.progress())["left"]:
        report(stage=stage, done=progress["done"], total=progress["total"])
        if not _do_one(run, work, worker=run.worker):  # helpers have the rest in hand, or died with it
            lifecycle.shutting_down.wait(LOOK_EVERY_SECONDS)


def help_out(run_id: UUID, work_on: Callable[[Any], BatchWork], *, worker: str, between: Callable[[], None]) -> None:
    """Takes batches of another worker's run until none is left or an unstarted job needs a worker.

    An error here (the model doesn't fit, or isn't found) ends only this worker's help.
    """
    found = Run.objects.filter(pk=run_id).first()
    if found is None or (worker, run_id) in _could_not_help or not _needs_help(found):
        return
    run = found.details
    with keeping_log(run) as log:
        work, done = work_on(run), 0
        try:
            while _needs_help(run) and _do_one(run, work, worker=worker):
                done += 1
                between()
        except DatabaseError:  # the batch may still be this worker's: it takes it up when asked again
            raise
        except Exception as error:
            _could_not_help.add((worker, run_id))
            logger.exception("%s could not help, and leaves the run to others: %s", worker, lifecycle.explain(error))
        finally:
            if done:
                log.say(f"{done} batches by {worker}")


def _do_one(run: Run, work: BatchWork, *, worker: str) -> bool:
    """Takes and does one batch. Returns whether there was one."""
    batch = take(run, worker=worker, now=clock.now())
    if batch is None:
        return False
    try:
        finish(batch, work(batch))
    except BaseException:
        give_back(batch)
        raise
    return True


def _needs_help(run: Run) -> bool:
    going_on = Run.objects.filter(pk=run.pk, status=Status.RUNNING, cancel_requested_at=None)
    return not lifecycle.shutting_down.is_set() and going_on.exists() and not something_else_waits()


def something_else_waits() -> bool:
    """Returns whether a run is queued that this worker could start."""
    queues = settings.WORKER_QUEUES.split(",")
    could = [kind for kind in RunKind if kind.traits.queue in queues and not _has_no_device(kind)]
    queued = gpus.without_overtaking(Run.objects.filter(status=Status.QUEUED, kind__in=could))
    return queued.exclude(next_try_at__gt=clock.now()).exists()


def _has_no_device(kind: RunKind) -> bool:
    """Returns whether a run of the kind would have to wait for the device, which other runs use."""
    return kind.traits.fills_device and gpus.keeping_a_training_out().exists()


def ask_for_help(run: Run, *, worker: str) -> None:
    """Asks as many other workers as there are free batches beyond the one that this worker takes next."""
    stale_before = lifecycle.stale_before(clock.now())
    free = run.batches.free_for("", stale_before=stale_before).count()
    # While other messages wait, nobody is idle; repeated requests would only pile up for the busy ones.
    if free > 1 and not queueing.count_messages("gpu"):
        # One message per free batch at most: a worker that comes takes batches until none is left.
        others = Worker.objects.exclude(name=worker).filter(last_seen_at__gte=stale_before, queues__contains="gpu")
        queueing.enqueue_help(run, workers=min(others.count(), free - 1))
