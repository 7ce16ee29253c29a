"""The network: any Hugging Face backbone with a three-class head read at step ends.

What is saved is an ordinary `AutoModelForTokenClassification` directory, tokenizer included; the step boundary and the
length limit that the labels were read with stand in its config.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AutoModelForTokenClassification, AutoTokenizer, GgufConfig

from prm_training.prm import attention, checkpoint, parallel
from prm_training.prm.acts import Precision
from prm_training.prm.data import CLASS_NAMES, PrmError
from prm_training.prm.encoding import DEFAULT_BOUNDARY, Encoder
from prm_training.prm.packing import Piece, Trie

HEAD_NAMES = ("score", "classifier")


class UnusableBackbone(PrmError):
    """There is no model, or one without a head or an attention that this package knows how to read trees with."""


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

    def computing_in(self, precision: Precision) -> torch.autocast:
        """A context in which "bf16" computes the body in bfloat16; weights, head and sums stay fp32."""
        return torch.autocast(self.network.device.type, torch.bfloat16, enabled=precision == "bf16")

    def logits(self, batch: Piece[Any], *, head_only: bool = False) -> Tensor:
        """(marks, 3) fp32: negative, neutral, positive at every place that the batch reads.

        With `head_only`, no gradient reaches the body.
        """
        places, order = torch.unique(batch.reads.to(self.network.device), return_inverse=True)
        with torch.set_grad_enabled(torch.is_grad_enabled() and not head_only):
            hidden = hidden_states(self.network.base_model, batch, places)[order]  # (marks, hidden)
        with torch.autocast(hidden.device.type, enabled=False):
            found: Tensor = self.head(hidden.float())
            return found


def hidden_states(backbone: Any, batch: Piece[Any], places: Tensor | None = None) -> Tensor:
    """One forward pass of the backbone, which must have tree attention, over the packed row -> (tokens, hidden).

    With `places`, ascending, -> (places, hidden): the last layer then does no work for tokens that nobody reads, a
    fifth of all in a model of four layers.
    """
    assert backbone.config._attn_implementation == attention.NAME  # any other would see across branches
    device = backbone.device
    with attention.over(batch.subtree_ends.to(device), places), _last_mlp_at(places, backbone, len(batch)):
        states: Tensor = backbone(
            input_ids=batch.ids.to(device)[None], position_ids=batch.depths.to(device)[None], use_cache=False
        ).last_hidden_state[0]  # (tokens, hidden)
    return states if places is None else states[places]


@contextmanager
def _last_mlp_at(places: Tensor | None, backbone: Any, tokens: int) -> Iterator[None]:
    """Inside the block, the last layer's MLP, where it is a plain one, leaves zeros elsewhere."""
    mlp: Any = getattr(backbone.layers[-1], "mlp", None) if hasattr(backbone, "layers") else None
    if places is None or not hasattr(mlp, "down_proj"):
        yield
        return

    def narrow(_mlp: Any, given: tuple[Tensor]) -> Tensor:
        return given[0][:, places]  # (1, places, hidden)

    def widen(_mlp: Any, _given: Any, found: Tensor) -> Tensor:
        return found.new_zeros(1, tokens, found.shape[-1]).index_copy(1, places, found)

    with mlp.register_forward_pre_hook(narrow), mlp.register_forward_hook(widen):
        yield


def load(source: str | Path, *, max_length: int | None = None, seed: int = 0) -> RewardModel:
    """Load a saved reward model, or put a new head (drawn from `seed`) on any causal model: a directory, a hub name,
    or a GGUF file.

    `max_length` defaults to the one saved with the model, else to what the backbone can hold, at most 2,048; it is
    never more than a sliding window. Weights are fp32, dropout is off, and the model is on this process's device.
    Raises `UnusableBackbone` and `EncodingError`.
    """
    torch.empty(8_000_000)  # 32 MB, freed at once: from then on glibc keeps freed memory instead of faulting it in anew
    torch.manual_seed(seed)
    place, gguf = gguf_parts(source)
    names = dict(enumerate(CLASS_NAMES))
    options = {"dtype": torch.float32, "attn_implementation": attention.NAME, "num_labels": len(names)}
    options |= {"id2label": names, "label2id": {name: number for number, name in names.items()}}
    if gguf:  # packed weights could be neither trained nor saved
        options |= gguf | {"quantization_config": GgufConfig(dequantize=True)}
    try:
        network = AutoModelForTokenClassification.from_pretrained(place, **options).eval()
        tokenizer, config = AutoTokenizer.from_pretrained(place, **gguf), network.config
    except (OSError, ValueError) as error:
        raise UnusableBackbone(f"{source} is no model that transformers can load: {error}") from error
    longest = max_length or getattr(config, "step_max_length", None)
    longest = longest or min(getattr(config, "max_position_embeddings", 2048), 2048)
    longest = min(longest, getattr(config, "sliding_window", None) or longest)
    encoder = Encoder(tokenizer, longest, getattr(config, "step_boundary", DEFAULT_BOUNDARY))
    model = RewardModel(network, tokenizer, encoder)
    _check_fork(model)
    network.to(parallel.state().device)
    return model


def _check_fork(model: RewardModel) -> None:
    """Refuse a backbone that reads something else in two branches of a tree than in plain rows of their own: one with
    linear attention, say, whose state runs from branch to branch."""
    trie: Trie[list[int]] = Trie()
    for row in ([0, 1, 2, 1], [0, 1, 1, 0, 2]):
        trie.add([tuple(row[:2]), tuple(row[2:])])[-1].marks.append(row)
    (piece,) = trie.pieces(16)
    with torch.no_grad(), attention.plain(model.network) as network:
        alone = [network(torch.tensor([row])).logits[0, -1] for row in piece.marks]
    with torch.no_grad():
        found = model.logits(piece)  # (2, 3)
    if not torch.allclose(found, torch.stack(alone), rtol=1e-2, atol=1e-3):
        raise UnusableBackbone(f"{type(model.network).__name__} does not read trees as it reads rows")


def gguf_parts(source: str | Path) -> tuple[str, dict[str, str]]:
    """What transformers wants to be told: the directory and, for a GGUF file, its name in it."""
    path = Path(source)
    return (str(path.parent), {"gguf_file": path.name}) if path.suffix == ".gguf" else (str(source), {})


def add_lora(model: RewardModel, rank: int) -> Any:
    """Freeze the body and train low-rank updates of its linear layers (arXiv 2106.09685) beside the head.

    Returns peft's wrapper: its `merge_and_unload()` makes an ordinary network again.
    """
    from peft import LoraConfig, get_peft_model  # noqa: PLC0415  an extra, needed here alone

    heads = [name for name in HEAD_NAMES if hasattr(model.network, name)]
    wrapper = get_peft_model(
        model.network, LoraConfig(r=rank, lora_alpha=2 * rank, target_modules="all-linear", exclude_modules=heads)
    )
    model.head.requires_grad_(True)
    return wrapper


def save(model: RewardModel, directory: Path) -> None:
    """Write a directory that plain transformers loads; it appears whole or not at all."""
    config = model.network.config
    config.step_boundary, config.step_max_length = model.encoder.boundary, model.encoder.max_length
    config.classifier_dropout = 0.0
    checkpoint.save_model(directory, model.network, model.tokenizer)
