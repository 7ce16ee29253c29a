"""Makes rows of the loop for tests: runs, reward models, scores."""

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any

from django.utils import timezone

from labeling.jobs import lifecycle
from labeling.models import Phase, Snapshot, Solution
from prm_training.data_releases import archive
from prm_training.models import (
    SCORE_COLUMNS,
    DataRelease,
    EvaluationRun,
    Generation,
    PolicyReplay,
    Promotion,
    Publication,
    RewardModel,
    Score,
    ScoringRun,
    Selection,
    SelectionItem,
    TrainingRun,
    Verification,
)
from prm_training.reward_models import promotion


class MakeRuns:
    """The part of `Make` for rows of the loop."""

    numbers: Iterator[int]

    def phase(self, **columns: Any) -> Phase:
        raise NotImplementedError

    def training_run(self, **columns: Any) -> TrainingRun:
        """Makes a training run on the labels of its phase, by default the first phase."""
        phase = columns.pop("phase", None) or Phase.objects.order_by("created_at").first() or self.phase()
        run = TrainingRun.objects.create(**{"name": f"run {next(self.numbers)}", "phase": phase} | columns)
        run.phases.set([phase])
        return run

    def reward_model(self, *, is_current: bool = False, **columns: Any) -> RewardModel:
        """Makes a reward model in its training run's phase. `is_current`: promotes it there."""
        phase = columns.pop("phase", None)
        run = columns.pop("training_run", None) or self.training_run(status="done", phase=phase)
        plain = {"name": run.name, "training_run": run, "directory": str(run.pk)}
        model = RewardModel.objects.create(**plain | columns)
        if is_current:
            self.promotion(model)
        return model

    def promotion(self, reward_model: RewardModel, phase: Phase | None = None) -> Promotion:
        """Makes the model current in the phase (default: its own), without the checks of a promotion."""
        phase = phase or reward_model.phase
        columns = {"reward_model": reward_model, "previous": promotion.current(phase), "at": timezone.now()}
        return Promotion.objects.create(phase=phase, **columns)

    def snapshot(self, **columns: Any) -> Snapshot:
        return Snapshot.objects.create(**{"labels_hash": f"hash {next(self.numbers)}", "counts": {}} | columns)

    def evaluation_run(self, **columns: Any) -> EvaluationRun:
        model = columns.pop("reward_model", None) or self.reward_model()
        plain = {"reward_model": model, "phase": model.phase}
        return EvaluationRun.objects.create(
            **plain | {"snapshot": columns.pop("snapshot", None) or self.snapshot()} | columns
        )

    def policy_replay(self, **columns: Any) -> PolicyReplay:
        model = columns.pop("reward_model", None) or self.reward_model()
        return PolicyReplay.objects.create(**{"reward_model": model, "phase": model.phase} | columns)

    def verification(self, *, reward_model: RewardModel, **columns: Any) -> Verification:
        plain = {"phase": reward_model.phase, "problem": "", "solutions": []}
        return Verification.objects.create(reward_model=reward_model, **plain | columns)

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
        unsure = {"confidence": 0.5, "deviation": 0.1}  # for an ensemble
        columns = ways | unsure | {"step_log_probabilities": list(steps)}
        return Score.objects.create(reward_model=reward_model, solution=solution, **columns)

    def selection(self, **columns: Any) -> Selection:
        plain = {"policy": "uniform", "size": 10}
        return Selection.objects.create(**plain | {"phase": columns.pop("phase", None) or self.phase()} | columns)

    def picked(self, *solutions: Solution, **columns: Any) -> Selection:
        """Makes a finished selection of these solutions."""
        selection = self.selection(**{"status": "done"} | columns)
        for rank, solution in enumerate(solutions, 1):
            SelectionItem.objects.create(selection=selection, solution=solution, rank=rank, reason="")
        return selection

    def generation(self, **columns: Any) -> Generation:
        return Generation.objects.create(**{"name": "generated", "generator_model": "prover"} | columns)

    def data_release(self, **columns: Any) -> DataRelease:
        plain = {"name": f"release-{next(self.numbers)}", "file_formats": ["trl"]}
        return DataRelease.objects.create(**plain | columns)

    def released(self, **columns: Any) -> DataRelease:
        """Makes a finished data release of the labels."""
        run = self.data_release(**columns)
        lifecycle.carry_out(run.pk, archive.release, worker="w")
        run.refresh_from_db()
        return run

    def publication(self, **columns: Any) -> Publication:
        selection = columns.pop("selection", None) or self.selection(status="done")
        return Publication.objects.create(**{"selection": selection, "phase": selection.phase} | columns)
