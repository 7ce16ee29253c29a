"""What a worker does when the doorbell rings. Each task takes a run's id; the row says the rest."""

import os
from functools import partial
from typing import Any
from uuid import UUID

from celery import shared_task
from celery.signals import worker_ready, worker_shutting_down
from django.utils import timezone

from labeling import completions, rollups
from prm_training import batches, intake, lifecycle, picking, publication, rolled
from prm_training.pulse import Pulse

# Read when torch is first imported: threads that spin while they wait make a busy machine ten times slower.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

pulse = Pulse()


@worker_ready.connect
def start_pulse(sender: Any, **_: object) -> None:
    pulse.queues = ", ".join(sorted(sender.app.amqp.queues.consume_from))
    pulse.start()


@worker_shutting_down.connect
def stop_work(**_: object) -> None:
    """Running work stops at its next report and goes back to the queue."""
    lifecycle.shutting_down.set()
    pulse.stop()


def needs_torch() -> Any:
    """`prm_training.work`: the one door to torch."""
    from prm_training import work  # noqa: PLC0415  where this module is imported, torch need not be

    return work


def carry_out(kind: str, run_id: str) -> None:
    lifecycle.carry_out(kind, run_id, needs_torch().ON[kind], worker=pulse.worker)


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
    work = needs_torch()
    verify_between = partial(work.verify_waiting, worker=pulse.worker)
    batches.help_out(UUID(run_id), kind, work.HELP_WITH[kind], worker=pulse.worker, between=verify_between)


@shared_task(name="prm_training.select")
def select(run_id: str) -> None:
    lifecycle.carry_out("select", run_id, picking.select, worker=pulse.worker)


@shared_task(name="prm_training.publish")
def publish(run_id: str) -> None:
    lifecycle.carry_out("publish", run_id, publication.publish, worker=pulse.worker)


@shared_task(name="prm_training.generate")
def generate(run_id: str) -> None:
    carry_out("generate", run_id)


@shared_task(name="prm_training.import")
def bring_in(run_id: str) -> None:
    lifecycle.carry_out("import", run_id, intake.bring_in, worker=pulse.worker)


@shared_task(name="prm_training.verify")
def verify(run_id: str) -> None:
    """Answers everything that waits, this run or not: the others' rings then find nothing to do."""
    needs_torch().verify_waiting(worker=pulse.worker)


@shared_task(name=rollups.TASK)
def roll_up(subject: str, name: str) -> None:
    rolled.count(name, UUID(subject))


@shared_task(name=completions.WRITE_TASK)
def write_completions(set_id: str) -> None:
    author = needs_torch().write_completions
    with pulse.beating_for(UUID(set_id)):
        completions.write_in_worker(UUID(set_id), author=author, now=timezone.now())
