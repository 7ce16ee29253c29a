"""A labelling as the formats that are written see it, read from rows by ``labeling.data.exporting``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

SCREENING, QUALITY_CONTROL = -1, -2  # the numbers of rounds


class LabelledCompletion(NamedTuple):
    """One candidate text for a step. ``number`` counts within the step; a person's own text comes last."""

    step: int
    number: int
    text: str
    rating: int | None
    is_flagged: bool
    is_chosen: bool
    is_human: bool = False


@dataclass(frozen=True, slots=True)
class Labelled:
    """``completions`` are in the order of step and number. Empty texts stand for what is not known. ``active_ms`` is
    in milliseconds, ``submitted_at`` has a time zone, ``round_number`` is PRM800K's ``generation``.

    ``method``: how several labellings became one, as ConsensusMethod has it; empty for one that stands for itself.
    ``behind`` are those it came of. A ruling is by its author.
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
    method: str = ""
    behind: Sequence[str] = ()

    @property
    def is_screening(self) -> bool:
        return self.round_number == SCREENING

    @property
    def has_alternatives_only(self) -> bool:
        """Whether there is no whole solution: the trajectory came to be while it was labelled (phase 1)."""
        return self.phase_kind == "alternatives"

    @property
    def steps(self) -> Iterator[tuple[int, Iterator[LabelledCompletion]]]:
        return groupby(self.completions, key=lambda item: item.step)

    @property
    def path(self) -> list[LabelledCompletion]:
        """What went on, step by step, up to the first negative, or to where nobody can say: unsure, nothing chosen."""
        path = list[LabelledCompletion]()
        for _, group in self.steps:
            chosen = next((item for item in group if item.is_chosen), None)
            if chosen is None or (chosen.rating is None and not chosen.is_human):
                break
            path.append(chosen)
            if chosen.rating == -1:
                break
        return path

    @property
    def is_judged(self) -> bool:
        """Whether the path says all there is to say: it ends with the first mistake, or it holds every step."""
        if self.finish_reason not in {"found_error", "solution"} or not self.completions:
            return False
        path = self.path
        return bool(path) and (path[-1].rating == -1 or len(path) == self.completions[-1].step + 1)
