"""The network: any Hugging Face backbone with a three-class head read at step ends.

What is saved is an ordinary `AutoModelForTokenClassification` directory, tokenizer included; the step boundary and the
length limit that the labels were read with stand in its config.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AutoModelForTokenClassification, AutoTokenizer

from prm_training.prm import attention, checkpoint
from prm_training.prm.batching import Batch
from prm_training.prm.data import CLASS_NAMES, PrmError
from prm_training.prm.encoding import DEFAULT_BOUNDARY, Encoder

HEAD_NAMES = ("score", "classifier")


class UnusableBackbone(PrmError):
    """The model has no token-classification head that this package knows how to read."""


@dataclass(frozen=True)
class RewardModel:
    """A network and the encoder that goes with it."""

    network: Any  # a transformers PreTrainedModel for token classification
    tokenizer: Any
    encoder: Encoder

    @property
    def head(self) -> nn.Linear:
        """The linear layer from hidden size to the three classes."""
        found = next((getattr(self.network, name) for name in HEAD_NAMES if hasattr(self.network, name)), None)
        if not isinstance(found, nn.Linear):
            raise UnusableBackbone(f"{type(self.network).__name__} has no linear head named {HEAD_NAMES}")
        return found

    def logits(self, batch: Batch[Any]) -> Tensor:
        """(marks, 3) fp32: negative, neutral, positive at every place that the batch reads."""
        hidden = hidden_states(self.network.base_model, batch)  # (tokens, hidden)
        head, device = self.head, hidden.device
        bias = None if head.bias is None else head.bias.float()
        return nn.functional.linear(hidden[batch.reads.to(device)].float(), head.weight.float(), bias)


def hidden_states(backbone: Any, batch: Batch[Any]) -> Tensor:
    """One forward pass of the backbone, which must have tree attention, over the packed row -> (tokens, hidden)."""
    assert backbone.config._attn_implementation == attention.NAME  # any other would see across branches
    device = backbone.device
    with attention.over(batch.subtree_ends.to(device), batch.lengths):
        states: Tensor = backbone(
            input_ids=batch.ids.to(device), position_ids=batch.positions.to(device), use_cache=False
        ).last_hidden_state  # (1, tokens, hidden)
    return states[0]


def load(source: str | Path, *, max_length: int | None = None, seed: int = 0) -> RewardModel:
    """Load a saved reward model, or put a new head (drawn from `seed`) on any causal model: a directory or hub name.

    `max_length` defaults to the one saved with the model, else to what the backbone can hold, at most 2,048.
    Weights are fp32 and dropout is off. Raises `UnusableBackbone`, `EncodingError`, and what transformers raises
    for a source that it cannot load.
    """
    torch.manual_seed(seed)
    tokenizer = AutoTokenizer.from_pretrained(source)
    network = AutoModelForTokenClassification.from_pretrained(
        source, dtype=torch.float32, attn_implementation=attention.NAME, **_labels()
    ).eval()
    boundary = getattr(network.config, "step_boundary", DEFAULT_BOUNDARY)
    encoder = Encoder(tokenizer, max_length or _length_limit(network.config), boundary)
    model = RewardModel(network, tokenizer, encoder)
    model.head.float()
    return model


def save(model: RewardModel, directory: Path) -> None:
    """Write a directory that plain transformers loads; it appears whole or not at all."""
    config = model.network.config
    config.step_boundary = model.encoder.boundary
    config.step_max_length = model.encoder.max_length
    config.classifier_dropout = 0.0
    with checkpoint.whole_directory(directory) as partial:
        model.network.save_pretrained(partial)
        model.tokenizer.save_pretrained(partial)


def _labels() -> dict[str, Any]:
    return {
        "num_labels": len(CLASS_NAMES),
        "id2label": dict(enumerate(CLASS_NAMES)),
        "label2id": {name: number for number, name in enumerate(CLASS_NAMES)},
    }


def _length_limit(config: Any) -> int:
    saved = getattr(config, "step_max_length", None)
    return int(saved or min(getattr(config, "max_position_embeddings", 2048), 2048))
