"""The network: any Hugging Face backbone with a head of three classes (or two, if trained elsewhere) at step ends.

The saved form is an ordinary `AutoModelForTokenClassification` directory, tokenizer included; its config holds the step
boundary, the length limit and the precision that the labels were read with.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, chain
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint as gradient_checkpoint
from transformers.modeling_layers import GradientCheckpointingLayer

from labeling.rules.traces import rendering
from prm_training.prm import parallel
from prm_training.prm.ensemble import Ensemble
from prm_training.prm.progress import Precision
from prm_training.prm.saving import checkpoint
from prm_training.prm.trees import attention
from prm_training.prm.trees.attention import UnusableBackbone
from prm_training.prm.trees.encoding import Encoder
from prm_training.prm.trees.packing import Piece

HEAD_NAMES = ("score", "classifier")
NEVER = 100.0  # how far the logit of a class without an output is below the others
Supervision = Literal["process", "outcome"]
FORK_TOLERANCE: dict[Precision, float] = {"fp32": 0.01, "bf16": 0.1}  # relative to the norm of the hidden states


@dataclass(frozen=True)
class StepClassifier:
    """A network, its encoder, and the precision that its body computes in: "bf16" keeps weights, head and sums in fp32.
    The outputs depend on the precision, so it stays the one that the model was trained with.

    `classes` are those of the head's outputs: all three in order, or negative and positive alone. A model of
    `supervision` "outcome" has learned to judge at the last step only. The `ensemble` says how sure it is.
    """

    network: Any  # a transformers PreTrainedModel for token classification
    tokenizer: Any
    encoder: Encoder
    precision: Precision
    classes: tuple[int, ...] = (0, 1, 2)
    supervision: Supervision = "process"
    ensemble: Ensemble | None = None

    @property
    def head(self) -> nn.Linear:
        """The linear layer from hidden size to the three classes."""
        found = next((getattr(self.network, name) for name in HEAD_NAMES if hasattr(self.network, name)), None)
        if not isinstance(found, nn.Linear):
            raise UnusableBackbone(f"{type(self.network).__name__} has no linear head named {HEAD_NAMES}")
        return found

    @property
    def width(self) -> int:
        """The number of outputs for a step: three classes, then the ensemble's heads."""
        return 3 + (self.ensemble.size if self.ensemble else 0)

    def outputs(self, batch: Piece[Any]) -> Tensor:
        """Returns (marks, width) fp32: the outputs at every place that the batch reads."""
        hidden = self.hidden(batch)
        return torch.cat([self.judged(hidden), *([self.ensemble(hidden)] if self.ensemble else [])], dim=1)

    def logits(self, batch: Piece[Any]) -> Tensor:
        """Returns (marks, 3) fp32: negative, neutral, positive at every place that the batch reads."""
        return self.judged(self.hidden(batch))

    def hidden(self, batch: Piece[Any]) -> Tensor:
        """Returns (marks, hidden) fp32: the last hidden states at every place that the batch reads."""
        with self.autocast():
            return hidden_states(self.network.base_model, batch)[_sent(batch.reads, self.network.device)].float()

    def judged(self, hidden: Tensor) -> Tensor:
        """Applies the head: (marks, hidden) -> (marks, 3)."""
        found: Tensor = self.head(hidden)
        if self.classes == (0, 1, 2):
            return found
        rows = found.min(-1, keepdim=True).values.repeat(1, 3) - NEVER  # a class without an output is never taken
        return rows.index_copy(1, torch.tensor(self.classes, device=rows.device), found)

    def autocast(self) -> torch.autocast:
        return torch.autocast(self.network.device.type, torch.bfloat16, enabled=self.precision == "bf16")


def read_pieces(model: StepClassifier, passes: Sequence[Piece[Any]], tell: Callable[[int], None]) -> Tensor:
    """Returns (marks of all, width) fp32 outputs on the CPU; several processes share the passes.

    `tell` is called with the number of marks done.
    """
    return begin_to_read(model, passes, tell)()


def begin_to_read(
    model: StepClassifier, passes: Sequence[Piece[Any]], tell: Callable[[int], None]
) -> Callable[[], Tensor]:
    """Queues the passes on a GPU without waiting (a CPU runs them at once). Returns a function that waits and gives
    what `read_pieces` gives.
    """
    ends = list(accumulate((len(each.marks) for each in passes), initial=0))
    processes, own = parallel.state().num_processes, parallel.state().process_index
    found: dict[int, Tensor] = {}
    for first in range(0, len(passes), processes):
        # Round robin: of five passes on two processes, the first takes 0, 2 and 4, the other 1 and 3.
        if (number := first + own) < len(passes):
            with torch.inference_mode():
                found[number] = model.outputs(passes[number])  # (marks, width)
        tell(ends[min(first + processes, len(passes))])

    def wait() -> Tensor:
        rows = torch.zeros(ends[-1], model.width)  # each process fills in its own passes; `add_up` merges them
        for number, outputs in found.items():
            rows[ends[number] : ends[number + 1]] = outputs.cpu()
        return parallel.add_up(rows)

    return wait


def hidden_states(backbone: Any, batch: Piece[Any]) -> Tensor:
    """Runs the backbone once over the packed row -> (tokens, hidden). The backbone must have tree attention."""
    assert backbone.config._attn_implementation == attention.NAME  # any other would look across branches
    device = backbone.device
    with attention.over(_sent(batch.subtree_ends, device)):
        # One row: (1, tokens). Positions are depths, so that alternatives of a step stand at the same place.
        states: Tensor = backbone(
            input_ids=_sent(batch.ids, device)[None], position_ids=_sent(batch.depths, device)[None], use_cache=False
        ).last_hidden_state[0]
    return states


def _sent(tensor: Tensor, device: torch.device) -> Tensor:
    """Copies the tensor to the device through pinned memory: from ordinary memory, the copy would wait for all passes
    before it.
    """
    return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor.to(device)


def prepare_to_read(model: StepClassifier) -> None:
    """Makes a model that is only read lighter and faster; outputs stay the same up to rounding.

    In bf16, autocast makes the same bf16 copies of the linear layers' weights in every pass: they are kept instead. On
    a GPU, norms and MLPs run as one kernel each, which rounds differently.
    """
    layers = [module for module in model.network.modules() if isinstance(module, GradientCheckpointingLayer)]
    if model.precision == "bf16":
        for module in chain.from_iterable(layer.modules() for layer in layers):
            if type(module) is nn.Linear and module.weight.dtype == torch.float32:
                module.bfloat16()
    if model.network.device.type == "cuda":
        for part in chain.from_iterable(layer.children() for layer in layers):
            if type(part).__name__.endswith(("Norm", "MLP")):
                part.compile(dynamic=True)


def add_lora(model: StepClassifier, rank: int) -> Any:
    """Freeze the body and train low-rank updates of its linear layers (arXiv 2106.09685) beside the head.

    Returns peft's wrapper: its `merge_and_unload()` makes an ordinary network again.
    """
    from peft import LoraConfig, get_peft_model  # noqa: PLC0415  an extra, needed here alone

    # The head is small and new: it is trained whole, not through a low-rank update.
    heads = [name for name in HEAD_NAMES if hasattr(model.network, name)]
    wrapper = get_peft_model(
        model.network, LoraConfig(r=rank, lora_alpha=2 * rank, target_modules="all-linear", exclude_modules=heads)
    )
    model.head.requires_grad_(True)
    return wrapper


def checkpoint_gradients(model: StepClassifier) -> None:
    """Keeps only each layer's input, and computes the rest again in the backward pass.

    The last layer, which the backward pass reaches first, keeps everything.
    """
    layers = [module for module in model.network.modules() if isinstance(module, GradientCheckpointingLayer)]
    for layer in layers[:-1]:
        again = partial(gradient_checkpoint, use_reentrant=False, context_fn=attention.on_the_same_row)
        layer.forward = partial(again, layer.forward)


def save(model: StepClassifier, directory: Path, also: Callable[[Path], None] | None = None) -> None:
    """Write a directory that plain transformers loads; it appears whole or not at all, with what `also` writes."""
    config = model.network.config
    config.step_boundary, config.step_max_length = model.encoder.boundary, model.encoder.max_length
    config.step_precision, config.step_supervision = model.precision, model.supervision
    config.step_reads_after, config.step_rendering = model.encoder.reads_after, rendering.VERSION
    config.classifier_dropout = 0.0
    parts = [model.network, model.tokenizer, *([model.ensemble] if model.ensemble else [])]
    checkpoint.save_model(directory, *parts, also=also)
