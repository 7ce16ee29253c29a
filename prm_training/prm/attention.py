"""Attention over packed trees: each token sees its ancestors, and nothing else is computed.

A packed sequence is one long row. On a CPU it is cut into blocks of queries, and each block meets only the keys that
one of its tokens can see (the paths to it), instead of all that came before: on PRM800K's trees a quarter of the work.
On a GPU flex attention skips what is masked, by the same rule.
"""

from __future__ import annotations

import math
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


@dataclass(frozen=True)
class Block:
    """A run of queries, the keys that one of them may see, and which of them each query sees."""

    keys: Tensor  # (keys,) int64
    mask: Tensor  # (queries, keys) fp32, added to the attention scores: 0 where the query sees the key, else -inf


_layout: ContextVar[tuple[list[Block] | BlockMask, Tensor | None]] = ContextVar("layout")


@cache
def _compiled_flex() -> Any:
    return torch.compile(flex_attention, dynamic=True)


@contextmanager
def over(subtree_ends: Tensor, reads: Tensor | None = None) -> Iterator[None]:
    """Forward passes inside the block run on one packed row: token j is visible to i when `j <= i < ends[j]`.

    Where only `reads` (places, ascending) are asked for, on a CPU the last layer attends from there alone.
    """
    token = _layout.set((flex_mask(subtree_ends) if subtree_ends.is_cuda else blocks(subtree_ends), reads))
    try:
        yield
    finally:
        _layout.reset(token)


@contextmanager
def plain(network: Any) -> Iterator[Any]:
    """The network with ordinary causal attention, for rows that are not packed."""
    network.set_attn_implementation("sdpa")
    try:
        yield network
    finally:
        network.set_attn_implementation(NAME)


def blocks(subtree_ends: Tensor) -> list[Block]:
    """Cut a packed row into runs of queries."""
    length = len(subtree_ends)
    return [_block(subtree_ends, start, min(start + BLOCK, length)) for start in range(0, length, BLOCK)]


def _block(ends: Tensor, start: int, stop: int) -> Block:
    keys = (ends[:stop] > start).nonzero()[:, 0]  # (keys,): whose subtree reaches into the block
    queries = torch.arange(start, stop)[:, None]
    is_hidden = (keys > queries) | (queries >= ends[keys])
    return Block(keys, torch.zeros(is_hidden.shape).masked_fill_(is_hidden, -math.inf))


def _only(layout: list[Block], reads: Tensor) -> Iterator[Block]:
    """The blocks without the queries that are not read."""
    start = 0
    for block in layout:
        chosen = reads[(reads >= start) & (reads < start + len(block.mask))] - start
        start += len(block.mask)
        if len(chosen):
            yield Block(block.keys, block.mask[chosen])


def flex_mask(subtree_ends: Tensor) -> BlockMask:
    """The same rule for flex attention, which runs on the device of `subtree_ends`."""
    length = len(subtree_ends)

    def sees(_batch: Tensor, _head: Tensor, query: Tensor, key: Tensor) -> Tensor:
        return (key <= query) & (query < subtree_ends[key])

    return create_block_mask(sees, None, None, length, length, device=str(subtree_ends.device))


def _attend(
    module: Any, query: Tensor, key: Tensor, value: Tensor, _mask: Tensor | None, scaling: float | None = None,
    **options: Any,
) -> tuple[Tensor, None]:  # fmt: skip
    """What a transformers model calls: (1, heads, tokens, size) -> (1, tokens, heads, size)."""
    if options.get("softcap"):
        raise NotImplementedError(f"{type(module).__name__} caps its attention scores, which tree attention does not")
    layout, reads = _layout.get()
    if isinstance(layout, BlockMask):
        kernel = _compiled_flex() if query.is_cuda else flex_attention
        mixed = kernel(query, key, value, block_mask=layout, scale=scaling, enable_gqa=True).transpose(1, 2)
    elif reads is not None and module.layer_idx == module.config.num_hidden_layers - 1:
        asked = attend_in_blocks(list(_only(layout, reads)), query[:, :, reads], key, value, scaling)
        mixed = asked.new_zeros(query.transpose(1, 2).shape).index_copy(1, reads, asked)
    else:
        mixed = attend_in_blocks(layout, query, key, value, scaling)
    return mixed.contiguous(), None


def attend_in_blocks(layout: list[Block], query: Tensor, key: Tensor, value: Tensor, scaling: float | None) -> Tensor:
    """(1, heads, tokens, size) -> (1, tokens, heads, size); keys and values may have fewer heads, as in grouped-query
    attention."""
    queries = torch.split(query, [len(block.mask) for block in layout], dim=2)
    parts = zip(queries, _gather(layout, key), _gather(layout, value), layout, strict=True)
    mixed = [
        scaled_dot_product_attention(
            asked, keys, values, attn_mask=block.mask.to(query.dtype), scale=scaling, enable_gqa=True
        ).transpose(1, 2)
        for asked, keys, values, block in parts
    ]  # (1, queries, heads, size) each
    return torch.cat(mixed, dim=1)


def _gather(layout: list[Block], tensor: Tensor) -> Iterator[Tensor]:
    """(1, heads, tokens, size) -> (1, heads, keys, size) for each block."""
    rows = tensor.transpose(1, 2).flatten(2)[0]  # (tokens, heads * size)
    if tensor.requires_grad:  # one gather has one gradient to fill; without, small ones stay in the processor's cache
        found = embedding(torch.cat([block.keys for block in layout]), rows)
        parts = iter(torch.split(found, [len(block.keys) for block in layout]))
    else:
        parts = (embedding(block.keys, rows) for block in layout)
    for part in parts:
        yield part.view(len(part), *tensor.shape[1::2]).transpose(0, 1)[None]


AttentionInterface.register(NAME, _attend)
