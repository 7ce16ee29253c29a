"""The small base: it learns the text, and its damaged copies are wrong, plausible and reproducible."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import torch
from transformers import LlamaForCausalLM

from prm_training.prm import pretrain
from prm_training.prm.model import StepClassifier
from prm_training.prm.pretrain import NoText, PretrainConfig, WrittenSolution, corrupt
from prm_training.prm.trees import attention
from prm_training.prm.trees.packing import Trie

SMALL = PretrainConfig(vocabulary=300, hidden=32, layers=2, heads=2, steps=60, batch_tokens=300)
STRANGERS = ["Something else."]


def test_a_base_learns_the_text_and_is_the_same_every_time(texts: list[WrittenSolution], tmp_path: Path) -> None:
    losses: list[float] = []
    pretrain.make_base(texts, tmp_path / "one", SMALL, lambda progress: losses.append(progress.metrics["loss"]))
    assert losses[-1] < losses[0] - 1
    pretrain.make_base(texts, tmp_path / "two", SMALL)
    for name in ("model.safetensors", "tokenizer.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_the_made_vocabulary_splits_digits_and_reads_anything(texts: list[WrittenSolution]) -> None:
    tokenizer = pretrain.train_tokenizer(texts, 300)
    assert len(tokenizer("120 + 345")["input_ids"]) == len(tokenizer.tokenize("120 + 345")) >= 8
    for text in ("120 + 345 = 465.", "naïve ∑ 東京\n\n  two  spaces ."):
        assert tokenizer.decode(tokenizer(text)["input_ids"]) == text


def test_each_token_is_predicted_once_and_forks_per_branch(model: StepClassifier, texts: list[WrittenSolution]) -> None:
    problem, steps = texts[0]
    paths = [model.encoder.encode(problem, some) for some in (steps, ["Let us go on."], ["Damaged."])]
    trie: Trie[float] = Trie()
    ends = [trie.add(path.segments)[-1] for path in paths]
    ends[0].marks.append(0.0)
    ends[2].marks.append(1.0)
    ends[2].is_hidden = True
    network = LlamaForCausalLM.from_pretrained(model.network.name_or_path, attn_implementation=attention.NAME)
    head = torch.nn.Linear(32, 1)
    (piece,) = trie.pieces(512)
    language, damage = pretrain.base_losses(network, head, piece)
    expected, shared = 0.0, len(paths[0].segments[0])
    for path, first in ((paths[0], 1), (paths[1], shared)):  # the shared problem counts once, the hidden step never
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


def test_every_step_of_the_pool_has_at_most_one_damaged_copy(
    model: StepClassifier, texts: list[WrittenSolution]
) -> None:
    pieces = pretrain.build_pieces(texts, model.encoder, random.Random(0))
    marks = [mark for piece in pieces for mark in piece.marks]
    assert marks.count(0.0) == sum(len(steps) for _, steps in texts)
    assert 0.8 * marks.count(0.0) <= marks.count(1.0) <= marks.count(0.0)


def test_a_damaged_copy_that_is_also_a_step_counts_as_undamaged(
    model: StepClassifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pretrain, "corrupt", lambda step, *_: {"4.": "5.", "5.": "6."}[step])
    (piece,) = pretrain.build_pieces([("2 + 3?", ["4."]), ("2 + 3?", ["5."])], model.encoder, random.Random(0))
    ends = [model.tokenizer.decode(piece.ids[: end + 1].tolist())[-3:-1] for end in piece.reads.tolist()]
    assert dict(zip(ends, piece.marks, strict=True)) == {"4.": 0.0, "5.": 0.0, "6.": 1.0}
    (unasked,) = (piece.predecessors[1:] == -1).nonzero().T
    assert model.tokenizer.decode(piece.ids[1:][unasked].tolist()).strip() == "6."


def test_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoText):
        pretrain.make_base([], tmp_path / "base", SMALL)


@pytest.mark.parametrize("wrong", [{"vocabulary": 100}, {"hidden": 30}, {"steps": 0}])
def test_settings_are_checked(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"at least|multiple"):
        PretrainConfig(**wrong)


def draws(step: str, context: str = "") -> set[str]:
    return {corrupt(step, context, STRANGERS, random.Random(seed)) for seed in range(300)}


def test_damage_changes_numbers_operations_or_the_whole_step() -> None:
    step = "So $2 \\times 7 = 14$."
    found = draws(step, "There are 2 boxes of 7.")
    assert {"So $2 + 7 = 14$.", "So $2 \\times 7 = 15$.", "So $2 \\times 7 = 7$.", *STRANGERS} <= found


def test_a_step_without_numbers_is_replaced_by_a_stranger() -> None:
    assert draws("Let us go on.") == set(STRANGERS)


def test_an_undamaged_step_has_no_copy(model: StepClassifier) -> None:
    (piece,) = pretrain.build_pieces([("P?", ["Let us go on."])], model.encoder, random.Random(0))
    assert piece.marks == [0.0]


def test_a_number_of_absurd_length_is_no_trouble() -> None:
    assert len(draws("9" * 6000)) > 1


def test_the_same_seed_gives_the_same_damage() -> None:
    first, second = (corrupt("1 + 1 = 2", "", STRANGERS, random.Random(5)) for _ in range(2))
    assert first == second
