"""The ensemble beside the plain head, and ActPRM's rule on its certainty."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForTokenClassification

from prm_training.prm import ensemble, loading, train
from prm_training.prm.ensemble import Ensemble, certainty
from prm_training.prm.progress import Progress
from prm_training.prm.score import score_solutions
from prm_training.prm.trees.data import LabelledTree, Solution

CONFIG = train.TrainConfig(epochs=2, batch_tokens=200, heads=4, checkpoint_every=1)
SUM = Solution("1", "What is 20 + 30?", ("20 + 30 = 50.", "50."))


@pytest.fixture(scope="module")
def folder(base: Path, trees: list[LabelledTree], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train.train(trees, base, tmp_path_factory.mktemp("run"), CONFIG).model_dir


def logits(*rows: list[float]) -> torch.Tensor:
    """Returns (steps, heads) log-odds from probabilities."""
    return torch.tensor(rows, dtype=torch.float64).logit()


@pytest.mark.parametrize(
    ("rows", "confidence", "deviation"),
    [
        ([[0.9, 0.9]], 0.9, 0.0),
        ([[0.98, 0.98], [0.3, 0.5]], 0.6, math.sqrt(0.02)),
        # What comes after the first predicted error is not looked at.
        ([[0.98, 0.98], [0.02, 0.02], [0.1, 0.9]], 0.98, 0.0),
        ([[0.99, 0.99], [0.9, 1.0 - 1e-9], [0.97, 0.97]], 0.95, math.sqrt(0.005)),
    ],
)
def test_certainty_is_of_the_least_certain_step_up_to_the_first_error(
    rows: list[list[float]], confidence: float, deviation: float
) -> None:
    found = certainty(logits(*rows))
    assert found is not None
    assert (found.confidence, found.deviation) == pytest.approx((confidence, deviation), abs=1e-6)


def test_no_step_has_no_certainty() -> None:
    assert certainty(torch.zeros(0, 4)) is None


def test_each_head_is_a_network_of_its_own() -> None:
    heads, hidden = Ensemble(8, 3, seed=5), torch.randn(6, 8)
    found = heads(hidden)
    for number in range(3):
        states = hidden
        for place, (weight, bias) in enumerate(zip(heads.weights, heads.biases, strict=True)):
            states = (states.relu() if place else states) @ weight[number] + bias[number]
        assert torch.allclose(found[:, number], states[:, 0], atol=1e-6)
    assert not torch.allclose(found[:, 0], found[:, 1])
    assert heads.distance() == 0


def test_it_is_saved_beside_the_plain_head(folder: Path) -> None:
    AutoModelForTokenClassification.from_pretrained(folder)
    model, heads = loading.load_reward_model(folder), ensemble.load(folder)
    assert model.ensemble is not None
    assert heads is not None
    assert (model.width, heads.size) == (7, 4)
    (score,) = score_solutions(model, [SUM])
    assert score.certainty is not None
    assert 0.5 <= score.certainty.confidence <= 1
    assert score.certainty.deviation > 0
    assert asdict(score)["certainty"].keys() == {"confidence", "deviation"}


def test_it_learns_what_the_plain_head_learns(base: Path, trees: list[LabelledTree], tmp_path: Path) -> None:
    config = train.TrainConfig(epochs=30, batch_tokens=4000, learning_rate=3e-3, heads=4)
    model = loading.load_reward_model(train.train(trees[:4], base, tmp_path, config).model_dir)
    pieces, _ = train.build_examples(trees[:4], model.encoder, 4096)
    for piece in pieces:
        outputs, right = model.outputs(piece).detach(), torch.tensor(piece.marks) > 0
        assert ((outputs[:, 3:].mean(1) > 0) == right).float().mean() > 0.8
        assert ((outputs[:, :3].argmax(1) > 0) == right).float().mean() > 0.8


def test_an_interrupted_training_gives_the_same_heads(
    base: Path, trees: list[LabelledTree], folder: Path, tmp_path: Path
) -> None:
    def stop(progress: Progress) -> None:
        if progress.stage == "training" and progress.done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train.train(trees, base, tmp_path, CONFIG, stop)
    again = train.train(trees, base, tmp_path, CONFIG).model_dir
    for one, other in ((ensemble.load(folder), ensemble.load(again)),):
        assert one is not None
        assert other is not None
        assert all(torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters(), strict=True))


def test_one_head_is_no_ensemble() -> None:
    with pytest.raises(ValueError, match="heads"):
        train.TrainConfig(heads=1)
