"""Training: its files, its counts, and the same weights after a kill and resumption."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from dataclasses import asdict, replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from prm_training.prm import loading
from prm_training.prm import train as training
from prm_training.prm.__main__ import main
from prm_training.prm.pretrain import NoText, PretrainConfig, WrittenSolution
from prm_training.prm.progress import Progress
from prm_training.prm.train import CheckpointMismatch, Diverged, NothingToLearn, TrainConfig, TrainReport, TrainStart
from prm_training.prm.trees.data import Completion, LabelledTree, Step, counted_labels
from prm_training.prm.trees.packing import build_examples
from tests.running import libraries

SIX_STEPS = TrainConfig(epochs=2, batch_tokens=700, learning_rate=1e-3, max_length=256, checkpoint_every=2)


ONE_THREAD = os.environ | {"OMP_NUM_THREADS": "1"}


def written(trees: list[LabelledTree], path: Path) -> str:
    path.write_text("".join(json.dumps(asdict(tree)) + "\n" for tree in trees))
    return str(path)


class Killed(Exception):
    pass


class KillAt:
    """Raises an error at a given progress of a stage."""

    def __init__(self, done: int, stage: str = "training") -> None:
        self.done, self.stage = done, stage

    def __call__(self, progress: Progress) -> None:
        if (progress.stage, progress.done) == (self.stage, self.done):
            raise Killed


def weights(directory: Path) -> dict[str, torch.Tensor]:
    return load_file(directory / "model" / "model.safetensors")


def assert_same_weights(left: Path, right: Path) -> None:
    first, second = weights(left), weights(right)
    assert first.keys() == second.keys()
    assert all(torch.equal(first[name], second[name]) for name in first)


@pytest.fixture(scope="module")
def finished(
    base: Path, trees: list[LabelledTree], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, TrainReport]:
    output = tmp_path_factory.mktemp("finished")
    return output, training.train(trees, base, output, SIX_STEPS)


def test_it_works(finished: tuple[Path, TrainReport], base: Path, trees: list[LabelledTree]) -> None:
    output, report = finished
    assert report.model_dir == output / "model"
    assert report.optimiser_steps == len(report.losses) == 6
    assert len(report.epochs) == 2
    assert report.metrics["steps"] == report.test.labels
    assert 0 <= report.metrics["step_auc"] <= 1
    before = loading.load_base(base).network.state_dict()["model.layers.0.mlp.up_proj.weight"]
    assert not torch.equal(before, weights(output)["model.layers.0.mlp.up_proj.weight"])
    assert (output / "checkpoint" / "state.pt").exists()


@pytest.mark.parametrize("killed_at", [1, 2, 3, 5, 6])
def test_killed_and_resumed_gives_the_same_weights(
    finished: tuple[Path, TrainReport], base: Path, trees: list[LabelledTree], tmp_path: Path, killed_at: int
) -> None:
    with pytest.raises(Killed):
        training.train(trees, base, tmp_path, SIX_STEPS, KillAt(killed_at))
    assert not (tmp_path / "model").exists()
    seen: list[int] = []
    report = training.train(trees, base, tmp_path, SIX_STEPS, lambda progress: seen.append(progress.done))
    assert_same_weights(tmp_path, finished[0])
    assert (report.losses, report.epochs) == (finished[1].losses, finished[1].epochs)
    assert 1 not in seen or killed_at == 1


def test_a_process_that_is_killed_and_started_again_arrives_at_the_same_weights(
    base: Path, trees: list[LabelledTree], tmp_path: Path
) -> None:
    settings = ["--base", str(base), "--batch-tokens", "200", "--checkpoint-every", "2", "--epochs", "2"]
    command = ["train", written(trees, tmp_path / "trees.jsonl"), *settings]
    main([*command, str(tmp_path / "whole")])
    process = [*libraries.python("prm"), "-m", "prm_training.prm", *command, str(tmp_path / "killed")]
    with subprocess.Popen(process, stderr=subprocess.PIPE, text=True, env=ONE_THREAD) as run:
        assert run.stderr is not None
        assert any(line.startswith("training 5/") for line in run.stderr)
        run.kill()
    assert run.returncode == -signal.SIGKILL
    assert not (tmp_path / "killed" / "model").exists()
    assert (tmp_path / "killed" / "checkpoint" / "state.pt").exists()
    main([*command, str(tmp_path / "killed")])
    assert_same_weights(tmp_path / "whole", tmp_path / "killed")


def test_a_checkpoint_of_other_labels_is_refused(
    finished: tuple[Path, TrainReport], base: Path, trees: list[LabelledTree]
) -> None:
    with pytest.raises(CheckpointMismatch):
        training.train(trees[1:], base, finished[0], SIX_STEPS)


def test_how_a_batch_is_cut_into_passes_changes_nothing(
    base: Path, trees: list[LabelledTree], finished: tuple[Path, TrainReport], tmp_path: Path
) -> None:
    report = training.train(trees, base, tmp_path, replace(SIX_STEPS, tokens_per_pass=150))
    assert report.losses == pytest.approx(finished[1].losses, abs=1e-5)


VARIANTS = {
    "lora": replace(SIX_STEPS, lora_rank=4),
    "patience": replace(SIX_STEPS, epochs=3, patience=1),
    "bf16": replace(SIX_STEPS, precision="bf16"),
    "lora with patience": replace(SIX_STEPS, lora_rank=4, patience=2),
    "gradient checkpointing": replace(SIX_STEPS, gradient_checkpointing=True),
}


@pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing` is deprecated")  # peft asks transformers for it
@pytest.mark.parametrize("name", VARIANTS)
def test_variants_resume_exactly_too(base: Path, trees: list[LabelledTree], tmp_path: Path, name: str) -> None:
    config = VARIANTS[name]
    whole = training.train(trees, base, tmp_path / "whole", config)
    with pytest.raises(Killed):
        training.train(trees, base, tmp_path / "killed", config, KillAt(3))
    training.train(trees, base, tmp_path / "killed", config)
    assert_same_weights(tmp_path / "whole", tmp_path / "killed")
    plain = loading.load_base(base)
    saved = loading.load_reward_model(whole.model_dir)
    assert type(saved.network) is type(plain.network)
    assert saved.network.state_dict().keys() == plain.network.state_dict().keys()


def test_layers_computed_twice_give_the_same_weights(
    finished: tuple[Path, TrainReport], base: Path, trees: list[LabelledTree], tmp_path: Path
) -> None:
    training.train(trees, base, tmp_path, replace(SIX_STEPS, gradient_checkpointing=True))
    assert_same_weights(tmp_path, finished[0])


@pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing` is deprecated")  # peft asks transformers for it
def test_a_checkpoint_holds_what_is_trained(base: Path, trees: list[LabelledTree], tmp_path: Path) -> None:
    training.train(trees, base, tmp_path, replace(SIX_STEPS, lora_rank=1, patience=2))
    state = torch.load(tmp_path / "checkpoint" / "state.pt")
    for part in (state["trained"], state["best"]):
        names = {name for name in part if "lora_" not in name}
        assert names == {"network.score.weight", "network.score.bias"} < part.keys()


def test_the_model_keeps_the_precision_it_was_trained_in(
    finished: tuple[Path, TrainReport], base: Path, trees: list[LabelledTree], tmp_path: Path
) -> None:
    assert loading.load_reward_model(finished[1].model_dir).precision == "fp32"
    starts: list[TrainStart] = []
    settings = replace(SIX_STEPS, epochs=1, precision="bf16")
    report = training.train(trees, base, tmp_path, settings, on_start=starts.append)
    assert loading.load_reward_model(report.model_dir).precision == "bf16"
    assert [start.config.precision for start in starts] == ["bf16"]


def test_patience_keeps_the_best_epoch(base: Path, trees: list[LabelledTree], tmp_path: Path) -> None:
    config = replace(SIX_STEPS, epochs=6, patience=1, learning_rate=3e-2)
    report = training.train(trees, base, tmp_path, config)
    aucs = [metrics["step_auc"] for metrics in report.epochs]
    assert len(aucs) < 6
    assert aucs[-1] <= max(aucs[:-1])
    assert report.metrics["step_auc"] == max(aucs)
    model = loading.load_base(report.model_dir, max_length=256)
    pieces, _ = build_examples((tree for tree in trees if tree.split == "test"), model.encoder, 4096)
    assert training.measure(model, pieces, 4096)["step_auc"] == pytest.approx(max(aucs))


def test_progress_is_told_after_every_step(base: Path, trees: list[LabelledTree], tmp_path: Path) -> None:
    told: list[Progress] = []
    training.train(trees, base, tmp_path, SIX_STEPS, told.append)
    steps = [each for each in told if each.stage == "training"]
    assert [(each.done, each.total) for each in steps] == [(number, 6) for number in range(1, 7)]
    assert {"loss", "learning_rate", "epoch", "test_step_auc"} <= steps[-1].metrics.keys()
    assert any(each.stage == "evaluating" for each in told)


def test_every_label_enters_the_loss_once(base: Path, trees: list[LabelledTree]) -> None:
    expected = sum(len(list(counted_labels(tree))) for tree in trees)
    for limit in (512, 64):
        pieces, counts = build_examples(trees, loading.load_base(base, max_length=limit).encoder, limit)
        assert sum(len(piece.marks) for piece in pieces) == counts.labels == expected


def test_two_labellings_of_one_solution_count_twice(base: Path, trees: list[LabelledTree]) -> None:
    encoder = loading.load_base(base).encoder
    once, twice = (build_examples(some, encoder, 512) for some in (trees[:1], [trees[0], trees[0]]))
    assert twice[1].labels == 2 * once[1].labels
    assert twice[1].tokens == once[1].tokens


def test_labels_beyond_the_length_limit_are_counted(base: Path) -> None:
    steps = tuple(Step((Completion("1 + 1 = 2. " * 3, 1),), 0) for _ in range(5))
    tree = LabelledTree("t", "g", "train", "P?" * 60, steps)
    pieces, counts = build_examples([tree], loading.load_base(base, max_length=128).encoder, 128)
    assert counts.labels + counts.labels_left_out == 5
    assert counts.labels_left_out > 0
    assert counts.problems_shortened == 1
    assert all(len(piece) <= 128 for piece in pieces)


def test_four_examples_are_learned_by_heart(base: Path, trees: list[LabelledTree], tmp_path: Path) -> None:
    four = [replace(tree, split="train") for tree in trees[:4]]
    config = TrainConfig(epochs=30, batch_tokens=400, learning_rate=5e-3, checkpoint_every=1000)
    report = training.train(four, base, tmp_path, config)
    assert report.losses[0] > 0.5
    assert report.losses[-1] < 0.05


def test_without_test_trees_there_are_no_metrics(base: Path, trees: list[LabelledTree], tmp_path: Path) -> None:
    only_train = [tree for tree in trees if tree.split == "train"]
    report = training.train(only_train, base, tmp_path, replace(SIX_STEPS, epochs=1))
    assert report.metrics["steps"] == 0
    assert "step_auc" not in report.metrics


def test_nothing_to_learn_is_refused(base: Path, tmp_path: Path) -> None:
    tree = LabelledTree("t", "g", "train", "P?", (Step((Completion("a", None),), 0),))
    with pytest.raises(NothingToLearn):
        training.train([tree], base, tmp_path)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_divergence_stops_the_run(base: Path, trees: list[LabelledTree], tmp_path: Path) -> None:
    with pytest.raises(Diverged, match="optimiser step"):
        training.train(trees, base, tmp_path, replace(SIX_STEPS, learning_rate=1e30, weight_decay=0.0))
    assert not (tmp_path / "model").exists()


TINY_BASE = PretrainConfig(vocabulary=300, hidden=32, layers=2, heads=2, steps=4, batch_tokens=300)


def test_a_base_is_made_once_and_then_used(
    trees: list[LabelledTree], texts: list[WrittenSolution], tmp_path: Path
) -> None:
    config = replace(SIX_STEPS, pretraining=TINY_BASE)
    with pytest.raises(Killed):
        training.train(trees, None, tmp_path, config, KillAt(2, "pretraining"), base_texts=texts)
    assert not (tmp_path / "base").exists()
    with pytest.raises(Killed):
        training.train(trees, None, tmp_path, config, KillAt(3), base_texts=texts)
    stages: list[str] = []
    training.train(trees, None, tmp_path, config, lambda progress: stages.append(progress.stage))
    assert "pretraining" not in stages
    training.train(trees, None, tmp_path / "whole", config, base_texts=texts)
    assert_same_weights(tmp_path, tmp_path / "whole")


def test_without_base_and_texts_there_is_nothing_to_start_from(trees: list[LabelledTree], tmp_path: Path) -> None:
    with pytest.raises(NoText):
        training.train(trees, None, tmp_path)


@pytest.mark.parametrize(
    "wrong",
    [{"epochs": 0}, {"learning_rate": 0.0}, {"warmup": 2.0}, {"max_length": 3}, {"clip": 0.0}, {"precision": "fp8"}],
)
def test_settings_are_checked(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"at least|above|between|one of"):
        TrainConfig(**wrong)  # type: ignore[arg-type]
