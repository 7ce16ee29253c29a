"""A phase's loop by itself. Rows say what is in progress; the workers' heartbeats look at them and take the next step.

A step's end and the next one's start are one transaction that begins with a conditional UPDATE, so that a step is taken
once, whatever crashes and however many workers look. The broker has no part in it.
"""

import logging
import secrets
from datetime import datetime
from typing import Any

from django.db import DatabaseError, transaction

from labeling import audit
from labeling.data.exporting import LabelFilter, standing
from labeling.errors import DomainError
from labeling.jobs import lifecycle
from labeling.models import Phase, RoundStatus, User
from prm_training.loop import notices, steps
from prm_training.loop.steps import Surprise
from prm_training.models import Autopilot, AutopilotStep, PilotStatus, RewardModel, StepKind, StepStatus

logger = logging.getLogger(__name__)
ORDER = list(StepKind)


class NotNow(DomainError):
    code = "not_now"
    status = 409


@transaction.atomic
def change(*, phase: Phase, by: User, settings: dict[str, Any]) -> Autopilot:
    """Changes the settings; a step in progress keeps the old ones."""
    pilot, columns = _of_phase(phase), dict(settings)
    if "reward_model" in columns:
        model = columns.pop("reward_model")
        columns["reward_model_id"] = model and model.pk
    before = {name: getattr(pilot, name) for name in columns}
    Autopilot.objects.filter(pk=pilot.pk).update(**columns)
    audit.record(by=by, act="change", on=pilot, before=before, after=columns)
    return _of_phase(phase)


def _of_phase(phase: Phase) -> Autopilot:
    secret = {"webhook_secret": secrets.token_hex(32)}
    rows = Autopilot.objects.select_related("phase").select_for_update(of=("self",))
    pilot: Autopilot = rows.get_or_create(phase=phase, defaults=secret)[0]
    return pilot


@transaction.atomic
def switch_on(*, phase: Phase, by: User, now: datetime, skip: bool = False) -> Autopilot:
    """Starts it, or resumes where it was switched off or stopped; `skip` leaves a promotion out.

    Raises NotNow if it is on already, or if there is no promotion to skip.
    """
    pilot = _of_phase(phase)
    if pilot.status == PilotStatus.ON:
        raise NotNow("Autopilot is on already.")
    _switch(pilot, PilotStatus.ON, by)
    pilot.owner = by
    step = under_way(pilot)
    if skip and (step is None or step.kind != StepKind.PROMOTE):
        raise NotNow("There is no promotion to skip.")
    if step is None:
        _begin(pilot, _first_kind(phase), now)
    elif skip:
        _go_on(step, {"skipped": True}, now)
    elif step.status == StepStatus.STOPPED:
        steps.take_up(step)
        _of(step).update(status=StepStatus.RUNNING, run=step.run, started_at=now)
    notices.announce(pilot, "switched on", now=now)
    return pilot


@transaction.atomic
def switch_off(*, phase: Phase, by: User, now: datetime) -> Autopilot:
    """Takes no further step; a job in progress is not cancelled. Stays off if it is off."""
    pilot = _of_phase(phase)
    _switch(pilot, PilotStatus.OFF, by)
    notices.announce(pilot, "switched off", now=now)
    return pilot


def _switch(pilot: Autopilot, status: PilotStatus, by: User) -> None:
    Autopilot.objects.filter(pk=pilot.pk).update(status=status, reason="", owner=by)
    audit.record(by=by, act=f"switch {status}", on=pilot)


def _first_kind(phase: Phase) -> StepKind:
    """Where a phase enters the loop: people label; or there are labels to train on; or there is nothing yet."""
    if phase.rounds.filter(status=RoundStatus.OPEN, number__gte=0).exists():
        return StepKind.LABEL
    if standing.exist(LabelFilter(phases=[phase.pk])):
        return StepKind.SNAPSHOT
    return StepKind.SCORE if RewardModel.objects.filter(is_current=True).exists() else StepKind.SELECT


def under_way(pilot: Autopilot) -> AutopilotStep | None:
    """The unfinished step, if it was ever started."""
    step: AutopilotStep | None = pilot.steps.exclude(status=StepStatus.DONE).first()
    return step


def advance_all(*, now: datetime) -> int:
    """Looks at every autopilot that is on, and takes the step that is due. Returns how many steps were taken."""
    running = AutopilotStep.objects.filter(status=StepStatus.RUNNING, autopilot__status=PilotStatus.ON)
    return sum(_advance(step, now) for step in running.select_related("autopilot__phase", "autopilot__owner"))


def _advance(step: AutopilotStep, now: datetime) -> bool:
    try:
        result = steps.look(step, now)
        return result is not None and _go_on(step, result, now)
    except DatabaseError:  # not the autopilot's fault: the next heartbeat tries again
        raise
    except (Surprise, DomainError) as why:
        _stop(step, str(why), now)
    except Exception as error:  # unforeseen, so a person has to look; the log has the traceback
        logger.exception("Autopilot stops at %s", step)
        _stop(step, lifecycle.explain(error), now)
    return False


@transaction.atomic
def _go_on(step: AutopilotStep, result: dict[str, Any], now: datetime) -> bool:
    """Ends the step and begins the next. False if somebody else has done so."""
    if not _of(step).update(status=StepStatus.DONE, result=result, finished_at=now):
        return False
    step.result = result
    notices.announce(step.autopilot, "done", now=now, step=step)
    after = ORDER.index(StepKind(step.kind)) + 1
    _begin(step.autopilot, ORDER[after % len(ORDER)], now, before=step)
    return True


def _begin(pilot: Autopilot, kind: StepKind, now: datetime, before: AutopilotStep | None = None) -> None:
    cycle = before.cycle if before else 0
    if kind == StepKind.LABEL and before:
        cycle += 1
    step = AutopilotStep(autopilot=pilot, cycle=cycle, kind=kind, started_at=now)
    if before is not None:
        step.round = before.round
    steps.begin(step, before, now)
    step.save(force_insert=True)


@transaction.atomic
def _stop(step: AutopilotStep, reason: str, now: datetime) -> None:
    if not _of(step).update(status=StepStatus.STOPPED):
        return
    pilot = step.autopilot
    pilot.reason = reason
    Autopilot.objects.filter(pk=pilot.pk, status=PilotStatus.ON).update(status=PilotStatus.STOPPED, reason=reason)
    audit.record(by=None, act="stop", on=pilot, after={"step": step.kind, "reason": reason})
    notices.announce(pilot, "stopped", now=now, step=step)


def _of(step: AutopilotStep) -> Any:
    """The row, as long as it is as it was read: an UPDATE of it fails if somebody else was faster."""
    return AutopilotStep.objects.filter(pk=step.pk, status=step.status, started_at=step.started_at)
