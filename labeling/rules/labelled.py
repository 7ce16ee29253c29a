"""A labelling as file formats write it; made from rows by ``labeling.data.exporting``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from labeling.rules.ratings import first_error
from labeling.rules.traces import rendering
from labeling.rules.traces.parts import Part, Turn
from labeling.rules.words import FinishReason, PhaseKind

STEP = attrgetter("step")
SCREENING, QUALITY_CONTROL = -1, -2  # the numbers of rounds


class LabelledCompletion(NamedTuple):
    """One candidate text for a step. ``number`` counts within the step; a person's own text comes last.

    A mistake may have the key of its kind, its words (characters from ``error_start`` to before ``error_end``), and the
    earlier step to blame.
    """

    step: int
    number: int
    text: str
    rating: int | None
    is_flagged: bool
    is_chosen: bool
    is_human: bool = False
    error_kind: str = ""
    error_start: int | None = None
    error_end: int | None = None
    root_cause: int | None = None

    @property
    def has_error(self) -> bool:
        """True if the mistake has a kind, words or a root cause."""
        return bool(self.error_kind) or self.error_start is not None or self.root_cause is not None

    @property
    def error_words(self) -> str:
        return self.text[self.error_start : self.error_end] if self.error_start is not None else ""


@dataclass(frozen=True, slots=True)
class Labelled:
    """One labelling with its context. Empty texts stand for unknown values.

    ``completions`` are in the order of step and number, ``active_ms`` is in milliseconds, ``submitted_at`` has a time
    zone, ``round_number`` is PRM800K's ``generation``, ``guidelines_version`` is the version that the annotator was
    given (None if unknown).

    ``method``: how several labellings became one, as in ConsensusMethod; empty for a labelling of one person.
    ``behind``: the labellings that it was made from. A ruling is by its author. ``external_id``: the solution's, in the
    file that it came in. ``turns`` and ``conversation`` are those of a trace; empty for plain texts.
    ``rates_all_steps``: the phase's protocol, in which a mistake ends nothing. ``result``: the annotator's verdict on
    the final result, if asked. ``error_kinds``: the phase's list, as in ErrorKind. ``drawn_by``: as of a Problem.
    """

    id: str
    annotator_id: str
    finish_reason: str | None
    active_ms: int | None
    submitted_at: datetime | None
    source_record: dict[str, Any] | None
    is_gold: bool
    round_number: int
    phase: str
    phase_kind: str
    generator: str
    solution_steps: list[str]
    answer: str
    verdict: str
    problem_id: str
    problem: str
    reference_answer: str
    reference_solution: str
    problem_source: str
    split: str
    problem_hash: str
    completions: Sequence[LabelledCompletion]
    guidelines_version: int | None = None
    method: str = ""
    behind: Sequence[str] = ()
    external_id: str = ""
    turns: Sequence[Turn] = ()
    conversation: Sequence[Part] = ()
    rates_all_steps: bool = False
    result: str = ""
    error_kinds: Sequence[dict[str, str]] = ()
    drawn_by: str = ""

    @property
    def parts(self) -> Iterator[Part]:
        """All parts of a trace, in order."""
        yield from self.conversation
        for turn in self.turns:
            yield from turn.parts

    @property
    def is_screening(self) -> bool:
        return self.round_number == SCREENING

    @property
    def has_alternatives_only(self) -> bool:
        """True if there is no whole solution: the trajectory was built while it was labelled (phase 1)."""
        return self.phase_kind == PhaseKind.ALTERNATIVES

    @property
    def problem_text(self) -> str:
        """The problem as a reward model reads it."""
        return rendering.problem_text(self.problem, self.conversation)

    @property
    def contexts(self) -> list[str]:
        """The text between each step of a trace and the next one; empty for plain texts."""
        return [rendering.context_text(turn) for turn in self.turns]

    @property
    def steps(self) -> Iterator[tuple[int, Iterator[LabelledCompletion]]]:
        return groupby(self.completions, key=STEP)

    @property
    def path(self) -> list[LabelledCompletion]:
        solution = None if self.has_alternatives_only else self.solution_steps
        return path_of(self.completions, solution, rates_all_steps=self.rates_all_steps)

    @property
    def first_error(self) -> int:
        """The index of the path's first mistake, or -1 if there is none."""
        return first_error([item.rating for item in self.path])

    @property
    def is_judged(self) -> bool:
        """True if the path judges the whole solution: it has a mistake, or holds every step.

        An imported labelling may lack a finish reason; then its ratings decide.
        """
        path = self.path
        has_mistake = self.first_error != -1
        end = FinishReason(self.finish_reason).traits if self.finish_reason else None
        if not path or (end and end.is_void) or (self.finish_reason == FinishReason.FOUND_ERROR and not has_mistake):
            return False
        if self.has_alternatives_only:
            whole = self.completions[-1].step + 1
        elif all(_is_own(item, self.solution_steps) for item in path):
            whole = len(self.solution_steps)
        else:
            return False
        return has_mistake or (not (end and end.gives_up) and len(path) == whole)


def path_of(
    completions: Sequence[LabelledCompletion], solution: Sequence[str] | None, *, rates_all_steps: bool = False
) -> list[LabelledCompletion]:
    """The completions that the labelling follows, step by step, up to and including the first mistake; past it where
    all steps are rated.

    It stops before a step that is unsure, missing, or without a completion to follow. `solution`: the steps of
    the whole solution, if one was labelled.
    """
    path = list[LabelledCompletion]()
    for step, group in groupby(completions, key=STEP):
        item = _followed(list(group), solution)
        if step != len(path) or item is None or (item.rating is None and not item.is_human):
            break
        path.append(item)
        if item.rating == -1 and not rates_all_steps:
            break
    return path


def _followed(group: Sequence[LabelledCompletion], solution: Sequence[str] | None) -> LabelledCompletion | None:
    """Returns the chosen completion, or the solution's own if that is the mistake: PRM800K chooses nothing there.

    If all rated completions are negative and none was chosen, the first stands for the others.
    """
    own = next((item for item in group if _has_own_text(item, solution)), group[0])
    chosen = next((item for item in group if item.is_chosen), None)
    if _is_own(own, solution) and (own.rating == -1 or chosen is None):
        return own
    rated = [item for item in group if item.rating is not None]
    return chosen or (rated[0] if rated and all(item.rating == -1 for item in rated) else None)


def _is_own(item: LabelledCompletion, solution: Sequence[str] | None) -> bool:
    """Returns whether the item is the solution's own step: by its text, or as the first one, which may be edited."""
    return _has_own_text(item, solution) or (solution is not None and item.number == 0 and not item.is_human)


def _has_own_text(item: LabelledCompletion, solution: Sequence[str] | None) -> bool:
    return solution is not None and not item.is_human and item.text in solution[item.step : item.step + 1]
