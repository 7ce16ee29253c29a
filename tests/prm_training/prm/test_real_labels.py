"""Real human labels: PRM800K's phase 1, where the data folder is at hand."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from prm_training.prm.data import Completion, LabelledTree, Step, counted_labels
from prm_training.prm.encoding import Encoder
from prm_training.prm.examples import build_examples
from prm_training.prm.pretrain import train_tokenizer

DATA = Path(os.environ.get("STEPMARK_DATA", Path(__file__).parents[4] / "shared" / "data"))
FILE = DATA / "prm800k" / "phase1_test.jsonl.gz"
pytestmark = pytest.mark.skipif(not FILE.exists(), reason=f"public data not found: {FILE} (set STEPMARK_DATA)")


def converted(record: dict[str, Any], identity: str) -> LabelledTree:
    steps = []
    for step in record["label"]["steps"]:
        completions = [Completion(each["text"], each["rating"]) for each in step["completions"] or []]
        chosen = step["chosen_completion"]
        if step["human_completion"] is not None:
            chosen = len(completions)
            completions.append(Completion(step["human_completion"]["text"], None))
        steps.append(Step(tuple(completions), chosen))
    problem = record["question"]["problem"]
    return LabelledTree(identity, problem, "test", problem, tuple(steps))


@pytest.fixture(scope="module")
def real() -> list[LabelledTree]:
    def read() -> Iterator[LabelledTree]:
        with gzip.open(FILE, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines):
                yield converted(json.loads(line), str(number))

    return list(read())


def test_real_trees_pack_many_times_smaller(real: list[LabelledTree]) -> None:
    tokenizer = train_tokenizer([(tree.problem, [tree.steps[0].completions[0].text]) for tree in real], 800)
    pieces, counts = build_examples(real, Encoder(tokenizer, 2048))
    counted = sum(1 for tree in real for _ in counted_labels(tree))
    assert counts.trees == len(real) == 106
    assert counts.labels + counts.labels_left_out == counted > 5000
    assert sum(len(piece.marks) for piece in pieces) == counts.labels
    assert counts.tokens * 6 < counts.row_tokens
