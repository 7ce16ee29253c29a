"""Autopilot's steps: how each starts, and when it is done. `autopilot.py` takes them in turn."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from labeling.campaign import rounds
from labeling.models import Labelling, PhaseStatus, Round, RoundStatus, Run, Status
from prm_training.jobs import acts, readiness
from prm_training.models import (
    Autopilot,
    AutopilotStep,
    EvaluationRun,
    Policy,
    Publication,
    RewardModel,
    ScoringRun,
    Selection,
    StepKind,
    StepStatus,
    TrainingRun,
)
from prm_training.reward_models import promotion

Result = dict[str, Any]
RUNS: dict[str, type[Run]] = {
    StepKind.SNAPSHOT: TrainingRun,  # a training run freezes its labels first
    StepKind.TRAIN: TrainingRun,
    StepKind.EVALUATE: EvaluationRun,
    StepKind.SCORE: ScoringRun,
    StepKind.SELECT: Selection,
    StepKind.PUBLISH: Publication,
}


class Surprise(Exception):
    """Something unexpected: a person has to look."""


def begin(step: AutopilotStep, before: AutopilotStep | None, now: datetime) -> None:
    """Starts the step's job, in the caller's transaction. Raises Surprise or a DomainError."""
    pilot = step.autopilot
    if step.kind == StepKind.LABEL:
        step.round = step.round or pilot.phase.rounds.get(status=RoundStatus.OPEN, number__gte=0)
    elif step.kind == StepKind.CLOSE and step.round_id is not None:
        rounds.close(round_id=step.round_id, now=now, by=pilot.owner)
    elif step.kind == StepKind.TRAIN:
        step.run = before.run if before else None
    elif step.kind == StepKind.PUBLISH:
        assert before is not None and before.run is not None, "a selection comes first"
        step.run = _publish(pilot, Selection.objects.get(pk=before.run)).pk
    elif step.kind in JOBS:
        run = JOBS[step.kind](step)
        step.run = run.pk if run else None


def look(step: AutopilotStep, now: datetime) -> Result | None:
    """The step's result once it is done; None before. Raises Surprise."""
    if step.autopilot.phase.status in {PhaseStatus.CLOSED, PhaseStatus.ARCHIVED}:
        raise Surprise(f"The phase is {step.autopilot.phase.status}.")
    if step.kind in RUNS:
        return _look_at_run(step, now)
    return _labelled(step) if step.kind == StepKind.LABEL else _promoted(step, now) if step.kind == "promote" else {}


def take_up(step: AutopilotStep) -> None:
    """After a stop: retries a failed job; replaces a selection that picked too few."""
    run = _run_of(step)
    if run is not None and run.status in {Status.FAILED, Status.CANCELLED}:
        acts.retry(run)
    elif step.kind == StepKind.SELECT:
        step.run = _select(step).pk


def _labelled(step: AutopilotStep) -> Result | None:
    round_ = Round.objects.with_progress().get(pk=step.round_id)
    is_complete = 0 < round_.labellings_wanted <= round_.labellings_done
    if not is_complete and round_.status == RoundStatus.OPEN:
        return None
    return {"round": round_.number, "labellings": round_.labellings_done}


def _freeze(step: AutopilotStep) -> Run:
    pilot = step.autopilot
    name = f"{pilot.phase.name[:80]}, cycle {step.cycle}"
    return acts.start_training(
        owner=pilot.owner, name=name, base=pilot.base, phases=[pilot.phase], settings=pilot.training
    )


def _evaluate(step: AutopilotStep) -> Run:
    return acts.start_evaluation(owner=step.autopilot.owner, reward_model=_new_model(step))


def _promoted(step: AutopilotStep, now: datetime) -> Result:
    model = _new_model(step)
    if not model.is_current:
        try:
            promotion.promote(reward_model=model, by=step.autopilot.owner, now=now, reason="Autopilot.")
        except promotion.HeldBack as why:
            raise Surprise(f"“{model}” was not promoted. {why}") from why
    return {"model": model.name}


def _new_model(step: AutopilotStep) -> RewardModel:
    trained = step.autopilot.steps.get(cycle=step.cycle, kind=StepKind.TRAIN)
    return RewardModel.objects.get(training_run=trained.run)


def _score(step: AutopilotStep) -> Run | None:
    """None if the model that picks has scored everything already."""
    pilot = step.autopilot
    model = _selector(pilot) or RewardModel.objects.get(is_current=True)
    if not readiness.unscored_by(model, pilot.phase).exists():
        return None
    return acts.start_scoring(owner=pilot.owner, reward_model=model, phase=pilot.phase)


def _select(step: AutopilotStep) -> Run:
    """With the model that picks; uniformly if none is trained yet. Each cycle has the next seed."""
    pilot = step.autopilot
    published = pilot.steps.filter(kind=StepKind.PUBLISH, status=StepStatus.DONE).count()
    if published >= pilot.most_rounds:
        raise Surprise(f"Its budget is used up: {published} of {pilot.most_rounds} rounds.")
    settings = pilot.round_settings() | {"reward_model": _selector(pilot), "seed": pilot.seed + step.cycle}
    if settings["reward_model"] is None:
        settings["policy"] = Policy.UNIFORM
    return acts.start_selection(owner=pilot.owner, phase=pilot.phase, **settings)


def _selector(pilot: Autopilot) -> RewardModel | None:
    if pilot.policy == Policy.UNIFORM:
        return None
    return pilot.reward_model or RewardModel.objects.filter(is_current=True).first()


JOBS: dict[str, Callable[[AutopilotStep], Run | None]] = {
    StepKind.SNAPSHOT: _freeze,
    StepKind.EVALUATE: _evaluate,
    StepKind.SCORE: _score,
    StepKind.SELECT: _select,
}


def _publish(pilot: Autopilot, selection: Selection) -> Run:
    own = pilot.steps.filter(kind=StepKind.PUBLISH, status=StepStatus.DONE).values("round")
    given = Labelling.objects.current().filter(task__round__in=own).count()
    wanted = given + selection.summary["picked"] * (selection.overlap or pilot.phase.overlap)
    if pilot.most_labellings is not None and wanted > pilot.most_labellings:
        raise Surprise(f"The next round would make {wanted} labellings; its budget is {pilot.most_labellings}.")
    return acts.start_publication(owner=pilot.owner, selection=selection)


def _run_of(step: AutopilotStep) -> Any:
    runs: Any = RUNS.get(step.kind)
    return runs.objects.get(pk=step.run) if runs and step.run else None


def _look_at_run(step: AutopilotStep, now: datetime) -> Result | None:
    run = _run_of(step)
    if run is None:
        return {"scored": 0}
    if step.kind == StepKind.SNAPSHOT and run.snapshot is not None:
        return {name: run.snapshot.counts[name] for name in ("labellings", "labels")}
    if run.status in {Status.FAILED, Status.CANCELLED}:
        raise Surprise(f"The {run._meta.verbose_name} {run.status}. {run.error}".strip())
    patience = timedelta(minutes=step.autopilot.patience_minutes)
    if run.status == Status.QUEUED and step.started_at < now - patience:
        raise Surprise(f"No worker took the {run._meta.verbose_name} within {patience}.")
    return _outcome(step, run) if run.status == Status.DONE else None


def _outcome(step: AutopilotStep, run: Any) -> Result:
    if step.kind == StepKind.EVALUATE:
        return dict(run.metrics.get("held_out", {}))
    if step.kind == StepKind.SELECT:
        picked, least = run.summary["picked"], step.autopilot.least_candidates
        if picked < least:
            raise Surprise(f"Only {picked} solutions could be picked; at least {least} are needed.")
        return {name: run.summary[name] for name in ("candidates", "picked", "wrong", "set_aside")}
    if step.kind == StepKind.PUBLISH:
        AutopilotStep.objects.filter(pk=step.pk).update(round=run.round)
        step.round = run.round
        return {"round": run.round.number}
    return dict(run.summary) if step.kind == StepKind.SCORE else {}
