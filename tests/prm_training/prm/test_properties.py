"""For any text, order and cut, a score equals that of the solution alone, in one plain row."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator
from functools import cache
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast

from prm_training.prm import loading
from prm_training.prm.model import StepClassifier
from prm_training.prm.score import ScoreConfig, score_solutions
from prm_training.prm.trees import attention, encoding
from prm_training.prm.trees.data import OutcomeLabel, Solution
from prm_training.prm.trees.encoding import Encoder, Ids
from prm_training.prm.trees.packing import Trie, batches, build_examples

SLOW = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
TEXT = st.text(max_size=12) | st.sampled_from(["", "\n", ".\n\n", "1 + 1 = 2.", "東京∑é", "🙂" * 5, "<|step|>"])
STEPS = st.lists(TEXT, max_size=4)
SEGMENTS = st.sampled_from([ids for size in (1, 2, 3) for ids in product(range(3), repeat=size)])
PATHS = st.lists(st.lists(SEGMENTS, min_size=1, max_size=4), min_size=1)
POOLS = st.lists(st.tuples(st.sampled_from(["P?", "What is 2 + 3?", ""]), STEPS), min_size=1, max_size=6)


@cache
def of_length(base: Path, limit: int) -> StepClassifier:
    return loading.load_base(base, max_length=limit)


def plain_row(model: StepClassifier, solution: Solution) -> torch.Tensor:
    """Returns (steps, 3) log-probabilities from a row with this solution alone."""
    path = model.encoder.encode(solution.problem, solution.steps)
    with attention.plain(model.network) as network, torch.inference_mode():
        return torch.log_softmax(network(torch.tensor([path.ids])).logits[0, path.step_ends], dim=-1)


@SLOW
@given(pool=POOLS, data=st.data())
def test_order_windows_and_pieces_never_change_a_score(base: Path, pool: list[Any], data: st.DataObject) -> None:
    model = of_length(base, data.draw(st.sampled_from([64, 256]), "max_length"))
    solutions = [Solution(str(number), problem, tuple(steps)) for number, (problem, steps) in enumerate(pool)]
    config = ScoreConfig(window=data.draw(st.integers(1, 7)), tokens_per_pass=data.draw(st.integers(1, 300)))
    for score in score_solutions(model, data.draw(st.permutations(solutions)), config):
        expected = plain_row(model, solutions[int(score.id)])
        found = torch.tensor(score.log_probabilities).reshape(-1, 3)
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=0)
        assert len(score.steps) + score.steps_left_out == len(solutions[int(score.id)].steps)


@SLOW
@given(pool=POOLS, limit=st.integers(64, 400), tokens=st.integers(1, 500))
def test_every_label_is_read_once_however_it_is_cut(base: Path, pool: list[Any], limit: int, tokens: int) -> None:
    model = of_length(base, 64)
    outcomes = [
        OutcomeLabel(str(number), problem, tuple(steps), correct=True)
        for number, (problem, steps) in enumerate(pool)
        if steps
    ]
    trees = [outcome.tree("train") for outcome in outcomes]
    pieces, counts = build_examples(trees, model.encoder, limit)
    assert sum(len(batch.marks) for batch in batches(pieces, tokens)) == counts.labels
    assert counts.labels + counts.labels_left_out == len(trees)


@cache
def merging() -> PreTrainedTokenizerFast:
    vocabulary = {"a": 0, "b": 1, ".": 2, "\n": 3, ".\n": 4, "\n\n": 5, ".\n\n": 6}
    merges = [(".", "\n"), ("\n", "\n"), (".\n", "\n")]
    return PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.BPE(vocabulary, merges)))


@settings(max_examples=200)
@given(problem=st.text("ab.\n", max_size=8), steps=st.lists(st.text("ab.\n", max_size=8), max_size=5))
def test_no_tokenizer_merges_across_a_boundary(problem: str, steps: list[str]) -> None:
    tokenizer = merging()
    encoder = Encoder(tokenizer, 512, "\n")
    whole = encoder.encode(problem, steps)
    for kept, end in enumerate(whole.step_ends, start=1):
        text = "".join(f"{part}\n" for part in (problem, *steps[:kept]))
        assert tokenizer.decode(whole.ids[: end + 1]).replace(" ", "") == text
        assert encoder.encode(problem, steps[:kept]).ids == whole.ids[: end + 1]


@settings(max_examples=200)
@given(paths=PATHS)
def test_any_tree_in_pieces_of_any_size_holds_each_path(paths: list[list[Ids]]) -> None:
    trie: Trie[int] = Trie()
    for number, path in enumerate(paths):
        trie.add(path)[-1].marks.append(number)
    for limit in (12, 17, 1000):
        seen = {}
        for piece in trie.pieces(limit):
            assert len(piece) <= limit
            ids, depths, ends = (column.tolist() for column in (piece.ids, piece.depths, piece.subtree_ends))
            for end, number in zip(piece.reads.tolist(), piece.marks, strict=True):
                ancestors = [place for place in range(end + 1) if ends[place] > end]
                assert [depths[place] for place in ancestors] == list(range(len(ancestors)))
                assert number not in seen
                seen[number] = [ids[place] for place in ancestors]
        assert seen == {number: [token for part in path for token in part] for number, path in enumerate(paths)}


@settings(max_examples=200)
@given(paths=PATHS, limit=st.integers(12, 20))
def test_no_other_cut_repeats_fewer_tokens(paths: list[list[Ids]], limit: int) -> None:
    trie: Trie[int] = Trie()
    for path in paths:
        trie.add(path)
    starts, sizes = zip(*((node.start, len(node.segment)) for node in trie._below()), strict=True)

    @cache
    def fewest(first: int) -> float:
        """Returns the fewest tokens of all pieces from this node on, by trying every cut."""
        if first == len(sizes):
            return 0
        room = (starts[first] + sum(sizes[first:stop]) for stop in range(first + 1, len(sizes) + 1))
        return min(size + fewest(stop) for stop, size in enumerate(room, start=first + 1) if size <= limit)

    assert sum(map(len, trie.pieces(limit))) == fewest(0)


def test_a_step_may_have_more_tokens_than_a_pass(base: Path) -> None:
    long = Solution("long", "P?", ("1 + 1 = 2.", "7" * 5000, "", "So 2."))
    score = next(score_solutions(loading.load_base(base), [long]))
    assert (len(score.steps), score.steps_left_out, score.is_truncated) == (1, 3, True)
    model = loading.load_base(base, max_length=6000)
    score = next(score_solutions(model, [long]))
    assert score.steps_left_out == 0
    torch.testing.assert_close(torch.tensor(score.log_probabilities), plain_row(model, long), atol=1e-4, rtol=0)


def some(count: int) -> Iterator[Solution]:
    for number in range(count):
        yield Solution(str(number), f"{number % 7} + {number % 11}?", (f"{number % 13}.", "So."))


def different(count: int) -> Iterator[Solution]:
    for number in range(10_000, 10_000 + count):  # all of one length
        yield Solution(str(number), f"{number // 4} + 1?", (f"{number}.", f"So {number}."))


@pytest.mark.long("traces every allocation of 1,280 scores")
def test_memory_stays_flat(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "CACHED_TEXTS", 256)
    found = score_solutions(loading.load_base(base), different(1300), ScoreConfig(window=64))
    held = []
    tracemalloc.start()
    for count in (512, 768):  # whole windows
        assert sum(1 for _ in islice(found, count)) == count
        gc.collect()
        ours = tracemalloc.take_snapshot().filter_traces([tracemalloc.Filter(True, "*/prm_training/*")])
        held.append(sum(each.size for each in ours.statistics("filename")))
    tracemalloc.stop()
    assert held[1] - held[0] < 23_000  # under 30 bytes a solution
