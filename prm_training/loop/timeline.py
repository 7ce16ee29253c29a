"""Lists the acts of an autopilot, from the runs and rounds themselves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from labeling.models import Phase, Round, RoundStatus, Status
from labeling.models.jobs import kinds
from prm_training.loop.next_act import Act
from prm_training.models import Autopilot, Promotion

LATEST = 200
# By kind of job: where its results are, and which of them are shown.
RESULTS: dict[Act, tuple[str, Sequence[str]]] = {
    Act.TRAIN: ("snapshot__counts", ["labellings", "labels"]),
    Act.EVALUATE: ("metrics__held_out", ["step_auc", "f1"]),
    Act.SCORE: ("summary", ["scored", "too_long"]),
    Act.SELECT: ("summary", ["candidates", "picked", "wrong", "set_aside"]),
    Act.PUBLISH: ("round__number", []),
}


@dataclass(frozen=True)
class TimelineEntry:
    """An act, and its result once it is done. `round`: the newest round's number at its start; None before any."""

    act: Act
    status: str
    started_at: datetime
    finished_at: datetime | None
    result: dict[str, Any]
    run: UUID | None = None
    round: int | None = None


def of(pilot: Autopilot) -> list[TimelineEntry]:
    """The latest acts, newest first: its jobs, the promotions of its models, and the rounds labelled meanwhile."""
    own = [*_jobs(pilot.phase), *_promotions(pilot.phase)]
    if pilot.switched_on_at is None:
        return []
    began = min([pilot.switched_on_at, *(entry.started_at for entry in own)])
    opened = Round.objects.filter(phase=pilot.phase, number__gte=0).exclude(status=RoundStatus.PUBLISHING)
    rounds = list(opened.with_progress().order_by("number"))
    labelled = [_labelled(each) for each in rounds if each.closed_at is None or each.closed_at > began]
    placed = [replace(entry, round=_newest(rounds, entry.started_at)) for entry in [*own, *labelled]]
    return sorted(placed, key=lambda entry: entry.started_at, reverse=True)[:LATEST]


def _jobs(phase: Phase) -> Iterator[TimelineEntry]:
    for act, (path, names) in RESULTS.items():
        runs = kinds()[act].objects.filter(phase=phase, is_automatic=True).order_by("-created_at")
        columns = ("pk", "status", "created_at", "finished_at", path)
        for pk, status, created_at, finished_at, found in runs.values_list(*columns)[:LATEST]:
            result = {name: found[name] for name in names if name in (found or {})}
            if act == Act.PUBLISH:
                result = {"round": found}
            yield TimelineEntry(act, status, created_at, finished_at, result, pk)


def _promotions(phase: Phase) -> Iterator[TimelineEntry]:
    own = Promotion.objects.filter(phase=phase, reward_model__training_run__is_automatic=True, is_rollback=False)
    for name, at in own.order_by("-at").values_list("reward_model__name", "at")[:LATEST]:
        yield TimelineEntry(Act.PROMOTE, Status.DONE, at, at, {"model": name})


def _labelled(round_: Any) -> TimelineEntry:
    status = Status.RUNNING if round_.status == RoundStatus.OPEN else Status.DONE
    result = {"labellings": round_.labellings_done}
    return TimelineEntry(Act.LABEL, status, round_.opened_at, round_.closed_at, result)


def _newest(rounds: Sequence[Round], at: datetime) -> int | None:
    return next((each.number for each in reversed(rounds) if each.opened_at <= at), None)
