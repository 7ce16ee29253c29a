"""Saved models: complete directories, with the same numbers in plain transformers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Barrier
from typing import Any, get_args

import pytest
import torch
from transformers import (
    AutoModelForTokenClassification,
    AutoTokenizer,
    BertConfig,
    DeepseekV3Config,
    FalconConfig,
    Gemma2Config,
    GptOssConfig,
    LlamaConfig,
    MistralConfig,
    MptConfig,
    PreTrainedModel,
    Qwen3NextConfig,
)

from prm_training.prm import loading
from prm_training.prm import model as models
from prm_training.prm.model import StepClassifier, UnusableBackbone
from prm_training.prm.progress import Precision
from prm_training.prm.saving import checkpoint
from prm_training.prm.score import score_solutions
from prm_training.prm.trees import attention
from prm_training.prm.trees.data import Solution


def test_plain_transformers_loads_what_was_saved(model: StepClassifier, tmp_path: Path) -> None:
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
    models.save(loading.load_base(base, max_length=77), tmp_path / "model")
    assert loading.load_reward_model(tmp_path / "model").encoder.max_length == 77
    assert loading.load_base(base).encoder.max_length == 512


def test_the_head_is_drawn_from_the_seed(base: Path) -> None:
    first, same, other = (loading.load_base(base, seed=seed).head.weight for seed in (1, 1, 2))
    assert torch.equal(first, same)
    assert not torch.equal(first, other)


@dataclass
class Part:
    """The interface of a transformers model that `save_model` uses."""

    name: str

    def save_pretrained(self, directory: Path) -> None:
        (directory / self.name).touch()


def test_a_directory_is_whole_or_absent(tmp_path: Path) -> None:
    final = tmp_path / "model"
    with pytest.raises(FileNotFoundError):
        checkpoint.save_model(final, Part("half"), Part("no/such/folder"))
    assert not final.exists()
    for name in ("first", "second"):
        checkpoint.save_model(final, Part(name))
    assert [path.name for path in final.iterdir()] == ["second"]
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


SHAPE: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 64, "num_attention_heads": 4, "initializer_range": 0.2}
QWEN: dict[str, Any] = {
    "num_hidden_layers": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "linear_num_value_heads": 4,
    "num_experts": 2,
    "linear_num_key_heads": 2,
    "linear_key_head_dim": 8,
    "linear_value_head_dim": 8,
    "num_experts_per_tok": 1,
    "moe_intermediate_size": 32,
    "shared_expert_intermediate_size": 32,
}


def saved(config: Any, model: StepClassifier, directory: Path) -> Path:
    """Saves an untrained backbone with a vocabulary."""
    config.update({"vocab_size": len(model.tokenizer), "num_labels": 3})
    config.update({"pad_token_id": None, "bos_token_id": None, "eos_token_id": None})
    torch.manual_seed(0)
    AutoModelForTokenClassification.from_config(config).save_pretrained(directory)
    model.tokenizer.save_pretrained(directory)
    return directory


TWO: dict[str, Any] = SHAPE | {"num_hidden_layers": 2, "num_key_value_heads": 2, "head_dim": 8}
EXPERTS: dict[str, Any] = {"num_local_experts": 2, "num_experts_per_tok": 1}
FALCON: dict[str, Any] = {"hidden_size": 32, "num_attention_heads": 4, "num_hidden_layers": 2}
MPT: dict[str, Any] = {"d_model": 32, "n_heads": 4, "n_layers": 2}
REFUSED = {
    "looks ahead": (BertConfig(**SHAPE, num_hidden_layers=2), "does not read trees"),
    "linear attention": (Qwen3NextConfig(**SHAPE, **QWEN), "does not read trees"),
    "soft caps": (Gemma2Config(**TWO), "Gemma2Attention's softcap"),
    "sinks": (GptOssConfig(**TWO, **EXPERTS), "GptOssAttention's s_aux"),
    "attention of its own": (FalconConfig(**FALCON), "stepmark_tree"),
    "no positions": (MptConfig(**MPT), "MptForTokenClassification can't read trees"),
}


@pytest.mark.parametrize("precision", get_args(Precision))
@pytest.mark.parametrize("name", REFUSED)
def test_a_backbone_that_cannot_read_trees_is_refused(
    name: str, precision: Precision, model: StepClassifier, tmp_path: Path
) -> None:
    config, said = REFUSED[name]
    with pytest.raises(UnusableBackbone, match=said):
        loading.load_base(saved(config, model, tmp_path), precision=precision)


DEEPSEEK: dict[str, Any] = {
    "num_hidden_layers": 2,
    "num_key_value_heads": 4,
    "moe_intermediate_size": 16,
    "n_routed_experts": 4,
    "n_group": 1,
    "topk_group": 1,
    "num_experts_per_tok": 2,
    "kv_lora_rank": 8,
    "q_lora_rank": 8,
    "qk_rope_head_dim": 4,
    "v_head_dim": 4,
    "qk_nope_head_dim": 4,
}


@pytest.mark.parametrize("precision", get_args(Precision))
def test_values_may_be_smaller_than_keys(precision: Precision, model: StepClassifier, tmp_path: Path) -> None:
    config = DeepseekV3Config(**SHAPE, **DEEPSEEK)
    assert loading.load_base(saved(config, model, tmp_path), precision=precision).precision == precision


@pytest.mark.parametrize("shape", [LlamaConfig(**TWO), DeepseekV3Config(**SHAPE, **DEEPSEEK)], ids=["plain", "experts"])
def test_preparing_to_read_changes_no_output(shape: Any, model: StepClassifier, tmp_path: Path) -> None:
    network = loading.load_base(saved(shape, model, tmp_path), precision="bf16")
    solutions = [Solution("1", "What is 2 + 3?", ("2 + 3 = 5.", "So 5.")), Solution("2", "What is 4?", ("4.",))]
    before = list(score_solutions(network, solutions))
    models.prepare_to_read(network)
    assert list(score_solutions(network, solutions)) == before
    kept = {weight.dtype for weight in network.network.base_model.layers.parameters()}
    assert kept == {torch.float32, torch.bfloat16}, "norms stay as they are"


def test_no_path_is_longer_than_a_sliding_window(model: StepClassifier, tmp_path: Path) -> None:
    config = MistralConfig(**SHAPE, num_hidden_layers=2, num_key_value_heads=2, sliding_window=48)
    found = loading.load_base(saved(config, model, tmp_path), max_length=256)
    assert found.encoder.max_length == 48


def test_threads_that_load_at_once_leave_transformers_as_it_is(base: Path) -> None:
    ties, barrier = PreTrainedModel.tie_weights, Barrier(4)

    def loaded(_: int) -> StepClassifier:
        barrier.wait()
        return loading.load_base(base, seed=1)

    with ThreadPoolExecutor(4) as threads:
        first, *others = (each for _ in range(3) for each in list(threads.map(loaded, range(4))))
    assert PreTrainedModel.tie_weights is ties
    assert all(torch.equal(first.head.weight, other.head.weight) for other in others)
