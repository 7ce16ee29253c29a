"""The verifier: the web asks, a worker answers. Requests are rows; those that wait are judged together."""

from collections import defaultdict
from datetime import datetime, timedelta
from threading import BoundedSemaphore, Event
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import transaction

from labeling.errors import DomainError
from labeling.jobs import lifecycle, queueing
from labeling.models import Phase, Run, Status, User, Worker
from labeling.models.jobs import kinds
from labeling.rules.words import RunKind
from prm_training.models import RewardModel, Verification
from prm_training.reward_models import promotion

AT_ONCE = 64
LOOK_EVERY_SECONDS = 0.05
FORGET_AFTER = timedelta(days=1)
# A web process has few threads: with this many waiting, a request is told at once where to find its answer later.
_waiting = BoundedSemaphore(2)


class NoModel(DomainError, code="no_model", status=409):
    """No model is named, or current in the phase."""


class NoWorker(DomainError, code="no_worker", status=503):
    """No worker is running to answer."""


@transaction.atomic
def request_verification(
    *, owner: User, now: datetime, reward_model: RewardModel | None = None, phase: Phase | None = None, **columns: Any
) -> Verification:
    """Asks the model, or else the phase's current one, about solutions of a problem. Raises NoModel, NotForSteps,
    NoWorker.
    """
    model = reward_model or (promotion.current(phase) if phase else None)
    if model is None:
        raise NoModel(
            f"“{phase}” has no reward model yet: train one first." if phase else "Name a reward model, or a phase."
        )
    promotion.must_judge_steps(model)
    if not Worker.objects.filter(last_seen_at__gt=lifecycle.stale_before(now)).exists():
        raise NoWorker("No worker is running, so there can be no answer. Start one, then try again.")
    run = Verification.objects.create(owner=owner, reward_model=model, phase=phase or model.phase, **columns)
    queueing.enqueue_on_commit(run)
    return run


def wait_for(run: Verification) -> None:
    """Waits until the run is finished, or VERIFIER_WAIT_SECONDS have passed; not at all if others wait already."""
    if not _waiting.acquire(blocking=False):
        return
    try:
        deadline = monotonic() + settings.VERIFIER_WAIT_SECONDS
        while not run.is_finished and monotonic() < deadline:
            Event().wait(LOOK_EVERY_SECONDS)
            run.refresh_from_db()
    finally:
        _waiting.release()


def what_is_it_waiting_for(run: Verification, *, now: datetime) -> str:
    """Returns what the run waits for, in words, for people; empty for a finished run."""
    if run.is_finished:
        return ""
    alive = set(Worker.objects.filter(last_seen_at__gt=lifecycle.stale_before(now)).values_list("name", flat=True))
    if not alive:
        return "No worker is running. The answer comes once one is."
    if work := _keeping_all_busy(alive):
        minutes = int(work.elapsed.total_seconds() // 60)
        progress = f", {100 * work.done // work.total} % done" if work.total else ""
        moment = "between two steps of it" if RunKind(work.kind).traits.is_interruptible else "once that is over"
        name = kinds()[work.kind]._meta.verbose_name
        return f"The worker is busy: {name} for {minutes} min{progress}; it answers {moment}."
    before = Verification.objects.unfinished().filter(created_at__lt=run.created_at).count()
    return f"{before} requests are ahead of it." if before else "The worker is about to answer."


def _keeping_all_busy(workers: set[str]) -> Run | None:
    """Returns the run that will let the request in first, if every worker has one; else None."""
    running = Run.objects.known().filter(status=Status.RUNNING, worker__in=workers)
    work = list(running.exclude(kind=Verification.KIND).order_by("started_at"))
    if workers != {run.worker for run in work}:
        return None
    return min(work, key=lambda run: not RunKind(run.kind).traits.is_interruptible, default=None)


def take(*, worker: str, now: datetime) -> dict[str, list[Verification]]:
    """Takes the oldest waiting requests for the worker. Returns them by their model's directory."""
    waiting = Run.objects.filter(kind=Verification.KIND, status=Status.QUEUED)
    oldest = list(waiting.order_by("created_at").values_list("pk", flat=True)[:AT_ONCE])
    if not oldest:
        return {}
    died = f"The worker died {lifecycle.MAX_ATTEMPTS} times while reading this."
    # A request that kills its worker must end, or it would be taken again and again.
    waiting.filter(attempts__gte=lifecycle.MAX_ATTEMPTS).update(status=Status.FAILED, finished_at=now, error=died)
    # Conditional: of two workers that read the same ids, each row goes to one; what became this worker's is read next.
    waiting.filter(pk__in=oldest).begun(worker=worker, now=now)
    taken = defaultdict(list)
    mine = Verification.objects.filter(pk__in=oldest, status=Status.RUNNING, worker=worker)
    for run in mine.select_related("reward_model").order_by("created_at"):
        taken[run.reward_model.directory].append(run)
    return taken


def forget(*, now: datetime) -> None:
    """Deletes requests and their answers after a day."""
    Verification.objects.filter(finished_at__lt=now - FORGET_AFTER).delete()
