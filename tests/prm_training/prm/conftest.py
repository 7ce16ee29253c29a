"""Labelled trees of small sums, and tiny bases that load in milliseconds."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM
from transformers.utils import logging

from prm_training.prm import loading, pretrain
from prm_training.prm import model as models
from prm_training.prm.model import StepClassifier
from prm_training.prm.trees.data import Completion, LabelledTree, Step


@pytest.fixture(scope="session", autouse=True)
def _quiet_and_deterministic() -> Iterator[None]:
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # on a busy machine, threads that wait for one another are many times slower than one
    torch.use_deterministic_algorithms(True)
    yield
    torch.use_deterministic_algorithms(False)
    torch.set_num_threads(threads)


def sum_tree(seed: int, split: str = "train") -> LabelledTree:
    """Makes a tree of two steps with three alternatives each; wrong sums are negative."""
    rng = random.Random(seed)
    numbers = [rng.randint(10, 49) for _ in range(3)]
    steps, total = [], numbers[0]
    for number in numbers[1:]:
        right = f"{total} + {number} = {total + number}."
        wrong = f"{total} + {number} = {total + number + rng.choice((-10, -1, 1, 10))}."
        completions = (Completion(right, 1), Completion(wrong, -1), Completion("Let us go on.", 0))
        steps.append(Step(completions, 0))
        total += number
    problem = f"What is {' + '.join(map(str, numbers))}?"
    return LabelledTree(f"t{seed}", f"p{seed}", split, problem, tuple(steps))


@pytest.fixture(scope="session")
def trees() -> list[LabelledTree]:
    return [sum_tree(seed, "test" if seed % 4 == 0 else "train") for seed in range(24)]


@pytest.fixture(scope="session")
def texts(trees: list[LabelledTree]) -> list[pretrain.WrittenSolution]:
    return [(tree.problem, [step.completions[step.chosen or 0].text for step in tree.steps]) for tree in trees]


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory, texts: list[pretrain.WrittenSolution]) -> Path:
    """An untrained two-layer model with a trained vocabulary."""
    directory = tmp_path_factory.mktemp("base")
    tokenizer = pretrain.train_tokenizer(texts, 300)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=512,
        initializer_range=0.2,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=None,
        pad_token_id=tokenizer.pad_token_id,
    )
    LlamaForCausalLM(config).save_pretrained(directory)
    tokenizer.save_pretrained(directory)
    return directory


@pytest.fixture(scope="session")
def saved_model(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete reward model with random weights."""
    directory = tmp_path_factory.mktemp("saved") / "model"
    models.save(loading.load_base(base), directory)
    return directory


@pytest.fixture
def model(base: Path) -> StepClassifier:
    return loading.load_base(base)
