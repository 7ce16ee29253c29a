"""Records the losses and doubts of an import: each kind counted, with examples and its consequences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import accumulate
from typing import Any

from labeling.data.formats.notes import Notes

EXAMPLES = 5
EXAMPLE_LENGTH = 300
SUBJECTS = 100  # of one kind; a file whose keys are ids has millions


class Doubt(Enum):
    """A kind of finding: its title, in which `{}` stands for the subject, and its consequence. They are listed in this
    order: first what is lost.
    """

    LABELS = "“{}” looks like labels", "They are left out: as solutions, only the texts are stored."
    UNREAD = "“{}” is not imported", "No field has this name: its values are left out."
    REFERENCE = "Several reference answers for one problem", "The first one stays, and grades all its solutions."
    HELD_OUT = (
        "Problems that this file holds out",
        "They move to split test.",
    )
    TRAINED_ON = "Held out by this file, but trained on already", "They stay in training. Their page can hold them out."
    STAYS_HELD_OUT = "Said to be for training, but held out", "What is held out once stays held out."
    BENCHMARK = "Problems on a registered benchmark", "Labels on them stay out of training and exports."
    NEAR_BENCHMARK = "Problems near one on a benchmark", "Labels on them stay out of training and exports."
    NEAR = "Near-duplicates of other problems", "They stay problems of their own."
    DUPLICATE = "Already in {}", "They are not stored again, and count once."
    KNOWN = "Texts that are also in {}", "A text is stored and labelled once; its draws count in each of its sources."
    REPEATED = "More than once in this file", "A text is stored once; each of its draws is kept as a sample."
    UNASKED = (
        "Texts that the model is yet to split",
        "Until the file is inspected, they are shown as the usual rule splits them.",
    )
    NOT_SPLIT = "Texts that the model did not split", "It gave no usable answer, twice: the usual rule splits them."
    LONG_STEP = "Very long steps", "Stored whole, but they take minutes to read, and a reward model may cut them off."
    NO_ANSWER = "No final answer found", "Without one, a solution can’t be graded: its verdict is unsure."
    NO_REFERENCE = "No reference answer", "Without one, a solution can’t be graded: its verdict is unsure."

    def __init__(self, title: str, consequence: str) -> None:
        self.title = title
        self.consequence = consequence


@dataclass
class Finding:
    count: int = 0
    examples: list[tuple[int, str]] = field(default_factory=list)  # lines and texts


class Findings:
    """Collects the findings of one file. `steps` counts solutions by the origin of their steps, `lengths` by the number
    of steps.
    """

    def __init__(self) -> None:
        self._found: dict[Doubt, dict[str, Finding]] = {doubt: {} for doubt in Doubt}
        self.records = 0  # good ones
        self.steps: Counter[str] = Counter()
        self.lengths: Counter[int] = Counter()

    def add(self, doubt: Doubt, line: int, text: str, subject: str = "") -> None:
        found = self._found[doubt]
        if subject not in found and len(found) >= SUBJECTS:
            subject = "…"  # all the others
        finding = found.setdefault(subject, Finding())
        finding.count += 1
        if len(finding.examples) < EXAMPLES:
            finding.examples.append((line, text[:EXAMPLE_LENGTH]))

    def step_counts(self) -> dict[str, int] | None:
        """The smallest, median and largest number of steps, and the number of one-step solutions; None without any.

        Equal texts count once.
        """
        if not self.lengths:
            return None
        middle = (self.lengths.total() + 1) // 2
        ranked = sorted(self.lengths.items())
        reached = accumulate(number for _, number in ranked)
        median = next(length for (length, _), so_far in zip(ranked, reached, strict=True) if so_far >= middle)
        return {"smallest": ranked[0][0], "median": median, "largest": ranked[-1][0], "single": self.lengths[1]}

    def doubts(self, notes: Notes) -> list[dict[str, Any]]:
        """Lists the findings with title, consequence, count and examples, the most frequent of a kind first; then the
        notes.
        """
        found = [
            {
                "kind": doubt.name.lower(),
                "title": doubt.title.format(subject),
                "consequence": doubt.consequence,
                "count": finding.count,
                "examples": [{"line": line, "text": text} for line, text in finding.examples],
            }
            for doubt, found in self._found.items()
            for subject, finding in sorted(found.items(), key=lambda item: -item[1].count)
        ]
        return found + [_of_note(*note) for note in notes]


def _of_note(what: str, count: int, lines: Sequence[int]) -> dict[str, Any]:
    examples = [{"line": line, "text": ""} for line in lines]
    return {
        "kind": "note",
        "title": what[:1].upper() + what[1:],
        "consequence": "",
        "count": count,
        "examples": examples,
    }
