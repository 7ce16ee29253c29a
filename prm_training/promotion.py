"""Which reward model is current: a new one only where held-out figures hold, or somebody says why all the same."""

from collections.abc import Mapping
from datetime import datetime

from django.conf import settings
from django.db import transaction

from labeling import audit
from labeling.errors import DomainError
from labeling.models import User
from prm_training.models import EvaluationRun, Promotion, RewardModel, Status

Figures = Mapping[str, float]
WORDS = {"step_auc": "step AUC", "f1": "first-error F1"}


class HeldBack(DomainError):
    """Held-out figures fell, or nothing was compared; may be overridden, with a reason."""

    code = "held_back"
    status = 409


class NotForSteps(DomainError):
    code = "not_for_steps"
    status = 409


class ReasonMissing(DomainError):
    code = "reason_missing"


class NothingToRollBack(DomainError):
    code = "nothing_to_roll_back"
    status = 409


def may_promote(new: Figures, current: Figures, thresholds: Figures) -> str:
    """Why a model may not take the current one's place; "" where it may.

    Both were measured on the same held-out labels. `thresholds`: by how much each figure (more is better) may fall.
    """
    compared = [name for name in thresholds if name in current]
    fallen = [name for name in compared if new.get(name, float("-inf")) < current[name] - thresholds[name]]
    if not compared:
        return "There is no held-out figure to compare the two models by."
    told = (f"{WORDS.get(name, name)} from {current[name]:.3f} to {_figure(new.get(name))}" for name in fallen)
    return f"On the same held-out labels these fall: {', '.join(told)}." if fallen else ""


def _figure(value: float | None) -> str:
    return "nothing" if value is None else f"{value:.3f}"


def must_judge_steps(reward_model: RewardModel) -> None:
    """Raises NotForSteps for an ORM."""
    if reward_model.is_orm:
        why = "is an outcome model: it judges whole solutions only, and can't be current, select or verify."
        raise NotForSteps(f"“{reward_model}” {why}")


def obstacle(reward_model: RewardModel, current: RewardModel | None) -> str:
    """What speaks against the model, from its newest evaluation beside the current one; "" for nothing."""
    if current is None or current == reward_model:
        return ""
    done = EvaluationRun.objects.filter(reward_model=reward_model, baseline=current, status=Status.DONE)
    run = done.order_by("-finished_at").first()
    if run is None:
        return f"No evaluation compares it with “{current}”, the current model, on the same labels yet."
    return may_promote(run.metrics["held_out"], run.baseline_metrics["held_out"], settings.PROMOTION_MAY_FALL)


@transaction.atomic
def promote(
    *, reward_model: RewardModel, by: User | None, now: datetime, reason: str = "", is_override: bool = False
) -> None:
    """Makes the model the current one; the one that is already stays so.

    Raises NotForSteps for an ORM, HeldBack when something speaks against the model and is not overridden, ReasonMissing
    when that has no reason.
    """
    must_judge_steps(reward_model)
    current = _locked_current()
    if current == reward_model:
        return
    overrode = obstacle(reward_model, current)
    if overrode and not is_override:
        raise HeldBack(overrode)
    if overrode and not reason:
        raise ReasonMissing("Say why it becomes the current model all the same.")
    _install(Promotion(reward_model=reward_model, previous=current, by=by, at=now, reason=reason, overrode=overrode))


def before(current: RewardModel | None) -> RewardModel | None:
    """The model that was current before this one, which a roll back makes current again."""
    came: Promotion | None = Promotion.objects.filter(reward_model=current, is_rollback=False).order_by("-pk").first()
    return came.previous if came else None


@transaction.atomic
def roll_back(*, by: User | None, now: datetime, reason: str = "") -> RewardModel:
    """The model that was current before this one is current again; twice goes back two. Raises NothingToRollBack."""
    current = _locked_current()
    earlier = before(current)
    if earlier is None:
        raise NothingToRollBack("No model was current before this one.")
    _install(Promotion(reward_model=earlier, previous=current, by=by, at=now, reason=reason, is_rollback=True))
    return earlier


@transaction.atomic
def install_first(reward_model: RewardModel, *, by: User | None, now: datetime) -> None:
    """Makes the model current where none is."""
    if _locked_current() is None:
        _install(Promotion(reward_model=reward_model, by=by, at=now, reason="The first model."))


def _locked_current() -> RewardModel | None:
    """The current model; two changes at once take turns."""
    rows = list(RewardModel.objects.select_for_update().order_by("pk"))
    return next((row for row in rows if row.is_current), None)


def _install(change: Promotion) -> None:
    RewardModel.objects.filter(is_current=True).update(is_current=False)
    RewardModel.objects.filter(pk=change.reward_model.pk).update(is_current=True)
    change.save()
    audit.record(
        by=change.by,
        act="roll back" if change.is_rollback else "promote",
        on=change.reward_model,
        before={"current": str(change.previous or "")},
        after={"current": str(change.reward_model), "reason": change.reason, "overrode": change.overrode},
    )
