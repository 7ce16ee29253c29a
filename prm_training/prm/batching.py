"""Pieces laid end to end in one row that fits a token budget: no padding at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic

import torch
from torch import Tensor

from prm_training.prm.packing import Mark, Piece


@dataclass(frozen=True)
class Batch(Generic[Mark]):
    """One forward pass over one row. Pieces do not see each other; see `packing` for what a token sees."""

    ids: Tensor  # (1, tokens) int64
    positions: Tensor  # (1, tokens) int64
    subtree_ends: Tensor  # (tokens,) int64
    predecessors: Tensor  # (tokens,) int64, -1 where none
    reads: Tensor  # (marks,) int64, index into tokens
    marks: list[Mark]  # (marks,)


def groups(pieces: Iterable[Piece[Mark]], tokens: int) -> Iterator[list[Piece[Mark]]]:
    """All pieces once, in their order, in groups of at most `tokens` tokens (or one piece, if that is longer)."""
    waiting: list[Piece[Mark]] = []
    size = 0
    for piece in pieces:
        if waiting and size + len(piece) > tokens:
            yield waiting
            waiting, size = [], 0
        waiting.append(piece)
        size += len(piece)
    if waiting:
        yield waiting


def batches(pieces: Iterable[Piece[Mark]], tokens: int) -> Iterator[Batch[Mark]]:
    """Forward passes over `groups`."""
    return map(collate, groups(pieces, tokens))


def collate(pieces: Sequence[Piece[Mark]]) -> Batch[Mark]:
    """Build the tensors of one forward pass."""
    lengths = torch.tensor([len(piece) for piece in pieces])  # (pieces,)
    starts = lengths.cumsum(0) - lengths  # (pieces,)
    offsets = starts.repeat_interleave(lengths)  # (tokens,)
    before = torch.cat([piece.predecessors for piece in pieces]).long()
    reads = [int(start) + index for start, piece in zip(starts, pieces, strict=True) for index, _ in piece.marks]
    return Batch(
        ids=torch.cat([piece.ids for piece in pieces]).long()[None],
        positions=torch.cat([piece.depths for piece in pieces]).long()[None],
        subtree_ends=torch.cat([piece.subtree_ends for piece in pieces]).long() + offsets,
        predecessors=torch.where(before < 0, -1, before + offsets),
        reads=torch.tensor(reads, dtype=torch.int64),
        marks=[mark for piece in pieces for _, mark in piece.marks],
    )
