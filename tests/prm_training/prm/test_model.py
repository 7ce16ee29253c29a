"""Saved directories: whole, and the same numbers in plain transformers."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from transformers import AutoModelForTokenClassification, AutoTokenizer

from prm_training.prm import attention, checkpoint
from prm_training.prm import model as models
from prm_training.prm.model import RewardModel


def test_plain_transformers_loads_what_was_saved(model: RewardModel, tmp_path: Path) -> None:
    models.save(model, tmp_path / "model")
    plain = AutoModelForTokenClassification.from_pretrained(tmp_path / "model").eval()
    assert plain.config.id2label == {0: "negative", 1: "neutral", 2: "positive"}
    encoded = model.encoder.encode("What is 2 + 3?", ["2 + 3 = 5.", "So 5."])
    ids = torch.tensor([encoded.ids])
    with attention.plain(model.network) as network:
        assert torch.equal(plain(ids).logits, network(ids).logits)
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "model")
    assert tokenizer("So 5.")["input_ids"] == model.tokenizer("So 5.")["input_ids"]


def test_a_saved_model_keeps_boundary_and_length_limit(base: Path, tmp_path: Path) -> None:
    models.save(models.load(base, max_length=77), tmp_path / "model")
    assert models.load(tmp_path / "model").encoder.max_length == 77
    assert models.load(base).encoder.max_length == 512


def test_the_head_is_drawn_from_the_seed(base: Path) -> None:
    first, same, other = (models.load(base, seed=seed).head.weight for seed in (1, 1, 2))
    assert torch.equal(first, same)
    assert not torch.equal(first, other)


def test_a_directory_is_whole_or_absent(tmp_path: Path) -> None:
    final = tmp_path / "model"
    with pytest.raises(RuntimeError), checkpoint.whole_directory(final) as partial:
        (partial / "half").touch()
        raise RuntimeError
    assert not final.exists()
    for name in ("first", "second"):
        with checkpoint.whole_directory(final) as partial:
            (partial / name).touch()
    assert [path.name for path in final.iterdir()] == ["second"]
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
