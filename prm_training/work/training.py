"""Trains, verifies and generates, from the database through torch and back."""

import hashlib
import logging
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from statistics import fmean
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import transaction
from transformers.utils import logging as transformers_logging

from labeling import clock
from labeling.completions import generator, sets
from labeling.data import snapshots
from labeling.jobs import files, lifecycle, provenance
from labeling.jobs.lifecycle import ReportProgress
from labeling.models import CompletionSet, Phase, Run, Snapshot, Solution, Status
from labeling.outages import outage_of
from prm_training.models import Generation, LossPoint, RewardModel, Supervision, TrainingRun, Verification
from prm_training.pool import generation
from prm_training.prm import loading, parallel, pretrain
from prm_training.prm import model as models
from prm_training.prm.launch import train as train_on_trees
from prm_training.prm.pretrain import PretrainConfig
from prm_training.prm.progress import OnProgress, Progress
from prm_training.prm.score import ScoreConfig, score_solutions
from prm_training.prm.train import CheckpointMismatch, TrainConfig, TrainReport, TrainStart
from prm_training.prm.trees import data
from prm_training.prm.trees.data import LabelledTree
from prm_training.prm.trees.readers import read_trees
from prm_training.reward_models import promotion, verifier
from prm_training.starting import acts
from prm_training.work.local_generator import sample

logger = logging.getLogger(__name__)
WRITE_EVERY_SECONDS = 0.5
MOST_BASE_TEXTS = 20_000
BASE_STEM = "base"
LOGGED = ("step_auc", "loss")


def hear_transformers() -> None:
    """Sends transformers' warnings where all others go: into the run's log and the worker's. By default it prints them,
    and passes them on only if CI is set. No progress bars: the row shows progress.
    """
    transformers_logging.disable_progress_bar()
    transformers_logging.set_verbosity_warning()
    transformers_logging.disable_default_handler()
    transformers_logging.enable_propagation()


hear_transformers()


class Listener:
    """Writes torch's progress to the row, at most twice a second, with the losses since the last time."""

    def __init__(self, run: Run, report: ReportProgress) -> None:
        self.run = run
        self.report = report
        self.losses: list[LossPoint] = []
        self.epochs: list[dict[str, float]] = []
        self.wrote_at = 0.0

    def resume_from(self, start: TrainStart) -> None:
        """Takes over the curves of an interrupted attempt, as far as its checkpoint."""
        kept = LossPoint.objects.filter(run=self.run.pk)
        # The attempt before may have reported steps beyond its last checkpoint: these are taken again.
        kept.filter(step__gt=len(start.losses)).delete()
        known = kept.count()
        self.losses = [self._point(step, loss) for step, loss in enumerate(start.losses[known:], known + 1)]
        self.epochs = _epochs(start.epochs, start.epoch_ends)

    def _point(self, step: int, loss: float) -> LossPoint:
        return LossPoint(run_id=self.run.pk, step=step, loss=loss)

    def __call__(self, progress: Progress) -> None:
        line = ""
        if "loss" in progress.metrics and progress.stage == "training":
            self.losses.append(self._point(progress.done, progress.metrics["loss"]))
        if held_out := {name[5:]: value for name, value in progress.metrics.items() if name.startswith("test_")}:
            self.epochs.append({"step": progress.done, **held_out})
            line = f"epoch {len(self.epochs)}: held out " + ", ".join(
                f"{name} {held_out[name]:.4f}" for name in LOGGED if name in held_out
            )
        if line or monotonic() - self.wrote_at >= WRITE_EVERY_SECONDS:
            self.wrote_at = monotonic()
            columns: dict[str, Any] = {"metrics": {"epochs": self.epochs}} if line else {}
            self.report(stage=progress.stage, done=progress.done, total=progress.total, say=line, **columns | self.new)

    @property
    def new(self) -> dict[str, Any]:
        """The losses since the last call, to be reported."""
        losses, self.losses = self.losses, []
        return {"rows": losses}


def verifying_between(run: Run, report: ReportProgress) -> ReportProgress:
    """Returns a report that also answers verifications, so that people wait for a step of the work, not its end."""

    def report_and_verify(**columns: Any) -> None:
        report(**columns)
        verify_waiting(worker=run.worker)

    return report_and_verify


def train(run: TrainingRun, report: ReportProgress) -> None:
    """Freezes the labels (once per run), makes or loads the base, trains, and stores the reward model."""
    report = verifying_between(run, report)
    report(stage="freezing the labels")
    # Once: an attempt that resumes must train on the labels that the first one froze, whatever was labelled since.
    if run.snapshot is None:
        run.snapshot = _freeze(run)
        run.save(update_fields=["snapshot"])
    # Sorted by content, not by when people gave them, so that equal labels give equal models.
    trees = sorted(trees_of(run.snapshot), key=lambda tree: (tree.problem, repr(tree.steps)))
    listener = Listener(run, report)
    config = TrainConfig(**run.settings, origin=_origin(run))
    base = base_of(run, trees, config.pretraining, listener)
    folder = settings.MODELS_ROOT / str(run.pk)
    # Known once the training starts, needed when it is done: where each epoch ends on the curve.
    ends: list[int] = []

    def on_start(start: TrainStart) -> None:
        listener.resume_from(start)
        ends[:] = start.epoch_ends
        columns = {"metrics": {"epochs": listener.epochs}, "resolved": _resolved(run, base, start)} | listener.new
        report(stage="training", done=len(start.losses), total=start.epoch_ends[-1], **columns)

    try:
        finished = train_on_trees(trees, base, folder, config, listener, on_start=on_start)
    except CheckpointMismatch:  # written by an earlier version of Stepmark: start again
        shutil.rmtree(folder)
        finished = train_on_trees(trees, base, folder, config, listener, on_start=on_start)
    metrics = _metrics(finished, ends)
    directory = str(finished.model_dir.relative_to(settings.MODELS_ROOT))
    files.share_model(directory)
    _store_model(run, directory, metrics)
    steps = finished.optimiser_steps
    report(stage="done", done=steps, total=steps, metrics=metrics, **listener.new)


def trees_of(snapshot: Snapshot) -> Iterator[LabelledTree]:
    with files.on_disk(snapshot.file) as path:
        yield from read_trees(path)


def _freeze(run: TrainingRun) -> Snapshot:
    if run.supervision == Supervision.OUTCOME:
        return snapshots.freeze_outcomes(*run.phases.all())
    return snapshots.freeze(run.label_filter)


def _origin(run: TrainingRun) -> str:
    """Says in words where the labels are from, for the model's README."""
    assert run.snapshot is not None, "its labels are frozen by now"
    what = "verdicts on final answers" if run.supervision == Supervision.OUTCOME else "people's ratings of steps"
    names = ", ".join(f"“{name}”" for name in run.phases.order_by("name").values_list("name", flat=True))
    return f"{what} in {names or 'all phases'}, snapshot {run.snapshot.labels_hash[:12]}"


def _resolved(run: TrainingRun, base: str, start: TrainStart) -> dict[str, Any]:
    """All settings that the run uses; a base that is made for it has settings of its own."""
    config = asdict(start.config)
    pretraining, _ = config.pop("pretraining"), config.pop("origin")
    assert run.snapshot is not None, "its labels are frozen by now"
    return {
        **run.resolved,
        **config,
        "base": base if run.base else Path(base).name,
        **({} if run.base else {"pretraining": pretraining}),
        "snapshot": run.snapshot.labels_hash,
        "parameters": start.parameters,
        "tokens_read": start.tokens_read,
        "optimiser_steps": start.epoch_ends[-1],
        **_machine(start.device),
    }


def _machine(device: str) -> dict[str, Any]:
    return {"device": device, **provenance.of_libraries("torch", "transformers")}


def resolved_reading(run: Run, network: models.StepClassifier, config: ScoreConfig) -> dict[str, Any]:
    """The settings with which a scoring or evaluation reads texts."""
    found = {"max_length": network.encoder.max_length, "precision": network.precision}
    return {**run.resolved, **asdict(config), **found, **_machine(parallel.device_name())}


def _metrics(finished: TrainReport, ends: Sequence[int]) -> dict[str, Any]:
    return {
        "train_loss": fmean(finished.losses[-max(1, len(finished.losses) // 10) :]),
        "held_out": finished.metrics,
        "epochs": _epochs(finished.epochs, ends),
        "train_counts": asdict(finished.train),
        "held_out_counts": asdict(finished.test),
    }


def _epochs(epochs: Sequence[Mapping[str, float]], ends: Sequence[int]) -> list[dict[str, float]]:
    """Each epoch's held-out metrics, and the optimiser step at which it ended."""
    return [{"step": end, **metrics} for end, metrics in zip(ends, epochs, strict=False)]


@transaction.atomic
def _store_model(run: TrainingRun, directory: str, metrics: dict[str, Any]) -> None:
    """Stores the run's model and queues its evaluation; the phase's first PRM becomes current at once."""
    columns = {"name": run.name, "directory": directory, "metrics": metrics}
    model, is_new = RewardModel.objects.get_or_create(training_run=run, defaults=columns)
    # A later attempt finds the model of one that died after storing it: promoted once, evaluated once.
    if is_new:
        if not model.is_orm:
            promotion.install_first(model, by=run.owner, at=clock.now())
        acts.start_evaluation(owner=run.owner, reward_model=model, is_automatic=run.is_automatic)


def base_of(run: TrainingRun, trees: list[LabelledTree], config: PretrainConfig, on_progress: OnProgress) -> str:
    """Returns the base that the run names, or a small one made from the pool's own text; equal text and settings reuse
    an earlier one.
    """
    if run.base:
        return run.base
    # Sorted, so that the same pool has the same digest in whatever order its rows come.
    texts = sorted(_texts(run.phases.all(), trees))
    digest = hashlib.sha256(repr((config, texts)).encode()).hexdigest()
    directory: Path = settings.MODELS_ROOT / f"{BASE_STEM}-{digest[:16]}"
    if not directory.exists():
        pretrain.make_base(texts, directory, config, on_progress)
    return str(directory)


def _texts(phases: Iterable[Phase], trees: list[LabelledTree]) -> Iterator[pretrain.WrittenSolution]:
    """The solutions of the phases' sources, benchmarks aside, and the chosen paths of labels on other problems."""
    drawn = Solution.objects.in_pool().drawn_by(*phases).filter(problem__overlap="")
    pool = drawn.order_by("pk").values_list("problem__statement", "steps")
    problems = set()
    for problem, steps in pool[:MOST_BASE_TEXTS]:
        problems.add(problem)
        yield problem, tuple(steps)
    for tree in trees:
        if tree.split == "train" and tree.problem not in problems:
            path = (step.completions[step.chosen or 0].text for step in tree.steps if step.completions)
            yield tree.problem, tuple(path)


# Two: a current model, and another one that somebody asks.
_loaded = lru_cache(maxsize=2)(loading.load_reward_model)  # stays warm between requests


def verify_waiting(*, worker: str) -> None:
    """Judges all waiting requests, one pass per model; errors are written to their rows."""
    taken = verifier.take(worker=worker, now=clock.now())
    with lifecycle.taken_in_hand(*(run.pk for waiting in taken.values() for run in waiting)):
        for directory, waiting in taken.items():
            _verify(directory, waiting)


def _verify(directory: str, waiting: Sequence[Verification]) -> None:
    """Judges the requests to one model. In an outage they are left unfinished, and later queued again."""
    asked = [
        data.Solution(f"{run.pk}/{number}", run.problem, tuple(steps))
        for run in waiting
        for number, steps in enumerate(run.solutions)
    ]
    try:
        scores = {each.id: each for each in score_solutions(_loaded(files.model_folder(directory)), asked)}
    except Exception as error:
        if outage_of(error):
            raise
        logger.exception("The verifier could not judge.")
        for run in waiting:
            lifecycle.end(run, Status.FAILED, error=lifecycle.explain(error))
        return
    for run in waiting:
        found = (scores[f"{run.pk}/{number}"] for number in range(len(run.solutions)))
        results = [
            {"log_right": each.steps, "classes": each.log_probabilities, "is_truncated": each.is_truncated}
            for each in found
        ]
        lifecycle.end(run, Status.DONE, results=results)


def write_completions(asked: CompletionSet) -> list[str]:
    """A local model's completions, for `labeling.completions.sets.write`. Raises GeneratorFailed."""
    longest = generator.MAX_TOKENS[asked.purpose]
    written = _sample(asked.generator_model, sets.prompt_of(asked), n=asked.wanted, max_new_tokens=longest)
    texts = generator.distinct(written)
    if not texts:
        raise generator.GeneratorFailed(f"The generator “{asked.generator_model}” wrote nothing that can be used.")
    return texts


def generate(run: Generation, report: ReportProgress) -> None:
    """Fills the pool from the run's endpoint, or from a local model."""
    author = generation.over_http if run.generator_url else _write_solutions
    generation.generate(run, report, author, waiting=verifying_between(run, report))


def _write_solutions(run: Generation, prompt: str) -> list[str]:
    """A local model's whole solutions. Raises GeneratorFailed."""
    settings = {"max_new_tokens": run.max_tokens, "temperature": run.temperature, "whole": True}
    return _sample(run.generator_model, prompt, n=run.samples, **settings)


def _sample(model: str, prompt: str, **settings: Any) -> list[str]:
    try:
        return sample(model, prompt, **settings)
    except (data.PrmError, OSError, ValueError, RuntimeError) as error:
        raise generator.GeneratorFailed(f"The generator “{model}” can't write: {error}") from error
