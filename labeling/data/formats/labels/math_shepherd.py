"""Math-Shepherd: the problem and its steps as one text, each step's end marked; the same with the labels as marks.

Source: huggingface.co/datasets/peiyi9979/Math-Shepherd (Wang et al. 2024, arXiv 2312.08935). ``input`` has ``ки`` at
the end of each step, ``label`` has ``+`` or ``-`` there instead; ``task`` names the problem's data set.

A record is the path that `labeling.data.formats.labels.trl` has, with the same losses. One line is one step, and ``ки``
is nothing but a mark: a line break inside a text is written as ``␤``, a ``ки`` inside a text with an invisible
character between its letters, and both are read back as they were. `numbered` says how the steps are numbered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from labeling.data.formats import fields
from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.labels import numbered
from labeling.data.formats.labels.parsed import ParsedLabelling, is_right, labelled_steps
from labeling.data.formats.solutions import ParsedProblem, ParsedSolution
from labeling.rules.labelled import Labelled
from labeling.rules.texts.answers import extract_answer

MARK = "ки"  # Cyrillic: one token of the tokenizers that the data set was made for
BREAK = "␤"
# Invisible, as in `numbered`. Before a BREAK it says that this is no line break; of two in a row, the second counts.
ESCAPE = numbered.KEEP
ESCAPED = {ESCAPE: ESCAPE * 2, BREAK: ESCAPE + BREAK, "\n": BREAK, MARK: ESCAPE.join(MARK)}
RAW = re.compile("|".join(ESCAPED))
WRITTEN = {written: raw for raw, written in ESCAPED.items()}
READ = re.compile("|".join(sorted(WRITTEN, key=len, reverse=True)))

LINE_START = re.compile(r"\A *\n?")


class _Record(Struct, gc=False):
    input: fields.NotBlank
    label: fields.NotBlank
    task: str | None = None


unread = partial(fields.unread, kind=_Record)


def parse(record: Record) -> ParsedLabelling:
    """Parses one record. Raises FormatError, which names the field."""
    given = fields.convert(record, _Record)
    return labelled_steps(solution_of(given.input), _signs(given.input, given.label), name="label")


def solution_of(marked: str) -> ParsedSolution:
    """Parses a problem with marked steps. Raises FormatError if the text is none."""
    *texts, rest = marked.split(MARK)
    if rest.strip() or not texts:
        raise FormatError(f"input: the last step does not end with “{MARK}”")
    lines = [texts[0], *(LINE_START.sub("", text) for text in texts[1:])]
    problem, steps = numbered.split([READ.sub(_raw, line.removesuffix(" ")) for line in lines])
    return ParsedSolution(ParsedProblem(problem), tuple(steps), extract_answer("\n\n".join(steps)), generator="")


def _raw(found: re.Match[str]) -> str:
    return WRITTEN[found[0]]


def _signs(marked: str, label: str) -> list[str]:
    """The signs that ``label`` has in place of the marks."""
    signs, at = list[str](), 0
    for text in marked.split(MARK)[:-1]:
        if not label.startswith(text, at):
            raise FormatError(f"label: it is not “input” with + or - in place of each “{MARK}”")
        at += len(text) + 1
        signs.append(label[at - 1 : at])
    return signs


def write(labelled: Labelled) -> Iterator[dict[str, Any]]:
    if path := labelled.path:
        texts = [item.text for item in path]
        signs = ["+" if each else "-" for each in is_right(path)]
        yield {
            "input": marked(labelled.problem_text, texts, [MARK] * len(path)),
            "label": marked(labelled.problem_text, texts, signs),
            "task": labelled.problem_source,
        }


def is_changed(text: str) -> bool:
    """Returns whether writing the text changes it."""
    return RAW.search(text) is not None


def marked(problem: str, steps: Sequence[str], marks: Sequence[str]) -> str:
    """Joins the problem and its steps into one text, with a mark after each step."""
    lines = (RAW.sub(lambda found: ESCAPED[found[0]], text) for text in numbered.join(problem, steps))
    return "\n".join(f"{line} {mark}" for line, mark in zip(lines, marks, strict=True))
