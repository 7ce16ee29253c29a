"""From labelled trees to packed training pieces, with a count of everything that did not fit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from prm_training.prm.data import LabelledTree, counted_labels
from prm_training.prm.encoding import Encoder
from prm_training.prm.packing import Piece, Trie

Example = Piece[int]  # marked with classes: rating + 1


@dataclass(frozen=True)
class ExampleCounts:
    """`labels` enter the loss; `labels_left_out` lie beyond the length limit. `tokens` are those of the packed
    pieces, `row_tokens` what one row per labelled step or solution prefix would have cost."""

    trees: int = 0
    trees_without_labels: int = 0
    labels: int = 0
    labels_left_out: int = 0
    problems_shortened: int = 0
    tokens: int = 0
    row_tokens: int = 0


def build_examples(trees: Iterable[LabelledTree], encoder: Encoder, tokens: int) -> tuple[list[Example], ExampleCounts]:
    """Pack `trees`, merging those of one problem, into pieces of `tokens` (or the longest path, if that is more);
    every counted label is the mark of exactly one piece."""
    tries: dict[str, Trie[int]] = {}
    found = [_add(tree, tries.setdefault(tree.problem, Trie()), encoder) for tree in trees]
    pieces = [piece for trie in tries.values() for piece in trie.pieces(max(tokens, encoder.max_length)) if piece.marks]
    counts = ExampleCounts(
        trees=len(found),
        trees_without_labels=sum(each.labels + each.labels_left_out == 0 for each in found),
        labels=sum(each.labels for each in found),
        labels_left_out=sum(each.labels_left_out for each in found),
        problems_shortened=sum(each.problems_shortened for each in found),
        tokens=sum(map(len, pieces)),
        row_tokens=sum(each.row_tokens for each in found),
    )
    return pieces, counts


def _add(tree: LabelledTree, trie: Trie[int], encoder: Encoder) -> ExampleCounts:
    labels = left_out = row_tokens = 0
    shortened = encoder.encode(tree.problem, ()).problem_shortened
    for label in counted_labels(tree):
        path = encoder.encode(tree.problem, label.steps)
        if path.steps_left_out:
            left_out += 1
            continue
        trie.mark(trie.add(path.segments)[-1], label.rating + 1)
        labels += 1
        row_tokens += sum(map(len, path.segments))
    return ExampleCounts(
        labels=labels, labels_left_out=left_out, problems_shortened=int(shortened), row_tokens=row_tokens
    )
