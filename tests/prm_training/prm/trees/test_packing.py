"""Trie packing: its layout, and the same numbers as one row per leaf."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn.attention.flex_attention import create_block_mask, flex_attention
from torch.nn.functional import cross_entropy
from transformers import AutoModelForTokenClassification, GPT2Config, Qwen3Config, Qwen3MoeConfig

from prm_training.prm.model import StepClassifier
from prm_training.prm.trees import attention
from prm_training.prm.trees.data import LabelledTree, counted_labels
from prm_training.prm.trees.packing import PathTooLong, Piece, Trie, batches, build_examples, join

#  1 2 -- 3 -- 4 5
#      \- 6 7 -- 8
#      \- 9
PATHS = [[(1, 2), (3,), (4, 5)], [(1, 2), (6, 7), (8,)], [(1, 2), (9,)]]


def fork() -> Trie[str]:
    trie: Trie[str] = Trie()
    for path in PATHS:
        trie.add(path)[-1].marks.append(str(path[-1][-1]))
    return trie


def visible(batch: Piece[Any]) -> Tensor:
    """Returns the (query, key) bool mask of a packed row, assembled from its blocks."""
    mask = torch.zeros(len(batch.subtree_ends), len(batch.subtree_ends), dtype=torch.bool)
    start = 0
    for block in attention.blocks(batch.subtree_ends):
        mask[start : start + len(block.mask), block.keys] = block.mask == 0
        start += len(block.mask)
    return mask


def test_a_tree_is_flattened_depth_first() -> None:
    (piece,) = fork().pieces(100)
    assert piece.ids.tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert piece.depths.tolist() == [0, 1, 2, 3, 4, 2, 3, 4, 2]
    assert piece.subtree_ends.tolist() == [9, 9, 5, 5, 5, 8, 8, 8, 9]
    assert piece.predecessors.tolist() == [-1, 0, 1, 2, 3, 1, 5, 6, 1]
    assert (piece.reads.tolist(), piece.marks) == ([4, 7, 8], ["5", "8", "9"])


def test_a_token_sees_its_ancestors_only() -> None:
    (piece,) = fork().pieces(100)
    seen = [[int(piece.ids[key]) for key in row.nonzero()[:, 0]] for row in visible(piece)]
    assert seen[4] == [1, 2, 3, 4, 5]
    assert seen[7] == [1, 2, 6, 7, 8]
    assert seen[8] == [1, 2, 9]


def test_a_long_tree_is_cut_and_repeats_only_the_path_to_its_root() -> None:
    pieces = list(fork().pieces(5))
    assert [piece.ids.tolist() for piece in pieces] == [[1, 2, 3, 4, 5], [1, 2, 6, 7, 8], [1, 2, 9]]
    assert pieces[1].depths.tolist() == [0, 1, 2, 3, 4]
    assert pieces[1].predecessors.tolist() == [-1, -1, 1, 2, 3]
    assert [mark for piece in pieces for mark in piece.marks] == ["5", "8", "9"]


def test_a_mark_on_a_repeated_path_is_in_one_piece() -> None:
    trie = fork()
    trie.add(PATHS[0][:1])[0].marks.append("root")
    found = [mark for piece in trie.pieces(5) for mark in piece.marks]
    assert sorted(found) == ["5", "8", "9", "root"]


def test_a_path_longer_than_a_piece_is_refused() -> None:
    with pytest.raises(PathTooLong):
        list(fork().pieces(4))


def test_equal_paths_are_one_and_keep_all_their_marks() -> None:
    trie: Trie[int] = Trie()
    for value in (1, 2):
        trie.add([(5,), (6,)])[-1].marks.append(value)
    (piece,) = trie.pieces(10)
    assert piece.ids.tolist() == [5, 6]
    assert (piece.reads.tolist(), piece.marks) == ([1, 1], [1, 2])


def test_pieces_of_one_row_do_not_see_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    piece = next(iter(fork().pieces(100)))
    batch = join([piece, piece, piece])
    assert batch.ids.shape == (27,)
    assert batch.reads.tolist() == [4, 7, 8, 13, 16, 17, 22, 25, 26]
    alone = visible(piece)
    for size in (4, 128):
        monkeypatch.setattr(attention, "BLOCK", size)
        assert torch.equal(visible(batch), torch.block_diag(alone, alone, alone).bool())


def test_leaves_come_after_siblings_that_go_on() -> None:
    trie: Trie[str] = Trie()
    for path in ([(1,), (4,)], [(1,), (2,), (3,)]):
        trie.add(path)
    (piece,) = trie.pieces(10)
    assert piece.ids.tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize("lengths", [[5], [130, 70, 500, 3, 600], [1] * 300], ids=str)
def test_blocks_say_what_the_rule_says(lengths: list[int]) -> None:
    rng = random.Random(0)
    pieces = [random_tree(length, rng) for length in lengths]
    batch = join(pieces)
    place = torch.arange(sum(lengths))
    rule = (place[None] <= place[:, None]) & (place[:, None] < batch.subtree_ends[None])
    assert torch.equal(visible(batch), rule)


@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile")
def test_flex_attention_gives_the_same_numbers() -> None:
    batch = join([random_tree(length, random.Random(length)) for length in (40, 300)])
    torch.manual_seed(0)
    query, key, value = torch.randn(4, 340, 8)[None], torch.randn(2, 340, 8)[None], torch.randn(2, 340, 8)[None]
    blocks = attention.attend_in_blocks(attention.blocks(batch.subtree_ends), query, key, value, None)
    flex = flex_attention(query, key, value, block_mask=attention.flex_mask(batch.subtree_ends), enable_gqa=True)
    assert torch.allclose(blocks, flex.transpose(1, 2), atol=1e-5)


@pytest.mark.parametrize("length", [7, 128, 129, 640])
def test_flex_attention_looks_at_the_blocks_that_hold_a_visible_pair(length: int) -> None:
    ends = random_tree(length, random.Random(length)).subtree_ends

    def sees(_batch: Tensor, _head: Tensor, query: Tensor, key: Tensor) -> Tensor:
        return (key <= query) & (query < ends[key])

    found = attention.flex_mask(ends)
    expected = create_block_mask(sees, None, None, length, length, device="cpu")
    assert found.shape == expected.shape
    for name in ("kv_num_blocks", "full_kv_num_blocks", "q_num_blocks", "full_q_num_blocks"):
        assert torch.equal(getattr(found, name), getattr(expected, name))
    assert torch.equal(found.to_dense(), expected.to_dense())


def random_tree(length: int, rng: random.Random) -> Piece[int]:
    trie: Trie[int] = Trie()
    paths: list[list[tuple[int, ...]]] = [[]]
    for token in range(length):
        paths.append([*rng.choice(paths), (token,)])
        trie.add(paths[-1])
    (piece,) = trie.pieces(length)
    return piece


def test_batches_hold_every_mark_once_within_the_budget(trees: list[LabelledTree], model: StepClassifier) -> None:
    pieces, counts = build_examples(trees, model.encoder, 512)
    found = list(batches(pieces, 200))
    assert all(batch.ids.numel() <= 200 for batch in found)
    assert sum(len(batch.marks) for batch in found) == counts.labels


Labelled = tuple[int, int, int]  # tree, label, class


def rows(model: StepClassifier, trees: list[LabelledTree]) -> dict[Labelled, Tensor]:
    """Returns the reference logits: one plain row for each label, through the whole transformers model."""
    found = {}
    for number, tree in enumerate(trees):
        for order, label in enumerate(counted_labels(tree)):
            encoded = model.encoder.encode(tree.problem, label.steps)
            with attention.plain(model.network) as network:
                logits = network(torch.tensor([encoded.ids])).logits[0]  # (tokens, 3)
            found[number, order, label.rating + 1] = logits[encoded.step_ends[-1]]
    return found


def packed(model: StepClassifier, trees: list[LabelledTree], limit: int) -> dict[Labelled, Tensor]:
    trie: Trie[Labelled] = Trie()
    for number, tree in enumerate(trees):
        for order, label in enumerate(counted_labels(tree)):
            path = model.encoder.encode(tree.problem, label.steps)
            trie.add(path.segments)[-1].marks.append((number, order, label.rating + 1))
    found: dict[Labelled, Tensor] = {}
    for batch in batches(list(trie.pieces(limit)), 1000):
        found.update(zip(batch.marks, model.logits(batch), strict=True))
    return found


def gradients(model: StepClassifier, logits: dict[Labelled, Tensor]) -> dict[str, Tensor]:
    model.network.zero_grad()
    classes = torch.tensor([actual for _, _, actual in logits])
    cross_entropy(torch.stack(list(logits.values())), classes).backward()
    return {name: parameter.grad.clone() for name, parameter in model.network.named_parameters()}


@pytest.mark.parametrize("limit", [2048, 64], ids=["whole", "cut"])
def test_packed_equals_one_row_per_leaf(trees: list[LabelledTree], model: StepClassifier, limit: int) -> None:
    expected, found = rows(model, trees[:5]), packed(model, trees[:5], limit)
    assert found.keys() == expected.keys()
    for label, logits in expected.items():
        torch.testing.assert_close(found[label], logits, atol=1e-5, rtol=0)
    left, right = gradients(model, expected), gradients(model, found)
    for name in left:
        torch.testing.assert_close(right[name], left[name], atol=1e-5, rtol=1e-4)


SHAPE: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
FAMILIES = {
    "grouped queries": Qwen3Config(**SHAPE, num_key_value_heads=2, head_dim=8),
    "experts": Qwen3MoeConfig(**SHAPE, num_experts=2, num_experts_per_tok=1, moe_intermediate_size=32, head_dim=8),
    "other names": GPT2Config(n_embd=32, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=0),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_other_families_give_the_same_numbers(trees: list[LabelledTree], model: StepClassifier, family: str) -> None:
    config = FAMILIES[family]
    config.update({"vocab_size": len(model.tokenizer), "num_labels": 3})
    torch.manual_seed(0)
    network = AutoModelForTokenClassification.from_config(config, attn_implementation=attention.NAME).eval()
    other = replace(model, network=network)
    expected, found = rows(other, trees[:2]), packed(other, trees[:2], 2048)
    for label, logits in expected.items():
        torch.testing.assert_close(found[label], logits, atol=1e-5, rtol=0)


def test_packing_saves_tokens(trees: list[LabelledTree], model: StepClassifier) -> None:
    _, counts = build_examples(trees, model.encoder, 512)
    assert counts.tokens < counts.row_tokens / 2
