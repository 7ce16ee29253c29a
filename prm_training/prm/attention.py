"""Attention over packed trees: each token sees its ancestors, and nothing else is computed.

A packed sequence is one long row. On a CPU it is cut into blocks of queries, and each block meets only the keys that
one of its tokens can see (the paths to it), instead of all that came before: on PRM800K's trees a quarter of the work.
On a GPU flex attention skips what is masked, by the same rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.attention.flex_attention import BlockMask, create_block_mask, flex_attention
from torch.nn.functional import scaled_dot_product_attention
from transformers import AttentionInterface

NAME = "stepmark_tree"
BLOCK = 128  # queries
SEGMENT = 512  # tokens whose keys are looked up together; a longer piece is a segment of its own


@dataclass(frozen=True)
class Block:
    """A run of queries of a segment, the keys that they may see, and which of them each one sees."""

    start: int
    stop: int
    keys: Tensor  # (keys,) int64
    mask: Tensor  # (queries, keys) bool


@dataclass(frozen=True)
class Segment:
    """A run of tokens that sees nothing outside itself; blocks count from its start."""

    length: int
    blocks: list[Block]


_layout: ContextVar[list[Segment] | BlockMask] = ContextVar("layout")


@cache
def _compiled_flex() -> Any:
    return torch.compile(flex_attention, dynamic=True)


@contextmanager
def over(subtree_ends: Tensor, piece_lengths: list[int]) -> Iterator[None]:
    """Forward passes inside the block run on one packed row: token j is visible to i when `j <= i < ends[j]`."""
    layout = flex_mask(subtree_ends) if subtree_ends.is_cuda else list(segments(subtree_ends, piece_lengths))
    token = _layout.set(layout)
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


def segments(subtree_ends: Tensor, piece_lengths: list[int]) -> Iterator[Segment]:
    """Cut a packed row between pieces, and each part into blocks."""
    start = length = 0
    for piece in piece_lengths:
        if length and length + piece > SEGMENT:
            yield _segment(subtree_ends[start : start + length] - start)
            start, length = start + length, 0
        length += piece
    yield _segment(subtree_ends[start:] - start)


def _segment(ends: Tensor) -> Segment:
    length = len(ends)
    bounds = range(0, length, BLOCK)
    return Segment(length, [_block(ends, start, min(start + BLOCK, length)) for start in bounds])


def _block(ends: Tensor, start: int, stop: int) -> Block:
    keys = (ends[:stop] > start).nonzero()[:, 0]  # (keys,): whose subtree reaches into the block
    queries = torch.arange(start, stop)[:, None]
    return Block(start, stop, keys, (keys <= queries) & (queries < ends[keys]))


def flex_mask(subtree_ends: Tensor) -> BlockMask:
    """The same rule for flex attention, which runs on the device of `subtree_ends`."""
    length = len(subtree_ends)

    def sees(_batch: Tensor, _head: Tensor, query: Tensor, key: Tensor) -> Tensor:
        return (key <= query) & (query < subtree_ends[key])

    return create_block_mask(sees, None, None, length, length, device=str(subtree_ends.device))


def _attend(
    module: nn.Module, query: Tensor, key: Tensor, value: Tensor, _mask: Tensor | None, scaling: float | None = None,
    **options: Any,
) -> tuple[Tensor, None]:  # fmt: skip
    """What a transformers model calls: (1, heads, tokens, size) -> (1, tokens, heads, size)."""
    if options.get("softcap"):
        raise NotImplementedError(f"{type(module).__name__} caps its attention scores, which tree attention does not")
    layout = _layout.get()
    if isinstance(layout, BlockMask):
        kernel = _compiled_flex() if query.is_cuda else flex_attention
        mixed = kernel(query, key, value, block_mask=layout, scale=scaling, enable_gqa=True)
    else:
        mixed = attend_in_blocks(layout, query, key, value, scaling)
    return mixed.transpose(1, 2).contiguous(), None


def attend_in_blocks(layout: list[Segment], query: Tensor, key: Tensor, value: Tensor, scaling: float | None) -> Tensor:
    """(1, heads, tokens, size) throughout; keys and values may have fewer heads, as in grouped-query attention."""
    lengths = [segment.length for segment in layout]
    mixed = []
    parts = zip(layout, *(torch.split(tensor, lengths, dim=2) for tensor in (query, key, value)), strict=True)
    for segment, queries, keys, values in parts:
        for block in segment.blocks:
            found = scaled_dot_product_attention(
                queries[:, :, block.start : block.stop],
                keys[:, :, block.keys],
                values[:, :, block.keys],
                attn_mask=block.mask,
                scale=scaling,
                enable_gqa=True,
            )  # (1, heads, queries, size)
            mixed.append(found)
    return torch.cat(mixed, dim=2)


AttentionInterface.register(NAME, _attend)
