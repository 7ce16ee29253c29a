"""Changes a phase's current reward model: only if held-out metrics hold, or somebody overrides them with a reason.

`columns` are those of Promotion: `by`, `at`, and `reason`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from labeling import audit
from labeling.errors import DomainError
from labeling.models import Phase, Status
from labeling.rules.audited import AuditAct
from prm_training.models import EvaluationRun, Promotion, RewardModel

Metrics = Mapping[str, Any]  # of an evaluation
WORDS = {"step_auc": "Step AUC", "f1": "First-error F1"}


class HeldBack(DomainError, code="held_back", status=409):
    """Held-out metrics fell, or nothing was compared; may be overridden, with a reason."""


class NotForSteps(DomainError, code="not_for_steps", status=409):
    """The model was not trained to judge steps."""


class ReasonMissing(DomainError, code="reason_missing"):
    """Overriding a comparison needs a reason."""


class NothingToRollBack(DomainError, code="nothing_to_roll_back", status=409):
    """No model was current before."""


def current(phase: Phase) -> RewardModel | None:
    """The phase's current model."""
    return current_of([phase]).get(phase.pk)


def current_of(phases: Iterable[Phase | UUID] | QuerySet[Any]) -> dict[UUID, RewardModel]:
    """The current model of each phase that has one."""
    newest = Promotion.objects.filter(phase__in=phases).newest().select_related("reward_model__training_run")
    return {each.phase_id: each.reward_model for each in newest}


@dataclass(frozen=True)
class Comparison:
    """One metric of a new model and the current one, on the same held-out `steps` of `problems`. `new` is None if the
    new model lacks it.

    `reach` is half the 95 % interval of their difference, resampled by problem; None if it is not known.
    """

    metric: str
    old: float
    new: float | None
    may_fall: float
    reach: float | None
    steps: int
    problems: int

    @property
    def is_fall(self) -> bool:
        """True if the metric is missing, or falls by more than both the tolerance and half the interval: a smaller fall
        may be noise, or does not matter. If the interval is not known, the tolerance alone decides.
        """
        return self.new is None or self.old - self.new > max(self.may_fall, self.reach or 0)

    def __str__(self) -> str:
        """`Step AUC 0.801 → 0.763, a fall of 0.038 ± 0.074: within the noise of 812 steps of 47 problems.`"""
        name = WORDS.get(self.metric, self.metric)
        if self.new is None:
            return f"{name} {self.old:.3f} → none: it could not be measured."
        change = self.new - self.old
        amount = f"{'a fall' if change < 0 else 'a gain'} of {abs(change):.3f}"
        amount += f" ± {self.reach:.3f}" if self.reach is not None else ", without an interval" if change < 0 else ""
        return f"{name} {self.old:.3f} → {self.new:.3f}, {amount}{self._verdict(change)}."

    def _verdict(self, change: float) -> str:
        noise = f"the noise of {amount_of(self.steps, 'step')} of {amount_of(self.problems, 'problem')}"
        if self.reach is not None and abs(change) <= self.reach:
            return f": within {noise}"
        if change >= 0:
            return ""
        tolerance = f"the tolerance of {self.may_fall:.3f}"
        if not self.is_fall:
            return f": within {tolerance}"
        return f": beyond {tolerance}" if self.reach is None else f": beyond {noise} and {tolerance}"


def compare(new: Metrics, old: Metrics, tolerances: Mapping[str, float]) -> list[Comparison]:
    """Compares the metrics of two evaluations: each one (higher is better) that has a tolerance and that `old` has."""
    return [
        Comparison(
            metric=name,
            old=old["held_out"][name],
            new=new.get("held_out", {}).get(name),
            may_fall=tolerances[name],
            reach=_reach(new.get("differences", {}).get(name, {})),
            steps=_number(new, "steps"),
            problems=new.get("problems", 0),
        )
        for name in tolerances
        if name in old.get("held_out", {})
    ]


def _reach(difference: Mapping[str, float]) -> float | None:
    return (difference["high"] - difference["low"]) / 2 if "high" in difference else None


def amount_of(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _number(metrics: Metrics, name: str) -> int:
    return int(metrics.get("held_out", {}).get(name, 0))


def shortage(metrics: Metrics) -> str:
    """Says why the held-out labels are too few to compare two models by; "" if there are enough."""
    found = {"problems": metrics.get("problems", 0), "negatives": _number(metrics, "steps_negative")}
    needed = settings.PROMOTION_NEEDS
    if all(found[name] >= needed[name] for name in found):
        return ""
    there = f"{amount_of(_number(metrics, 'steps'), 'step')} of {amount_of(found['problems'], 'problem')}"
    wanted = f"{amount_of(needed['problems'], 'problem')} and {amount_of(needed['negatives'], 'Bad step')}"
    return f"Not enough held-out labels: {there}, {found['negatives']} Bad. A comparison takes {wanted} to decide."


def objection(compared: Sequence[Comparison]) -> str:
    """Says why a model may not replace the current one; "" if it may."""
    if not compared:
        return "There is no held-out metric to compare the two models by."
    return " ".join(str(each) for each in compared if each.is_fall)


def must_judge_steps(reward_model: RewardModel) -> None:
    """Raises NotForSteps for an ORM."""
    if reward_model.is_orm:
        why = "is an outcome model: it judges whole solutions only, and can't be current, select or verify."
        raise NotForSteps(f"“{reward_model}” {why}")


@dataclass(frozen=True)
class Gate:
    """The outcome of comparing a model with the current one.

    `obstacle`: what prevents the promotion. `shortage`: why the labels are too few to decide, which neither prevents a
    promotion nor causes one. Each is "" if there is none.
    """

    compared: Sequence[Comparison] = ()
    obstacle: str = ""
    shortage: str = ""


def gate(reward_model: RewardModel, *, phase: Phase, current: RewardModel | None) -> Gate:
    """Compares the model with `current`, which it would replace, by its newest evaluation against it in the phase."""
    if current is None or current == reward_model:
        return Gate()
    done = EvaluationRun.objects.filter(phase=phase, reward_model=reward_model, baseline=current, status=Status.DONE)
    run = done.order_by("-finished_at").first()
    if run is None:
        whom = f"“{current}”, the current model of “{phase}”"
        return Gate(obstacle=f"No evaluation compares it with {whom}, on the same labels yet.")
    compared = compare(run.metrics, run.baseline_metrics, settings.PROMOTION_MAY_FALL)
    if short := shortage(run.metrics):
        return Gate(compared, shortage=short)
    return Gate(compared, obstacle=objection(compared))


@transaction.atomic
def promote(*, reward_model: RewardModel, phase: Phase, is_override: bool = False, **columns: Any) -> None:
    """Makes the model the phase's current one, if it isn't already.

    Raises NotForSteps for an ORM, HeldBack if there is an obstacle that is not overridden, ReasonMissing if it is
    overridden without a reason.
    """
    must_judge_steps(reward_model)
    previous = _locked_current(phase)
    if previous == reward_model:
        return
    overrode = gate(reward_model, phase=phase, current=previous).obstacle
    if overrode and not is_override:
        raise HeldBack(overrode)
    if overrode and not columns.get("reason"):
        raise ReasonMissing("Say why it becomes the current model anyway.")
    _install(phase=phase, reward_model=reward_model, previous=previous, overrode=overrode, **columns)


def before(phase: Phase, current: RewardModel | None) -> RewardModel | None:
    """The phase's model before `current`, which a rollback makes current again."""
    came = Promotion.objects.filter(phase=phase, reward_model=current, is_rollback=False)
    newest: Promotion | None = came.order_by("-pk").first()
    return newest.previous if newest else None


@transaction.atomic
def roll_back(*, phase: Phase, **columns: Any) -> RewardModel:
    """Makes the phase's previous model current again; twice goes back two. Raises NothingToRollBack."""
    previous = _locked_current(phase)
    earlier = before(phase, previous)
    if earlier is None:
        raise NothingToRollBack(f"No model was current in “{phase}” before this one.")
    _install(phase=phase, reward_model=earlier, previous=previous, is_rollback=True, **columns)
    return earlier


@transaction.atomic
def install_first(reward_model: RewardModel, **columns: Any) -> None:
    """Makes the model the current one of its phase if that has none."""
    if _locked_current(reward_model.phase) is None:
        _install(phase=reward_model.phase, reward_model=reward_model, reason="The first model.", **columns)


def _locked_current(phase: Phase) -> RewardModel | None:
    """The phase's current model. Locks the phase: two changes at once take turns."""
    # `no_key`: annotators' rows that refer to the phase need not wait for the lock.
    Phase.objects.select_for_update(no_key=True).get(pk=phase.pk)
    return current(phase)


def _install(**columns: Any) -> None:
    change = Promotion.objects.create(**columns)
    audit.record(
        by=change.by,
        act=AuditAct.ROLL_BACK if change.is_rollback else AuditAct.PROMOTE,
        on=change.reward_model,
        before={"current": str(change.previous or "")},
        after={"current": str(change.reward_model), "phase": str(change.phase)}
        | {"reason": change.reason, "overrode": change.overrode},
    )
