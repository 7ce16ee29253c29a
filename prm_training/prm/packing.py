"""Trie packing: paths that share a prefix, flattened into one sequence.

Rated alternatives of one step, or sampled solutions of one problem, share long prefixes. Merged into a tree and
flattened depth first, each prefix is computed once: a token sees its ancestors only and its position is its depth, so
the numbers are those of one row per leaf. In depth-first order the descendants of a token are the run of tokens that
follows it, which makes the whole attention mask one integer a token: token j is visible to token i when
`j <= i < subtree_ends[j]`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import torch
from torch import Tensor

from prm_training.prm.data import PrmError
from prm_training.prm.encoding import Ids

Mark = TypeVar("Mark")
ROOT = 0


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


class Trie(Generic[Mark]):
    """Paths of segments (problem, step, step, ...) merged where they begin alike."""

    def __init__(self) -> None:
        self._segments: list[Ids] = [()]  # node ROOT is empty
        self._parents: list[int] = [-1]
        self._starts: list[int] = [0]  # tokens before the node on its path
        self._children: list[dict[Ids, int]] = [{}]
        self._marks: list[list[Mark]] = [[]]
        self._hidden: set[int] = set()

    def add(self, segments: Sequence[Ids]) -> list[int]:
        """Merge a path into the tree and return its node of each segment."""
        nodes, node = [], ROOT
        for segment in segments:
            node = self._children[node].get(segment) or self._add_child(node, segment)
            nodes.append(node)
        return nodes

    def mark(self, node: int, value: Mark) -> None:
        """Ask for the model's output at the last token of `node`; a node may be marked many times."""
        self._marks[node].append(value)

    def marks(self, node: int) -> list[Mark]:
        """What was marked at `node` so far."""
        return self._marks[node]

    def hide(self, node: int) -> None:
        """Show the tokens of `node` to its descendants, but never ask a language model to predict them."""
        self._hidden.add(node)

    def pieces(self, limit: int) -> Iterator[Piece[Mark]]:
        """Flatten into sequences of at most `limit` tokens; every mark is in exactly one. Raises `PathTooLong`."""
        chosen: list[int] = []
        size = repeated = 0
        for node in self._depth_first():
            length = len(self._segments[node])
            if size + length > limit and size:
                yield self._flatten(chosen, repeated)
                chosen = self._ancestors(node)
                size, repeated = self._starts[node], len(chosen)
            if size + length > limit:
                raise PathTooLong(f"a path of {size + length} tokens does not fit a piece of {limit}")
            chosen.append(node)
            size += length
        if chosen:
            yield self._flatten(chosen, repeated)

    def _add_child(self, parent: int, segment: Ids) -> int:
        node = len(self._segments)
        self._children[parent][segment] = node
        self._segments.append(segment)
        self._parents.append(parent)
        self._starts.append(self._starts[parent] + len(self._segments[parent]))
        self._children.append({})
        self._marks.append([])
        return node

    def _depth_first(self) -> Iterator[int]:
        stack = self._last_first(ROOT)
        while stack:
            node = stack.pop()
            yield node
            stack.extend(self._last_first(node))

    def _last_first(self, node: int) -> list[int]:
        """Children in the reverse of their order: leaves come last, so that a path lies in one run before its forks,
        and a tree cut among leaves repeats no more of the path than they need."""
        return sorted(self._children[node].values(), key=lambda child: not self._children[child])[::-1]

    def _ancestors(self, node: int) -> list[int]:
        path = []
        while (node := self._parents[node]) != ROOT:
            path.append(node)
        return path[::-1]

    def _flatten(self, nodes: list[int], repeated: int) -> Piece[Mark]:
        """Lay out `nodes`, given depth first; the first `repeated` of them were in an earlier piece."""
        ids: list[int] = []
        depths: list[int] = []
        before: list[int] = []
        marks: list[tuple[int, Mark]] = []
        last = {ROOT: -1}  # node -> index of its last token
        for order, node in enumerate(nodes):
            first, segment = len(ids), self._segments[node]
            ids.extend(segment)
            depths.extend(range(self._starts[node], self._starts[node] + len(segment)))
            before.extend([last[self._parents[node]], *range(first, len(ids) - 1)])
            last[node] = len(ids) - 1
            if order < repeated or node in self._hidden:
                before[first:] = [-1] * len(segment)
            if order >= repeated:
                marks.extend((last[node], mark) for mark in self._marks[node])
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
