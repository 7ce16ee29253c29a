"""Trie packing: paths that share a prefix, flattened into one sequence.

Rated alternatives of one step, or sampled solutions of one problem, share long prefixes. Merged into a tree and
flattened depth first, each prefix is computed once: a token sees only its ancestors and its position is its depth, so
the results are those of one row per leaf. In depth-first order a token's descendants are the run of tokens that follows
it, so one integer per token is the whole attention mask: token j is visible to token i when `j <= i < subtree_ends[j]`.
Pieces are laid end to end in one row that fits a token budget, without padding.

For the problem P and the steps a, b, c, where b and c are alternatives after a, one token each:

    ids           P  a  b  c
    depths        0  1  2  2
    subtree_ends  4  4  3  4
    predecessors -1  0  1  1
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import accumulate, pairwise
from typing import Generic, TypeVar

import torch
from torch import Tensor

from prm_training.prm.trees.data import LabelledTree, PrmError, counted_labels
from prm_training.prm.trees.encoding import Encoder, Ids

Mark = TypeVar("Mark")


class PathTooLong(PrmError):
    """One path from root to leaf has more tokens than a piece may hold; encode with that limit first."""


@dataclass(frozen=True)
class Piece(Generic[Mark]):
    """One row of tokens: a flattened tree, a part of one that repeats the path to its root, or several of these, which
    do not see each other.

    `predecessors` holds the index of the token before each token on its path. It is -1 where no language model predicts
    the token: at the root's first token, at hidden tokens, and at tokens repeated from an earlier piece, so that each
    token is predicted once. `reads` are the last tokens of marked nodes, `marks` the marks there.
    """

    ids: Tensor  # (tokens,) int32
    depths: Tensor  # (tokens,) int32
    subtree_ends: Tensor  # (tokens,) int32
    predecessors: Tensor  # (tokens,) int32
    reads: Tensor  # (marks,) int64, index into tokens
    marks: list[Mark]  # (marks,)

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(eq=False, slots=True)
class Trie(Generic[Mark]):
    """Paths of segments (problem, step, step, ...), merged where they begin alike: a node and everything below it.

    The model is read at a node's last token, once for each of `marks`. A hidden node's tokens are visible to its
    descendants, but no language model is trained to predict them.
    """

    segment: Ids = ()
    parent: "Trie[Mark] | None" = None
    start: int = 0  # tokens before it on its path
    children: dict[Ids, "Trie[Mark]"] = field(default_factory=dict)
    marks: list[Mark] = field(default_factory=list)
    is_hidden: bool = False

    def add(self, segments: Iterable[Ids]) -> list["Trie[Mark]"]:
        """Merge a path in below this node and return the node of each segment."""
        node, path = self, []
        for segment in segments:
            # A step that several solutions have at the same place is one node, and is computed once.
            found = node.children.get(segment)
            if found is None:
                found = node.children[segment] = Trie(segment, node, node.start + len(node.segment))
            path.append(node := found)
        return path

    def pieces(self, limit: int) -> Iterator[Piece[Mark]]:
        """Flatten into sequences of at most `limit` tokens; every mark is in exactly one. Raises `PathTooLong`.

        A piece repeats the path above its first node. Of all ways to cut, this one repeats the fewest tokens.
        """
        # A shortest path over the places to cut. In depth-first order any run of nodes is a valid piece once the path
        # above its first node is repeated before it: every other ancestor is in the run itself. So the cost of a piece
        # is its first node's `start`, and its length is that plus the tokens of its nodes.
        # Take the nodes P, a, b and c, one token each, b and c both after a, and a limit of 3: the pieces are P a b,
        # and c with P a repeated before it.
        nodes = list(self._below())
        before = list(accumulate((len(node.segment) for node in nodes), initial=0))  # tokens before each node
        last_cuts = [(0, 0)]  # for the first n nodes: fewest tokens repeated, and the first node of the last piece
        possible: list[tuple[int, int]] = []  # a heap of the same, for pieces that the next node may still fit into
        for number, node in enumerate(nodes):
            heappush(possible, (last_cuts[number][0] + node.start, number))
            # A piece that is full stays full, so it is dropped for good, and only once it is the cheapest.
            while possible and nodes[first := possible[0][1]].start + before[number + 1] - before[first] > limit:
                heappop(possible)
            if not possible:
                size = node.start + len(node.segment)
                raise PathTooLong(f"a path of {size} tokens does not fit a piece of {limit}")
            last_cuts.append(possible[0])
        cuts = [len(nodes)]  # from the end back to the beginning
        while cuts[-1]:
            cuts.append(last_cuts[cuts[-1]][1])
        for first, stop in pairwise(reversed(cuts)):
            above = nodes[first]._above()
            yield _flatten([*above, *nodes[first:stop]], len(above))

    def _below(self) -> Iterator["Trie[Mark]"]:
        """Yields the nodes below, depth first.

        Leaves come last, so that a path is one run before it forks, and a tree that is cut among its leaves repeats no
        more of the path than they need.
        """
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if node is not self:
                yield node
            waiting.extend(sorted(node.children.values(), key=lambda child: not child.children)[::-1])

    def _above(self) -> list["Trie[Mark]"]:
        """The nodes from below the root to the one above this one."""
        path, node = [], self.parent
        while node is not None and node.parent is not None:
            path.append(node)
            node = node.parent
        return path[::-1]


def _flatten(nodes: Sequence[Trie[Mark]], repeated: int) -> Piece[Mark]:
    """Lay out `nodes`, given depth first; the first `repeated` of them were in an earlier piece."""
    ids: list[int] = []
    depths: list[int] = []
    before: list[int] = []
    reads: list[tuple[int, Mark]] = []
    last: dict[Trie[Mark] | None, int] = {}  # index of a node's last token
    for order, node in enumerate(nodes):
        first, length = len(ids), len(node.segment)
        ids.extend(node.segment)
        depths.extend(range(node.start, node.start + length))
        last[node] = len(ids) - 1
        # A node's first token is predicted from its parent's last one, wherever that lies; each further token from the
        # one before it.
        is_predicted = order >= repeated and not node.is_hidden
        before.extend([last.get(node.parent, -1), *range(first, len(ids) - 1)] if is_predicted else [-1] * length)
        if order >= repeated:
            reads.extend((last[node], mark) for mark in node.marks)
    ends: dict[Trie[Mark] | None, int] = {}  # one past a node's last descendant
    for node in reversed(nodes):  # children come before their parent, so a parent ends where its last child does
        ends[node.parent] = max(ends.get(node.parent, 0), ends.setdefault(node, last[node] + 1))
    subtree_ends = [ends[node] for node in nodes for _ in node.segment]
    columns = torch.tensor([ids, depths, subtree_ends, before], dtype=torch.int32)
    places = torch.tensor([place for place, _ in reads], dtype=torch.int64)
    return Piece(columns[0], columns[1], columns[2], columns[3], places, [mark for _, mark in reads])


def join(pieces: Sequence[Piece[Mark]]) -> Piece[Mark]:
    """Lay pieces end to end."""
    lengths = torch.tensor([len(piece) for piece in pieces])  # (pieces,)
    starts = lengths.cumsum(0) - lengths  # (pieces,)
    offsets = starts.int().repeat_interleave(lengths)  # (tokens,)
    before = torch.cat([piece.predecessors for piece in pieces])
    return Piece(
        ids=torch.cat([piece.ids for piece in pieces]),
        depths=torch.cat([piece.depths for piece in pieces]),
        subtree_ends=torch.cat([piece.subtree_ends for piece in pieces]) + offsets,
        # -1 stays -1: no predecessor is shifted to the piece before.
        predecessors=torch.where(before < 0, -1, before + offsets),
        reads=torch.cat([piece.reads + start for piece, start in zip(pieces, starts, strict=True)]),
        marks=[mark for piece in pieces for mark in piece.marks],
    )


def groups(pieces: Iterable[Piece[Mark]], tokens: int) -> Iterator[list[Piece[Mark]]]:
    """Yields all pieces once, in order, in groups of at most `tokens` tokens (or of one piece that is longer)."""
    waiting: list[Piece[Mark]] = []
    for piece in pieces:
        if waiting and sum(map(len, waiting)) + len(piece) > tokens:
            yield waiting
            waiting = []
        waiting.append(piece)
    if waiting:
        yield waiting


def batches(pieces: Iterable[Piece[Mark]], tokens: int) -> Iterator[Piece[Mark]]:
    """Yields the rows of forward passes over `pieces`: `groups`, joined."""
    return map(join, groups(pieces, tokens))


Example = Piece[int]  # marked with classes: rating + 1


@dataclass(frozen=True)
class ExampleCounts:
    """`labels` enter the loss; `labels_masked` come after the first error, `labels_left_out` lie beyond the length
    limit, `unrated` completions have no label. `tokens` are those of the packed pieces, `row_tokens` what one row per
    labelled step or solution prefix would have cost."""

    trees: int = 0
    trees_without_labels: int = 0
    labels: int = 0
    labels_masked: int = 0
    labels_left_out: int = 0
    unrated: int = 0
    problems_shortened: int = 0
    tokens: int = 0
    row_tokens: int = 0


def build_examples(trees: Iterable[LabelledTree], encoder: Encoder, tokens: int) -> tuple[list[Example], ExampleCounts]:
    """Pack `trees`, merging those of one problem, into pieces of `tokens` (or the longest path, if that is more);
    every counted label is the mark of exactly one piece."""
    tries: defaultdict[str, Trie[int]] = defaultdict(Trie)
    counts = Counter[str]()
    for tree in trees:
        counts.update(_add_tree(tree, tries[tree.problem], encoder))
    limit = max(tokens, encoder.max_length)  # no encoded path is too long for a piece
    pieces = [piece for trie in tries.values() for piece in trie.pieces(limit) if piece.marks]
    return pieces, ExampleCounts(**counts, tokens=sum(map(len, pieces)))


def _add_tree(tree: LabelledTree, trie: Trie[int], encoder: Encoder) -> Counter[str]:
    counts = Counter(trees=1, problems_shortened=int(encoder.encode(tree.problem, ()).problem_shortened))
    labels = list(counted_labels(tree))
    for label in labels:
        # As far as it fits: a label whose own step is cut off is counted, never read at another place.
        path = encoder.encode(tree.problem, label.steps, label.contexts)
        if path.steps_left_out:
            counts["labels_left_out"] += 1
        else:
            # A class in 0, 1, 2. Two people's labels of one step are two marks of one node.
            trie.add(path.segments)[-1].marks.append(label.rating + 1)
            counts.update(labels=1, row_tokens=sum(map(len, path.segments)))
    rated = [completion.rating is not None for step in tree.steps for completion in step.completions]
    counts.update(trees_without_labels=int(not labels), unrated=rated.count(False))
    counts["labels_masked"] = rated.count(True) - len(labels)
    return counts
