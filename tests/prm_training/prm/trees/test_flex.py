"""Flex attention, used on GPUs, gives the CPU's numbers and gradients through the whole model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
import torch
from torch import Tensor
from torch.nn.attention import flex_attention as flex
from torch.nn.functional import cross_entropy

from prm_training.prm import loading
from prm_training.prm import model as models
from prm_training.prm.model import StepClassifier
from prm_training.prm.progress import Precision
from prm_training.prm.trees import attention
from prm_training.prm.trees.data import LabelledTree
from prm_training.prm.trees.packing import Example, batches, build_examples

pytestmark = [
    pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile"),
    pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor that is not a leaf"),  # torch looks for itself
]
TOLERANCE: dict[Precision, float] = {"fp32": 1e-4, "bf16": 0.05}


@pytest.fixture
def on_flex(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Switches to uncompiled flex attention, and lifts torch's refusal of its gradients on a CPU."""
    with monkeypatch.context() as switch:
        switch.setattr(attention, "uses_flex", lambda _tensor: True)
        switch.setattr(attention, "_compiled_flex", lambda: flex.flex_attention)
        switch.setattr(flex, "_validate_device", lambda *_tensors: None)
        yield switch


@pytest.fixture
def batch(model: StepClassifier, trees: list[LabelledTree]) -> Example:
    """Returns several trees in one row longer than a block."""
    pieces, _ = build_examples(trees[:6], model.encoder, 4096)
    (found,) = batches(pieces, 4096)
    assert len(found) > 2 * attention.BLOCK
    return found


def gradients(model: StepClassifier, batch: Example) -> dict[str, Tensor]:
    model.network.zero_grad()
    cross_entropy(model.logits(batch), torch.tensor(batch.marks)).backward()
    return {name: weight.grad.clone() for name, weight in model.network.named_parameters()}


def assert_near(found: Tensor, expected: Tensor, precision: Precision) -> None:
    assert (found - expected).norm() <= TOLERANCE[precision] * expected.norm()


@pytest.mark.parametrize("precision", get_args(Precision))
@pytest.mark.parametrize("is_checkpointed", [False, True])
def test_the_whole_model_has_the_numbers_and_gradients_of_the_cpu(
    model: StepClassifier, batch: Example, on_flex: pytest.MonkeyPatch, precision: Precision, is_checkpointed: bool
) -> None:
    model = replace(model, precision=precision)
    if is_checkpointed:
        models.checkpoint_gradients(model)
    with torch.no_grad():
        found = model.logits(batch)
    found_gradients = gradients(model, batch)
    on_flex.undo()
    with torch.no_grad():
        assert_near(found, model.logits(batch), precision)
    expected = gradients(model, batch)
    assert found_gradients.keys() == expected.keys()
    for name, gradient in found_gradients.items():
        assert_near(gradient, expected[name], precision)


def test_a_model_is_checked_on_flex_attention_where_it_will_run(
    base: Path, on_flex: pytest.MonkeyPatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert loading.load_base(base, precision="bf16").precision == "bf16"
    everything = attention.flex_mask(torch.full((7,), 7, dtype=torch.int32))  # sees across branches
    monkeypatch.setattr(attention, "flex_mask", lambda _ends: everything)
    with pytest.raises(models.UnusableBackbone, match="does not read trees"):
        loading.load_base(base, precision="bf16")
