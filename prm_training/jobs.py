"""What the web may ask for. No torch here: a job is a row, and a ring at the broker's door."""

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from celery import current_app
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import Q
from kombu.exceptions import ChannelError, OperationalError

from labeling import audit
from labeling.importing import undo
from labeling.models import Phase, Snapshot, User
from prm_training import lifecycle, promotion, readiness, undoing
from prm_training.lifecycle import NotReady
from prm_training.models import (
    EvaluationRun,
    Generation,
    Import,
    Policy,
    Publication,
    RewardModel,
    Run,
    ScoringRun,
    Selection,
    TrainingRun,
)
from prm_training.run_models import Status

logger = logging.getLogger(__name__)
RING_EVERY = 15  # of a worker's beats


def ring(kind: str, run_id: UUID) -> None:
    """Tells the workers that the run waits. A broker that is away loses nothing: a pulse rings again."""
    _send(kind, [str(run_id)])


def ring_for_help(kind: str, run_id: UUID, *, workers: int) -> None:
    """Asks so many workers to take batches of the run. It is asked again: what nobody heard until then is void."""
    for _ in range(workers):
        _send("help", [str(run_id), kind], expires=RING_EVERY * settings.WORKER_PULSE_SECONDS)


def _send(task: str, arguments: list[str], **options: Any) -> None:
    try:
        current_app.send_task(f"prm_training.{task}", arguments, retry=False, **options)
    except (OperationalError, ChannelError, OSError):  # away, or a folder on a disk that is full
        logger.warning("The broker is away; %s %s waits for a worker's next look.", task, arguments[0])


def queue(run: Run) -> None:
    """Rings once the transaction is committed."""
    transaction.on_commit(lambda: ring(lifecycle.kind_of(run), run.pk))


def _one_at_a_time(model: RewardModel) -> None:
    """Until the transaction ends nobody else starts a run of this model: who asks at the same time gets it too."""
    RewardModel.objects.select_for_update(of=("self",)).get(pk=model.pk)


@transaction.atomic
def start_training(*, owner: User | None, phases: Sequence[Phase] = (), **columns: Any) -> TrainingRun:
    """Trains a reward model on the labels of the phases (none: of all); `columns` are those of TrainingRun."""
    run = TrainingRun.objects.create(owner=owner, **columns)
    run.phases.set(phases)
    readiness.check(run)
    queue(run)
    return run


@transaction.atomic
def start_evaluation(
    *, owner: User | None, reward_model: RewardModel, snapshot: Snapshot | None = None
) -> EvaluationRun:
    """Measures the model, and the current one, on the held-out labels of the snapshot (None: its own).

    An evaluation of the same that is still on its way is returned instead. Raises NotReady without a snapshot.
    """
    snapshot = snapshot or reward_model.training_run.snapshot
    if snapshot is None:
        raise NotReady(f"“{reward_model}” has no snapshot of labels to be measured on.")
    _one_at_a_time(reward_model)
    baseline = RewardModel.objects.filter(is_current=True).exclude(pk=reward_model.pk).first()
    same = {"reward_model": reward_model, "snapshot": snapshot, "baseline": baseline}
    run = EvaluationRun.objects.unfinished().filter(**same).first()
    if run is None:
        run = EvaluationRun.objects.create(owner=owner, **same)
        readiness.check(run)
    queue(run)
    return run


@transaction.atomic
def start_scoring(*, owner: User | None, reward_model: RewardModel, phase: Phase | None = None) -> ScoringRun:
    """Scores what the model has not scored yet, of the whole pool or of what the phase draws from.

    A run of it that is still on its way is returned instead; one of the whole pool is one of every phase, too.
    """
    _one_at_a_time(reward_model)
    covering = ScoringRun.objects.unfinished().filter(Q(phase=None) | Q(phase=phase), reward_model=reward_model)
    run = covering.first()
    if run is None:
        run = ScoringRun.objects.create(owner=owner, reward_model=reward_model, phase=phase)
        readiness.check(run)
    queue(run)
    return run


@transaction.atomic
def start_selection(*, owner: User | None, reward_model: RewardModel | None = None, **settings: Any) -> Selection:
    """Picks what to label next; `settings` are the columns of Selection. Without a model the current one picks.

    Raises NotForSteps, and NotReady where there is no model to pick by.
    """
    if reward_model is not None:
        promotion.must_judge_steps(reward_model)
    elif settings.get("policy") != Policy.UNIFORM:
        reward_model = RewardModel.objects.filter(is_current=True).first()
        if reward_model is None:
            raise NotReady("No reward model is current yet: train one, or draw uniformly.")
    run = Selection.objects.create(owner=owner, reward_model=reward_model, **settings)
    readiness.check(run)
    queue(run)
    return run


@transaction.atomic
def start_publication(
    *, owner: User | None, selection: Selection, overlap: int | None = None, gold_set: str | None = None
) -> Publication:
    """Puts the selection up as the phase's next round; without an overlap or a gold set, by what was selected with,
    and else by the phase's. One that is on its way is returned instead, one that failed is tried again.

    Raises RoundStillOpen, NothingToPublish, OutsideSources, and NotReady for a selection that is not done, is
    discarded, or is published already.
    """
    selection = Selection.objects.select_for_update(of=("self",)).get(pk=selection.pk)
    put_up = {
        "overlap": overlap or selection.overlap or selection.phase.overlap,
        "gold_set": selection.gold_set if gold_set is None else gold_set,
    }
    run, is_new = Publication.objects.get_or_create(selection=selection, defaults={"owner": owner, **put_up})
    if run.status == Status.DONE:
        raise NotReady("This selection is published already.")
    if is_new:
        readiness.check(run)
        queue(run)
    elif run.is_finished:
        begun = run.round_id is not None  # half of its tasks may be there: it goes on as it was
        Publication.objects.filter(pk=run.pk).update(owner=owner, **({} if begun else put_up))
        retry(run)
        run.refresh_from_db()
    return run


@transaction.atomic
def discard(*, selection: Selection, now: datetime, by: User) -> None:
    """Says that a finished selection will not be published. Raises NotReady once it has a publication."""
    selection = Selection.objects.select_for_update(of=("self",)).get(pk=selection.pk)
    if selection.status != Status.DONE or Publication.objects.filter(selection=selection).exists():
        raise NotReady("Only a finished selection that is not published can be discarded.")
    if selection.discarded_at is None:
        Selection.objects.filter(pk=selection.pk).update(discarded_at=now)
        audit.record(by=by, act="discard", on=selection)


@transaction.atomic
def start_generation(*, owner: User | None, **settings: Any) -> Generation:
    """Lets a generator write solutions; `settings` are the columns of Generation."""
    run = Generation.objects.create(owner=owner, **settings)
    readiness.check(run)
    audit.record(by=owner, act="generate", on=run, after=settings)
    queue(run)
    return run


@transaction.atomic
def start_import(*, owner: User | None, file: UploadedFile[Any], **options: Any) -> Import:
    """Brings an uploaded file in; `options` are the columns of Import."""
    run = Import.objects.create(owner=owner, file=file, name=(file.name or "")[-200:], total=file.size or 0, **options)
    audit.record(by=owner, act="import", on=run, after={"name": run.name, **options})
    queue(run)
    return run


def undo_import(*, run: Import, now: datetime, by: User) -> None:
    """Takes out what the import brought, as a job. Raises NotReady while it runs or once it is undone, and InUse."""
    if found := undoing.uses(run):
        raise undo.InUse(undo.reason(found))
    rows = undo.brought(run.pk)
    with transaction.atomic():
        ended = Import.objects.filter(pk=run.pk, undone_at=None).exclude(status__in=[Status.QUEUED, Status.RUNNING])
        if not ended.update(**lifecycle.QUEUED_AGAIN, stage="", done=0, total=0, undo_requested_at=now):
            raise NotReady("Only an import that has ended, and is not undone, can be undone.")
        audit.record(by=by, act="undo", on=run, before=rows)
        queue(run)


@transaction.atomic
def retry(run: Run) -> None:
    """Raises NotReady unless the run failed or was cancelled, and what is known to make it fail again."""
    if not lifecycle.retry(run):
        raise NotReady("Only a failed or cancelled run can be tried again.")
    readiness.check(run)
    queue(run)
