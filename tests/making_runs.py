"""Rows of the loop for tests: runs, reward models, scores."""

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any

from labeling.models import Phase, Snapshot, Solution
from prm_training.models import (
    SCORE_COLUMNS,
    EvaluationRun,
    Generation,
    PolicyReplay,
    Publication,
    RewardModel,
    Score,
    ScoringRun,
    Selection,
    SelectionItem,
    TrainingRun,
)


class MakeRuns:
    """The part of `Make` that knows the loop."""

    numbers: Iterator[int]

    def phase(self, **columns: Any) -> Phase:
        raise NotImplementedError

    def training_run(self, **columns: Any) -> TrainingRun:
        return TrainingRun.objects.create(**{"name": f"run {next(self.numbers)}"} | columns)

    def reward_model(self, **columns: Any) -> RewardModel:
        run = columns.pop("training_run", None) or self.training_run(status="done")
        plain = {"name": run.name, "training_run": run, "directory": str(run.pk)}
        return RewardModel.objects.create(**plain | columns)

    def snapshot(self, **columns: Any) -> Snapshot:
        return Snapshot.objects.create(**{"labels_hash": f"hash {next(self.numbers)}", "counts": {}} | columns)

    def evaluation_run(self, **columns: Any) -> EvaluationRun:
        plain = {"reward_model": columns.pop("reward_model", None) or self.reward_model()}
        return EvaluationRun.objects.create(
            **plain | {"snapshot": columns.pop("snapshot", None) or self.snapshot()} | columns
        )

    def policy_replay(self, **columns: Any) -> PolicyReplay:
        return PolicyReplay.objects.create(
            **{"reward_model": columns.pop("reward_model", None) or self.reward_model()} | columns
        )

    def scoring_run(self, **columns: Any) -> ScoringRun:
        return ScoringRun.objects.create(
            **{"reward_model": columns.pop("reward_model", None) or self.reward_model()} | columns
        )

    def score(
        self, reward_model: RewardModel, solution: Solution, log_score: float | None, steps: Sequence[float] = ()
    ) -> Score:
        ways = dict.fromkeys(SCORE_COLUMNS.values(), log_score)
        if steps:
            ways = {"log_score": sum(steps), "mean_log_score": fmean(steps), "least_log_score": min(steps)}
        return Score.objects.create(
            reward_model=reward_model, solution=solution, **ways, step_log_probabilities=list(steps)
        )

    def selection(self, **columns: Any) -> Selection:
        plain = {"policy": "uniform", "size": 10}
        return Selection.objects.create(**plain | {"phase": columns.pop("phase", None) or self.phase()} | columns)

    def picked(self, *solutions: Solution, **columns: Any) -> Selection:
        """A finished selection of these solutions."""
        selection = self.selection(**{"status": "done"} | columns)
        for rank, solution in enumerate(solutions, 1):
            SelectionItem.objects.create(selection=selection, solution=solution, rank=rank, reason="")
        return selection

    def generation(self, **columns: Any) -> Generation:
        return Generation.objects.create(**{"name": "generated", "generator_model": "prover"} | columns)

    def publication(self, **columns: Any) -> Publication:
        selection = columns.pop("selection", None) or self.selection(status="done")
        return Publication.objects.create(selection=selection, **columns)
