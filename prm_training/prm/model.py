"""The network: any Hugging Face backbone with a three-class head read at step ends.

What is saved is an ordinary `AutoModelForTokenClassification` directory, tokenizer included; the step boundary, the
length limit and the precision that the labels were read with stand in its config.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from pathlib import Path
from threading import Lock
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint as gradient_checkpoint
from transformers import AutoModelForTokenClassification, AutoTokenizer, GgufConfig
from transformers.modeling_layers import GradientCheckpointingLayer

from prm_training.prm import checkpoint, parallel
from prm_training.prm.progress import Precision
from prm_training.prm.trees import attention
from prm_training.prm.trees.attention import UnusableBackbone
from prm_training.prm.trees.data import CLASS_NAMES
from prm_training.prm.trees.encoding import DEFAULT_BOUNDARY, Encoder
from prm_training.prm.trees.packing import Piece, Trie

HEAD_NAMES = ("score", "classifier")
LOADING = Lock()  # transformers patches itself while it loads: with two threads at it, one patch would stay for good
FORK_TOLERANCE: dict[Precision, float] = {"fp32": 0.01, "bf16": 0.1}  # relative to the norm of the hidden states


@dataclass(frozen=True)
class StepClassifier:
    """A network, its encoder, and the precision that its body computes in: "bf16" keeps weights, head and sums in fp32.
    The outputs depend on the precision, so it stays the one that the model was trained with.
    """

    network: Any  # a transformers PreTrainedModel for token classification
    tokenizer: Any
    encoder: Encoder
    precision: Precision

    @property
    def head(self) -> nn.Linear:
        """The linear layer from hidden size to the three classes."""
        found = next((getattr(self.network, name) for name in HEAD_NAMES if hasattr(self.network, name)), None)
        if not isinstance(found, nn.Linear):
            raise UnusableBackbone(f"{type(self.network).__name__} has no linear head named {HEAD_NAMES}")
        return found

    def logits(self, batch: Piece[Any]) -> Tensor:
        """(marks, 3) fp32: negative, neutral, positive at every place that the batch reads."""
        with self.autocast():
            hidden = hidden_states(self.network.base_model, batch)[batch.reads.to(self.network.device)]
        found: Tensor = self.head(hidden.float())  # from (marks, hidden)
        return found

    def autocast(self) -> torch.autocast:
        return torch.autocast(self.network.device.type, torch.bfloat16, enabled=self.precision == "bf16")


def read(model: StepClassifier, passes: Sequence[Piece[Any]], tell: Callable[[int], None]) -> Tensor:
    """(marks of all, 3) fp32 logits on the CPU; several processes share the passes. `tell` is called with the number of
    marks done; nothing waits for a GPU until the last pass is queued.
    """
    ends = list(accumulate((len(each.marks) for each in passes), initial=0))
    processes, own = parallel.state().num_processes, parallel.state().process_index
    found: dict[int, Tensor] = {}
    for first in range(0, len(passes), processes):
        # Round robin: of five passes on two processes, the first takes 0, 2 and 4, the other 1 and 3.
        if (number := first + own) < len(passes):
            with torch.inference_mode():
                found[number] = model.logits(passes[number])  # (marks, 3)
        tell(ends[min(first + processes, len(passes))])
    rows = torch.zeros(ends[-1], 3)  # each process fills in its own passes; `add_up` merges them
    for number, logits in found.items():
        rows[ends[number] : ends[number + 1]] = logits.cpu()
    return parallel.add_up(rows)


def hidden_states(backbone: Any, batch: Piece[Any]) -> Tensor:
    """One forward pass of the backbone, which must have tree attention, over the packed row -> (tokens, hidden)."""
    assert backbone.config._attn_implementation == attention.NAME  # any other would look across branches
    device = backbone.device
    with attention.over(batch.subtree_ends.to(device)):
        # One row: (1, tokens). Positions are depths, so that alternatives of a step stand at the same place.
        states: Tensor = backbone(
            input_ids=batch.ids.to(device)[None], position_ids=batch.depths.to(device)[None], use_cache=False
        ).last_hidden_state[0]
    return states


def load(
    source: str | Path, *, max_length: int | None = None, precision: Precision | None = None, seed: int = 0
) -> StepClassifier:
    """Load a saved reward model, or put a new head (drawn from `seed`) on any causal model: a directory, a hub name,
    or a GGUF file.

    `max_length` defaults to the one saved with the model, else to what the backbone can hold, at most 2,048; it is
    never more than a sliding window. `precision` defaults to the one saved, else to bf16 on a GPU and fp32 elsewhere.
    Weights are fp32, dropout is off, and the model is on this process's device.
    Raises `UnusableBackbone` and `EncodingError`.
    """
    place, gguf = gguf_parts(source)
    names = dict(enumerate(CLASS_NAMES))
    options = {"dtype": torch.float32, "attn_implementation": attention.NAME, "num_labels": len(names)}
    options |= {"id2label": names, "label2id": {name: number for number, name in names.items()}}
    if gguf:  # quantised weights can be neither trained nor saved
        options |= gguf | {"quantization_config": GgufConfig(dequantize=True)}
    try:
        # The seed decides the head, the only weights that are drawn here.
        with LOADING, _quiet_about_new_heads() as loaded:
            torch.manual_seed(seed)
            network, found = AutoModelForTokenClassification.from_pretrained(place, output_loading_info=True, **options)
            loaded.update(found)
        network.eval()
        tokenizer, config = AutoTokenizer.from_pretrained(place, **gguf), network.config
    except (KeyError, OSError, ValueError) as error:  # KeyError: a model that takes no other attention
        raise UnusableBackbone(f"{source} is not a model that transformers can load: {error}") from error
    # What is asked for, else what the model was trained with, else what the backbone can hold; a sliding window limits
    # all of these.
    longest = max_length or getattr(config, "step_max_length", None)
    longest = longest or min(getattr(config, "max_position_embeddings", 2048), 2048)
    longest = min(longest, getattr(config, "sliding_window", None) or longest)
    encoder = Encoder(tokenizer, longest, getattr(config, "step_boundary", DEFAULT_BOUNDARY))
    device = parallel.state().device
    precision = precision or getattr(config, "step_precision", None) or ("bf16" if device.type == "cuda" else "fp32")
    model = StepClassifier(network.to(device), tokenizer, encoder, precision)
    try:
        _check_fork(model)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise UnusableBackbone(f"{type(network).__name__} can't read trees: {error}") from error
    return model


@contextmanager
def _quiet_about_new_heads() -> Iterator[dict[str, Any]]:
    """Holds back transformers' report on weights until the caller has added what was found; it is logged then, unless
    all that it says is that a language model's head was replaced by a new one.
    """
    log, held, found = logging.getLogger("transformers.modeling_utils"), list[logging.LogRecord](), dict[str, Any]()

    def hold(record: logging.LogRecord) -> bool:
        is_report = "LOAD REPORT" in record.getMessage()
        held.extend([record] if is_report else [])
        return not is_report

    log.addFilter(hold)
    try:
        yield found
    finally:
        log.removeFilter(hold)
        if not found or not _is_new_head(**found):
            for record in held:
                log.handle(record)


def _is_new_head(missing_keys: set[str], unexpected_keys: set[str], **other: Any) -> bool:
    is_new = {key.split(".")[0] for key in missing_keys} <= {*HEAD_NAMES}
    return is_new and {key.split(".")[0] for key in unexpected_keys} <= {"lm_head"} and not any(other.values())


def _check_fork(model: StepClassifier) -> None:
    """Refuse a backbone that reads branches of a tree differently from plain rows: one with linear attention, say,
    whose state runs from branch to branch. Checked in the model's precision, on its device.
    """
    # Two rows with a common beginning, of different lengths: their ends must come out the same packed and alone.
    trie: Trie[list[int]] = Trie()
    for row in ([0, 1, 2, 1], [0, 1, 1, 0, 2]):
        trie.add([tuple(row[:2]), tuple(row[2:])])[-1].marks.append(row)
    (piece,) = trie.pieces(16)
    body = model.network.base_model
    with torch.no_grad(), model.autocast():
        found = hidden_states(body, piece)[piece.reads.to(body.device)].float()  # (2, hidden)
        with attention.plain(model.network):
            rows = [torch.tensor([row], device=body.device) for row in piece.marks]
            alone = torch.cat([body(row).last_hidden_state[:, -1].float() for row in rows])  # (2, hidden)
    if not (found - alone).norm() <= FORK_TOLERANCE[model.precision] * alone.norm():
        raise UnusableBackbone(f"{type(model.network).__name__} does not read trees as it reads rows")


def gguf_parts(source: str | Path) -> tuple[str, dict[str, str]]:
    """What transformers expects: the directory and, for a GGUF file, its name in it."""
    path = Path(source)
    return (str(path.parent), {"gguf_file": path.name}) if path.suffix == ".gguf" else (str(source), {})


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
    """Keep only each layer's input, and compute the rest again in the backward pass. The last layer, which comes first
    there, keeps everything.
    """
    layers = [module for module in model.network.modules() if isinstance(module, GradientCheckpointingLayer)]
    for layer in layers[:-1]:
        again = partial(gradient_checkpoint, use_reentrant=False, context_fn=attention.on_the_same_row)
        layer.forward = partial(again, layer.forward)


def save(model: StepClassifier, directory: Path) -> None:
    """Write a directory that plain transformers loads; it appears whole or not at all."""
    config = model.network.config
    config.step_boundary, config.step_max_length = model.encoder.boundary, model.encoder.max_length
    config.step_precision = model.precision
    config.classifier_dropout = 0.0
    checkpoint.save_model(directory, model.network, model.tokenizer)
