"""Attention over packed trees: each token sees its ancestors, and nothing else is computed.

A packed sequence is one long row. On a CPU it is cut into blocks of queries, and each block gets only the keys that at
least one of its tokens can see (the paths to it), not everything before it: a quarter of the work on PRM800K's trees.
On a GPU flex attention skips what is masked, by the same rule.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch import Tensor
from torch.nn.attention.flex_attention import BlockMask, flex_attention
from torch.nn.functional import embedding, pad, scaled_dot_product_attention
from transformers import AttentionInterface

from prm_training.prm.trees.data import PrmError

NAME = "stepmark_tree"
BLOCK = 128  # queries
HIDDEN = 1e30  # subtracted, it makes a score vanish in the softmax
# Options that a model may pass: no path is longer than its window, and positions and dropout are handled elsewhere.
UNDERSTOOD = {"dropout", "is_causal", "position_ids", "sliding_window", "use_cache"}


class UnusableBackbone(PrmError):
    """The model is missing, or this package can't read trees with its head or attention."""


@dataclass(frozen=True)
class Block:
    """A run of queries, the keys that at least one of them can see, and which of these each query sees."""

    keys: Tensor  # (keys,) int64
    mask: Tensor  # (queries, keys) fp32, added to the attention scores: 0 where the query sees the key


Layout = list[Block] | BlockMask
# The model calls `_attend` in each layer and knows nothing of packing, so the row's layout is passed here.
_row: ContextVar[Layout] = ContextVar("row")


@cache
def _compiled_flex() -> Any:
    return torch.compile(flex_attention, dynamic=True)


@contextmanager
def over(subtree_ends: Tensor) -> Iterator[None]:
    """Runs the forward passes inside the block on one packed row: token j is visible to i when `j <= i < ends[j]`."""
    with _on(flex_mask(subtree_ends) if uses_flex(subtree_ends) else blocks(subtree_ends)):
        yield


@contextmanager
def _on(row: Layout) -> Iterator[None]:
    token = _row.set(row)
    try:
        yield
    finally:
        _row.reset(token)


def on_the_same_row() -> tuple[AbstractContextManager[None], AbstractContextManager[None]]:
    """The two contexts of gradient checkpointing: a layer computed again in the backward pass, in whichever thread,
    uses the row of its first computation.
    """
    row = _row.get(None)  # none in plain rows
    return nullcontext(), nullcontext() if row is None else _on(row)


def uses_flex(tensor: Tensor) -> bool:
    return tensor.is_cuda


@contextmanager
def plain(network: Any) -> Iterator[Any]:
    """Gives the network ordinary causal attention inside the block, for unpacked rows."""
    network.set_attn_implementation("sdpa")
    try:
        yield network
    finally:
        network.set_attn_implementation(NAME)


def blocks(subtree_ends: Tensor) -> list[Block]:
    return [_block(subtree_ends, queries) for queries in torch.arange(len(subtree_ends)).split(BLOCK)]


def _block(ends: Tensor, queries: Tensor) -> Block:
    # The keys that any query of the block sees: they come no later than its last query, and their subtree goes on to
    # its first. In a bushy tree these are few, so the block is a short dense product instead of a long sparse one.
    keys = (ends[: int(queries[-1]) + 1] > queries[0]).nonzero()[:, 0]  # (keys,)
    rows = queries[:, None].float()  # (queries, 1)
    # Key j is visible to query i where j <= i and i <= ends[j] - 1: where neither difference is negative. Arithmetic
    # makes this mask several times faster than comparisons do; a hidden key is below 0 by a whole number.
    hidden_by = torch.minimum(ends[keys].float() - 1 - rows, rows - keys.float())  # (queries, keys)
    return Block(keys, hidden_by.clamp_(max=0).mul_(HIDDEN))


def flex_mask(subtree_ends: Tensor) -> BlockMask:
    """The same visibility for flex attention, on the device of `subtree_ends`.

    Which blocks hold a visible pair follows from their ends alone, without looking at every pair of tokens.
    """
    length, device = len(subtree_ends), subtree_ends.device
    ends = pad(subtree_ends, (0, -length % BLOCK)).view(-1, BLOCK)  # (blocks, BLOCK)
    first = torch.arange(len(ends), device=device) * BLOCK  # (blocks,), a block's first token
    # Row i, column j: whether the j-th block of keys comes before the i-th block of queries.
    is_before = first < first[:, None]  # (queries, keys) of blocks
    # Whole: each key's subtree goes on to the end of the query block. Part: at least one reaches into it; the diagonal
    # always counts, where a token sees itself.
    is_whole = is_before & (ends.amin(1) >= first[:, None] + BLOCK)
    is_part = (is_before & (ends.amax(1) > first[:, None]) & ~is_whole) | (first == first[:, None])

    def sees(_batch: Tensor, _head: Tensor, query: Tensor, key: Tensor) -> Tensor:
        return (key <= query) & (query < subtree_ends[key])

    return BlockMask.from_kv_blocks(
        *_listed_blocks(is_part),
        *_listed_blocks(is_whole),
        BLOCK_SIZE=BLOCK,
        mask_mod=sees,
        seq_lengths=(length, length),
    )


def _listed_blocks(chosen: Tensor) -> tuple[Tensor, Tensor]:
    """Returns for each block of queries how many blocks of keys are chosen, and the numbers of all, the chosen first.
    `chosen`: (blocks of queries, blocks of keys).
    """
    counts = chosen.sum(1, dtype=torch.int32)
    return counts[None, None], chosen.int().argsort(dim=1, descending=True, stable=True).int()[None, None]


def _attend(
    module: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    _mask: Tensor | None,
    scaling: float | None = None,
    **options: Any,
) -> tuple[Tensor, None]:
    """Attention as transformers calls it: (1, heads, tokens, size) -> (1, tokens, heads, size)."""
    if strange := [name for name, option in options.items() if option is not None and name not in UNDERSTOOD]:
        raise UnusableBackbone(f"can't read trees with {type(module).__name__}'s {', '.join(sorted(strange))}")
    layout = _row.get()
    query, key = query.to(value.dtype), key.to(value.dtype)  # rotary embedding made them fp32 under autocast
    if isinstance(layout, BlockMask):
        # One kernel for all lengths (`dynamic`): rows differ in length, and each compilation takes seconds.
        found = _compiled_flex()(query, key, value, block_mask=layout, scale=scaling, enable_gqa=True)
        return found.transpose(1, 2).contiguous(), None
    return attend_in_blocks(layout, query, key, value, scaling), None


def attend_in_blocks(layout: list[Block], query: Tensor, key: Tensor, value: Tensor, scaling: float | None) -> Tensor:
    """Attends block by block: (1, heads, tokens, size) -> (1, tokens, heads, size).

    Keys and values may have fewer heads, as in grouped-query attention.
    """
    queries = torch.split(query, [len(block.mask) for block in layout], dim=2)
    masks = [block.mask.to(query.dtype) for block in layout]
    mixed = [
        scaled_dot_product_attention(asked, keys, values, attn_mask=mask, scale=scaling, enable_gqa=True)
        for asked, keys, values, mask in zip(queries, _gather(layout, key), _gather(layout, value), masks, strict=True)
    ]  # (1, heads, queries, size) each
    return torch.cat([each.transpose(1, 2) for each in mixed], dim=1)


def _gather(layout: list[Block], tensor: Tensor) -> Iterator[Tensor]:
    """Yields the keys or values that each block needs: (1, heads, tokens, size) -> (1, heads, keys, size)."""
    rows = tensor.transpose(1, 2).flatten(2)[0]  # (tokens, heads * size)
    # One gather for all blocks has one gradient to fill. Without gradients, small gathers stay in the CPU's cache.
    if tensor.requires_grad:
        found = embedding(torch.cat([block.keys for block in layout]), rows)
        parts = iter(torch.split(found, [len(block.keys) for block in layout]))
    else:
        parts = (_pick(rows, block.keys) for block in layout)
    # (keys, heads * size) -> (1, heads, keys, size)
    return (part.view(len(part), *tensor.shape[1::2]).transpose(0, 1)[None] for part in parts)


def _pick(rows: Tensor, keys: Tensor) -> Tensor:
    first, stop = int(keys[0]), int(keys[-1]) + 1
    return rows[first:stop] if stop - first == len(keys) else embedding(keys, rows)  # a single path needs no copy


AttentionInterface.register(NAME, _attend)
