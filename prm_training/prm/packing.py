"""Trie packing: paths that share a prefix, flattened into one sequence.

Rated alternatives of one step, or sampled solutions of one problem, share long prefixes. Merged into a tree and
flattened depth first, each prefix is computed once: a token sees its ancestors only and its position is its depth, so
the numbers are those of one row per leaf. In depth-first order the descendants of a token are the run of tokens that
follows it, which makes the whole attention mask one integer a token: token j is visible to token i when
`j <= i < subtree_ends[j]`. Pieces are laid end to end in one row that fits a token budget: no padding at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import torch
from torch import Tensor

from prm_training.prm.data import PrmError
from prm_training.prm.encoding import Ids

Mark = TypeVar("Mark")


class PathTooLong(PrmError):
    """One path from root to node has more tokens than a piece may hold; encode with that limit first."""


@dataclass(frozen=True)
class Piece(Generic[Mark]):
    """A flattened tree, or a part of one that repeats the path to its root.

    `predecessors` holds the index of the token before each token on its path. It is -1 where no language model is
    asked: at the root's first token, at hidden tokens, and at tokens repeated from an earlier piece, so that each
    token is predicted once. `marks` are (index of the last token of a node, what was marked there).
    """

    ids: Tensor  # (tokens,) int32
    depths: Tensor  # (tokens,) int32
    subtree_ends: Tensor  # (tokens,) int32
    predecessors: Tensor  # (tokens,) int32
    marks: tuple[tuple[int, Mark], ...]

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(eq=False, slots=True)
class Node(Generic[Mark]):
    """One segment (problem, step) below those that come before it. The model's output is asked for at the last token,
    once for each of `marks`. The tokens of a hidden node show to its descendants, but no language model is asked to
    predict them."""

    segment: Ids
    parent: Node[Mark] | None
    start: int  # tokens before it on its path
    children: dict[Ids, Node[Mark]] = field(default_factory=dict)
    marks: list[Mark] = field(default_factory=list)
    is_hidden: bool = False

    def child(self, segment: Ids) -> Node[Mark]:
        """The node of `segment` below this one, made where there is none."""
        if (found := self.children.get(segment)) is None:
            found = self.children[segment] = Node(segment, self, self.start + len(self.segment))
        return found

    def path(self) -> list[Node[Mark]]:
        """From below the root to the node above this one."""
        above, node = [], self.parent
        while node is not None and node.parent is not None:
            above.append(node)
            node = node.parent
        return above[::-1]

    def depth_first(self) -> Iterator[Node[Mark]]:
        """All nodes below. Leaves come last, so that a path lies in one run before its forks, and a tree cut among
        leaves repeats no more of the path than they need."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if node is not self:
                yield node
            waiting.extend(sorted(node.children.values(), key=lambda child: not child.children)[::-1])


class Trie(Generic[Mark]):
    """Paths of segments (problem, step, step, ...) merged where they begin alike."""

    def __init__(self) -> None:
        self.root: Node[Mark] = Node((), None, 0)

    def add(self, segments: Iterable[Ids]) -> list[Node[Mark]]:
        """Merge a path into the tree and return its node of each segment."""
        nodes = [self.root]
        for segment in segments:
            nodes.append(nodes[-1].child(segment))
        return nodes[1:]

    def pieces(self, limit: int) -> Iterator[Piece[Mark]]:
        """Flatten into sequences of at most `limit` tokens; every mark is in exactly one. Raises `PathTooLong`."""
        chosen: list[Node[Mark]] = []
        size = repeated = 0
        for node in self.root.depth_first():
            length = len(node.segment)
            if size + length > limit and size:
                yield _flatten(chosen, repeated)
                chosen = node.path()
                size, repeated = node.start, len(chosen)
            if size + length > limit:
                raise PathTooLong(f"a path of {size + length} tokens does not fit a piece of {limit}")
            chosen.append(node)
            size += length
        if chosen:
            yield _flatten(chosen, repeated)


def _flatten(nodes: Sequence[Node[Mark]], repeated: int) -> Piece[Mark]:
    """Lay out `nodes`, given depth first; the first `repeated` of them were in an earlier piece."""
    ids: list[int] = []
    depths: list[int] = []
    before: list[int] = []
    marks: list[tuple[int, Mark]] = []
    last: dict[Node[Mark] | None, int] = {}  # index of a node's last token
    for order, node in enumerate(nodes):
        first, length = len(ids), len(node.segment)
        ids.extend(node.segment)
        depths.extend(range(node.start, node.start + length))
        last[node] = len(ids) - 1
        if order < repeated or node.is_hidden:
            before.extend([-1] * length)
        else:
            before.extend([last.get(node.parent, -1), *range(first, len(ids) - 1)])
        if order >= repeated:
            marks.extend((last[node], mark) for mark in node.marks)
    columns = torch.tensor([ids, depths, _subtree_ends(depths), before], dtype=torch.int32)
    return Piece(columns[0], columns[1], columns[2], columns[3], tuple(marks))


def _subtree_ends(depths: list[int]) -> list[int]:
    """One past the last descendant of each token: the next token that is not deeper."""
    ends = [len(depths)] * len(depths)
    open_tokens: list[int] = []
    for index, depth in enumerate(depths):
        while open_tokens and depths[open_tokens[-1]] >= depth:
            ends[open_tokens.pop()] = index
        open_tokens.append(index)
    return ends


@dataclass(frozen=True)
class Batch(Generic[Mark]):
    """One forward pass over one row. Pieces do not see each other."""

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
