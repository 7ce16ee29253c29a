"""The example tree of prm_training/prm/README.md: its tables agree with the code's results."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

import prm_training.prm
from prm_training.prm.score import AGGREGATES, log_right
from prm_training.prm.trees import attention
from prm_training.prm.trees.data import CLASS_NAMES, LabelledTree, counted_labels
from prm_training.prm.trees.encoding import Encoder
from prm_training.prm.trees.packing import Example, ExampleCounts, build_examples
from prm_training.prm.trees.readers import read_labels

FOLDER = Path(prm_training.prm.__file__).parent
README = (FOLDER / "README.md").read_text()
BLOCKS = re.findall(r"^```(?:json)?\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
LIMIT = 9  # tokens of a piece, where the tree is cut


class Words:
    """A tokenizer with a token for each word and for a line break."""

    bos_token_id = None

    def __init__(self) -> None:
        self.words: list[str] = []

    def __call__(self, text: str, **_: Any) -> dict[str, list[int]]:
        found = re.findall(r"\n|\S+", text)
        self.words += [word for word in found if word not in self.words]
        return {"input_ids": [self.words.index(word) for word in found]}


def block(first_line: str) -> list[str]:
    """Returns the lines of the code block after this first line, with spaces collapsed."""
    (found,) = [text.splitlines() for text in BLOCKS if text.split("\n")[0].split() == first_line.split()]
    return list(found[1:])


def table(first_line: str) -> list[list[str]]:
    return [line.split() for line in block(first_line)]


@pytest.mark.parametrize(("reads_after", "places"), [(False, [3, 7]), (True, [5, 7])])
def test_a_step_is_read_before_its_context_or_after(reads_after: bool, places: list[int]) -> None:
    rows, words = table("place token part read"), Words()
    encoded = Encoder(words, 64, reads_after=reads_after).encode("Seats?", ["book(2)", "Booked!"], ["Full"])
    assert [words.words[token] for token in encoded.ids] == [row[1].replace("\\n", "\n") for row in rows]
    assert encoded.step_ends == places
    if not reads_after:
        assert [int(row[0]) for row in rows if row[3] != "-"] == places


@pytest.fixture
def tree(tmp_path: Path) -> LabelledTree:
    (text,) = [text for text in BLOCKS if text.startswith("{")]
    (tmp_path / "labels.jsonl").write_text(json.dumps(json.loads(text)))
    (found,) = read_labels(tmp_path / "labels.jsonl", split="train")
    return found


def packed(tree: LabelledTree, tokens: int, words: Words) -> tuple[list[Example], ExampleCounts]:
    return build_examples([tree], Encoder(words, LIMIT), tokens)


@pytest.fixture
def words() -> Words:
    return Words()


@pytest.fixture
def whole(tree: LabelledTree, words: Words) -> Example:
    (piece,), _ = packed(tree, 100, words)
    return piece


def spelt(piece: Example, words: Words) -> list[str]:
    return [words.words[number].replace("\n", r"\n") for number in piece.ids.tolist()]


def visible(piece: Example) -> Tensor:
    """Returns the (query, key) bool mask, assembled from attention's blocks."""
    mask = torch.zeros(len(piece), len(piece), dtype=torch.bool)
    (only,) = attention.blocks(piece.subtree_ends)
    mask[:, only.keys] = only.mask == 0
    return mask


def probabilities(cells: list[str]) -> Tensor:
    """Returns (1, 3) probabilities, whose logarithms are logits."""
    return torch.tensor([[float(cell) for cell in cells]])


def test_every_file_that_it_names_is_there() -> None:
    named = set(re.findall(r"`(?:[\w]+/)*(\w+\.py)`", README)) - {Path(__file__).name}
    assert len(named) > 10
    assert named <= {path.name for path in FOLDER.rglob("*.py")}


def test_the_drawing_shows_every_completion_with_its_rating(tree: LabelledTree) -> None:
    drawn = [re.split(r"  +", line.lstrip(" │├└─")) for line in block("P  3*4-5=?")]
    shown = {text: said.split(",")[0] for _, text, said in drawn}
    completions = [completion for step in tree.steps for completion in step.completions]
    assert shown == {
        each.text: "unsure" if each.rating is None else CLASS_NAMES[each.rating + 1] for each in completions
    }


def test_four_labels_count(tree: LabelledTree) -> None:
    assert [label.steps[-1] for label in counted_labels(tree)] == ["3*4=7", "3*4=12", "5<12", "12-5=8"]


def test_the_row_of_tokens(whole: Example, words: Words) -> None:
    labels = dict(zip(whole.reads.tolist(), whole.marks, strict=True))
    parents = whole.predecessors.tolist()
    columns = zip(spelt(whole, words), whole.depths.tolist(), parents, whole.subtree_ends.tolist(), strict=True)
    found = [
        [str(index), token, str(depth), str(parent).replace("-1", "-"), str(end), label]
        for index, (token, depth, parent, end) in enumerate(columns)
        for label in [CLASS_NAMES[labels[index]] if index in labels else "-"]
    ]
    rows = table("index token node position parent end label")
    assert [[index, token, *others] for index, token, _node, *others in rows] == found


def test_nodes_are_named_as_in_the_drawing(whole: Example) -> None:
    texts = {line.lstrip(" │├└─").split("  ")[0]: line for line in ["P  3*4-5=?", *block("P  3*4-5=?")]}
    for _, token, node, *_ in table("index token node position parent end label"):
        assert token in texts[node] or token == r"\n"


def test_the_mask(whole: Example) -> None:
    shown = [cells[1:] for cells in table("0 1 2 3 4 5 6 7 8 9 10 11 12")]
    assert shown == [["x" if sees else "." for sees in row] for row in visible(whole).tolist()]


def test_the_counts(tree: LabelledTree, words: Words) -> None:
    _, counts = packed(tree, 100, words)
    assert (counts.labels, counts.labels_masked, counts.unrated) == (4, 1, 1)
    assert "26 tokens" in README
    assert (counts.row_tokens, counts.tokens) == (26, 13)


def test_the_pieces(tree: LabelledTree, words: Words, whole: Example) -> None:
    pieces, _ = packed(tree, LIMIT, words)
    rows = [re.split(r"  +", line.strip()) for line in block("piece tokens repeated labels")]
    assert len(pieces) == len(rows)
    for piece, (_, tokens, repeated, labels) in zip(pieces, rows, strict=True):
        indexes = [int(index) for index in tokens.split()]
        assert piece.ids.tolist() == whole.ids[indexes].tolist()
        assert piece.depths.tolist() == whole.depths[indexes].tolist()
        assert visible(piece).tolist() == visible(whole)[indexes][:, indexes].tolist()
        assert (piece.predecessors[1:] < 0).sum() == max(0, int(repeated) - 1)
        assert [CLASS_NAMES[mark] for mark in piece.marks] == labels.split(", ")


def test_the_loss(whole: Example) -> None:
    *rows, (_, mean) = table("node index negative neutral positive label loss")
    assert [(int(index), label) for _, index, *_, label, _ in rows] == [
        (index, CLASS_NAMES[mark]) for index, mark in zip(whole.reads.tolist(), whole.marks, strict=True)
    ]
    logits = torch.cat([probabilities(cells[2:5]) for cells in rows]).log()  # (labels, 3)
    losses = cross_entropy(logits, torch.tensor(whole.marks), reduction="none")
    assert [f"{loss:.3f}" for loss in losses.tolist()] == [cells[-1] for cells in rows]
    assert f"{cross_entropy(logits, torch.tensor(whole.marks), reduction='sum') / len(rows):.3f}" == mean


def test_the_score() -> None:
    *rows, (_, product, score) = table("node negative neutral positive right log")
    logits = torch.cat([probabilities(cells[1:4]) for cells in rows]).log()  # (steps, 3)
    steps = log_right(logits)
    assert [[f"{each.exp():.2f}", f"{each:.3f}"] for each in steps] == [cells[4:] for cells in rows]
    found = {name: torch.tensor(aggregate(steps.tolist())) for name, aggregate in AGGREGATES.items()}
    assert (f"{found['product'].exp():.4f}", f"{found['product']:.3f}") == (product, score)
    prose = " ".join(README.split())
    assert f"= {log_right(logits, neutral_is_positive=False).sum().exp():.3f}." in prose
    assert f"`minimum` {found['minimum'].exp():.2f}, `last` {found['last'].exp():.2f}." in prose
