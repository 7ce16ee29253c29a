"""Saved directories: whole, and the same numbers in plain transformers."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForTokenClassification, AutoTokenizer, LlamaForCausalLM

from prm_training.prm import attention, checkpoint, pretrain
from prm_training.prm import model as models
from prm_training.prm.model import RewardModel
from prm_training.prm.packing import Trie, collate
from prm_training.prm.pretrain import NoText, PretrainConfig, Text

SMALL = PretrainConfig(vocabulary=300, hidden=32, layers=2, heads=2, steps=60, batch_tokens=300)


def test_plain_transformers_loads_what_was_saved(model: RewardModel, tmp_path: Path) -> None:
    models.save(model, tmp_path / "model")
    plain = AutoModelForTokenClassification.from_pretrained(tmp_path / "model").eval()
    assert plain.config.id2label == {0: "negative", 1: "neutral", 2: "positive"}
    encoded = model.encoder.encode("What is 2 + 3?", ["2 + 3 = 5.", "So 5."])
    ids = torch.tensor([encoded.ids])
    with attention.plain(model.network) as network:
        assert torch.equal(plain(ids).logits, network(ids).logits)
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "model")
    assert tokenizer("So 5.")["input_ids"] == model.tokenizer("So 5.")["input_ids"]


def test_a_saved_model_keeps_boundary_and_length_limit(base: Path, tmp_path: Path) -> None:
    models.save(models.load(base, max_length=77), tmp_path / "model")
    assert models.load(tmp_path / "model").encoder.max_length == 77
    assert models.load(base).encoder.max_length == 512


def test_the_head_is_drawn_from_the_seed(base: Path) -> None:
    first, same, other = (models.load(base, seed=seed).head.weight for seed in (1, 1, 2))
    assert torch.equal(first, same)
    assert not torch.equal(first, other)


def test_a_directory_is_whole_or_absent(tmp_path: Path) -> None:
    final = tmp_path / "model"
    with pytest.raises(RuntimeError), checkpoint.whole_directory(final) as partial:
        (partial / "half").touch()
        raise RuntimeError
    assert not final.exists()
    for name in ("first", "second"):
        with checkpoint.whole_directory(final) as partial:
            (partial / name).touch()
    assert [path.name for path in final.iterdir()] == ["second"]
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_a_base_learns_the_text_and_is_the_same_every_time(texts: list[Text], tmp_path: Path) -> None:
    losses: list[float] = []
    pretrain.make_base(texts, tmp_path / "one", SMALL, lambda progress: losses.append(progress.metrics["loss"]))
    assert losses[-1] < losses[0] - 1
    pretrain.make_base(texts, tmp_path / "two", SMALL)
    for name in ("model.safetensors", "tokenizer.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_the_made_vocabulary_splits_digits_and_reads_anything(texts: list[Text]) -> None:
    tokenizer = pretrain.train_tokenizer(texts, 300)
    assert len(tokenizer("120 + 345")["input_ids"]) == len(tokenizer.tokenize("120 + 345")) >= 8
    for text in ("120 + 345 = 465.", "naïve ∑ 東京\n\n  two  spaces ."):
        assert tokenizer.decode(tokenizer(text)["input_ids"]) == text


def test_each_token_is_predicted_once_and_forks_per_branch(model: RewardModel, texts: list[Text]) -> None:
    problem, steps = texts[0]
    paths = [model.encoder.encode(problem, some) for some in (steps, ["Let us go on."], ["Damaged."])]
    trie: Trie[float] = Trie()
    ends = [trie.add(path.segments)[-1] for path in paths]
    ends[0].marks.append(0.0)
    ends[2].marks.append(1.0)
    ends[2].is_hidden = True
    network = LlamaForCausalLM.from_pretrained(model.network.name_or_path, attn_implementation=attention.NAME)
    head = torch.nn.Linear(32, 1)
    language, damage = pretrain.base_losses(network, head, collate(list(trie.pieces(512))))
    expected, shared = 0.0, len(paths[0].segments[0])
    for path, first in ((paths[0], 1), (paths[1], shared)):  # the shared problem once, what is hidden never
        ids = torch.tensor([path.ids])
        with attention.plain(network):
            logits = network(ids).logits
        surprise = -torch.log_softmax(logits[0, :-1], -1).gather(1, ids[0, 1:, None])[:, 0]
        expected += surprise[first - 1 :].sum().item()
    assert language.item() == pytest.approx(expected, rel=1e-5)
    with attention.plain(network):
        last = [network.model(torch.tensor([paths[n].ids])).last_hidden_state[0, -1] for n in (0, 2)]
    suspicion = head(torch.stack(last))[:, 0]
    softplus = torch.nn.functional.softplus
    assert damage.item() == pytest.approx((softplus(suspicion[0]) + softplus(-suspicion[1])).item(), rel=1e-4)


def test_every_step_of_the_pool_has_a_damaged_copy_at_most(model: RewardModel, texts: list[Text]) -> None:
    pieces = pretrain.build_pieces(texts, model.encoder, random.Random(0))
    marks = [mark for piece in pieces for _, mark in piece.marks]
    assert marks.count(0.0) == sum(len(steps) for _, steps in texts)
    assert 0.8 * marks.count(0.0) <= marks.count(1.0) <= marks.count(0.0)


def test_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoText):
        pretrain.make_base([], tmp_path / "base", SMALL)


@pytest.mark.parametrize("wrong", [{"vocabulary": 100}, {"hidden": 30}, {"steps": 0}])
def test_settings_are_checked(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"at least|multiple"):
        PretrainConfig(**wrong)
