"""Celery tasks of a worker. A message names a run and its kind; the rest is in the row."""

import logging
import os
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import Any
from uuid import UUID

from celery import shared_task
from celery.signals import worker_ready, worker_shutting_down

from labeling.completions import sets
from labeling.counts import rollups
from labeling.data.paused_gc import kept_for_good
from labeling.jobs import batches, gpus, lifecycle
from labeling.jobs.lifecycle import ReportProgress
from labeling.models import CompletionSet, Status
from labeling.rules.words import RunKind
from prm_training.data_releases import archive
from prm_training.models import DataRelease, Import, Publication, Selection, Verification
from prm_training.pool import importing
from prm_training.selection import picking, publication
from prm_training.worker import rollup_kinds
from prm_training.worker.heartbeat import Heartbeat

# Read when torch is first imported: threads that spin while waiting make a busy machine ten times slower.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

logger = logging.getLogger(__name__)
heartbeat = Heartbeat()


@worker_ready.connect
def start_heartbeat(sender: Any, **_: object) -> None:
    # Which queues it serves is known only now, from the command line.
    heartbeat.queues = ", ".join(sorted(sender.app.amqp.queues.consume_from))
    heartbeat.start()


@worker_shutting_down.connect
def stop_work(**_: object) -> None:
    """Makes a run in progress stop at its next report and go back to the queue."""
    lifecycle.shutting_down.set()
    heartbeat.stop()


@cache
def needs_torch() -> Any:
    """Imports `prm_training.work.kinds`, and torch with it, when it is first needed."""
    with kept_for_good():
        from prm_training.work import kinds  # noqa: PLC0415  where this module is imported, torch need not be

    return kinds


def write_completions(asked: CompletionSet, report: ReportProgress) -> None:
    """Has the generator write. An HTTP generator is usually called by a web process; here if that was busy, or died."""
    author = sets.call_endpoint if asked.generator_url else needs_torch().write_completions
    report(stage="done", texts=author(asked))


WORK: dict[str, Callable[[Any, ReportProgress], Status | None]] = {
    CompletionSet.KIND: write_completions,
    DataRelease.KIND: archive.release,
    Import.KIND: importing.import_file,
    Publication.KIND: publication.publish,
    Selection.KIND: picking.select,
}


@contextmanager
def giving_memory_back() -> Iterator[None]:
    """Frees the GPU memory that the block used, even if it fails: other processes use the GPU too."""
    try:
        yield
    except BaseException as error:
        traceback.clear_frames(error.__traceback__)  # they hold the model
        raise
    finally:
        if needs_torch.cache_info().currsize:
            needs_torch().free_memory()


def is_unknown(kind: str) -> bool:
    """Returns whether only a newer version knows this kind of run: its workers' heartbeats enqueue it again."""
    if kind in RunKind.values:
        return False
    logger.warning("A run of the kind “%s” is left to workers of a newer version.", kind)
    return True


@shared_task(name="prm_training.run")
def run(kind: str, run_id: str) -> None:
    """Carries out the run. One verification's message answers all that wait; the others' then find none."""
    if is_unknown(kind):
        return
    if kind == Verification.KIND:
        if not gpus.are_all_taken():  # by a training, which answers between two of its steps
            needs_torch().verify_waiting(worker=heartbeat.worker)
        return
    with gpus.held_for(UUID(run_id)) as are_free:
        if are_free:
            work = WORK.get(kind) or needs_torch().WORK[kind]
            with giving_memory_back():
                lifecycle.carry_out(UUID(run_id), work, worker=heartbeat.worker)


@shared_task(name="prm_training.help")
def help_out(kind: str, run_id: str) -> None:
    if is_unknown(kind):
        return
    with gpus.held() as are_free:
        if are_free:
            kinds = needs_torch()
            verify_between = partial(kinds.verify_waiting, worker=heartbeat.worker)
            work_on = kinds.HELP_WITH[kind]
            with giving_memory_back():
                batches.help_out(UUID(run_id), work_on, worker=heartbeat.worker, between=verify_between)


@shared_task(name=rollups.TASK)
def roll_up(subject: str, name: str) -> None:
    rollup_kinds.count_named(name, UUID(subject))
