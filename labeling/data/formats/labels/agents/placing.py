"""Labels by message or by turn, put at the steps of a trace."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct, structs

from labeling.data.formats.labels.parsed import Mistake, ParsedLabelling
from labeling.data.formats.notes import Notes
from labeling.data.formats.solutions import ParsedSolution
from labeling.rules.labelled import LabelledCompletion
from labeling.rules.traces.parts import Turn
from labeling.rules.words import FinishReason

ELSEWHERE = "labels on what is no turn of a model, left out"
CAUSES_ELSEWHERE = "root causes that are no turn of a model, left out"


class Reference(Struct, frozen=True):
    """Labels of a trace that is in another file. `wrong` and `neutral`: messages, or turns if not `by_message`, from 0;
    all other turns are right. `mistakes`: of those that are wrong; their root causes are messages or turns, too.
    `unkept`: what reading left out, counted.
    """

    external_id: str
    wrong: frozenset[int]
    neutral: frozenset[int] = frozenset()
    by_message: bool = True
    mistakes: dict[int, Mistake] = {}
    unkept: dict[str, int] = {}

    def ratings(self, ats: Sequence[int | None]) -> list[int]:
        """The ratings of the turns, given each turn's message."""
        places = self._places(ats)
        ratings = [1] * len(ats)
        for rating, judged in ((0, self.neutral), (-1, self.wrong)):
            for step in {places[at] for at in judged if at in places}:
                ratings[step] = rating
        return ratings

    def placed_mistakes(self, ats: Sequence[int | None]) -> dict[int, Mistake]:
        """The mistakes by turn, given each turn's message; a root cause that is no turn becomes None."""
        places = self._places(ats)
        return {
            places[at]: structs.replace(said, root_cause=places.get(said.root_cause))
            for at, said in self.mistakes.items()
            if at in places
        }

    def left_out(self, ats: Sequence[int | None], end: int) -> dict[str, int]:
        """Counts the labels that can't be kept, given each turn's message and the number of turns kept."""
        places = self._places(ats)
        cut_off = {at for at, step in places.items() if step >= end}  # what is no turn at all is counted below
        causes = {said.root_cause for at, said in self.mistakes.items() if at not in cut_off} - {None}
        labels = sum(at not in places for at in self.wrong | self.neutral)
        found = {ELSEWHERE: labels, CAUSES_ELSEWHERE: sum(at not in places for at in causes)} | self.unkept
        return {what: many for what, many in found.items() if many}

    def _places(self, ats: Sequence[int | None]) -> dict[int | None, int]:
        return {at: step for step, at in reversed([*enumerate(ats)])} if self.by_message else range_of(ats)


def range_of(ats: Sequence[Any]) -> dict[int | None, int]:
    return {step: step for step in range(len(ats))}


def steps_of(turns: Sequence[Turn] | None) -> dict[int, int]:
    """The step of each message that is a turn; the first, if it is several."""
    return {turn.at: step for step, turn in reversed([*enumerate(turns or ())]) if turn.at is not None}


def judged(
    solution: ParsedSolution, ratings: Mapping[int, int] | Sequence[int], notes: Notes, **said: Any
) -> ParsedLabelling:
    """The solution labelled with these ratings of its steps, and with the notes of its reading."""
    given = ratings if isinstance(ratings, Mapping) else dict(enumerate(ratings))
    completions = tuple(
        LabelledCompletion(step, 0, solution.steps[step], given[step], False, given[step] != -1)
        for step in sorted(given)
    )
    said.setdefault("finish_reason", end_of(given.values(), len(solution.steps)))
    return ParsedLabelling(solution, completions, noted={what: many for what, many, _ in notes}, **said)


def end_of(ratings: Collection[int], steps: int) -> str:
    if -1 in ratings:
        return FinishReason.FOUND_ERROR.value
    return FinishReason.SOLUTION.value if len(ratings) == steps else ""
