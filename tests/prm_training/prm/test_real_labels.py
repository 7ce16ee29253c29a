"""Packing on real labels, PRM800K's phase 1, if the data folder is there."""

from __future__ import annotations

import pytest

from prm_training.prm.pretrain import train_tokenizer
from prm_training.prm.trees.data import LabelledTree, counted_labels
from prm_training.prm.trees.encoding import Encoder
from prm_training.prm.trees.packing import build_examples
from prm_training.prm.trees.readers import read_labels
from tests.real_data import DATA

FILE = DATA / "prm800k" / "phase1_test.jsonl.gz"
pytestmark = pytest.mark.skipif(not FILE.exists(), reason=f"public data not found: {FILE} (set STEPMARK_DATA)")


@pytest.fixture(scope="module")
def real() -> list[LabelledTree]:
    return list(read_labels(FILE, split="test"))


def test_real_trees_pack_many_times_smaller(real: list[LabelledTree]) -> None:
    tokenizer = train_tokenizer([(tree.problem, [tree.steps[0].completions[0].text]) for tree in real], 800)
    pieces, counts = build_examples(real, Encoder(tokenizer, 2048), 4096)
    counted = sum(1 for tree in real for _ in counted_labels(tree))
    assert counts.trees == len(real) == 106
    assert counts.labels + counts.labels_left_out == counted > 5000
    assert sum(len(piece.marks) for piece in pieces) == counts.labels
    assert counts.tokens * 6 < counts.row_tokens
