"""Encoding: boundaries survive any tokenizer, and every cut is counted."""

from __future__ import annotations

from typing import Any

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from prm_training.prm.model import StepClassifier
from prm_training.prm.trees.encoding import Encoder, EncodingError


@pytest.fixture
def merging() -> Any:
    """A vocabulary that reads a full stop and a line break as one token."""
    vocabulary = {"a": 0, "b": 1, ".": 2, "\n": 3, ".\n": 4, "\n\n": 5, ".\n\n": 6}
    merges = [(".", "\n"), ("\n", "\n"), (".\n", "\n")]
    return PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.BPE(vocabulary, merges)))


def test_a_tokenizer_cannot_merge_across_a_boundary(merging: Any) -> None:
    assert merging("a.\nb.\n")["input_ids"] == [0, 4, 1, 4]
    encoded = Encoder(merging, 64, "\n").encode("a.", ["b.", "a."])
    assert encoded.ids == [0, 2, 3, 1, 2, 3, 0, 2, 3]
    assert encoded.step_ends == [5, 8]


def test_a_step_ends_before_its_context(merging: Any) -> None:
    encoder = Encoder(merging, 64, "\n")
    encoded = encoder.encode("a", ["b", "a", "b"], ["a.", "", "never read"])
    assert encoded.segments == ((0, 3), (1, 3), (0, 2, 3, 0, 3), (1, 3))
    assert encoder.encode("a", ["b", "a", "b"], ["a."]).segments == encoded.segments
    assert encoder.encode("a", ["b", "a", "b"], ["", ""]) == encoder.encode("a", ["b", "a", "b"])


def test_a_step_ends_after_its_context_on_request(merging: Any) -> None:
    encoder = Encoder(merging, 64, "\n", reads_after=True)
    assert encoder.encode("a", ["b", "a"], ["a.", "b"]).segments == ((0, 3), (1, 3, 0, 2, 3), (0, 3, 1, 3))
    assert encoder.encode("a", ["b", "a"], ["a."]).segments == ((0, 3), (1, 3, 0, 2, 3), (0, 3))


def test_a_boundary_inside_a_step_ends_nothing(model: StepClassifier) -> None:
    encoded = model.encoder.encode("P", ["one\ntwo", "three"])
    assert len(encoded.step_ends) == 2
    assert encoded.step_ends[-1] == len(encoded.ids) - 1


def test_adding_steps_never_changes_what_came_before(model: StepClassifier) -> None:
    short = model.encoder.encode("What is 2 + 3?", ["2 + 3 = 5."])
    long = model.encoder.encode("What is 2 + 3?", ["2 + 3 = 5.", " So 5."])
    assert long.ids[: len(short.ids)] == short.ids
    assert long.step_ends[:1] == short.step_ends


def test_steps_that_do_not_fit_are_counted(merging: Any) -> None:
    encoder = Encoder(merging, 12, "\n")
    fits = encoder.encode("ab", ["aaaa", "aaa"])
    assert (len(fits.ids), fits.steps_left_out, fits.problem_shortened) == (12, 0, False)
    cut = encoder.encode("ab", ["aaaa", "aaaa", "b"])
    assert (len(cut.step_ends), cut.steps_left_out) == (1, 2)


def test_a_long_problem_keeps_its_beginning_and_its_boundary(merging: Any) -> None:
    encoded = Encoder(merging, 12, "\n").encode("b" + "a" * 20, ["b"])
    assert encoded.ids == [1, 0, 0, 0, 0, 3, 1, 3]
    assert encoded.problem_shortened


def test_a_tokenizer_without_the_boundary_is_refused() -> None:
    words = Tokenizer(models.WordLevel({"a": 0, "?": 1}, unk_token="?"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    with pytest.raises(EncodingError, match="no tokens for the step boundary"):
        Encoder(PreTrainedTokenizerFast(tokenizer_object=words), 64, "\n")


def test_no_room_is_refused(merging: Any) -> None:
    with pytest.raises(EncodingError, match="leaves no room"):
        Encoder(merging, 3, "\n")
