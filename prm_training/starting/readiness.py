"""Checks, before a job starts, everything that would make it fail: no run is queued or retried that is known to fail.

The worker checks again: things may have changed when its turn comes.
"""

from functools import singledispatch
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from labeling.campaign import publishing
from labeling.data import snapshots
from labeling.data.exporting import standing
from labeling.errors import DomainError
from labeling.jobs.lifecycle import NotReady
from labeling.models import Phase, PhaseStatus, Run, Solution, Status, Verdict
from prm_training.models import (
    DataRelease,
    Generation,
    PolicyReplay,
    Publication,
    RewardModel,
    Score,
    ScoringRun,
    Selection,
    Supervision,
    TrainingRun,
)
from prm_training.pool import generation
from prm_training.reward_models import promotion
from prm_training.selection import picking, publication

FEWEST_TO_PICK_FROM = 20


class UnderWay(NotReady, code="under_way"):
    """An identical run is under way."""


@singledispatch
def check_run(run: Run) -> None:
    """Raises NotReady, or another DomainError, if something must be done first. Imports, verifications and evaluations
    always pass: an evaluation without held-out labels says so, and the loop goes on.
    """


def obstacle(run: Run) -> str:
    """Says why the run, stored or not, can't be started now; "" if it can."""
    try:
        check_run(run)
    except DomainError as why:
        return str(why)
    return ""


@check_run.register
def _training(run: TrainingRun) -> None:
    if other := _under_way(run):
        raise UnderWay(f"The training “{other}” of these labels is under way. Wait for it, or cancel it first.")
    if run.snapshot is not None:
        return
    if run.supervision == Supervision.OUTCOME:
        if not graded_of(*run.phases.all()).exists():
            raise snapshots.NothingToFreeze("No solution in the pool has been graded right or wrong yet.")
        return
    held = snapshots.preview_snapshot(run.label_filter)
    if not held["labels"]:
        raise snapshots.NothingToFreeze("There are no labels to train on yet.")
    if not held["split"].get("train"):
        raise NotReady("All of these labels are on held-out problems: none are left to train on.")


@check_run.register
def _data_release(run: DataRelease) -> None:
    if not standing.exist(run.label_filter):
        raise snapshots.NothingToFreeze("There are no labels to release.")


@check_run.register
def _policy_replay(run: PolicyReplay) -> None:
    promotion.must_judge_steps(run.reward_model)
    snapshot = run.reward_model.training_run.snapshot
    split = snapshot.counts.get("split", {}) if snapshot else {}
    if split.get("train", 0) < FEWEST_TO_PICK_FROM:
        raise NotReady(f"Policies can be compared on {FEWEST_TO_PICK_FROM} labelled solutions or more.")
    if not split.get("test"):
        raise NotReady("There are no held-out labels to measure on.")


@check_run.register
def _scoring(run: ScoringRun) -> None:
    if not unscored_by(run.reward_model, *([run.phase] if run.phase else [])).exists():
        where = f"Every solution that “{run.phase}” draws from" if run.phase else "Every solution of the pool"
        raise NotReady(f"{where} has a score under “{run.reward_model}” already.")


@check_run.register
def _selection(run: Selection) -> None:
    _must_go_on(run.phase)
    picking.check_selection(run)


@check_run.register
def _publication(run: Publication) -> None:
    selection = run.selection
    if selection.status != Status.DONE or selection.discarded_at is not None:
        raise NotReady("Only a finished selection that was not discarded can be published.")
    if not selection.items.picked().exists():
        raise publishing.NothingToPublish("This selection picked nothing, so there is nothing to publish.")
    _must_go_on(selection.phase)
    publishing.check_no_other(selection.phase)
    publishing.check_sources(selection.phase, publication.Picks(selection))
    others = Publication.objects.unfinished().filter(phase=selection.phase).exclude(pk=run.pk)
    if others.exists():
        raise NotReady(f"Another round of “{selection.phase}” is being published.")


@check_run.register
def _generation(run: Generation) -> None:
    if not generation.problems_of(run).exists():
        raise NotReady("There are no problems with this source and split.")


def _under_way(run: TrainingRun) -> TrainingRun | None:
    """An unfinished training for the same phase: any, if either is an autopilot's, whose next act depends on the model;
    else one with the same settings. People may queue trainings that differ.
    """
    same = TrainingRun.objects.unfinished().filter(
        phase=run.phase, supervision=run.supervision, cancel_requested_at=None
    )
    others: QuerySet[TrainingRun] = same.exclude(pk=run.pk).order_by("created_at").prefetch_related("phases")
    return next((o for o in others if run.is_automatic or o.is_automatic or _choices_of(run) == _choices_of(o)), None)


def _choices_of(run: TrainingRun) -> tuple[Any, ...]:
    return {phase.pk for phase in run.phases.all()}, run.base, run.labels, run.settings


def unscored_by(reward_model: RewardModel, *phases: Phase) -> Any:
    """Solutions of the phases' sources without a score; of the whole pool if no phase is given."""
    scored = Score.objects.filter(reward_model=reward_model, solution=OuterRef("pk"))
    return Solution.objects.in_pool().drawn_by(*phases).filter(~Exists(scored))


def graded_of(*phases: Phase) -> Any:
    return Solution.objects.in_pool().drawn_by(*phases).filter(verdict__in=[Verdict.RIGHT, Verdict.WRONG])


def _must_go_on(phase: Phase) -> None:
    if phase.status in {PhaseStatus.CLOSED, PhaseStatus.ARCHIVED}:
        raise NotReady(f"The phase “{phase}” is {phase.status}.")
