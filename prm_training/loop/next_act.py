"""Finds where a phase is in its loop, and what is due next, from its rows (pure).

The page of the phase shows it; an autopilot carries it out. label -> train -> score -> select -> publish -> label ...
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

from labeling.models import PhaseStatus, RoundStatus, Run, Status
from labeling.rules.words import RunKind

if TYPE_CHECKING:
    from prm_training.loop.rows import Loop


class Act(StrEnum):
    """An act that moves the phase on, in the order of the loop."""

    LABEL = "label"
    CLOSE = "close"
    RULE = "rule"
    TRAIN = "train"
    EVALUATE = "evaluate"
    PROMOTE = "promote"
    SCORE = "score"
    SELECT = "select"
    PUBLISH = "publish"


ACT_CHOICES = [(act.value, act.value) for act in Act]


class Who(StrEnum):
    ANNOTATORS = "annotators"
    EXPERTS = "experts"
    STAFF = "staff"
    ML_STAFF = "ml_staff"
    AUTOPILOT = "autopilot"


WHO = {
    Act.LABEL: Who.ANNOTATORS,
    Act.RULE: Who.EXPERTS,
    **dict.fromkeys([Act.CLOSE, Act.SELECT, Act.PUBLISH], Who.STAFF),
    **dict.fromkeys([Act.TRAIN, Act.EVALUATE, Act.PROMOTE, Act.SCORE], Who.ML_STAFF),
}
UP_TO_PEOPLE = {Act.LABEL, Act.RULE}
PARTS: dict[str, tuple[Act, ...]] = {
    "label": (Act.LABEL, Act.CLOSE, Act.RULE),
    "train": (Act.TRAIN, Act.EVALUATE, Act.PROMOTE),
    "score": (Act.SCORE,),
    "select": (Act.SELECT,),
    "publish": (Act.PUBLISH,),
}
PartState = Literal["waiting", "due", "running", "failed", "done"]


@dataclass(frozen=True)
class Due:
    """The act that is due, or why there is none. `job`: the one in progress, whose result decides."""

    act: Act | None
    reason: str = ""
    job: Run | None = None


def next_act(loop: Loop) -> Due:
    """The act that is due next in the phase: none while a job is in progress, since it depends on the result."""
    if loop.phase_status in {PhaseStatus.CLOSED, PhaseStatus.ARCHIVED}:
        return Due(None, f"The phase is {loop.phase_status}.")
    is_open = loop.round is not None and loop.round.status == RoundStatus.OPEN
    if is_open and not loop.is_full:
        return Due(Act.LABEL)
    # Of several that are under way, the one furthest along the loop.
    for part, job in reversed(loop.jobs.items()):
        if not job.is_finished:
            return Due(None, f"{RunKind(part).label} is under way.", job)
    return Due(Act.CLOSE) if is_open else _learn(loop) or _pick(loop)


def _learn(loop: Loop) -> Due | None:
    if loop.has_new_labels:
        return Due(Act.RULE if loop.waits_for_rulings else Act.TRAIN)
    if loop.candidate and not loop.is_compared:
        return Due(Act.EVALUATE)
    is_better = loop.candidate and not (loop.gate.obstacle or loop.gate.shortage)
    return Due(Act.PROMOTE) if is_better else None


def _pick(loop: Loop) -> Due:
    if loop.selector and loop.is_unscored:
        return Due(Act.SCORE)
    if loop.selection:
        return Due(Act.PUBLISH)
    if loop.has_candidates:
        return Due(Act.SELECT)
    return Due(None, "Every solution that the phase draws from has been published. Import or generate more.")


def who(loop: Loop, act: Act) -> Who:
    """Returns who takes the step: while it is on, the autopilot takes all that is not up to people."""
    return Who.AUTOPILOT if loop.is_automatic and act not in UP_TO_PEOPLE else WHO[act]


def states(loop: Loop) -> dict[str, PartState]:
    """The state of each part of the loop; "failed" only as long as the job would fail again."""
    act = next_act(loop).act
    return {part: _state(loop, part, is_due=act in acts) for part, acts in PARTS.items()}


def newest_job(loop: Loop, part: str) -> Run | None:
    """The part's newest job; for training, the evaluation after it while it runs or if it failed."""
    after = loop.jobs.get("evaluate") if part == "train" else None
    return after if after and after.status != Status.DONE else loop.jobs.get(part)


def _state(loop: Loop, part: str, *, is_due: bool) -> PartState:
    if part == "label":
        status = loop.round.status if loop.round else RoundStatus.PUBLISHING
        if status == RoundStatus.OPEN and not loop.is_full:
            return "running"
        return "due" if is_due else "waiting" if status == RoundStatus.PUBLISHING else "done"
    job = newest_job(loop, part)
    if job and not job.is_finished:
        return "running"
    if job and job.status == Status.FAILED and still_holds(loop, part, job):
        return "failed"
    if is_due:
        return "due"
    return "done" if job and job.status == Status.DONE else "waiting"


def still_holds(loop: Loop, part: str, job: Run) -> bool:
    """Returns whether a failed job would fail again: false once a round opened or closed, scores arrived, or another
    selection was made, if the job depends on it.
    """
    since = job.finished_at or job.created_at
    round_changed = [loop.round.opened_at, loop.round.closed_at] if loop.round else []
    changed: dict[str, Sequence[Any]] = {
        "publish": [*round_changed, getattr(loop.jobs.get("select"), "created_at", None)],
        "select": [*round_changed[:1], getattr(loop.jobs.get("score"), "finished_at", None)],
    }
    return not any(at and at > since for at in changed.get(part, ()))
