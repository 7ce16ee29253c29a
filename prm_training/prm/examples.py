"""From labelled trees to packed training pieces, with a count of everything that did not fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from prm_training.prm.data import LabelledTree, counted_labels
from prm_training.prm.encoding import Encoder
from prm_training.prm.packing import Piece, Trie

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
    tries: dict[str, Trie[int]] = {}
    counts = Counter[str]()
    for tree in trees:
        counts.update(_add(tree, tries.setdefault(tree.problem, Trie()), encoder))
    pieces = [piece for trie in tries.values() for piece in trie.pieces(max(tokens, encoder.max_length)) if piece.marks]
    return pieces, ExampleCounts(**counts, tokens=sum(map(len, pieces)))


def _add(tree: LabelledTree, trie: Trie[int], encoder: Encoder) -> Counter[str]:
    counts = Counter(trees=1, problems_shortened=int(encoder.encode(tree.problem, ()).problem_shortened))
    labels = list(counted_labels(tree))
    for label in labels:
        path = encoder.encode(tree.problem, label.steps)
        if path.steps_left_out:
            counts["labels_left_out"] += 1
        else:
            trie.add(path.segments)[-1].marks.append(label.rating + 1)
            counts.update(labels=1, row_tokens=sum(map(len, path.segments)))
    rated = [completion.rating is not None for step in tree.steps for completion in step.completions]
    counts.update(trees_without_labels=int(not labels), unrated=rated.count(False))
    counts["labels_masked"] = rated.count(True) - len(labels)
    return counts
