"""A run's work, shared out: its worker cuts it into batches, any number of workers take them, each is done once.

The run stays its own worker's: that one cuts, tells how far all are, and ends the run once nothing is left.
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
from django.utils import timezone

from labeling import completions
from labeling.errors import DomainError
from prm_training import jobs, lifecycle
from prm_training.lifecycle import Report
from prm_training.models import TrainingRun, Worker
from prm_training.run_log import keeping_log
from prm_training.run_models import Batch, Run, Status

logger = logging.getLogger(__name__)
LOOK_EVERY_SECONDS = 0.2
HELPERS_MAY_DIE = 2  # on one batch; the other attempts are the run's own worker's
_could_not_help: set[tuple[str, UUID]] = set()  # worker, run


class DiedTooOften(DomainError):
    """Each worker that took the batch died."""

    code = "died_too_often"


@dataclass(frozen=True)
class Outcome:
    """What comes of a batch: `result` stays with it, `rows` are stored, but for those that are there already."""

    result: dict[str, Any]
    rows: Sequence[models.Model] = ()


Work = Callable[[Batch], Outcome]
Share = tuple[int, dict[str, Any]]  # its size, and what there is to do


def of(run: Run) -> Any:
    return Batch.objects.filter(run=run.pk)


@transaction.atomic
def cut(run: Run, shares: Sequence[Share]) -> None:
    """In place of an earlier cut: what others have in hand of that counts no more."""
    of(run).delete()
    rows = (Batch(run=run.pk, number=number, size=size, work=work) for number, (size, work) in enumerate(shares))
    Batch.objects.bulk_create(rows, batch_size=1000)


def take(run: Run, *, worker: str, now: datetime) -> Batch | None:
    """The first batch that nobody works on, now the worker's. Raises DiedTooOften, but to no helper."""
    free = of(run).free_for(worker, stale_before=lifecycle.stale_before(now))
    if worker != run.worker:
        free = free.filter(attempts__lt=HELPERS_MAY_DIE)
    with transaction.atomic():
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
def finish(batch: Batch, outcome: Outcome) -> None:
    """Stores what came of it with the word that it is done; nothing where it is another worker's by now."""
    if _held(batch).update(status=Status.DONE, finished_at=timezone.now(), result=outcome.result) and outcome.rows:
        type(outcome.rows[0])._default_manager.bulk_create(outcome.rows, ignore_conflicts=True)


def give_back(batch: Batch) -> None:
    _held(batch).update(status=Status.QUEUED, worker="", attempts=F("attempts") - 1)


def _held(batch: Batch) -> Any:
    return Batch.objects.filter(pk=batch.pk, status=Status.RUNNING, worker=batch.worker)


def share(run: Run, report: Report, work: Work, *, stage: str) -> None:
    """Returns once all batches are done, here and elsewhere. Raises what one raised here."""
    ask_for_help(lifecycle.kind_of(run), run.pk, worker=run.worker)
    while (progress := of(run).progress())["left"]:
        report(stage=stage, done=progress["done"], total=progress["total"])
        if not _do_one(run, work, worker=run.worker):
            lifecycle.shutting_down.wait(LOOK_EVERY_SECONDS)


def help_out(
    run_id: UUID, kind: str, work_on: Callable[[Any], Work], *, worker: str, between: Callable[[], None]
) -> None:
    """Takes batches of another worker's run, until none is left or something waits that nobody has begun.

    What one raises here, where the model may not fit or not be found, ends no more than this worker's help.
    """
    run = lifecycle.KINDS[kind].objects.filter(pk=run_id).first()
    if run is None or (worker, run_id) in _could_not_help or not _needs_help(run):
        return
    with keeping_log(run) as log:
        work, done = work_on(run), 0
        try:
            while _needs_help(run) and _do_one(run, work, worker=worker):
                done += 1
                between()
        except DatabaseError:  # the batch may still be this worker's, which takes it up when it is asked again
            raise
        except Exception as error:
            _could_not_help.add((worker, run_id))
            logger.exception("%s could not help, and leaves the run to others: %s", worker, lifecycle.explain(error))
        finally:
            if done:
                log.say(f"{done} batches by {worker}")


def _do_one(run: Run, work: Work, *, worker: str) -> bool:
    """Whether there was one to do."""
    batch = take(run, worker=worker, now=timezone.now())
    if batch is None:
        return False
    try:
        finish(batch, work(batch))
    except BaseException:
        give_back(batch)
        raise
    return True


def _needs_help(run: Run) -> bool:
    going_on = type(run).objects.filter(pk=run.pk, status=Status.RUNNING, cancel_requested_at=None)
    return not lifecycle.shutting_down.is_set() and going_on.exists() and not something_else_waits()


def something_else_waits() -> bool:
    """A run that this worker could begin, or completions that an annotator waits for."""
    queues = settings.WORKER_QUEUES.split(",")
    own = [kind for kind in lifecycle.KINDS if ("gpu" if kind in settings.GPU_KINDS else "cpu") in queues]
    kinds = [kind for kind in own if not _is_taken_by_another(kind)]
    queued = [lifecycle.KINDS[kind].objects.filter(status=Status.QUEUED).order_by().values("pk") for kind in kinds]
    is_queued = bool(queued) and queued[0].union(*queued[1:], all=True).exists()
    return is_queued or ("cpu" in queues and bool(completions.waiting_for_a_worker()))


def _is_taken_by_another(kind: str) -> bool:
    """One training at a time runs on a device: the next one waits for that, not for a worker."""
    running = TrainingRun.objects.filter(status=Status.RUNNING, device_slot=settings.DEVICE_SLOT)
    return kind == "train" and running.exists()


def ask_for_help(kind: str, run_id: UUID, *, worker: str) -> None:
    """Rings for as many of the other workers as there are batches beside the worker's own next one."""
    stale_before = lifecycle.stale_before(timezone.now())
    free = Batch.objects.filter(run=run_id).free_for("", stale_before=stale_before).count()
    if free > 1:
        others = Worker.objects.exclude(name=worker).filter(last_seen_at__gte=stale_before, queues__contains="gpu")
        jobs.ring_for_help(kind, run_id, workers=min(others.count(), free - 1))
