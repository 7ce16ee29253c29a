"""GSM8K's example model solutions: one problem a line, with one solution for each generator and its verdict.

Source: ``example_model_solutions.jsonl`` of github.com/openai/grade-school-math (Cobbe et al. 2021, arXiv 2110.14168):
``{"question": ..., "ground_truth": ..., "175b_verification": {"solution": ..., "is_correct": true}, ...}``. Every key
but the first two names a generator.

The last line of a solution is ``A: 18``. ``<<16-3=13>>`` is a calculator note, which is left out; whatever else stands
between such brackets stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from labeling.data.formats import fields
from labeling.data.formats.cutter import SplitSteps
from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.solutions import ParsedProblem, ParsedSolution
from labeling.rules.texts.answers import extract_answer
from labeling.rules.texts.splitting import split_steps

CALCULATOR_NOTE = re.compile(r"<<[-+*/().,%$\d ]+(?:=[-+*/().,%$\d ]+)+>>")


class _Problem(Struct):
    question: fields.NotBlank
    ground_truth: fields.NotBlank


class _Solution(Struct):
    is_correct: bool
    solution: fields.NotBlank


def parse(record: Record, split: SplitSteps = split_steps) -> list[ParsedSolution]:
    """The solutions of one record, one per generator. Raises FormatError, which names the field."""
    given = fields.convert(record, _Problem)
    reference = without_calculator_notes(given.ground_truth)
    problem = ParsedProblem(
        statement=given.question,
        reference_answer=extract_answer(reference),
        reference_solution=reference,
        subject="Arithmetic",
    )
    written = fields.convert(
        {key: value for key, value in record.items() if key not in _Problem.__struct_fields__},
        dict[fields.Name, _Solution],
    )
    if not written:
        raise FormatError("there is no solution beside “question” and “ground_truth”")
    return [_solution(problem, generator, solution, split) for generator, solution in written.items()]


def without_calculator_notes(text: str) -> str:
    """Removes calculator notes: ``16 - 3 = <<16-3=13>>13`` becomes ``16 - 3 = 13``."""
    return CALCULATOR_NOTE.sub("", text)


def unread(record: Record) -> Iterator[tuple[str, object]]:
    """Yields what `fields.unread` does; the paths don't name the generators."""
    for key, value in record.items():
        if key not in _Problem.__struct_fields__ and isinstance(value, dict):
            yield from fields.unread(value, _Solution)


def texts(record: Record) -> list[str]:
    """Returns the solutions' texts, which are split into steps."""
    return [value["solution"] for value in record.values() if isinstance(value, dict)]


def _solution(problem: ParsedProblem, generator: str, given: _Solution, split: SplitSteps) -> ParsedSolution:
    steps = split(without_calculator_notes(given.solution))
    if not steps:
        raise FormatError(f"“{generator}”: “solution” has no steps")
    return ParsedSolution(problem, tuple(steps), extract_answer(steps[-1]), generator, given.is_correct)
