"""Turns text into token ids, by the one function that training, pre-training and scoring share.

Problem, steps, contexts and boundaries are encoded separately and joined as ids, so that no tokenizer can merge across
a boundary (`.` followed by a blank line is one token in many vocabularies) and every step ends at a whole token.

A context between two steps, such as a tool's result, is read before the second one: a step is judged before its result
is seen, since a reward model has to choose actions before it sees their results. With `reads_after`, a step is judged
with its result.
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
    """The segments of one path: the problem, then each step that fits, with the context before it (or after it),
    each closed by the boundary.
    """

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
    `closes_problem`. With `reads_after` a step ends after its context, else before.
    """

    def __init__(
        self,
        tokenizer: Any,
        max_length: int,
        boundary: str = DEFAULT_BOUNDARY,
        *,
        closes_problem: bool = True,
        reads_after: bool = False,
    ) -> None:
        self.max_length, self.boundary, self.reads_after = max_length, boundary, reads_after
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

    def encode(self, problem: str, steps: Sequence[str], contexts: Sequence[str] = ()) -> Encoded:
        """Encode a problem followed by `steps`, as far as they fit; `contexts` is what comes after each of them."""
        ids = self._start + self._cached(problem)
        segments = [ids[: self._room] + self._problem_end]
        used = len(segments[0])
        for number, text in enumerate(steps):
            segment = self._cached(text) + self._boundary_ids
            if contexts:
                segment = self._with_context(segment, contexts, number)
            # A step is kept whole or left out, so that every label is read at the end of the text that was labelled.
            used += len(segment)
            if used > self.max_length:
                break
            segments.append(segment)
        # The first segment is the problem, hence the 1.
        return Encoded(tuple(segments), len(ids) > self._room, len(steps) - len(segments) + 1)

    def _with_context(self, segment: Ids, contexts: Sequence[str], number: int) -> Ids:
        """The segment of a step with the context that is read with it, after it or before."""
        place = number if self.reads_after else number - 1
        if not 0 <= place < len(contexts) or not contexts[place]:
            return segment
        context = self._cached(contexts[place]) + self._boundary_ids
        return segment + context if self.reads_after else context + segment

    def _tokens(self, text: str) -> Ids:
        return tuple(self._tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])
