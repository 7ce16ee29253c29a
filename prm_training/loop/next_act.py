"""Where a phase is in its loop, and what is due next: pure functions of its rows.

label -> train -> score -> select -> publish -> label ...
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from labeling.models import PhaseStatus, RoundStatus, Run, Status


class Act(StrEnum):
    """What can be done to move the phase on, in the order of the loop."""

    LABEL = "label"
    CLOSE = "close"
    TRAIN = "train"
    EVALUATE = "evaluate"
    PROMOTE = "promote"
    SCORE = "score"
    SELECT = "select"
    PUBLISH = "publish"


class Who(StrEnum):
    ANNOTATORS = "annotators"
    STAFF = "staff"
    ML_STAFF = "ml_staff"


WHO = {
    Act.LABEL: Who.ANNOTATORS,
    **dict.fromkeys([Act.CLOSE, Act.SELECT, Act.PUBLISH], Who.STAFF),
    **dict.fromkeys([Act.TRAIN, Act.EVALUATE, Act.PROMOTE, Act.SCORE], Who.ML_STAFF),
}
PARTS: dict[str, tuple[Act, ...]] = {
    "label": (Act.LABEL, Act.CLOSE),
    "train": (Act.TRAIN, Act.EVALUATE, Act.PROMOTE),
    "score": (Act.SCORE,),
    "select": (Act.SELECT,),
    "publish": (Act.PUBLISH,),
}
JOBS = {
    "train": "Training",
    "evaluate": "Evaluation",
    "score": "Scoring",
    "select": "Selection",
    "publish": "Publication",
}
State = Literal["waiting", "due", "running", "failed", "done"]


@dataclass(frozen=True)
class Loop:
    """The rows that decide a phase's place in the loop: the newest of each kind of job, and what has come since."""

    phase_status: str
    round: Any = None  # the newest, screening aside
    is_full: bool = False
    labels_new: int = 0  # labellings that no training has read
    jobs: Mapping[str, Run] = field(default_factory=dict)  # by part, and "evaluate"
    candidate: Any = None  # a trained model that was never current, newer than the current one
    is_compared: bool = False  # an evaluation compared it with the current one
    obstacle: str = ""  # what that found against it
    current: Any = None
    is_unscored: bool = False
    selection: Any = None  # one that waits to be published
    has_candidates: bool = True


@dataclass(frozen=True)
class Due:
    """The act that is due, or why there is none."""

    act: Act | None
    reason: str = ""

    @property
    def who(self) -> Who | None:
        return WHO[self.act] if self.act else None


def next_act(loop: Loop) -> Due:
    """What is due next in the phase: nothing while a job is in progress, since that depends on its result."""
    if loop.phase_status in {PhaseStatus.CLOSED, PhaseStatus.ARCHIVED}:
        return Due(None, f"The phase is {loop.phase_status}.")
    if busy := [part for part, job in loop.jobs.items() if not job.is_finished]:
        return Due(None, f"{JOBS[busy[-1]]} is under way.")
    if loop.round and loop.round.status == RoundStatus.OPEN:
        return Due(Act.CLOSE if loop.is_full else Act.LABEL)
    return _learn(loop) or _pick(loop)


def _learn(loop: Loop) -> Due | None:
    if loop.labels_new:
        return Due(Act.TRAIN)
    if loop.candidate and not loop.is_compared:
        return Due(Act.EVALUATE)
    return Due(Act.PROMOTE) if loop.candidate and not loop.obstacle else None


def _pick(loop: Loop) -> Due:
    if loop.current and loop.is_unscored:
        return Due(Act.SCORE)
    if loop.selection:
        return Due(Act.PUBLISH)
    if loop.has_candidates:
        return Due(Act.SELECT)
    return Due(None, "Every solution that the phase draws from has been published. Import or generate more.")


def states(loop: Loop) -> dict[str, State]:
    """The state of each part of the loop. A failure is shown for as long as it holds."""
    act = next_act(loop).act
    return {part: _state(loop, part, is_due=act in acts) for part, acts in PARTS.items()}


def newest_job(loop: Loop, part: str) -> Run | None:
    """The part's newest job; for training, the evaluation after it while it runs or if it failed."""
    after = loop.jobs.get("evaluate") if part == "train" else None
    return after if after and after.status != Status.DONE else loop.jobs.get(part)


def _state(loop: Loop, part: str, *, is_due: bool) -> State:
    if part == "label":
        status = loop.round.status if loop.round else RoundStatus.PUBLISHING
        if status == RoundStatus.OPEN and not loop.is_full:
            return "running"
        return "due" if is_due else "waiting" if status == RoundStatus.PUBLISHING else "done"
    job = newest_job(loop, part)
    if job and not job.is_finished:
        return "running"
    if job and job.status == Status.FAILED and _still_holds(loop, part, job):
        return "failed"
    if is_due:
        return "due"
    return "done" if job and job.status == Status.DONE else "waiting"


def _still_holds(loop: Loop, part: str, job: Run) -> bool:
    """Not once its inputs have changed: a round opened or closed, scores arrived, another selection was made."""
    since = job.finished_at or job.created_at
    changed: dict[str, Sequence[Any]] = {
        "publish": [loop.round and loop.round.opened_at, loop.round and loop.round.closed_at, _made(loop, "select")],
        "select": [_ended(loop, "score"), loop.round and loop.round.opened_at],
    }
    return not any(at and at > since for at in changed.get(part, ()))


def _made(loop: Loop, part: str) -> Any:
    return loop.jobs[part].created_at if part in loop.jobs else None


def _ended(loop: Loop, part: str) -> Any:
    return loop.jobs[part].finished_at if part in loop.jobs else None
