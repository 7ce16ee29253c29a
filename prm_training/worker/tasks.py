"""What a worker does with a message. Each task takes a run's id; the rest is in the row."""

import os
from functools import partial
from typing import Any
from uuid import UUID

from celery import shared_task
from celery.signals import worker_ready, worker_shutting_down
from django.utils import timezone

from labeling.completions import sets
from labeling.counts import rollups
from prm_training.pool import importing
from prm_training.runs import batches, lifecycle
from prm_training.selection import picking, publication
from prm_training.worker import rollup_kinds
from prm_training.worker.heartbeat import Heartbeat

# Read when torch is first imported: threads that spin while waiting make a busy machine ten times slower.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

heartbeat = Heartbeat()


@worker_ready.connect
def start_heartbeat(sender: Any, **_: object) -> None:
    heartbeat.queues = ", ".join(sorted(sender.app.amqp.queues.consume_from))
    heartbeat.start()


@worker_shutting_down.connect
def stop_work(**_: object) -> None:
    """A run in progress stops at its next report and goes back to the queue."""
    lifecycle.shutting_down.set()
    heartbeat.stop()


def needs_torch() -> Any:
    """`prm_training.work.kinds`: the only way to torch."""
    from prm_training.work import kinds  # noqa: PLC0415  where this module is imported, torch need not be

    return kinds


def carry_out(kind: str, run_id: str) -> None:
    lifecycle.carry_out(kind, run_id, needs_torch().ON[kind], worker=heartbeat.worker)


@shared_task(name="prm_training.train")
def train(run_id: str) -> None:
    carry_out("train", run_id)


@shared_task(name="prm_training.evaluate")
def evaluate(run_id: str) -> None:
    carry_out("evaluate", run_id)


@shared_task(name="prm_training.score")
def score(run_id: str) -> None:
    carry_out("score", run_id)


@shared_task(name="prm_training.help")
def help_out(run_id: str, kind: str) -> None:
    kinds = needs_torch()
    verify_between = partial(kinds.verify_waiting, worker=heartbeat.worker)
    batches.help_out(UUID(run_id), kind, kinds.HELP_WITH[kind], worker=heartbeat.worker, between=verify_between)


@shared_task(name="prm_training.select")
def select(run_id: str) -> None:
    lifecycle.carry_out("select", run_id, picking.select, worker=heartbeat.worker)


@shared_task(name="prm_training.publish")
def publish(run_id: str) -> None:
    lifecycle.carry_out("publish", run_id, publication.publish, worker=heartbeat.worker)


@shared_task(name="prm_training.generate")
def generate(run_id: str) -> None:
    carry_out("generate", run_id)


@shared_task(name="prm_training.import")
def import_file(run_id: str) -> None:
    lifecycle.carry_out("import", run_id, importing.import_file, worker=heartbeat.worker)


@shared_task(name="prm_training.verify")
def verify(run_id: str) -> None:
    """Answers all waiting requests, this run or not: the messages of the others then find nothing to do."""
    needs_torch().verify_waiting(worker=heartbeat.worker)


@shared_task(name=rollups.TASK)
def roll_up(subject: str, name: str) -> None:
    rollup_kinds.count(name, UUID(subject))


@shared_task(name=sets.WRITE_TASK)
def write_completions(set_id: str) -> None:
    author = needs_torch().write_completions
    with heartbeat.beating_for(UUID(set_id)):
        sets.write_in_worker(UUID(set_id), author=author, now=timezone.now())
