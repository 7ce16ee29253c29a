"""A base model made on the spot: a byte-level vocabulary and a small causal model, from the pool's own text.

A reward model that starts from random weights learns nothing from a thousand labels. One that has first learned to
predict the pool finds wrong steps surprising before it has seen a label.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from torch import Tensor, nn
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from prm_training.prm import checkpoint
from prm_training.prm.batching import Batch, batches
from prm_training.prm.data import PrmError
from prm_training.prm.encoding import Encoder
from prm_training.prm.model import hidden_states
from prm_training.prm.optimising import Optimising, Schedule, draw_batches
from prm_training.prm.packing import Piece, Trie
from prm_training.prm.progress import OnProgress, Progress, ignore

START, STEP_END, PADDING = "<|start|>", "<|step|>", "<|pad|>"

Text = tuple[str, Sequence[str]]  # a problem and the steps of one solution


class NoText(PrmError):
    """There is no text to make a base model from."""


@dataclass(frozen=True)
class PretrainConfig:
    """The defaults take about a minute on two cores. `steps` bounds the work; a small pool is seen at most
    `epochs` times."""

    vocabulary: int = 1024
    hidden: int = 128
    layers: int = 4
    heads: int = 4
    max_length: int = 512
    steps: int = 300
    epochs: int = 20
    batch_tokens: int = 2048
    learning_rate: float = 3e-3
    seed: int = 0

    def __post_init__(self) -> None:
        if self.vocabulary < 259:
            raise ValueError("vocabulary is at least 259: 256 bytes and three special tokens")
        if self.hidden % self.heads or min(self.hidden, self.layers, self.heads, self.steps, self.epochs) < 1:
            raise ValueError("hidden is a multiple of heads, and every size is at least 1")


def make_base(
    texts: Iterable[Text], directory: Path, config: PretrainConfig, on_progress: OnProgress = ignore
) -> float:
    """Train vocabulary and model on `texts`, save them as a Hugging Face directory, return the last loss (nats per
    token). Raises `NoText`, and whatever `on_progress` raises."""
    solutions = [(problem, tuple(steps)) for problem, steps in texts]
    if not solutions:
        raise NoText("a base model is made from the pool's text, and there is none")
    tokenizer = train_tokenizer(solutions, config.vocabulary)
    pieces = _pieces(solutions, Encoder(tokenizer, config.max_length, STEP_END))
    network = _network(tokenizer, config)
    loss = _fit(network, pieces, config, on_progress)
    with checkpoint.whole_directory(directory) as partial:
        network.save_pretrained(partial)
        tokenizer.save_pretrained(partial)
    return loss


def train_tokenizer(solutions: Sequence[Text], vocabulary: int) -> PreTrainedTokenizerFast:
    """A byte-level BPE vocabulary that reads any text and never joins two digits."""
    tokenizer = Tokenizer(models.BPE())
    digits = pre_tokenizers.Digits(individual_digits=True)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([digits, pre_tokenizers.ByteLevel(add_prefix_space=False)])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[START, STEP_END, PADDING],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator((text for problem, steps in solutions for text in (problem, *steps)), trainer)
    return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer, bos_token=START, pad_token=PADDING
    )


def language_loss(network: Any, batch: Batch[Any]) -> tuple[Tensor, int]:
    """Summed next-token loss over a packed batch, and the number of tokens predicted.

    Each token is predicted from the one before it on its own path, so a fork is predicted once per branch.
    """
    predicted = (batch.predecessors >= 0).nonzero()[:, 0]  # (predicted,)
    sources = batch.predecessors[predicted]  # (predicted,)
    hidden = hidden_states(network.model, batch)[sources]  # (predicted, hidden)
    targets = batch.ids.flatten()[predicted]
    loss = nn.functional.cross_entropy(network.lm_head(hidden).float(), targets, reduction="sum")
    return loss, len(targets)


def _pieces(solutions: Sequence[Text], encoder: Encoder) -> list[Piece[None]]:
    tries: dict[str, Trie[None]] = {}
    for problem, steps in solutions:
        tries.setdefault(problem, Trie()).add(encoder.encode(problem, steps).segments)
    return [piece for trie in tries.values() for piece in trie.pieces(encoder.max_length)]


def _network(tokenizer: PreTrainedTokenizerFast, config: PretrainConfig) -> Any:
    torch.manual_seed(config.seed)
    shape = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=config.hidden,
        intermediate_size=3 * config.hidden,
        num_hidden_layers=config.layers,
        num_attention_heads=config.heads,
        max_position_embeddings=2048,
        tie_word_embeddings=True,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=None,
        pad_token_id=tokenizer.pad_token_id,
    )
    shape.step_boundary = STEP_END  # read again by `model.load`
    network: Any = LlamaForCausalLM(shape)
    return network.eval()


def _fit(network: Any, pieces: list[Piece[None]], config: PretrainConfig, on_progress: OnProgress) -> float:
    drawn = list(_drawn(pieces, config))
    optimising = Optimising(network.parameters(), Schedule(config.learning_rate, len(drawn), weight_decay=0.05))
    mean = 0.0
    for done, chosen in enumerate(drawn, start=1):
        losses = [language_loss(network, batch) for batch in batches(chosen, config.batch_tokens)]
        total = sum(count for _, count in losses)
        loss = torch.stack([loss for loss, _ in losses]).sum() / total
        loss.backward()  # type: ignore[no-untyped-call]
        optimising.step()
        mean = loss.item()
        on_progress(Progress("pretraining", done, len(drawn), {"loss": mean}))
    return mean


def _drawn(pieces: list[Piece[None]], config: PretrainConfig) -> Iterator[list[Piece[None]]]:
    left = config.steps
    for epoch in range(config.epochs):
        for chosen in draw_batches(pieces, config.batch_tokens, random.Random(f"{config.seed}:{epoch}")):
            if left == 0:
                return
            left -= 1
            yield chosen
