"""Runs a phase's loop automatically: at each heartbeat of a worker, does what is due next.

The autopilot stores no position: what is due follows from the phase's rows (`next_act`). A job's row is created in the
transaction that locks the autopilot's row, so it is created once, whatever crashes and however many workers look.
"""

import logging
import secrets
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import DatabaseError, transaction

from labeling import audit
from labeling.campaign import rounds
from labeling.errors import DomainError
from labeling.jobs import lifecycle
from labeling.models import Labelling, Phase, Run, Status, User
from labeling.rules.audited import AuditAct
from prm_training.loop import next_act, notices
from prm_training.loop.next_act import Act
from prm_training.loop.rows import Loop
from prm_training.models import WITHOUT_MODEL, Autopilot, PilotStatus, Policy, Publication, Selection
from prm_training.reward_models import promotion
from prm_training.starting import acts, readiness

logger = logging.getLogger(__name__)
BAD = {Status.FAILED: "failed", Status.CANCELLED: "was cancelled"}


class NotNow(DomainError, code="not_now", status=409):
    """The autopilot's state does not allow it."""


class Trouble(DomainError, code="not_ready", status=409):
    """Something that a person has to look at: the autopilot stops, or isn't switched on."""


@transaction.atomic
def change_autopilot(*, phase: Phase, by: User, settings: dict[str, Any]) -> Autopilot:
    """Changes the settings; a job in progress keeps the old ones."""
    pilot, columns = _of_phase(phase), dict(settings)
    if "reward_model" in columns:
        model = columns.pop("reward_model")
        columns["reward_model_id"] = model and model.pk
    before = {name: getattr(pilot, name) for name in columns}
    Autopilot.objects.filter(pk=pilot.pk).update(**columns)
    audit.record(by=by, act=AuditAct.CHANGE, on=pilot, before=before, after=columns)
    return _of_phase(phase)


def _of_phase(phase: Phase) -> Autopilot:
    secret = {"webhook_secret": secrets.token_hex(32)}
    rows = Autopilot.objects.select_related("phase").select_for_update(of=("self",))
    pilot: Autopilot = rows.get_or_create(phase=phase, defaults=secret)[0]
    return pilot


@transaction.atomic
def switch_on(*, phase: Phase, by: User, now: datetime, skip: bool = False) -> Autopilot:
    """Switches the autopilot on and takes its first act: after a stop, a failed job is retried, and a selection that
    picked too few is replaced. `skip` passes over the promotion of the newest model.

    Raises NotNow if it is on already, or if there is no promotion to skip; and Trouble, or another DomainError, if it
    would stop at once.
    """
    pilot = _of_phase(phase)
    if pilot.status == PilotStatus.ON:
        raise NotNow("Autopilot is on already.")
    pilot.switched_on_at = now
    _switch(pilot, PilotStatus.ON, AuditAct.SWITCH_ON, by)
    notices.announce(pilot, "switched on", now=now)
    if skip:
        pilot.left_out = Loop(phase, now=now, pilot=pilot).candidate
        if pilot.left_out is None:
            raise NotNow("There is no promotion to skip.")
        pilot.save(update_fields=["left_out"])
    _resume(pilot, now)
    return pilot


@transaction.atomic
def switch_off(*, phase: Phase, by: User, now: datetime) -> Autopilot:
    """Switches the autopilot off, if it isn't already; a job in progress is not cancelled."""
    pilot = _of_phase(phase)
    _switch(pilot, PilotStatus.OFF, AuditAct.SWITCH_OFF, by)
    notices.announce(pilot, "switched off", now=now)
    return pilot


def _switch(pilot: Autopilot, status: PilotStatus, act: AuditAct, by: User) -> None:
    pilot.status, pilot.reason, pilot.owner = status, "", by
    pilot.save(update_fields=["status", "reason", "owner", "switched_on_at"])
    audit.record(by=by, act=act, on=pilot)


def _resume(pilot: Autopilot, now: datetime) -> None:
    loop = Loop(pilot.phase, now=now, pilot=pilot)
    act = next_act.next_act(loop).act
    if act and (job := _last(loop, act)) and job.status in BAD:
        acts.retry(job)
        return
    if act and (selection := _too_small(pilot, loop, act)):
        acts.discard(selection=selection, now=now, by=pilot.owner)
        loop = Loop(pilot.phase, now=now, pilot=pilot)
    _act(pilot, loop, now)


def advance_all(*, now: datetime) -> int:
    """Does what is due for every autopilot that is on. Returns the number of acts."""
    on = Autopilot.objects.filter(status=PilotStatus.ON).order_by("pk")
    return sum(_advance(pk, now) for pk in list(on.values_list("pk", flat=True)))


@transaction.atomic
def _advance(pk: UUID, now: datetime) -> bool:
    rows = Autopilot.objects.select_related("phase", "owner", "reward_model")
    free = rows.select_for_update(of=("self",), skip_locked=True)
    pilot = free.filter(pk=pk, status=PilotStatus.ON).first()
    if pilot is None:  # another worker is at it, or it was switched off
        return False
    try:
        with transaction.atomic():
            # A savepoint within the lock: a failed act is rolled back, the stop is stored.
            return _act(pilot, Loop(pilot.phase, now=now, pilot=pilot), now)
    except DatabaseError:  # not the autopilot's fault: the next heartbeat tries again
        raise
    except DomainError as why:
        _stop(pilot, str(why), now)
    except Exception as error:  # unforeseen, so a person has to look; the log has the traceback
        logger.exception("The %s stops", pilot)
        _stop(pilot, lifecycle.explain(error), now)
    return False


def _stop(pilot: Autopilot, reason: str, now: datetime) -> None:
    Autopilot.objects.filter(pk=pilot.pk).update(status=PilotStatus.STOPPED, reason=reason)
    audit.record(by=None, act=AuditAct.STOP, on=pilot, after={"reason": reason})
    notices.announce(pilot, "stopped", now=now, reason=reason)


def _act(pilot: Autopilot, loop: Loop, now: datetime) -> bool:
    """Does what is due, unless that is up to people or a job. Returns whether it did. Raises Trouble or other
    DomainErrors.
    """
    due = next_act.next_act(loop)
    if due.job:
        _be_patient(pilot, due.job, now)
    if due.job or due.act in next_act.UP_TO_PEOPLE:
        return False
    if due.act is None:
        raise Trouble(due.reason)
    if trouble := _trouble(pilot, loop, due.act):
        raise Trouble(trouble)
    try:
        made = _do(pilot, loop, due.act, now)
    except readiness.UnderWay:  # started by a person since the rows were read: the next heartbeat sees it
        return False
    if isinstance(made, Run):
        notices.announce(pilot, "started", now=now, act=due.act, run=str(made.pk))
    elif made is not None:
        notices.announce(pilot, "done", now=now, act=due.act)
    return made is not None


def _be_patient(pilot: Autopilot, job: Run, now: datetime) -> None:
    """Raises Trouble if the job has been queued for too long, counted from the last switch-on at the earliest."""
    patience = timedelta(minutes=pilot.patience_minutes)
    queued_at = max(filter(None, [job.created_at, job.heartbeat_at, job.next_try_at, pilot.switched_on_at]))
    if job.status == Status.QUEUED and queued_at < now - patience:
        raise Trouble(f"No worker took the {job._meta.verbose_name} within {patience}.")


def _last(loop: Loop, act: Act) -> Any:
    """The act's newest job, if an autopilot started it and it would end the same way again."""
    job = loop.jobs.get(act)
    if job is None or not job.is_automatic:
        return None
    return job if next_act.still_holds(loop, act, job) else None


def _too_small(pilot: Autopilot, loop: Loop, act: Act) -> Any:
    """The selection for the next round, if it picked too few."""
    selection = _last(loop, Act.SELECT) if act in {Act.SELECT, Act.PUBLISH} else None
    if selection is None or selection.status != Status.DONE or selection.discarded_at:
        return None
    return selection if selection.summary["picked"] < pilot.least_candidates else None


def _trouble(pilot: Autopilot, loop: Loop, act: Act) -> str:
    """The problem that a person has to look at before the act; "" if there is none."""
    # A model that was held back is for people to decide about, before anything is selected by the old one.
    is_past_promotion = act in {Act.SCORE, Act.SELECT, Act.PUBLISH}
    if is_past_promotion and loop.gate.obstacle and loop.candidate.training_run.is_automatic:
        return f"“{loop.candidate}” was not promoted. {loop.gate.obstacle}"
    job = _last(loop, act)
    if job is not None and job.status in BAD:
        return f"The {job._meta.verbose_name} {BAD[job.status]}. {job.error}".strip()
    # Switching it on after a discard means to select anew.
    if act == Act.SELECT and job is not None and job.discarded_at and job.discarded_at > pilot.switched_on_at:
        return "Its selection was discarded."
    if selection := _too_small(pilot, loop, act):
        picked = selection.summary["picked"]
        return f"Only {picked} solutions could be picked; at least {pilot.least_candidates} are needed."
    return _over_budget(pilot, loop.selection) if act in {Act.SELECT, Act.PUBLISH} else ""


def _over_budget(pilot: Autopilot, selection: Selection | None) -> str:
    """Says why the budget allows no other round, or not this selection; "" if it does."""
    published = _published(pilot)
    if published.count() >= pilot.most_rounds:
        return f"Its budget is used up: {published.count()} of {pilot.most_rounds} rounds."
    if selection is None or pilot.most_labellings is None:
        return ""
    given = Labelling.objects.current().filter(task__round__in=published.values("round")).count()
    # As if the whole round were labelled: once it is published, it will be.
    wanted = given + selection.summary["picked"] * (selection.overlap or pilot.phase.overlap)
    if wanted <= pilot.most_labellings:
        return ""
    return f"The next round would make {wanted} labellings; its budget is {pilot.most_labellings}."


def _published(pilot: Autopilot) -> Any:
    return Publication.objects.filter(phase=pilot.phase, is_automatic=True, status=Status.DONE)


def _do(pilot: Autopilot, loop: Loop, act: Act, now: datetime) -> Any:
    """Does the act. Returns the row that was made or changed; None if there was nothing to do after all."""
    if act == Act.CLOSE:
        return rounds.close_if_full(round_id=loop.round.pk, now=now, by=pilot.owner)
    if act == Act.PROMOTE:
        why: dict[str, Any] = {"by": pilot.owner, "at": now, "reason": "Autopilot."}
        promotion.promote(reward_model=loop.candidate, phase=pilot.phase, **why)
        return loop.candidate
    return _start_act(pilot, loop, act)


def _start_act(pilot: Autopilot, loop: Loop, act: Act) -> Run:
    phase = pilot.phase
    own: dict[str, Any] = {"owner": pilot.owner, "phase": phase, "is_automatic": True}
    match act:
        case Act.TRAIN:
            name = f"{phase.name[:80]}, round {loop.round.number}"
            labels = {"consensus": loop.consensus} if loop.consensus else {}
            how = {"base": pilot.base, "settings": pilot.training, "labels": labels}
            return acts.start_training(name=name, **how, **own)
        case Act.EVALUATE:
            return acts.start_evaluation(reward_model=loop.candidate, **own)
        case Act.SCORE:
            return acts.start_scoring(reward_model=loop.selector, **own)
        case Act.SELECT:
            return acts.start_selection(**_settings(pilot, loop), **own)
        case _:
            return acts.start_publication(selection=loop.selection, owner=pilot.owner, is_automatic=True)


def _settings(pilot: Autopilot, loop: Loop) -> dict[str, Any]:
    """The settings of the next selection: uniform until there is a model; each round has the next seed."""
    settings = pilot.round_settings() | {"reward_model": loop.selector, "seed": pilot.seed + _published(pilot).count()}
    draws = loop.selector or pilot.policy in WITHOUT_MODEL
    return settings if draws else settings | {"policy": Policy.UNIFORM, "per_problem": None}
