"""Trains a reward model on labelled trees, from the first batch to the saved directory.

A run writes to its output directory alone: `base/` (if the base model was made for it), `checkpoint/state.pt`, and at
the end `model/`. A run that was killed resumes from its checkpoint and ends with the same weights as one that was not.
"""

import hashlib
import json
import math
import random
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, log_softmax

from prm_training.prm import loading, parallel, pretrain
from prm_training.prm import model as models
from prm_training.prm.ensemble import PULL, Ensemble
from prm_training.prm.metrics import evaluate, uncertainty
from prm_training.prm.model import StepClassifier
from prm_training.prm.optimising import Optimising
from prm_training.prm.pretrain import PretrainConfig, WrittenSolution
from prm_training.prm.progress import OnProgress, Precision, Progress, check_settings, ignore
from prm_training.prm.saving import checkpoint
from prm_training.prm.saving.card import Card
from prm_training.prm.trees.data import LabelledTree, PrmError, are_outcomes
from prm_training.prm.trees.packing import Example, ExampleCounts, batches, build_examples, groups

SMALL_MODEL = 10_000_000  # parameters; smaller models are taken for bases of `pretrain`


class NothingToLearn(PrmError):
    """The trees of the train split hold no label that counts."""


class Diverged(PrmError):
    """The loss or the gradient is no longer finite; the checkpoint is that of an earlier step."""


class CheckpointMismatch(PrmError):
    """The output directory holds the checkpoint of another run, with other labels, base or settings."""


@dataclass(frozen=True)
class TrainConfig:
    """One optimiser step sees as many whole trees as fit into `batch_tokens`, and at least one: a larger tree is a step
    of its own, and sees more. `tokens_per_pass` bounds memory: larger trees are cut to it.

    None chooses by the model's size: `learning_rate` 1e-3 for a small one and 2e-5 for any other (1e-4 with LoRA),
    `batch_tokens` 512 and 8,192. `max_length` None is what the model can hold. `checkpoint_every` counts optimiser
    steps. `lora_rank` 0 trains all weights. `patience` stops after so many epochs without a better held-out step AUC,
    and keeps the best epoch's weights; 0 never does. `precision` None is bf16 on a GPU and fp32 elsewhere; the model
    keeps it. `gradient_checkpointing` computes layers twice instead of keeping what they computed: a third more work,
    for memory. `heads` are those of an ensemble beside the plain head, which says how sure the model is; 0 for none.
    `reads_after`: a step of a trace is judged with what it brought about, such as a tool's result, and not before.
    `origin` says where the labels are from, in the model's README.
    """

    epochs: int = 2
    learning_rate: float | None = None
    batch_tokens: int | None = None
    tokens_per_pass: int = 4096
    warmup: float = 0.1
    weight_decay: float = 0.01
    clip: float = 1.0
    max_length: int | None = None
    checkpoint_every: int = 50
    seed: int = 0
    lora_rank: int = 0
    patience: int = 0
    precision: Precision | None = None
    gradient_checkpointing: bool = False
    heads: int = 0
    reads_after: bool = False
    origin: str = ""
    pretraining: PretrainConfig = field(default_factory=PretrainConfig)

    def __post_init__(self) -> None:
        check_settings(
            self,
            epochs=1,
            batch_tokens=1,
            tokens_per_pass=1,
            checkpoint_every=1,
            max_length=8,
            lora_rank=0,
            heads=0,
            patience=0,
            warmup=0,
            weight_decay=0,
        )
        if not (self.learning_rate is None or self.learning_rate > 0) or not self.clip > 0 or self.warmup > 1:
            raise ValueError("learning_rate and clip are above 0, warmup is at most 1")
        if self.heads == 1:
            raise ValueError("heads of an ensemble are 2 or more; 0 for none")


@dataclass(frozen=True)
class TrainStart:
    """The settled facts before the first step.

    `config` has a number for everything automatic; `tokens_read` counts all epochs, `epoch_ends` are the optimiser
    steps at which they end; `losses` and `epochs` (see `TrainReport`) are of the steps that an interrupted attempt
    took.
    """

    config: TrainConfig
    device: str
    parameters: int
    tokens_read: int
    epoch_ends: list[int]
    losses: list[float]
    epochs: list[dict[str, float]]


def heed_nothing(start: TrainStart) -> None:
    """Ignores the start: the default of `on_start`."""


@dataclass(frozen=True)
class TrainReport:
    """The results of a training.

    `losses` has one entry per optimiser step (mean cross-entropy of its labels), `epochs` the held-out metrics after
    each epoch (see `evaluate.step_metrics`; empty without test trees), `metrics` those of the saved weights.
    """

    model_dir: Path
    optimiser_steps: int
    losses: list[float]
    epochs: list[dict[str, float]]
    metrics: dict[str, float]
    train: ExampleCounts
    test: ExampleCounts


OF_A_BASE = ("max_length", "precision", "seed", "reads_after")


def train(  # noqa: PLR0913
    trees: Iterable[LabelledTree],
    base: str | Path | None,
    output_dir: str | Path,
    config: TrainConfig | None = None,
    on_progress: OnProgress = ignore,
    *,
    base_texts: Iterable[WrittenSolution] | None = None,
    on_start: Callable[[TrainStart], None] = heed_nothing,
) -> TrainReport:
    """Train on the trees of split "train", measure on those of split "test", save to `output_dir/model`.

    `base` is a directory or hub name; None makes a small one from `base_texts` first, or takes up the one that an
    interrupted run left. Goes on from a checkpoint in `output_dir`. Raises `NothingToLearn`, `Diverged`,
    `CheckpointMismatch`, `pretrain.NoText`, and whatever `on_progress` and `on_start` raise, which cancels the run.
    """
    config, output, trees = config or TrainConfig(), Path(output_dir), list(trees)
    output.mkdir(parents=True, exist_ok=True)  # fails now, not after hours, if this can't be a directory
    if base is None:
        base = output / "base"
        if not base.exists():
            pretrain.make_base(base_texts or (), base, config.pretraining, on_progress)
    model = loading.load_base(base, **{name: getattr(config, name) for name in OF_A_BASE})
    config = settled_config(config, model)
    if config.heads:
        ensemble = Ensemble(model.head.in_features, config.heads, config.seed).to(model.head.weight.device)
        model = replace(model, ensemble=ensemble)
    (pieces, train_counts), (held_out, test_counts) = (
        build_examples([tree for tree in trees if tree.split == split], model.encoder, config.tokens_per_pass)
        for split in ("train", "test")
    )
    if not pieces:
        raise NothingToLearn("the train split has no rated step that counts")
    # Before `_Run`, whose optimiser takes the weights that are trainable then.
    adapted = models.add_lora(model, config.lora_rank) if config.lora_rank else None
    if config.gradient_checkpointing:
        models.checkpoint_gradients(model)
    run = _Run(model, pieces, config, output / "checkpoint" / "state.pt", _fingerprint(trees, base, config))
    run.resume()
    on_start(run.start())
    run.train(held_out, on_progress)
    if adapted is not None:  # what is saved is an ordinary network again
        adapted.merge_and_unload()
    model = replace(model, supervision="outcome" if are_outcomes(trees) else "process")
    kept = run.metrics[run.best_epoch if config.patience else -1]
    card = Card(
        base=str(base),
        origin=config.origin,
        labels_hash=hash_of(trees),
        train=train_counts,
        test=test_counts,
        metrics=kept,
        encoder=model.encoder,
        precision=model.precision,
        is_orm=model.supervision == "outcome",
    )
    models.save(model, output / "model", also=card.write)
    return TrainReport(output / "model", len(run.losses), run.losses, run.metrics, kept, train_counts, test_counts)


def measure(
    model: StepClassifier, pieces: Sequence[Example], tokens_per_pass: int, on_progress: OnProgress = ignore
) -> dict[str, float]:
    """Measures labelled pieces: `evaluate.step_metrics`, with the bounds of `uncertainty.step_intervals`.

    For a model of two classes, neutral steps are right ones.
    """
    passes = list(batches(pieces, tokens_per_pass))
    classes = [mark for each in passes for mark in each.marks]

    def tell(done: int) -> None:
        parallel.tell(on_progress, Progress("evaluating", done, len(classes)))

    if len(model.classes) == 2:
        classes = [2 * (each > 0) for each in classes]
    found = log_softmax(models.read_pieces(model, passes, tell)[:, :3], dim=-1)  # (marks, 3)
    rows = [tuple(row) for row in found.tolist()]
    of_piece = [number for number, piece in enumerate(pieces) for _ in piece.marks]
    return evaluate.step_metrics(rows, classes) | uncertainty.step_intervals(rows, classes, of_piece)


class _Run:
    """One training run: its state, which a checkpoint holds, and its loop."""

    def __init__(
        self, model: StepClassifier, pieces: list[Example], config: TrainConfig, path: Path, fingerprint: str
    ) -> None:
        self.model, self.path, self.fingerprint = model, path, fingerprint
        self.learner = nn.ModuleDict({"network": model.network})
        if model.ensemble:
            self.learner["ensemble"] = model.ensemble
        self.config = config
        # The whole plan follows from the seed, so a resumed run has the same batches ahead of it.
        orders = [random.Random(f"{config.seed}:{epoch}").sample(pieces, len(pieces)) for epoch in range(config.epochs)]
        batched = [groups(order, config.batch_tokens or 0) for order in orders]
        self.plan = [(epoch, chosen) for epoch, batches in enumerate(batched) for chosen in batches]
        self.optimising = Optimising(
            self.learner.parameters(),
            peak=config.learning_rate or 0,
            total=len(self.plan),
            weight_decay=config.weight_decay,
            warmup=config.warmup,
            clip=config.clip,
        )
        self.losses: list[float] = []
        self.metrics: list[dict[str, float]] = []
        self.best: dict[str, Tensor] | None = None  # weights of the best epoch, if `patience` needs them

    def start(self) -> TrainStart:
        epochs = [epoch for epoch, _ in self.plan]
        return TrainStart(
            config=self.config,
            device=parallel.device_name(),
            parameters=self.model.network.num_parameters(),
            tokens_read=sum(len(piece) for _, chosen in self.plan for piece in chosen),
            epoch_ends=[bisect_right(epochs, epoch) for epoch in range(self.config.epochs)],
            losses=list(self.losses),
            epochs=list(self.metrics),
        )

    def train(self, held_out: Sequence[Example], on_progress: OnProgress) -> None:
        """Takes every step that remains; saves a checkpoint every so often and after every epoch."""
        done, total = len(self.losses), len(self.plan)  # a loss is one step taken: where a resumed run goes on
        for number, (epoch, chosen) in enumerate(self.plan[done:], start=done + 1):
            # Of len(metrics) epochs, those after the best: with a patience of 1, one epoch that is no better ends the
            # training.
            if 0 < self.config.patience < len(self.metrics) - self.best_epoch:
                break
            numbers = {"learning_rate": self.optimising.learning_rate, "epoch": epoch + 1, "loss": self._step(chosen)}
            self.losses.append(numbers["loss"])
            is_last = number == total or self.plan[number][0] != epoch
            if is_last:
                self._end_epoch(held_out, on_progress)
                numbers |= {f"test_{name}": value for name, value in self.metrics[-1].items()}
            # After the epoch's metrics, so that a resumed run need not measure again; before the listener, which may
            # raise to end the run.
            if is_last or number % self.config.checkpoint_every == 0:
                self._save()
            parallel.tell(on_progress, Progress("training", number, total, numbers))
        if self.best is not None:
            self.learner.load_state_dict(self.best, strict=False)

    def _step(self, chosen: list[Example]) -> float:
        """Takes one optimiser step; the loss is the mean over all labels of the batch, however it is cut into
        passes.
        """
        # Of the whole batch, on all devices: the cut into passes and shares must not change any label's weight.
        labels = sum(len(piece.marks) for piece in chosen)
        mean = 0.0
        for batch in batches(parallel.own_share(chosen), self.config.tokens_per_pass):
            hidden = self.model.hidden(batch)  # (marks, hidden)
            targets = torch.tensor(batch.marks, device=hidden.device)  # (marks,)
            loss = cross_entropy(self.model.judged(hidden), targets, reduction="sum") / labels
            whole = loss + self._of_ensemble(hidden, targets) / labels
            whole.backward()  # gradients add up over the passes; `optimising.step` adds them up over the devices
            mean += loss.item()
        (mean,) = parallel.total([mean])  # every process sees the same loss, so all diverge or none
        number = len(self.losses) + 1
        if not math.isfinite(mean):
            raise Diverged(f"the loss is {mean} at optimiser step {number}")
        if not math.isfinite(norm := self.optimising.step()):
            raise Diverged(f"the gradient norm is {norm} at optimiser step {number}")
        return mean

    def _of_ensemble(self, hidden: Tensor, targets: Tensor) -> Tensor:
        """The ensemble's loss, summed over the marks; `PULL` is weighted by marks, so that it adds up over passes and
        devices.
        """
        if (ensemble := self.model.ensemble) is None:
            return hidden.new_zeros(())
        return ensemble.loss(hidden, targets) + PULL * ensemble.distance() * len(targets)

    def _end_epoch(self, held_out: Sequence[Example], on_progress: OnProgress) -> None:
        self.metrics.append(measure(self.model, held_out, self.config.tokens_per_pass, on_progress))
        if self.config.patience and self.best_epoch == len(self.metrics) - 1:
            # Clones: training goes on in the same tensors.
            self.best = {name: weight.clone() for name, weight in self._trained().items()}

    @property
    def best_epoch(self) -> int:
        """The epoch with the best held-out step AUC, from 0. Without test trees every epoch is the best so far."""
        found = [metrics.get("step_auc", float(epoch)) for epoch, metrics in enumerate(self.metrics)]
        return max(range(len(found)), key=found.__getitem__, default=0)

    def _save(self) -> None:
        state = {name: getattr(self, name) for name in ("fingerprint", "losses", "metrics", "best")}
        # Weights, the optimiser's moments and the step it is at. No random state: the plan follows from the seed, and
        # dropout is off.
        state |= {"trained": self._trained(), "optimising": self.optimising.state_dict()}
        checkpoint.save_state(self.path, state)

    def _trained(self) -> dict[str, Tensor]:
        """The weights that training changes: all, or with LoRA only a few; the others are the base's."""
        named = self.learner.named_parameters()
        return {name: weight.detach() for name, weight in named if weight.requires_grad}

    def resume(self) -> None:
        """Load the checkpoint of this run, if there is one. Raises `CheckpointMismatch`."""
        if (state := checkpoint.load_state(self.path)) is None:
            return
        if state["fingerprint"] != self.fingerprint:
            raise CheckpointMismatch(f"{self.path} belongs to a run with other labels, base or settings")
        # Not strict: with LoRA only the adapters were saved, and the base has loaded the rest.
        self.learner.load_state_dict(state["trained"], strict=False)
        self.optimising.load_state_dict(state["optimising"])
        self.losses, self.metrics, self.best = state["losses"], state["metrics"], state["best"]


def settled_config(config: TrainConfig, model: StepClassifier) -> TrainConfig:
    """The config with a number for everything that it leaves to the model."""
    automatic = 1e-3 if is_small(model) else 1e-4 if config.lora_rank else 2e-5
    return replace(
        config,
        learning_rate=config.learning_rate or automatic,
        batch_tokens=config.batch_tokens or (512 if is_small(model) else 8192),
        max_length=model.encoder.max_length,
        precision=model.precision,
    )


def is_small(model: StepClassifier) -> bool:
    """Returns whether the model is small and so has to learn fast; a large one must not forget what it knows."""
    parameters: int = model.network.num_parameters()
    return parameters < SMALL_MODEL


def hash_of(trees: Sequence[LabelledTree]) -> str:
    found = hashlib.sha256()
    for tree in trees:
        found.update(repr(tree).encode())
    return found.hexdigest()


def _fingerprint(trees: Sequence[LabelledTree], base: str | Path, config: TrainConfig) -> str:
    # A checkpoint fits only a run that would take the same steps: the same trees in the same order, base and settings.
    settings = asdict(config) | {"checkpoint_every": None, "origin": ""}  # these change no weight
    return hashlib.sha256(json.dumps([str(base), settings, hash_of(trees)]).encode()).hexdigest()
