"""Attention over packed trees: each token sees its ancestors, and nothing else is computed.

A packed sequence is one long row. On a CPU it is cut into blocks of queries, and each block meets only the keys that
one of its tokens can see (the paths to it), instead of all that came before: on PRM800K's trees a quarter of the work.
On a GPU flex attention skips what is masked, by the same rule.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch import Tensor
from torch.nn.attention.flex_attention import BlockMask, create_block_mask, flex_attention
from torch.nn.functional import embedding, scaled_dot_product_attention
from transformers import AttentionInterface

NAME = "stepmark_tree"
BLOCK = 128  # queries
HIDDEN = 1e30  # less, a score is nothing after exp; arithmetic makes masks several times faster than comparing


@dataclass(frozen=True)
class Block:
    """A run of queries, the keys that one of them may see, and which of them each query sees."""

    keys: Tensor  # (keys,) int64
    mask: Tensor  # (queries, keys) fp32, added to the attention scores: 0 where the query sees the key


_row: ContextVar[tuple[Tensor, list[Block] | BlockMask, Tensor | None]] = ContextVar("row")


@cache
def _compiled_flex() -> Any:
    return torch.compile(flex_attention, dynamic=True)


@contextmanager
def over(subtree_ends: Tensor, reads: Tensor | None = None) -> Iterator[None]:
    """Forward passes inside the block run on one packed row: token j is visible to i when `j <= i < ends[j]`.

    Where only `reads` (places, ascending) are asked for, on a CPU the last layer attends from there alone.
    """
    places = torch.arange(len(subtree_ends))
    layout = flex_mask(subtree_ends) if subtree_ends.is_cuda else blocks(subtree_ends, places)
    token = _row.set((subtree_ends, layout, reads))
    try:
        yield
    finally:
        _row.reset(token)


@contextmanager
def plain(network: Any) -> Iterator[Any]:
    """The network with ordinary causal attention, for rows that are not packed."""
    network.set_attn_implementation("sdpa")
    try:
        yield network
    finally:
        network.set_attn_implementation(NAME)


def blocks(subtree_ends: Tensor, places: Tensor) -> list[Block]:
    """The queries at `places`, ascending, in runs that lie close together."""
    counts = torch.bincount(places // BLOCK)
    return [_block(subtree_ends, queries) for queries in torch.split(places, counts[counts > 0].tolist())]


def _block(ends: Tensor, queries: Tensor) -> Block:
    keys = (ends[: int(queries[-1]) + 1] > queries[0]).nonzero()[:, 0]  # (keys,)
    asked = queries[:, None].float()
    hidden_by = torch.minimum(ends[keys].float() - 1 - asked, asked - keys.float())  # (queries, keys), below 0: hidden
    return Block(keys, hidden_by.clamp_(max=0).mul_(HIDDEN))


def flex_mask(subtree_ends: Tensor) -> BlockMask:
    """The same rule for flex attention, which runs on the device of `subtree_ends`."""
    length = len(subtree_ends)

    def sees(_batch: Tensor, _head: Tensor, query: Tensor, key: Tensor) -> Tensor:
        return (key <= query) & (query < subtree_ends[key])

    return create_block_mask(sees, None, None, length, length, device=str(subtree_ends.device))


def _attend(
    module: Any, query: Tensor, key: Tensor, value: Tensor, _mask: Tensor | None, scaling: float | None = None,
    **_options: Any,
) -> tuple[Tensor, None]:  # fmt: skip
    """What a transformers model calls: (1, heads, tokens, size) -> (1, tokens, heads, size)."""
    ends, layout, reads = _row.get()
    if isinstance(layout, BlockMask):
        found = _compiled_flex()(query, key, value, block_mask=layout, scale=scaling, enable_gqa=True)
        return found.transpose(1, 2).contiguous(), None
    if reads is None or module.layer_idx < module.config.num_hidden_layers - 1:
        return attend_in_blocks(layout, query, key, value, scaling), None
    asked = attend_in_blocks(blocks(ends, reads), query[:, :, reads], key, value, scaling)
    return asked.new_zeros(query.transpose(1, 2).shape).index_copy(1, reads, asked), None


def attend_in_blocks(layout: list[Block], query: Tensor, key: Tensor, value: Tensor, scaling: float | None) -> Tensor:
    """(1, heads, tokens, size) -> (1, tokens, heads, size); keys and values may have fewer heads, as in grouped-query
    attention."""
    queries = torch.split(query, [len(block.mask) for block in layout], dim=2)
    masks = [block.mask.to(query.dtype) for block in layout]
    mixed = [
        scaled_dot_product_attention(asked, keys, values, attn_mask=mask, scale=scaling, enable_gqa=True)
        for asked, keys, values, mask in zip(queries, _gather(layout, key), _gather(layout, value), masks, strict=True)
    ]  # (1, heads, queries, size) each
    return torch.cat([each.transpose(1, 2) for each in mixed], dim=1)


def _gather(layout: list[Block], tensor: Tensor) -> Iterator[Tensor]:
    """(1, heads, tokens, size) -> (1, heads, keys, size) for each block."""
    rows = tensor.transpose(1, 2).flatten(2)[0]  # (tokens, heads * size)
    if tensor.requires_grad:  # one gather has one gradient to fill; without, small ones stay in the processor's cache
        found = embedding(torch.cat([block.keys for block in layout]), rows)
        parts = iter(torch.split(found, [len(block.keys) for block in layout]))
    else:
        parts = (_pick(rows, block.keys) for block in layout)
    return (part.view(len(part), *tensor.shape[1::2]).transpose(0, 1)[None] for part in parts)


def _pick(rows: Tensor, keys: Tensor) -> Tensor:
    first, stop = int(keys[0]), int(keys[-1]) + 1
    return rows[first:stop] if stop - first == len(keys) else embedding(keys, rows)  # a single path needs no copy


AttentionInterface.register(NAME, _attend)
