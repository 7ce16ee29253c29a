"""A run's life: who may take it, how it reports, how it ends. The row is the truth, a message a reminder.

No lock is held while a run is worked on: whoever holds it is the worker named on its row, and each write is a
conditional UPDATE that finds no row once the run was cancelled, or another worker took it.
"""

import logging
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import F, Model, Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from labeling import clock, versions
from labeling.errors import DomainError, is_taken
from labeling.jobs import gpus, provenance
from labeling.jobs.flags import Flag
from labeling.jobs.run_log import RunLog, keeping_log
from labeling.models import Run, Status
from labeling.models.jobs import WORKED, kinds
from labeling.outages import Outage, first_line, outage_of
from labeling.rules.words import RunKind

logger = logging.getLogger(__name__)
ReportProgress = Callable[..., None]

MAX_ATTEMPTS = 5
DIED_TOO_OFTEN = (
    f"The worker died {MAX_ATTEMPTS} times while working on this, or lost the database or its files. Its log says why. "
    "Then try again."
)
STAGE_LENGTH = 100
QUEUED_AGAIN: dict[str, Any] = {
    "status": Status.QUEUED,
    "cancel_requested_at": None,
    "finished_at": None,
    # From now on it waits: that time does not count as work.
    "worked_before": WORKED,
    "started_at": None,
    "heartbeat_at": Now(),
    "attempts": 0,
    "postponements": 0,
    "next_try_at": None,
    "error": "",
    "worker": "",
}
LOOK_AGAIN_SECONDS = 1  # between looks whether the database is back
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=5), timedelta(minutes=10)  # until there may be room on a full disk
UNTIL = {Outage.DISK: "there is room", Outage.UPGRADE: "a worker of the newer version takes it"}
shutting_down = Flag()
_in_hand = set[UUID]()


class NotReady(DomainError, code="not_ready", status=409):
    """The act is not possible yet, or no longer."""


class Cancelled(Exception):
    """Somebody cancelled the run."""


class Interrupted(Exception):
    """This worker must stop, or another one has the run now: the run continues elsewhere."""


def stale_before(now: datetime) -> datetime:
    """A worker last heard of before this time is presumed dead."""
    return now - timedelta(seconds=settings.WORKER_SILENT_SECONDS)


def in_hand() -> tuple[UUID, ...]:
    """Returns the runs that this process works on: a heartbeat keeps these, and no others, from being taken over."""
    return tuple(_in_hand)


@contextmanager
def taken_in_hand(*run_ids: UUID) -> Iterator[None]:
    _in_hand.update(run_ids)
    try:
        yield
    finally:
        _in_hand.difference_update(run_ids)


def begin(run_id: UUID, *, worker: str, now: datetime, **columns: Any) -> Any:
    """Takes the run, and writes `columns`, if nobody works on it. Returns the run's details; None if there is nothing
    to do: it is finished, or another worker's.
    """
    run = Run.objects.filter(pk=run_id).first()
    if run is None:
        return None
    waiting = Run.objects.filter(pk=run_id).waiting(stale_before=stale_before(now)).exclude(next_try_at__gt=now)
    # A run that kills its workers must end, or it would take one after the other with it.
    exhausted, others = waiting.filter(attempts__gte=MAX_ATTEMPTS), waiting.filter(attempts__lt=MAX_ATTEMPTS)
    if run.attempts >= MAX_ATTEMPTS and exhausted.update(status=Status.FAILED, finished_at=now, error=DIED_TOO_OFTEN):
        return None
    # A unique constraint on the devices of running runs keeps a second one off the device.
    slot = gpus.slot() if RunKind(run.kind).traits.fills_device else ""
    try:
        with transaction.atomic():
            taken = others.begun(worker=worker, now=now, resolved=provenance.of_code(), device_slot=slot, **columns)
    except IntegrityError as error:
        if not is_taken(error):
            raise
        return None  # another run fills the device; a heartbeat enqueues this one again
    return run.details if taken else None


def expected_end(*, began: datetime, first: int, now: datetime, done: int, total: int) -> datetime | None:
    """Returns when a stage that got from `first` to `done` since it began will end at that pace; None if unknown."""
    if done <= first or done >= total:
        return None
    return now + (now - began) * ((total - done) / (done - first))


def held(run: Run) -> QuerySet[Any]:
    """Selects the run's row, unless another worker has it by now."""
    rows: QuerySet[Any] = Run.objects.filter(pk=run.pk, status=Status.RUNNING, worker=run.worker)
    return rows


@transaction.atomic
def write(run: Run, **columns: Any) -> None:
    """Writes to the run's row and to its details, with a heartbeat. Raises Cancelled or Interrupted: the work stops
    there.
    """
    if shutting_down.is_set():
        raise Interrupted
    common = {field.name for field in Run._meta.fields}
    details = {name: columns.pop(name) for name in columns.keys() - common}
    # No row changed: either somebody asked to cancel the run, which is still this worker's, or it is another one's by
    # now.
    if not held(run).filter(cancel_requested_at=None).update(**{"heartbeat_at": Now()} | columns):
        raise Cancelled if held(run).exists() else Interrupted
    _write_details(run, details)


def _write_details(run: Run, columns: dict[str, Any]) -> None:
    """Writes columns of the run's kind, in the transaction of a conditional UPDATE of the run itself."""
    if columns:
        kinds()[run.kind].objects.filter(pk=run.pk).update(**columns)


def reporter(run: Run, log: RunLog | None = None) -> ReportProgress:
    """Returns a function that writes stage, done and total to the row, a line to its log, and other columns and rows if
    given.

    It raises as `write` does.
    """
    log = log or RunLog(run.pk)
    at: tuple[str, datetime, int] = ("", timezone.now(), 0)

    def report(
        *, stage: str, done: int = 0, total: int = 0, say: str = "", rows: Sequence[Model] = (), **columns: Any
    ) -> None:
        nonlocal at
        now = timezone.now()
        # The pace is that of the stage: another one may be much slower.
        if stage != at[0]:
            at = (stage, now, done)
            log.say(stage)
        if say:
            log.say(say)
        expected_at = expected_end(began=at[1], first=at[2], now=now, done=done, total=total)
        # One transaction: if the run is no longer this worker's, neither rows nor log lines are stored.
        with transaction.atomic():
            write(run, stage=stage[:STAGE_LENGTH], done=done, total=total, expected_at=expected_at, **columns)
            if rows:
                type(rows[0])._default_manager.bulk_create(rows)
            log.write()

    return report


def carry_out(run_id: UUID, work: Callable[[Any, ReportProgress], Status | None], *, worker: str) -> None:
    """Takes the run, does the work, and writes the status that it returns, or DONE. Re-raises errors, for the worker's
    log.
    """
    run = begin(run_id, worker=worker, now=clock.now())
    if run is not None:
        with working(run, f"attempt {run.attempts} on {worker}") as report:
            end(run, work(run, report) or Status.DONE)


@contextmanager
def working(run: Run, opening: str) -> Iterator[ReportProgress]:
    """Yields the run's report to the work in the block. What the block raises ends the run, and errors are re-raised.

    A run that meets an outage goes back to the queue once the database is back; after a full disk it waits there for
    room, and after an error of a worker that is older than the database, for a newer one.
    """
    logger.info("%s %s: %s", run.kind, run.pk, opening)
    with taken_in_hand(run.pk), keeping_log(run) as log:
        log.say(opening)
        try:
            yield reporter(run, log)
        except Cancelled:
            log.say("cancelled")
            end(run, Status.CANCELLED)
        # Neither done nor failed: it goes on elsewhere, and this attempt does not count towards MAX_ATTEMPTS.
        except Interrupted:
            give_back(run)
        except Exception as error:
            if outage := outage_of(error) or (Outage.UPGRADE if versions.is_behind() else None):
                log.say(f"queued again: {first_line(error)}")
                _queue_again(run, error, _postponed(run, error, outage) if outage in UNTIL else {})
                return
            log.say(traceback.format_exc())
            end(run, Status.FAILED, error=explain(error))
            raise


def explain(error: Exception, outage: Outage | None = None) -> str:
    """Returns the error's message, or else its name, and what was away; the traceback is in the worker's log."""
    told = f"{error}" if str(error) else type(error).__name__
    outage = outage or outage_of(error)
    return f"{outage.text} ({told})" if outage else told


@transaction.atomic
def end(run: Run, status: Status, *, error: str = "", **details: Any) -> None:
    """Ends the run, and writes `details`, the columns of its kind, unless it is another worker's by now."""
    now = clock.now()
    # Only while it is this worker's: a worker that was taken for dead must not end the run of the one that took over.
    if held(run).update(status=status, finished_at=now, heartbeat_at=now, error=error, expected_at=None):
        _write_details(run, details)


def give_back(run: Run) -> None:
    """Puts the run back into the queue, as if this attempt had not been made."""
    held(run).update(status=Status.QUEUED, worker="", heartbeat_at=Now(), attempts=F("attempts") - 1)


def _postponed(run: Run, error: Exception, outage: Outage) -> dict[str, Any]:
    """Returns the columns of a run that met a full disk, or a worker that was too old for it: it is tried again at
    growing intervals, and no such attempt counts.
    """
    return {
        "next_try_at": Now() + min(FIRST_PAUSE * 2 ** min(run.postponements, 10), LONGEST_PAUSE),
        "postponements": run.postponements + 1,
        "attempts": F("attempts") - 1,
        "error": f"{explain(error, outage)} It is tried again until {UNTIL[outage]}.",
    }


def _queue_again(run: Run, error: Exception, columns: dict[str, Any]) -> None:
    """Puts the run back into the queue, as soon as the database takes that, and writes `columns`. This attempt counts,
    unless they say otherwise: an outage that the run itself brings about must not repeat for ever.

    If this worker stops before, the run is taken for abandoned, and queued by another one.
    """
    logger.warning("%s %s goes back to the queue: %s", run.kind, run.pk, first_line(error))
    while not shutting_down.is_set():
        if not connection.in_atomic_block:  # as in tests
            connection.close_if_unusable_or_obsolete()
        try:
            held(run).update(**{"status": Status.QUEUED, "worker": "", "heartbeat_at": Now()} | columns)
            return
        except DatabaseError as still:
            if outage_of(still) is None:
                raise
        shutting_down.wait(LOOK_AGAIN_SECONDS)


def cancel(run: Run, *, now: datetime) -> None:
    """Cancels the run: at once if it is queued, is to be confirmed or has lost its worker, else at its next report. A
    finished one stays as it is.
    """
    rows = Run.objects.filter(pk=run.pk)
    dead = Q(status__in=[Status.QUEUED, Status.READY]) | Q(status=Status.RUNNING, heartbeat_at__lt=stale_before(now))
    # Nobody would read a request to cancel what no worker has, so that ends here; a live worker reads it at its next
    # report.
    if not rows.filter(dead).update(status=Status.CANCELLED, cancel_requested_at=now, finished_at=now):
        rows.unfinished().update(cancel_requested_at=now)


@transaction.atomic
def retry(run: Run) -> bool:
    """Queues a failed or cancelled run again; it resumes from its last checkpoint, and what is left of shared work is
    cut anew.
    """
    ended = Run.objects.filter(pk=run.pk, status__in=[Status.FAILED, Status.CANCELLED])
    is_again = bool(ended.update(**QUEUED_AGAIN))
    if is_again:
        run.batches.all().delete()
    return is_again
