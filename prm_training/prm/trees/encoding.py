"""Turns text into token ids, by the one function that training, pre-training and scoring share.

Problem, steps and boundaries are encoded separately and joined as ids, so that no tokenizer can merge across a boundary
(`.` followed by a blank line is one token in many vocabularies) and every step ends at a whole token.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any

from prm_training.prm.trees.data import PrmError

DEFAULT_BOUNDARY = "\n"
CACHED_TEXTS = 1 << 14  # some 30 MB

Ids = tuple[int, ...]
Segments = tuple[Ids, ...]


class EncodingError(PrmError):
    """The tokenizer has no tokens for the step boundary, or the length limit leaves no room for a step."""


@dataclass(frozen=True)
class Encoded:
    """The segments of one path: the problem, then each step that fits, every step closed by the boundary."""

    segments: Segments
    problem_shortened: bool
    steps_left_out: int

    @property
    def ids(self) -> list[int]:
        """The whole path as one row."""  # (tokens,)
        return [token for segment in self.segments for token in segment]

    @property
    def step_ends(self) -> list[int]:
        """The positions at which labels are read: the last token of each kept step."""  # (steps,)
        return [end - 1 for end in accumulate(len(segment) for segment in self.segments)][1:]


class Encoder:
    """Encodes paths of at most `max_length` tokens with any Hugging Face tokenizer.

    A problem longer than half of `max_length` keeps its beginning and its boundary. The first step that does not fit is
    left out with all that follow it; `Encoded` says how many. The boundary closes the problem, too, unless not
    `closes_problem`.
    """

    def __init__(
        self, tokenizer: Any, max_length: int, boundary: str = DEFAULT_BOUNDARY, *, closes_problem: bool = True
    ) -> None:
        self.max_length, self.boundary = max_length, boundary
        self._tokenizer = tokenizer
        # Added once, at the beginning of the problem, not by the tokenizer before every piece of text.
        self._start: Ids = () if tokenizer.bos_token_id is None else (tokenizer.bos_token_id,)
        self._boundary_ids = self._tokens(boundary)
        self._problem_end = self._boundary_ids if closes_problem else ()
        self._room = max_length // 2 - len(self._boundary_ids)  # tokens of a problem
        self._cached = lru_cache(CACHED_TEXTS)(self._tokens)
        if not self._boundary_ids:
            raise EncodingError(f"the tokenizer has no tokens for the step boundary {boundary!r}")
        if self._room <= len(self._start):
            raise EncodingError(f"max_length {max_length} leaves no room for a problem and a step")

    def encode(self, problem: str, steps: Sequence[str]) -> Encoded:
        """Encode a problem followed by `steps`, as far as they fit."""
        ids = self._start + self._cached(problem)
        segments = [ids[: self._room] + self._problem_end]
        used = len(segments[0])
        for text in steps:
            segment = self._cached(text) + self._boundary_ids
            # A step is kept whole or left out, so that every label is read at the end of the text that was labelled.
            used += len(segment)
            if used > self.max_length:
                break
            segments.append(segment)
        # The first segment is the problem, hence the 1.
        return Encoded(tuple(segments), len(ids) > self._room, len(steps) - len(segments) + 1)

    def _tokens(self, text: str) -> Ids:
        return tuple(self._tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])
