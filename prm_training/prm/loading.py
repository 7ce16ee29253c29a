"""Loads checkpoints, ours and others', to score with or as a base to train: a directory, a hub name (with `@revision`,
if need be), or a GGUF file.

transformers draws weights that a checkpoint lacks at random, and says so in a log. A base may lack the head, which is
then trained; a reward model may lack nothing. No code that comes with a checkpoint is ever run.
"""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

import torch
from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForTokenClassification, AutoTokenizer, GgufConfig

from labeling.rules.traces import rendering
from prm_training.prm import ensemble, parallel
from prm_training.prm.model import (
    FORK_TOLERANCE,
    HEAD_NAMES,
    StepClassifier,
    Supervision,
    hidden_states,
    prepare_to_read,
)
from prm_training.prm.progress import Precision
from prm_training.prm.trees import attention
from prm_training.prm.trees.attention import UnusableBackbone
from prm_training.prm.trees.data import CLASS_NAMES, PrmError
from prm_training.prm.trees.encoding import DEFAULT_BOUNDARY, Encoder
from prm_training.prm.trees.packing import Trie

log = logging.getLogger(__name__)
LOADING = Lock()  # transformers patches itself while it loads: with two threads at it, one patch would stay for good
# Names of the labels of a model with two; TRL's are only numbered.
NEGATIVE = {"label_0", "0", "negative", "incorrect", "wrong", "bad", "false", "-"}
POSITIVE = {"label_1", "1", "positive", "correct", "right", "good", "true", "+"}
READING: dict[str, Any] = {"attn_implementation": attention.NAME, "ignore_mismatched_sizes": True}  # they are reported
KINDS = {
    "ForCausalLM": "a language model",
    "ForSequenceClassification": "a sequence classifier",
    "ForTokenClassification": "a token classifier",
}

# Mute transformers' load report: its findings are refused or logged here.
logging.getLogger("transformers.modeling_utils").addFilter(lambda record: "LOAD REPORT" not in record.getMessage())


class NotARewardModel(PrmError):
    """The checkpoint can be loaded, but was not trained to judge steps: its scores would be random numbers."""


def load_reward_model(source: str | Path) -> StepClassifier:
    """Loads a trained PRM or ORM: a directory that `model.save` wrote, or another token classifier with two labels
    (TRL's) or our three.

    Weights are fp32 (a model in bf16 keeps those that it multiplies in bf16), dropout is off, and the model is on this
    process's device. Raises `NotARewardModel`, which says what the checkpoint is, `UnusableBackbone` and
    `EncodingError`.
    """
    config = _config(source)
    classes = _classes(source, config)
    network, found = _network(source, AutoModelForTokenClassification, **READING)
    if said := "; ".join(f"{name}: {_few(keys)}" for name, keys in _wrong(found).items() if keys):
        raise NotARewardModel(f"{source} is {_kind(config)} whose weights don't fit it ({said}).")
    tokenizer = _tokenizer(source)
    if len(tokenizer) > (known := network.get_input_embeddings().num_embeddings):
        raise NotARewardModel(f"{source} has a tokenizer of {len(tokenizer):,} tokens, but knows {known:,} of them.")
    model = _classifier(network, tokenizer, classes, None, None)
    prepare_to_read(model)
    heads = ensemble.load(Path(source))
    return replace(model, ensemble=heads.to(network.device) if heads else None)


def load_base(
    source: str | Path,
    *,
    max_length: int | None = None,
    precision: Precision | None = None,
    seed: int = 0,
    reads_after: bool = False,
) -> StepClassifier:
    """Load a causal model to train. It gets a new head, drawn from `seed`, unless it has one for our three classes.

    `max_length` defaults to the one saved with the model, else to what the backbone can hold, at most 2,048; it is
    never more than a sliding window. `precision` defaults to the one saved, else to bf16 on a GPU and fp32 elsewhere.
    `reads_after`: see `Encoder`.
    Raises `UnusableBackbone` and `EncodingError`.
    """
    _config(source)
    names = dict(enumerate(CLASS_NAMES))
    labels = {"num_labels": len(names), "id2label": names, "label2id": {name: at for at, name in names.items()}}
    options = labels | READING
    if gguf_parts(source)[1]:  # quantised weights can be neither trained nor saved
        options |= {"quantization_config": GgufConfig(dequantize=True)}
    network, found = _network(source, AutoModelForTokenClassification, seed=seed, **options)
    missing, mismatched, unexpected = _wrong(found).values()
    if lacking := [key for key in missing + mismatched if key.split(".")[0] not in HEAD_NAMES]:
        raise UnusableBackbone(f"{source} lacks weights of its network: {_few(lacking)}.")
    if unread := [key for key in unexpected if key.split(".")[0] != "lm_head"]:
        log.warning("%s: weights that the network has no place for: %s.", source, _few(unread))
    model = _classifier(network, _tokenizer(source), tuple(names), max_length, precision)
    model.encoder.reads_after = reads_after
    return model


def load_generator(source: str | Path) -> tuple[Any, Any]:
    """Load a language model that writes, and its tokenizer. Raises `UnusableBackbone`."""
    _config(source)
    network, found = _network(source, AutoModelForCausalLM, dtype="auto")
    if lacking := _wrong(found)["missing"]:
        raise UnusableBackbone(f"{source} lacks weights of a language model: {_few(lacking)}.")
    return network.to(parallel.state().device), _tokenizer(source)


def _classes(source: str | Path, config: Any) -> tuple[int, ...]:
    """The class that each label of a token classifier stands for. Raises `NotARewardModel`."""
    kind = "a GGUF file of a language model" if gguf_parts(source)[1] else _kind(config)
    if code := (getattr(config, "auto_map", None) or {}).get("AutoModel"):
        raise NotARewardModel(f"{source} is {kind} with code of its own ({code}), which is never run.")
    if not kind.startswith(KINDS["ForTokenClassification"]):
        raise NotARewardModel(f"{source} is {kind}, without a head that was trained to judge steps.")
    names = [str(config.id2label[number]).lower() for number in sorted(config.id2label)]
    if sorted(names) == sorted(CLASS_NAMES):
        return tuple(map(CLASS_NAMES.index, names))
    pairs = [(name in NEGATIVE, name in POSITIVE) for name in names]
    if sorted(pairs) == [(False, True), (True, False)]:
        return tuple(0 if is_negative else 2 for is_negative, _ in pairs)
    raise NotARewardModel(f"{source} is a token classifier of {_few(names)}, not of right and wrong steps.")


def _kind(config: Any) -> str:
    """The kind of model that the checkpoint declares."""
    (name, *_) = config.architectures or [""]
    described = next((kind for ending, kind in KINDS.items() if name.endswith(ending)), "a model of another kind")
    return f"{described} ({name})" if name else "a model that doesn't say what it is"


def _wrong(found: Mapping[str, Any]) -> dict[str, list[str]]:
    """Returns the names of weights that the checkpoint lacks or has in another size, so that they were drawn at random,
    and of surplus ones.
    """
    return {
        "missing": sorted(found["missing_keys"]),
        "of another size": sorted(key for key, *_ in found["mismatched_keys"]),
        "unexpected": sorted(found["unexpected_keys"]),
    }


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _config(source: str | Path) -> Any:
    """Returns the checkpoint's config. Raises UnusableBackbone if transformers can't read it, and for an adapter, which
    transformers would load silently.
    """
    place, options = _located(source)
    if (adapter := Path(place) / "adapter_config.json").is_file():
        base = json.loads(adapter.read_text()).get("base_model_name_or_path")
        raise UnusableBackbone(f"{source} is a PEFT adapter of {base}: merge the two, and name the result.")
    try:
        return AutoConfig.from_pretrained(place, trust_remote_code=False, **options)
    except Exception as error:
        raise _unreadable(source, error) from error


def _network(source: str | Path, kind: Any, *, seed: int | None = None, **options: Any) -> tuple[Any, dict[str, Any]]:
    """The network in evaluation mode, and a report on its weights. The caller has read its config."""
    place, located = _located(source)
    if "gguf_file" not in located:
        options |= {"use_safetensors": True}  # weights in Python's own format could run code as they are read
    options = located | {"dtype": torch.float32, "output_loading_info": True, "trust_remote_code": False} | options
    try:
        with LOADING:
            if seed is not None:
                torch.manual_seed(seed)  # decides the head of a base, the only weights that are drawn
            network, found = kind.from_pretrained(place, **options)
    except Exception as error:
        raise _unreadable(source, error) from error
    return network.eval(), found


def _tokenizer(source: str | Path) -> Any:
    place, options = _located(source)
    try:
        return AutoTokenizer.from_pretrained(place, trust_remote_code=False, **options)
    except Exception as error:
        raise UnusableBackbone(f"{source} has no tokenizer that transformers can load.") from error


def _unreadable(source: str | Path, error: Exception) -> UnusableBackbone:
    """Makes an UnusableBackbone of any library's error, in one sentence; safetensors, for one, has an error of
    its own.
    """
    if "trust_remote_code" in str(error):
        return UnusableBackbone(f"{source} can only be loaded by code of its own, which is never run.")
    reason = next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
    return UnusableBackbone(f"{source} is not a model that transformers can load: {reason.strip().rstrip(':')}")


def _classifier(
    network: Any, tokenizer: Any, classes: tuple[int, ...], max_length: int | None, precision: Precision | None
) -> StepClassifier:
    config, device = network.config, parallel.state().device
    saved: Mapping[str, Any] = {name: getattr(config, f"step_{name}", None) for name in SAVED}
    # What is asked for, else what the model was trained with, else what the backbone can hold; a sliding window limits
    # all of these.
    longest = max_length or saved["max_length"] or min(getattr(config, "max_position_embeddings", 2048), 2048)
    longest = min(longest, getattr(config, "sliding_window", None) or longest)
    if saved["rendering"] not in {None, rendering.VERSION}:
        raise UnusableBackbone(
            f"The model reads traces as version {saved['rendering']} renders them; this is version {rendering.VERSION}."
        )
    # A classifier that says nothing of a boundary is TRL's, which puts none after the problem.
    is_own = saved["boundary"] is not None or len(classes) == len(CLASS_NAMES)
    options = {"closes_problem": is_own, "reads_after": bool(saved["reads_after"])}
    encoder = Encoder(tokenizer, longest, saved["boundary"] or DEFAULT_BOUNDARY, **options)
    precision = precision or saved["precision"] or ("bf16" if device.type == "cuda" else "fp32")
    supervision: Supervision = saved["supervision"] or "process"
    model = StepClassifier(network.to(device), tokenizer, encoder, precision, classes, supervision)
    try:
        _check_fork(model)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise UnusableBackbone(f"{type(network).__name__} can't read trees: {error}") from error
    return model


# Settings that `model.save` stores in the config.
SAVED = ("boundary", "max_length", "precision", "supervision", "reads_after", "rendering")


def _check_fork(model: StepClassifier) -> None:
    """Raises UnusableBackbone if branches of a tree are not read like plain rows, as with linear attention, whose state
    runs from branch to branch.

    Checked in the model's precision, on its device.
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


def _located(source: str | Path) -> tuple[str, dict[str, str]]:
    """The directory or the hub's name, with the options that name the GGUF file in it or the revision: `name@revision`,
    which on the hub is a commit, a tag or a branch.
    """
    place, options = gguf_parts(source)
    name, _, revision = place.partition("@")
    return (name, options | {"revision": revision}) if revision and not Path(place).exists() else (place, options)


def gguf_parts(source: str | Path) -> tuple[str, dict[str, str]]:
    """The directory and, for a GGUF file, the options that name it, as transformers expects them."""
    path = Path(source)
    return (str(path.parent), {"gguf_file": path.name}) if path.suffix == ".gguf" else (str(source), {})
