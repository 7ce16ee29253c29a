"""Loading: checkpoints without a trained head are refused with a reason, and never give scores."""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import huggingface_hub.constants
import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import (
    AutoTokenizer,
    LlamaConfig,
    LlamaForCausalLM,
    LlamaForSequenceClassification,
    LlamaForTokenClassification,
)

from prm_training.prm import loading, pretrain
from prm_training.prm import model as models
from prm_training.prm.__main__ import main
from prm_training.prm.loading import NotARewardModel, load_base
from prm_training.prm.model import StepClassifier, UnusableBackbone
from prm_training.prm.score import ScoreConfig, score_solutions
from prm_training.prm.trees.data import PrmError, Solution

SUM = Solution("1", "What is 2 + 3?", ("2 + 3 = 5.", "So 5."))


def saved(base: Path, directory: Path, kind: Any = LlamaForTokenClassification, **options: Any) -> Path:
    """Saves a checkpoint of another kind, with the base's shape and tokenizer."""
    shutil.copytree(base, directory)
    torch.manual_seed(1)
    kind(LlamaConfig.from_pretrained(base, **options)).save_pretrained(directory)
    return directory


def change_config(directory: Path, **changes: Any) -> None:
    path = directory / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def change_weights(directory: Path, **changes: torch.Tensor | None) -> None:
    file = directory / "model.safetensors"
    weights = load_file(file) | {name.replace("__", "."): each for name, each in changes.items()}
    save_file({name: each for name, each in weights.items() if each is not None}, file, {"format": "pt"})


def of_code(base: Path, directory: Path) -> None:
    """Saves a checkpoint like Qwen2.5-Math-PRM's: a known architecture, with a head and code of its own."""
    saved(base, directory, LlamaForCausalLM)
    change_config(directory, auto_map={"AutoModel": "x.PrmModel"}, architectures=["Qwen2ForProcessRewardModel"])
    (directory / "x.py").write_text("raise SystemExit('it ran')")


def of_unknown_code(base: Path, directory: Path) -> None:
    of_code(base, directory)
    change_config(directory, model_type="unheard_of", auto_map={"AutoConfig": "x.Config", "AutoModel": "x.PrmModel"})


def without(name: str) -> Callable[[Path, Path], None]:
    def make(base: Path, directory: Path) -> None:
        change_weights(saved(base, directory, **THREE), **{name: None})

    return make


def of_another_size(base: Path, directory: Path) -> None:
    change_weights(saved(base, directory, **THREE), score__weight=torch.ones(3, 16))


def with_more_layers(base: Path, directory: Path) -> None:
    change_config(saved(base, directory, **THREE), num_hidden_layers=1)


def cut_short(base: Path, directory: Path) -> None:
    file = saved(base, directory, **THREE) / "model.safetensors"
    file.write_bytes(file.read_bytes()[:5000])


def without_tokenizer(base: Path, directory: Path) -> None:
    for file in saved(base, directory, **THREE).glob("*token*"):
        file.unlink()


def with_another_tokenizer(base: Path, directory: Path) -> None:
    texts = [("".join(map(chr, range(start, start + 50))), ()) for start in range(0x3400, 0x4400, 50)]
    pretrain.train_tokenizer(texts * 9, 500).save_pretrained(saved(base, directory, **THREE))


def adapter(base: Path, directory: Path) -> None:
    directory.mkdir()
    (directory / "adapter_config.json").write_text(json.dumps({"base_model_name_or_path": "some/base"}))


def of(kind: Any, **options: Any) -> Callable[[Path, Path], Any]:
    return lambda base, directory: saved(base, directory, kind, **options)


def no_model(base: Path, directory: Path) -> None:
    directory.mkdir()


def bad_config(base: Path, directory: Path) -> None:
    (saved(base, directory, **THREE) / "config.json").write_text("{")


THREE: dict[str, Any] = {"id2label": {0: "negative", 1: "neutral", 2: "positive"}, "num_labels": 3}
REFUSED: dict[str, tuple[Callable[[Path, Path], Any], str]] = {
    "a base": (of(LlamaForCausalLM), r"is a language model \(LlamaForCausalLM\), without a head"),
    "a sequence classifier": (of(LlamaForSequenceClassification, num_labels=3), "is a sequence classifier"),
    "code of its own": (of_code, r"\(Qwen2ForProcessRewardModel\) with code of its own \(x.PrmModel\), which is never"),
    "an unknown kind with code of its own": (of_unknown_code, "code of its own, which is never run"),
    "names of people": (of(LlamaForTokenClassification, num_labels=9), "token classifier of label_0, .* and 6 more"),
    "two other labels": (of(LlamaForTokenClassification, id2label={0: "O", 1: "PER"}), "classifier of o, per, not of"),
    "three without a name": (of(LlamaForTokenClassification, num_labels=3), "of label_0, label_1, label_2, not of"),
    "no head": (without("score__weight"), "missing: score.weight"),
    "half a head": (without("score__bias"), "missing: score.bias"),
    "no last norm": (without("model__norm__weight"), "missing: model.norm.weight"),
    "another size": (of_another_size, "score.weight"),
    "more layers": (with_more_layers, "unexpected: model.layers.1"),
    "cut short": (cut_short, "not a model that transformers can load: "),
    "no tokenizer": (without_tokenizer, "no tokenizer"),
    "another tokenizer": (with_another_tokenizer, "tokenizer of 500 tokens, but knows"),
    "an adapter": (adapter, "a PEFT adapter of some/base"),
    "no model": (no_model, "not a model that transformers can load"),
    "no config": (bad_config, "not a model that transformers can load"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_models_not_trained_to_judge_steps_are_refused_in_one_sentence(name: str, base: Path, tmp_path: Path) -> None:
    make, said = REFUSED[name]
    make(base, tmp_path / "model")
    with pytest.raises(PrmError, match=said) as refused:
        loading.load_reward_model(tmp_path / "model")
    assert str(refused.value).startswith(str(tmp_path / "model"))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("command", ["score", "evaluate"])
def test_the_commands_refuse_before_they_print(
    command: str, base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.jsonl").write_text(json.dumps({"problem": "2 + 3?", "steps": ["5."], "label": -1}))
    with pytest.raises(SystemExit, match=r"NotARewardModel: .* is a language model"):
        main([command, str(base), str(tmp_path / "x.jsonl")])
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", ["a base", "a sequence classifier", "names of people", "another size"])
def test_a_base_may_have_any_head(name: str, base: Path, tmp_path: Path) -> None:
    REFUSED[name][0](base, tmp_path / "model")
    assert loading.load_base(tmp_path / "model").head.weight.shape == (3, 32)


def test_weights_that_could_run_code_are_not_read(base: Path, tmp_path: Path) -> None:
    shutil.copytree(base, tmp_path / "pickled")
    weights = tmp_path / "pickled" / "model.safetensors"
    torch.save(load_file(weights), weights.with_name("pytorch_model.bin"))
    weights.unlink()
    with pytest.raises(UnusableBackbone, match="safetensors"):
        loading.load_base(tmp_path / "pickled")


@pytest.mark.parametrize("name", ["no last norm", "cut short", "no tokenizer", "an adapter", "no model", "no config"])
def test_a_base_must_be_whole(name: str, base: Path, tmp_path: Path) -> None:
    REFUSED[name][0](base, tmp_path / "model")
    with pytest.raises(UnusableBackbone):
        loading.load_base(tmp_path / "model")


def test_weights_without_a_place_are_reported(base: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        loading.load_base(base)
        assert not caplog.messages  # a language model's own head is no news
        change_weights(saved(base, tmp_path / "model"), model__extra=torch.ones(1))
        loading.load_base(tmp_path / "model")
    assert caplog.messages == [f"{tmp_path / 'model'}: weights that the network has no place for: model.extra."]


@pytest.mark.parametrize("labels", [{}, {"id2label": {0: "Wrong", 1: "Right"}}, {"id2label": {0: "+", 1: "-"}}])
def test_two_labels_are_read_as_they_were_trained(labels: dict[str, Any], base: Path, tmp_path: Path) -> None:
    directory = saved(base, tmp_path / "model", num_labels=2, **labels)
    plain, tokenizer = LlamaForTokenClassification.from_pretrained(directory), AutoTokenizer.from_pretrained(directory)
    start = [tokenizer.bos_token_id, *tokenizer(SUM.problem, add_special_tokens=False)["input_ids"]]
    parts = [tokenizer(step + "\n", add_special_tokens=False)["input_ids"] for step in SUM.steps]
    logits = plain(torch.tensor([[*start, *parts[0], *parts[1]]])).logits[0].detach()  # (tokens, 2)
    right = logits.softmax(-1)[:, 0 if labels.get("id2label", {}).get(0) == "+" else 1]
    (score,) = score_solutions(directory, [SUM])
    ends = [len(start) + len(parts[0]) - 1, len(start) + len(parts[0]) + len(parts[1]) - 1]
    assert score.probabilities == pytest.approx([float(right[end]) for end in ends], abs=1e-6)
    assert all(neutral < -90 for _, neutral, _ in score.log_probabilities)


def test_our_classes_may_come_in_another_order(model: StepClassifier, tmp_path: Path) -> None:
    models.save(model, tmp_path / "one")
    models.save(model, tmp_path / "other")
    weights = load_file(tmp_path / "one" / "model.safetensors")
    order = torch.tensor([2, 0, 1])
    turned = {name: weights[name.replace("__", ".")][order] for name in ("score__weight", "score__bias")}
    change_weights(tmp_path / "other", **turned)
    change_config(tmp_path / "other", id2label={0: "positive", 1: "negative", 2: "neutral"})
    one, other = (next(score_solutions(tmp_path / name, [SUM])) for name in ("one", "other"))
    assert one.steps == pytest.approx(other.steps)


def test_an_outcome_model_judges_last_steps_alone(model: StepClassifier, tmp_path: Path) -> None:
    models.save(replace(model, supervision="outcome"), tmp_path / "orm")
    (score,) = score_solutions(tmp_path / "orm", [SUM])
    assert score.score == score.steps[-1]
    with pytest.raises(NotARewardModel, match="outcome reward model"):
        next(score_solutions(tmp_path / "orm", [SUM], ScoreConfig(aggregate="product")))


def test_a_generator_is_a_whole_language_model(base: Path, tmp_path: Path) -> None:
    with pytest.raises(UnusableBackbone, match="lacks weights of a language model: lm_head"):
        loading.load_generator(saved(base, tmp_path / "model", **THREE))


def test_a_revision_of_a_model_of_the_hub(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hub's own cache of a model, with two commits of it."""
    kept, first, second = tmp_path / "models--lab--tiny", "a" * 40, "b" * 40
    for commit, layers in ((first, 1), (second, 2)):
        saved(base, kept / "snapshots" / commit, LlamaForCausalLM, num_hidden_layers=layers)
    for name, commit in (("main", first), ("v2", second)):
        (kept / "refs").mkdir(exist_ok=True)
        (kept / "refs" / name).write_text(commit)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    found = {name: load_base(name).network.config.num_hidden_layers for name in ("lab/tiny", "lab/tiny@v2")}
    assert found == {"lab/tiny": 1, "lab/tiny@v2": 2}
    assert load_base(f"lab/tiny@{first}").network.config.num_hidden_layers == 1
    with pytest.raises(UnusableBackbone, match="lab/tiny@v3"):
        load_base("lab/tiny@v3")
