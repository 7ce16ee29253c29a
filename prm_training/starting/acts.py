"""Starts the jobs that the web can start. No torch here: a job is a row, and a message at the broker.

`is_automatic`: the phase's autopilot starts the job; `who`: `owner` and `is_automatic`.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import Q

from labeling import audit
from labeling.data.importing import undo
from labeling.data.inspecting import files as any_file
from labeling.jobs import lifecycle, queueing
from labeling.jobs.lifecycle import NotReady
from labeling.models import Phase, Run, Snapshot, Status, User
from labeling.rules.audited import AuditAct
from prm_training.models import (
    WITHOUT_MODEL,
    DataRelease,
    EvaluationRun,
    Generation,
    Import,
    PolicyReplay,
    Publication,
    RewardModel,
    ScoringRun,
    Selection,
    Supervision,
    TrainingRun,
)
from prm_training.pool import importing, undoing
from prm_training.reward_models import promotion
from prm_training.starting import readiness

Started = TypeVar("Started", bound=Run)


def _one_at_a_time(model: RewardModel) -> None:
    """Locks the model until the transaction ends, so that simultaneous requests get the same run."""
    RewardModel.objects.select_for_update(of=("self",)).get(pk=model.pk)


def _take_turns(run: TrainingRun) -> None:
    """Locks the phase until the transaction ends, so that of two simultaneous trainings the second sees the first."""
    # `no_key`: annotators' rows that refer to the phase need not wait for the lock.
    Phase.objects.select_for_update(no_key=True).get(pk=run.phase_id)


def _queued(run: Started) -> Started:
    """Queues the run. Raises NotReady if it would fail."""
    if isinstance(run, TrainingRun):
        _take_turns(run)
    readiness.check_run(run)
    queueing.enqueue_on_commit(run)
    return run


@transaction.atomic
def start_training(*, phase: Phase, phases: Sequence[Phase] = (), **columns: Any) -> TrainingRun:
    """Trains a reward model for the phase on the labels of `phases` (none: its own); `columns` are those of
    TrainingRun.

    Raises UnderWay if the same training is unfinished, or any of the phase's if either is an autopilot's.
    """
    run = TrainingRun.objects.create(phase=phase, **columns)
    run.phases.set(phases or [phase])
    return _queued(run)


@transaction.atomic
def start_evaluation(
    *, reward_model: RewardModel, phase: Phase | None = None, snapshot: Snapshot | None = None, **who: Any
) -> EvaluationRun:
    """Measures the model, and the phase's current one, on the held-out labels of the snapshot.

    The phase defaults to the model's own, the snapshot to the one that the model was trained on; in another phase, to
    that of the phase's newest training. If such an evaluation is queued or running, that one is returned. Raises
    NotReady without a snapshot.
    """
    phase = phase or reward_model.phase
    snapshot = snapshot or snapshot_for(reward_model, phase)
    if snapshot is None:
        raise NotReady(f"“{phase}” has no snapshot of labels to measure “{reward_model}” on.")
    _one_at_a_time(reward_model)
    current = promotion.current(phase)
    baseline = current if current != reward_model else None
    same = {"phase": phase, "reward_model": reward_model, "snapshot": snapshot, "baseline": baseline}
    known: EvaluationRun | None = EvaluationRun.objects.unfinished().filter(**same).first()
    return known or _queued(EvaluationRun.objects.create(**who, **same))


def snapshot_for(reward_model: RewardModel, phase: Phase) -> Snapshot | None:
    """The labels to measure the model on in the phase."""
    if reward_model.phase == phase:
        return reward_model.training_run.snapshot
    frozen = TrainingRun.objects.filter(phase=phase, supervision=Supervision.PROCESS, snapshot__isnull=False)
    newest: TrainingRun | None = frozen.select_related("snapshot").order_by("created_at").last()
    return newest.snapshot if newest else None


@transaction.atomic
def start_policy_replay(**columns: Any) -> PolicyReplay:
    """Compares policies; `columns` are those of PolicyReplay. Raises NotReady if the model's labels are too few."""
    return _queued(PolicyReplay.objects.create(**columns))


@transaction.atomic
def start_scoring(*, reward_model: RewardModel, phase: Phase | None = None, **who: Any) -> ScoringRun:
    """Scores what the model has not scored yet, of the whole pool or of the phase's sources.

    If such a run is queued or running, that one is returned; a run on the whole pool covers every phase.
    """
    _one_at_a_time(reward_model)
    covering = ScoringRun.objects.unfinished().filter(Q(phase=None) | Q(phase=phase), reward_model=reward_model)
    known: ScoringRun | None = covering.first()
    return known or _queued(ScoringRun.objects.create(**who, reward_model=reward_model, phase=phase))


@transaction.atomic
def start_selection(*, phase: Phase, reward_model: RewardModel | None = None, **settings: Any) -> Selection:
    """Picks what to label next; `settings` are the columns of Selection. Without a model the phase's current one picks.

    Raises NotForSteps, and NotReady if there is no model to pick with.
    """
    if reward_model is not None:
        promotion.must_judge_steps(reward_model)
    elif settings.get("policy") not in WITHOUT_MODEL:
        reward_model = promotion.current(phase)
        if reward_model is None:
            raise NotReady(f"“{phase}” has no current reward model yet: train one, or use the uniform policy.")
    return _queued(Selection.objects.create(phase=phase, reward_model=reward_model, **settings))


@transaction.atomic
def start_publication(
    *,
    owner: User | None,
    selection: Selection,
    overlap: int | None = None,
    gold_set: str | None = None,
    is_automatic: bool = False,
) -> Publication:
    """Publishes the selection as the phase's next round; overlap and gold set default to the selection's, then the
    phase's.

    If its publication is queued or running, that one is returned; one that failed is retried. Raises RoundStillOpen,
    NothingToPublish, OutsideSources, and NotReady for a selection that is unfinished, discarded, or published already.
    """
    selection = Selection.objects.select_for_update(of=("self",)).get(pk=selection.pk)
    who = {"owner": owner, "is_automatic": is_automatic}
    planned = {
        "overlap": overlap or selection.overlap or selection.phase.overlap,
        "gold_set": selection.gold_set if gold_set is None else gold_set,
    }
    of_phase = who | planned | {"phase": selection.phase}
    run, is_new = Publication.objects.get_or_create(selection=selection, defaults=of_phase)
    if run.status == Status.DONE:
        raise NotReady("This selection has already been published.")
    if is_new:
        _queued(run)
    elif run.is_finished:
        Run.objects.filter(pk=run.pk).update(**who)
        if run.round_id is None:  # else it has tasks already, with the earlier settings
            Publication.objects.filter(pk=run.pk).update(**planned)
        retry(run)
        run.refresh_from_db()
    return run


@transaction.atomic
def discard(*, selection: Selection, now: datetime, by: User | None) -> None:
    """Marks a finished selection as not to be published. Raises NotReady once it has a publication."""
    selection = Selection.objects.select_for_update(of=("self",)).get(pk=selection.pk)
    if selection.status != Status.DONE or Publication.objects.filter(selection=selection).exists():
        raise NotReady("Only a finished, unpublished selection can be discarded.")
    if selection.discarded_at is None:
        Selection.objects.filter(pk=selection.pk).update(discarded_at=now)
        audit.record(by=by, act=AuditAct.DISCARD, on=selection)


@transaction.atomic
def start_generation(*, owner: User | None, **settings: Any) -> Generation:
    """Has a generator write solutions; `settings` are the columns of Generation."""
    run = _queued(Generation.objects.create(owner=owner, **settings))
    audit.record(by=owner, act=AuditAct.GENERATE, on=run, after=settings)
    return run


@transaction.atomic
def start_import(
    *, owner: User | None, file: UploadedFile[Any], now: datetime, confirm: bool = False, **options: Any
) -> Import:
    """Inspects an uploaded file; with `confirm`, imports it at once. `options` are the columns of Import; without a
    format, it is guessed.
    """
    head = importing.head_of(file)
    has_solutions = bool(options.get("columns") or options.get("generator"))
    options.setdefault("file_format", any_file.guessed_format(head, has_solutions=has_solutions))
    named = {"name": (file.name or "")[-200:], "total": file.size or 0}
    run = Import.objects.create(owner=owner, file=file, head=head, **named, **options)
    if confirm:
        _confirm(run, now=now, by=owner)
    return _queued(run)


@transaction.atomic
def change_import(*, run: Import, **options: Any) -> None:
    """Changes the options, and inspects the file again if its findings may differ then. Raises NotReady once it is
    confirmed.
    """
    before = importing.inspected_with(_lock_unconfirmed(run))
    Import.objects.filter(pk=run.pk).update(**options)
    if importing.inspected_with(Import.objects.get(pk=run.pk)) != before:
        Import.objects.filter(pk=run.pk).update(findings={}, errors=[])
        _queue_again(run)


@transaction.atomic
def cut_by_hand(*, run: Import, **edit: Any) -> None:
    """Changes the steps of one text of the preview, as `importing.cut_by_hand` does; inspects the file again. Raises
    NotReady once the import is confirmed.
    """
    run = _lock_unconfirmed(run)
    change_import(run=run, hand_cuts=importing.cut_by_hand(run, **edit))


@transaction.atomic
def confirm_import(*, run: Import, now: datetime, by: User) -> None:
    """Imports the inspected file. Raises NotReady if it is not inspected, or confirmed already."""
    run = _lock_unconfirmed(run)
    if run.status != Status.READY:
        raise NotReady("Only a file that has been inspected can be imported.")
    _confirm(run, now=now, by=by)
    _queue_again(run)


def _lock_unconfirmed(run: Import) -> Import:
    """Locks the import and returns it. Raises NotReady unless it waits to be confirmed."""
    Run.objects.select_for_update(of=("self",)).get(pk=run.pk)
    found: Import | None = Import.objects.filter(pk=run.pk, confirmed_at=None).first()
    if found is None:
        raise NotReady("This import has been confirmed already.")
    return found


def _confirm(run: Import, *, now: datetime, by: User | None) -> None:
    Import.objects.filter(pk=run.pk).update(confirmed_at=now)
    options = ["name", "file_format", "target", "split", "benchmark", "columns", "generator", "is_atomic"]
    options += ["licence", "provenance", "split_by", "split_model", "mark", "graded_by"]
    audit.record(by=by, act=AuditAct.IMPORT, on=run, after={name: getattr(run, name) for name in options})


def _queue_again(run: Import) -> None:
    """Queues the import from its beginning; a worker that has it stops at its next report."""
    Run.objects.filter(pk=run.pk).update(**lifecycle.QUEUED_AGAIN, stage="", done=0)
    queueing.enqueue_on_commit(run)


@transaction.atomic
def start_data_release(*, owner: User | None, **columns: Any) -> DataRelease:
    """Freezes labels under a name; `columns` are those of DataRelease. Raises NothingToFreeze without labels."""
    run = _queued(DataRelease.objects.create(owner=owner, **columns))
    audit.record(by=owner, act=AuditAct.RELEASE, on=run, after=columns)
    return run


@transaction.atomic
def withdraw_data_release(*, run: DataRelease, because: str, now: datetime, by: User) -> None:
    """Deletes a release's archive; its card and its name stay. Raises NotReady without an archive."""
    run = DataRelease.objects.select_for_update(of=("self",)).get(pk=run.pk)
    if not run.file.name:
        raise NotReady("Only a finished release can be withdrawn, and only once.")
    transaction.on_commit(partial(run.file.storage.delete, run.file.name))
    DataRelease.objects.filter(pk=run.pk).update(withdrawn_at=now, withdrawn_because=because, file="")
    audit.record(by=by, act=AuditAct.WITHDRAW, on=run, after={"because": because})


def undo_import(*, run: Import, now: datetime, by: User) -> None:
    """Deletes what the import added, as a job. Raises NotReady while it runs or once it is undone, and InUse."""
    if found := undoing.uses(run):
        raise undo.InUse(undo.reason(found))
    rows = undo.brought(run.pk)
    with transaction.atomic():
        ended = Run.objects.filter(pk=run.pk).exclude(status__in=[Status.QUEUED, Status.RUNNING])
        is_queued = ended.update(**lifecycle.QUEUED_AGAIN, stage="", done=0, total=0)
        imported = Import.objects.filter(pk=run.pk, undone_at=None, confirmed_at__isnull=False)
        if not is_queued or not imported.update(undo_requested_at=now):
            raise NotReady("Only a finished import can be undone, and only once.")
        audit.record(by=by, act=AuditAct.UNDO, on=run, before=rows)
        queueing.enqueue_on_commit(run)


@transaction.atomic
def retry(run: Run) -> None:
    """Queues a failed or cancelled run again. Raises NotReady for any other, or if it is known to fail again."""
    if not lifecycle.retry(run):
        raise NotReady("Only a failed or cancelled run can be retried.")
    _queued(run)
