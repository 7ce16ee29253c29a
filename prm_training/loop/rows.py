"""Reads the rows behind `next_act` and `history`; the number of queries does not grow with the loop."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from labeling import clock
from labeling.data.exporting import LabelFilter, standing
from labeling.models import (
    Consensus,
    ConsensusMethod,
    Phase,
    Queue,
    Round,
    RoundStatus,
    Run,
    Snapshot,
    Solution,
    Status,
    Task,
)
from labeling.review import cases
from prm_training.models import (
    WITHOUT_MODEL,
    Autopilot,
    EvaluationRun,
    PilotStatus,
    Promotion,
    Publication,
    RewardModel,
    ScoringRun,
    Selection,
    Supervision,
    TrainingRun,
)
from prm_training.reward_models import promotion
from prm_training.reward_models.promotion import Gate
from prm_training.starting import readiness


class Loop:
    """The rows that decide a phase's place in the loop: the newest run of each kind, and what has come since.

    Each is read when first needed, up to date: autopilots look every few seconds, mostly while people label.
    """

    def __init__(self, phase: Phase, *, now: datetime, pilot: Autopilot | None = None) -> None:
        """`pilot`: the phase's autopilot; while it is on, its settings name the model to pick by."""
        self.phase = phase
        self.phase_status = phase.status
        self.now = now
        self.pilot = pilot
        self.is_automatic = pilot is not None and pilot.status == PilotStatus.ON

    @cached_property
    def rounds(self) -> list[Any]:
        """The phase's rounds without screening, oldest first."""
        rows = Round.objects.filter(phase=self.phase, number__gte=0).order_by("number")
        found = list(rows)
        # Each query sees what was committed before it. A publication that ended between the rounds and the jobs would
        # seem to have opened none, and the next selection would be due. So unless a round is open, jobs are read first.
        is_open = bool(found) and found[-1].status == RoundStatus.OPEN
        return found if is_open or not self.jobs else list(rows.all())

    @property
    def round(self) -> Any:
        """The newest round, or None."""
        return self.rounds[-1] if self.rounds else None

    @cached_property
    def is_full(self) -> bool:
        return self.round is not None and Round.objects.full(now=clock.now()).filter(pk=self.round.pk).exists()

    @cached_property
    def trainings(self) -> list[TrainingRun]:
        return list(trainings(self.phase))

    @cached_property
    def has_new_labels(self) -> bool:
        """True if there are labels that the newest finished training did not read, in a round that was open when it was
        requested, or later. Later rulings on closed rounds wait for the next round's labels.
        """
        newest, fresh = finished(self.trainings), self.rounds
        if newest:
            fresh = [each for each in fresh if each.closed_at is None or each.closed_at > newest.created_at]
        return bool(fresh) and any(
            labels.exists() for labels in labels_since(self.phase, [each.pk for each in fresh], newest)
        )

    @property
    def consensus(self) -> str:
        """The kind of consensus to train on where people disagree; empty: everyone's own labels, after a ruling."""
        method = self.phase.settles_by
        return "" if method == ConsensusMethod.ADJUDICATED else method

    @cached_property
    def has_disagreements(self) -> bool:
        return bool(disagreements(self.phase).exists())

    @property
    def waits_for_rulings(self) -> bool:
        """True if experts are to rule before the next training."""
        return not self.consensus and self.has_disagreements

    @cached_property
    def models(self) -> list[Any]:
        """The trainings' models, oldest first. A model's predecessor is the one that it replaced in the phase; if it
        never became current, the one that was when it was made.
        """
        made: list[Any] = [run.reward_model for run in self.trainings if hasattr(run, "reward_model")]
        changes = list(Promotion.objects.filter(phase=self.phase).order_by("pk"))
        for model in made:
            own = next((change for change in changes if change.reward_model_id == model.pk), None)
            before = [change.reward_model_id for change in changes if change.at <= model.created_at]
            model.was_current = own is not None
            model.predecessor_id = own.previous_id if own else before[-1] if before else None
        return made

    @cached_property
    def current(self) -> RewardModel | None:
        return promotion.current(self.phase)

    @cached_property
    def candidate(self) -> Any:
        """The newest model, unless it is or was current, is older than the current one, or was left out."""
        newest = self.models[-1] if self.models else None
        if newest is None or newest.was_current or (self.pilot and self.pilot.left_out_id == newest.pk):
            return None
        return newest if self.current is None or newest.created_at > self.current.created_at else None

    @cached_property
    def evaluations(self) -> list[EvaluationRun]:
        """The phase's evaluations, oldest first."""
        runs = EvaluationRun.objects.filter(phase=self.phase)
        return list(runs.select_related("reward_model", "baseline", "owner").order_by("created_at"))

    @cached_property
    def is_compared(self) -> bool:
        """True if an evaluation has compared the candidate with the current model."""
        compared = [run for run in self.evaluations if run.reward_model == self.candidate and run.status == Status.DONE]
        return any(run.baseline == self.current for run in compared)

    @cached_property
    def gate(self) -> Gate:
        """The gate's decision on the candidate, once it was compared with the current model."""
        if not (self.candidate and self.is_compared):
            return Gate()
        return promotion.gate(self.candidate, phase=self.phase, current=self.current)

    @cached_property
    def selector(self) -> Any:
        """The model to pick by: the current one, unless the autopilot has another, or picks at random."""
        if self.pilot is None or not self.is_automatic:
            return self.current
        return None if self.pilot.policy in WITHOUT_MODEL else self.pilot.reward_model or self.current

    @cached_property
    def is_unscored(self) -> bool:
        """True if there are unscored solutions that the last scoring can't have read."""
        if self.selector is None:
            return False
        rows, scoring = readiness.unscored_by(self.selector, self.phase), self.jobs.get("score")
        # Solutions that it left unscored, too long ones say, would be left out again.
        if scoring and scoring.status == Status.DONE:
            rows = rows.filter(created_at__gt=scoring.started_at or scoring.created_at)
        return bool(rows.exists())

    @cached_property
    def jobs(self) -> dict[str, Any]:
        """The newest run of each part of the loop, and the newest evaluation, as far as there are any."""
        of_newest = [run for run in self.evaluations if run.reward_model in (self.candidate, self.current)]
        newest: dict[str, Run | None] = {
            "train": self.trainings[-1] if self.trainings else None,
            "evaluate": of_newest[-1] if of_newest else None,
            "score": self._scoring(),
            "select": Selection.objects.filter(phase=self.phase).order_by("created_at").last(),
            "publish": published(self.phase).order_by("created_at").last(),
        }
        return {part: run for part, run in newest.items() if run is not None}

    def _scoring(self) -> ScoringRun | None:
        """The newest run that scored the phase's sources with the model to pick by."""
        runs = ScoringRun.objects.filter(Q(phase=self.phase) | Q(phase=None), reward_model=self.selector)
        newest: ScoringRun | None = runs.select_related("owner").order_by("created_at").last()
        return newest

    @cached_property
    def selection(self) -> Any:
        """The newest selection, unless published, discarded, empty, older than the round, or by another model."""
        selection: Selection | None = self.jobs.get("select")
        if selection is None or selection.status != Status.DONE or selection.discarded_at:
            return None
        publication = self.jobs.get("publish")
        is_out = publication is not None and publication.selection == selection and publication.status == Status.DONE
        is_old = self.round is not None and selection.created_at < self.round.opened_at
        is_of_another = self.selector is not None and selection.reward_model_id not in {None, self.selector.pk}
        return None if is_out or is_old or is_of_another or not selection.summary.get("picked") else selection

    @cached_property
    def has_candidates(self) -> bool:
        return bool(candidates(self.phase).exists())


def trainings(phase: Phase) -> QuerySet[TrainingRun]:
    """The phase's trainings of PRMs, oldest first."""
    runs = TrainingRun.objects.filter(phase=phase, supervision=Supervision.PROCESS)
    whole: QuerySet[TrainingRun] = runs.select_related("reward_model", "owner").order_by("created_at")
    return whole


def finished(trainings: list[TrainingRun]) -> TrainingRun | None:
    """The newest finished training, or None."""
    return next((run for run in reversed(trainings) if run.status == Status.DONE and run.snapshot_id), None)


def published(phase: Phase) -> QuerySet[Publication]:
    runs = Publication.objects.filter(phase=phase)
    rows: QuerySet[Publication] = runs.select_related("selection", "round", "owner")
    return rows


def candidates(phase: Phase) -> QuerySet[Solution]:
    return Solution.objects.in_pool().drawn_by(phase).not_published_in(phase, at=clock.now())


def disagreements(phase: Phase) -> Any:
    """The tasks on which people disagree, and nobody has ruled since."""
    return cases.waiting(Queue.DISAGREEMENT, Task.objects.filter(round__phase=phase))


def labels_since(phase: Phase, rounds: list[UUID], training: TrainingRun | None) -> tuple[QuerySet[Any], QuerySet[Any]]:
    """Labels of these rounds that the training did not read: labellings, and later rulings."""
    labellings = standing.labellings(LabelFilter(phases=(phase.pk,), rounds=rounds))
    ruled = Consensus.objects.filter(task__round__in=rounds, method=standing.RULING)
    if training:
        frozen = Snapshot.labellings.through.objects.filter(snapshot=training.snapshot_id, labelling=OuterRef("pk"))
        labellings, ruled = labellings.filter(~Exists(frozen)), ruled.filter(computed_at__gt=training.created_at)
    return labellings, ruled
