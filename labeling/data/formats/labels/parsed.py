"""One labelling of a solution, as it is read from a record of any format."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct

from labeling.data.formats.fields import FormatError
from labeling.data.formats.solutions import ParsedSolution
from labeling.rules.labelled import LabelledCompletion, path_of
from labeling.rules.words import FinishReason

RIGHT_FROM = 0.5  # a probability of at least this reads as right
SIGNS = {"+": 1, "-": -1, "": None}
RATINGS = {-1, 0, 1}
PROBABILITIES = "labels that were probabilities, right from 0.5 on"
WRONG_ZEROS = "labels 0, read as mistakes, as there is no -1 in the file"
OKAY_ZEROS = "labels 0, read as Okay, as there is a -1 in the file"

Value = bool | int | float | str | None


class Mistake(Struct, frozen=True, gc=False):
    """A file's statement about a mistake: the name of its kind, the step that is its root cause (the same or an earlier
    one), and the reason. Empty or None if not stated.
    """

    kind: str = ""
    root_cause: int | None = None
    why: str = ""


class ParsedLabelling(Struct, frozen=True, gc=False):
    """``completions`` are in the order of step and number. Empty texts stand for what the record does not say.

    ``is_trajectory``: there is no whole solution, its steps came to be while they were labelled (PRM800K's phase 1).
    ``round_number`` is PRM800K's ``generation``; SCREENING for screening. ``result``: the labeler's verdict on the
    final result. ``source_record`` is what our columns do not hold of a PRM800K record that was imported once.
    ``noted``: what reading changed, guessed or left out, counted. ``mistakes``: by step; labellings can't hold them.
    """

    solution: ParsedSolution
    completions: tuple[LabelledCompletion, ...]
    is_trajectory: bool = False
    finish_reason: str = ""
    labeler: str = ""
    labelled_at: datetime | None = None
    active_ms: int | None = None
    round_number: int = 0
    guidelines_version: int | None = None
    is_gold: bool = False
    result: str = ""
    source_record: dict[str, Any] | None = None
    noted: dict[str, int] = {}
    mistakes: dict[int, Mistake] = {}

    @property
    def path(self) -> list[LabelledCompletion]:
        return path_of(self.completions, None if self.is_trajectory else self.solution.steps)


def labelled_steps(solution: ParsedSolution, values: Sequence[Value], *, name: str, **said: Any) -> ParsedLabelling:
    """The solution with one value for each step: right or wrong, a rating, or a probability. Later steps have no label.

    Raises FormatError, which gives the ``name`` of the field that the values are in.
    """
    ratings = rated(values, name)
    completions = tuple(
        LabelledCompletion(step, 0, text, rating, False, True)
        for step, (text, rating) in enumerate(zip(solution.steps, ratings, strict=False))
    )
    said.setdefault("finish_reason", FinishReason.FOUND_ERROR.value if -1 in ratings else "")
    return ParsedLabelling(solution, completions, noted=_noted(values), **said)


def _noted(values: Sequence[Value]) -> dict[str, int]:
    """Counts the ambiguous values: probabilities and zeros."""
    numbers = [value for value in values if value is not None and not isinstance(value, bool | str)]
    counts = {PROBABILITIES: sum(0 < value < 1 for value in numbers)}
    if RATINGS.issuperset(numbers) and len(numbers) + values.count(None) == len(values):
        counts[OKAY_ZEROS if -1 in numbers else WRONG_ZEROS] = numbers.count(0)
    return {what: many for what, many in counts.items() if many}


def with_okay_zeros(parsed: ParsedLabelling) -> ParsedLabelling:
    """Reads 0 as Okay in the labelling of a record of zeros, ones and nulls, whose file has a -1 elsewhere."""
    completions = tuple(item._replace(rating=0) if item.rating == -1 else item for item in parsed.completions)
    noted = {OKAY_ZEROS: parsed.noted[WRONG_ZEROS]}
    return msgspec.structs.replace(parsed, completions=completions, noted=noted, finish_reason="")


def rated(values: Sequence[Value], name: str) -> list[int | None]:
    """Reads true, 1 and “+” as positive; false, 0 and “-” as negative, but 0 as neutral beside a -1; null as unsure.

    Numbers between 0 and 1 are probabilities. A 0 without a -1 in its record is neutral, too, where another record has
    one: see `with_okay_zeros`. Raises FormatError for any other value.
    """
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    has_ratings = -1 in numbers and RATINGS.issuperset(numbers)
    return [_rating(value, f"{name}[{index}]", has_ratings) for index, value in enumerate(values)]


def _rating(value: Value, place: str, has_ratings: bool) -> int | None:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, str):
        if value.strip() in SIGNS:
            return SIGNS[value.strip()]
    elif has_ratings and not isinstance(value, bool):
        return int(value)
    elif 0 <= value <= 1:
        return 1 if value >= RIGHT_FROM else -1
    raise FormatError(f"{place}: “{value}” says neither right nor wrong")


def is_right(path: Iterable[LabelledCompletion]) -> list[bool]:
    """Returns whether each step is right: neutral ones are, and those that the annotator wrote."""
    return [item.rating != -1 for item in path]


def chosen_texts(completions: Sequence[LabelledCompletion]) -> tuple[str, ...]:
    """The steps of a trajectory, in order; where nothing was chosen, the first text that was shown."""
    return tuple(item.text for item in completions if item.is_chosen) or tuple(item.text for item in completions[:1])
