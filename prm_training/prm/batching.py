"""Pieces laid side by side in rows, and rows in batches that fit a token budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic

import torch
from torch import Tensor

from prm_training.prm.packing import Mark, Piece


@dataclass(frozen=True)
class Batch(Generic[Mark]):
    """One forward pass. Pieces in the same row do not see each other; padding sees only itself."""

    ids: Tensor  # (rows, width) int64
    positions: Tensor  # (rows, width) int64
    mask: Tensor  # (rows, 1, width, width) bool, True where the key is visible to the query
    predecessors: Tensor  # (rows * width,) int64, flat index, -1 where none
    reads: Tensor  # (marks,) int64, flat index into rows * width
    marks: list[Mark]  # (marks,)


def batches(pieces: Sequence[Piece[Mark]], tokens: int) -> Iterator[Batch[Mark]]:
    """All pieces once, in batches of at most `tokens` tokens with padding (or one row, if that is longer).

    Longest first, so that neighbours fill rows well: the order of `pieces` is not kept.
    """
    longest_first = sorted(pieces, key=len, reverse=True)
    waiting: list[list[Piece[Mark]]] = []
    for row in _rows(longest_first):
        width = _width([*waiting, row])
        if waiting and width * (len(waiting) + 1) > tokens:
            yield collate(waiting)
            waiting = []
        waiting.append(row)
    if waiting:
        yield collate(waiting)


def collate(rows: Sequence[Sequence[Piece[Mark]]]) -> Batch[Mark]:
    """Build the tensors of one forward pass; each row is a list of pieces."""
    width = _width(rows)
    shape = (len(rows), width)
    ids = torch.zeros(shape, dtype=torch.int64)
    positions = torch.zeros(shape, dtype=torch.int64)
    ends = torch.arange(1, width + 1).repeat(len(rows), 1)  # padding: a subtree of itself
    before = torch.full(shape, -1, dtype=torch.int64)
    reads: list[int] = []
    marks: list[Mark] = []
    for number, row in enumerate(rows):
        start = 0
        for piece in row:
            here = slice(start, start + len(piece))
            ids[number, here] = piece.ids.long()
            positions[number, here] = piece.depths.long()
            ends[number, here] = piece.subtree_ends.long() + start
            origin = number * width + start
            before[number, here] = torch.where(piece.predecessors < 0, -1, piece.predecessors.long() + origin)
            reads.extend(origin + index for index, _ in piece.marks)
            marks.extend(mark for _, mark in piece.marks)
            start += len(piece)
    places = torch.tensor(reads, dtype=torch.int64)
    return Batch(ids, positions, ancestor_mask(ends), before.flatten(), places, marks)


def ancestor_mask(subtree_ends: Tensor) -> Tensor:
    """(rows, width) ends -> (rows, 1, width, width): key j is visible to query i when j <= i < ends[j]."""
    place = torch.arange(subtree_ends.shape[1])
    causal = place[None, :] <= place[:, None]  # (query, key)
    inside = place[None, :, None] < subtree_ends[:, None, :]  # (rows, query, key)
    return (causal & inside)[:, None]


def _rows(pieces: Sequence[Piece[Mark]]) -> list[list[Piece[Mark]]]:
    """First fit: each piece goes into the first row that still has room for it."""
    width = max(map(len, pieces), default=0)
    rows: list[list[Piece[Mark]]] = []
    room: list[int] = []
    for piece in pieces:
        number = next((n for n, left in enumerate(room) if left >= len(piece)), len(rows))
        if number == len(rows):
            rows.append([])
            room.append(width)
        rows[number].append(piece)
        room[number] -= len(piece)
    return rows


def _width(rows: Sequence[Sequence[Piece[Mark]]]) -> int:
    return max((sum(map(len, row)) for row in rows), default=0)
