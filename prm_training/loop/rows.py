"""The rows behind `loop` and `history`, in the same few queries however long the loop has run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from labeling.counts import rollups
from labeling.data.exporting import LabelFilter, standing
from labeling.models import Consensus, Phase, Round, Run, Snapshot, Solution, Status, Task, Verdict
from prm_training.jobs import readiness
from prm_training.loop import history
from prm_training.loop.history import Brought
from prm_training.loop.next_act import Loop
from prm_training.models import (
    EvaluationRun,
    Promotion,
    Publication,
    RewardModel,
    ScoringRun,
    Selection,
    Supervision,
    TrainingRun,
)
from prm_training.reward_models import promotion


@dataclass(frozen=True)
class Rows:
    """A phase's loop with its history."""

    loop: Loop
    history: list[Brought]
    freshness: dict[str, Any]


def read(phase: Phase, *, now: datetime) -> Rows:
    rounds = list(Round.objects.filter(phase=phase, number__gte=0).with_funnel(now=now).order_by("number"))
    learned = _learned(phase)
    counted = _counted(phase, learned.trainings, now)
    brought = history.of(rounds, counted.verdicts, _selections(phase), learned.models, learned.measured)
    return Rows(_loop(phase, rounds[-1] if rounds else None, learned, counted, now), brought, counted.freshness)


@dataclass(frozen=True)
class _Learned:
    """Trainings on the phase's labels with their models, oldest first; evaluations of those and of the current one."""

    trainings: list[TrainingRun]
    models: list[Any]
    current: RewardModel | None
    evaluations: list[EvaluationRun]

    @property
    def measured(self) -> dict[Any, EvaluationRun]:
        """The newest finished one, by model."""
        return {run.reward_model_id: run for run in self.evaluations if run.status == Status.DONE}

    @property
    def candidate(self) -> Any:
        """The newest model, unless it is or was current, or is older than the current one."""
        for newest in self.models[-1:]:
            if not newest.was_current and (self.current is None or newest.created_at > self.current.created_at):
                return newest
        return None


def _learned(phase: Phase) -> _Learned:
    trainings = list(_trainings(phase))
    models, current = _models(trainings), RewardModel.objects.filter(is_current=True).first()
    return _Learned(trainings, models, current, list(_evaluations(models, current)))


def _loop(phase: Phase, last: Any, learned: _Learned, counted: _Counted, now: datetime) -> Loop:
    current, candidate = learned.current, learned.candidate
    scoring = _scoring(phase, current)
    selection = Selection.objects.filter(phase=phase).order_by("-created_at").first()
    publication = _published(phase).order_by("-created_at").first()
    of_newest = [run for run in learned.evaluations if run.reward_model in (candidate, current)]
    newest: dict[str, Sequence[Run | None]] = {
        "train": learned.trainings[-1:],
        "evaluate": of_newest[-1:],
        "score": [scoring],
        "select": [selection],
        "publish": [publication],
    }
    compared = [run for run in of_newest if run.reward_model == candidate and run.baseline == current]
    is_compared = any(run.status == Status.DONE for run in compared)
    return Loop(
        phase_status=phase.status,
        round=last,
        is_full=last is not None and Round.objects.full(now=now).filter(pk=last.pk).exists(),
        labels_new=counted.labels_new,
        jobs={name: run for name, runs in newest.items() for run in runs if run is not None},
        candidate=candidate,
        is_compared=is_compared,
        obstacle=promotion.obstacle(candidate, current) if is_compared else "",
        current=current,
        is_unscored=current is not None and _is_unscored(phase, current, scoring),
        selection=_to_publish(selection, publication, current, last),
        has_candidates=counted.has_candidates,
    )


def _trainings(phase: Phase) -> QuerySet[TrainingRun]:
    """PRMs trained on the phase's labels, alone or with others; oldest first."""
    of_it = Q(phases=phase) | Q(phases=None)
    runs = TrainingRun.objects.filter(of_it, supervision=Supervision.PROCESS).distinct()
    whole: QuerySet[TrainingRun] = runs.select_related("reward_model", "owner").order_by("created_at")
    return whole


def _models(trainings: list[TrainingRun]) -> list[Any]:
    made: list[Any] = [run.reward_model for run in trainings if hasattr(run, "reward_model")]
    promoted = set(Promotion.objects.filter(reward_model__in=made).values_list("reward_model", flat=True))
    for model in made:
        model.was_current = model.pk in promoted
    return made


def _evaluations(models: list[RewardModel], current: RewardModel | None) -> QuerySet[EvaluationRun]:
    measured = {*models, *([current] if current else [])}
    runs = EvaluationRun.objects.filter(reward_model__in=measured)
    rows: QuerySet[EvaluationRun] = runs.select_related("reward_model", "baseline", "owner").order_by("created_at")
    return rows


def _scoring(phase: Phase, current: RewardModel | None) -> ScoringRun | None:
    """The newest run that scored the phase's sources with the current model."""
    runs = ScoringRun.objects.filter(Q(phase=phase) | Q(phase=None), reward_model=current).select_related("owner")
    newest: ScoringRun | None = runs.order_by("-created_at").first() if current else None
    return newest


def _is_unscored(phase: Phase, current: RewardModel, scoring: ScoringRun | None) -> bool:
    """Whether a scoring would find anything that the last one can't have read: evaluations score, too."""
    rows = readiness.unscored_by(current, phase)
    is_done = scoring is not None and scoring.status == Status.DONE
    newer = rows.filter(created_at__gt=scoring.started_at or scoring.created_at) if scoring and is_done else rows
    return bool(newer.exists())


def _published(phase: Phase) -> QuerySet[Publication]:
    runs = Publication.objects.filter(selection__phase=phase)
    rows: QuerySet[Publication] = runs.select_related("selection", "round", "owner")
    return rows


def _selections(phase: Phase) -> dict[Any, Selection]:
    return {run.round_id: run.selection for run in _published(phase).filter(round__isnull=False)}


def _to_publish(
    selection: Selection | None, publication: Publication | None, current: RewardModel | None, last: Any
) -> Selection | None:
    """The newest selection, unless it is published, discarded, empty, or older than the round or the current model."""
    if selection is None or selection.status != Status.DONE or selection.discarded_at:
        return None
    is_out = publication is not None and publication.selection == selection and publication.status == Status.DONE
    is_old = last is not None and selection.created_at < last.opened_at
    is_of_another = current is not None and selection.reward_model_id not in {None, current.pk}
    return None if is_out or is_old or is_of_another or not selection.summary.get("picked") else selection


def _labels_since(phase: Phase, rounds: list[UUID], trainings: list[TrainingRun]) -> int:
    """Labels that the newest finished training did not read: labellings, and later rulings."""
    said = standing.labellings(LabelFilter(phases=(phase.pk,), rounds=rounds))
    ruled = Consensus.objects.filter(task__round__phase=phase, method=standing.RULING)
    for run in [run for run in trainings if run.status == Status.DONE and run.snapshot_id][-1:]:
        frozen = Snapshot.labellings.through.objects.filter(snapshot=run.snapshot_id, labelling=OuterRef("pk"))
        said, ruled = said.filter(~Exists(frozen)), ruled.filter(computed_at__gt=run.created_at)
    return said.count() + ruled.count()


@dataclass(frozen=True)
class _Counted:
    """Counts over tasks, labels and the pool. `verdicts`: by round, how many tasks and how many graded wrong."""

    verdicts: dict[UUID, tuple[int, int]]
    has_candidates: bool
    labels_new: int
    freshness: dict[str, Any]


def _counted(phase: Phase, trainings: list[TrainingRun], now: datetime) -> _Counted:
    """An earlier count stands, except for changes since: a training has read the labels, an import can be selected
    from.
    """
    found = rollups.read(ROLLED, phase.pk, now=now)
    value = found.value or {"verdicts": {}, "has_candidates": True, "labels_new": 0, "trained": None}
    newer = Q(created_at__gt=found.as_of) if found.as_of else Q(pk=None)
    pool = Solution.objects.in_pool().drawn_by(phase)
    return _Counted(
        verdicts={UUID(pk): (number, bad) for pk, (number, bad) in value["verdicts"].items()},
        has_candidates=value["has_candidates"] or pool.filter(newer).exists(),
        labels_new=value["labels_new"] if value["trained"] == _newest_done(trainings) else 0,
        freshness=found.freshness,
    )


def _newest_done(trainings: list[TrainingRun]) -> str | None:
    done = [str(run.pk) for run in trainings if run.status == Status.DONE]
    return done[-1] if done else None


def _count(phase_id: UUID) -> dict[str, Any]:
    """Rounds are listed, not joined: that way the database knows how few of all tasks and labellings are in them."""
    phase = Phase.objects.get(pk=phase_id)
    rounds = list(phase.rounds.values_list("pk", flat=True))
    tasks = Task.objects.filter(round__in=rounds, is_gold=False).order_by().values_list("round")
    wrong = Count("pk", filter=Q(solution__verdict=Verdict.WRONG))
    trainings = list(_trainings(phase))
    pool = Solution.objects.in_pool().drawn_by(phase)
    return {
        "verdicts": {str(pk): (n, bad) for pk, n, bad in tasks.annotate(number=Count("pk"), wrong=wrong)},
        "has_candidates": pool.not_put_up_in(phase, at=timezone.now()).exists(),
        "labels_new": _labels_since(phase, rounds, trainings),
        "trained": _newest_done(trainings),
    }


ROLLED = rollups.Kind("loop", _count, rollups.has_many_tasks)
